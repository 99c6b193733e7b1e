"""The difference of two libraries, and the sum of changes."""

from __future__ import annotations

from designs import CORE, TOP, Bench, two_cores
from hypothesis import given, settings
from strategies import SEQUENCES, Edit, started

from model import operations
from model.change import Change, ElementId
from model.difference import change_between
from model.elements import Connection, Endpoint
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv

START = started()


def words(elements: tuple[ElementId, ...]) -> list[str]:
    return [str(element) for element in elements]


def test_nothing_differs_from_itself() -> None:
    bench = two_cores()
    assert change_between(bench.library, bench.library).is_empty
    assert change_between(bench.library, two_cores().library).is_empty


def test_every_kind_is_seen() -> None:
    bench = two_cores()
    before = bench.library
    bench.signal(CORE, "new", "in")
    bench.parameter(CORE, "W", "8")
    bench.connect(TOP, "u1.q", "u2.d", "net")
    bench.do(operations.update_element, component=CORE, element_type="signal_port", name="io", width=4)
    bench.do(operations.update_element, component=CORE, element_type="component", description="a core")
    bench.delete(TOP, "signal_port", "led")
    change = change_between(before, bench.library, "Edited.")
    assert words(change.added) == [
        f"signal_port new of {CORE}",
        f"user_parameter W of {CORE}",
        f"connection net of {TOP}",
    ]
    assert words(change.changed) == [f"component {CORE}", f"signal_port io of {CORE}"]
    assert words(change.removed) == [f"signal_port led of {TOP}"]
    assert change.summary == "Edited."


def test_another_kind_under_the_same_name_is_another_element() -> None:
    one, other = Bench(CORE), Bench(CORE)
    one.signal(CORE, "p", "in")
    other.transactional(CORE, "p", "requires")
    change = change_between(one.library, other.library)
    assert words(change.removed) == [f"signal_port p of {CORE}"]
    assert words(change.added) == [f"transactional_port p of {CORE}"]


def test_components_come_and_go_with_all_they_hold() -> None:
    bench = two_cores()
    without = bench.library.without(Vlnv.parse(CORE))
    assert words(change_between(bench.library, without).removed) == [
        f"component {CORE}",
        f"signal_port q of {CORE}",
        f"signal_port d of {CORE}",
        f"signal_port io of {CORE}",
    ]
    assert len(change_between(Library(), bench.library).added) == 1 + 3 + 1 + 2 + 2


@given(SEQUENCES)
@settings(deadline=None)
def test_there_and_back_are_opposites(edits: list[Edit]) -> None:
    library = START
    for edit in edits:
        library, _change = edit.apply(library)
    there, back = change_between(START, library), change_between(library, START)
    assert set(there.added) == set(back.removed)
    assert set(there.removed) == set(back.added)
    assert set(there.changed) == set(back.changed)


@given(SEQUENCES)
@settings(deadline=None)
def test_the_sum_of_changes_covers_the_difference(edits: list[Edit]) -> None:
    library, total = START, Change()
    for edit in edits:
        library, change = edit.apply(library)
        total = total.then(change) if change else total
    true = change_between(START, library)
    assert set(true.touched) <= set(total.touched)
    assert not set(total.added) & set(total.removed)
    assert set(total.added) - set(true.added) == set()
    assert set(total.removed) - set(true.removed) == set()


def test_what_is_added_and_removed_again_is_no_change() -> None:
    element = ElementId(Vlnv.parse(CORE), "signal_port", "p")
    assert Change(added=(element,)).then(Change(removed=(element,))).is_empty
    assert Change(removed=(element,)).then(Change(added=(element,))).changed == (element,)
    assert Change(added=(element,)).then(Change(changed=(element,))).added == (element,)
    assert Change(changed=(element,)).then(Change(removed=(element,))).removed == (element,)


def two_views() -> Library:
    """A top whose two views hold designs with elements of equal names."""
    library = two_cores().library
    top = library.get(Vlnv.parse(TOP))
    return library.put(top.model_copy(update={"designs": top.designs.set("bus", top.design)}))


def test_every_view_is_seen() -> None:
    before = two_views()
    top = before.get(Vlnv.parse(TOP))
    design = top.designs["bus"]
    connection = Connection(
        name="net", ends=(Endpoint(instance="u1", port="q"), Endpoint(instance="u2", port="d")), description="in bus"
    )
    other = design.model_copy(
        update={"instances": design.instances.without("u1"), "connections": FrozenMap({"net": connection})}
    )
    after = before.put(top.model_copy(update={"designs": top.designs.set("bus", other)}))
    change = change_between(before, after)
    assert words(change.added) == [f"connection net of {TOP} in view bus"]
    assert words(change.removed) == [f"subcomponent u1 of {TOP} in view bus"]
    assert change.changed == ()
    assert [element.view for element in change.touched] == ["bus", "bus"]


def test_what_a_deletion_takes_along_in_other_views_is_told_apart() -> None:
    bench = Bench()
    bench.library = two_views()
    top = bench[TOP]
    net = Connection(name="net", ends=(Endpoint(instance="u1", port="q"), Endpoint(instance="u2", port="d")))
    bus = top.designs["bus"].model_copy(update={"connections": FrozenMap({"net": net})})
    own = Connection(name="net", ends=(Endpoint(instance="u1", port="io"), Endpoint(instance="u2", port="io")))
    first = top.design.model_copy(update={"connections": FrozenMap({"net": own})})
    bench.library = bench.library.put(top.model_copy(update={"designs": FrozenMap({top.view: first, "bus": bus})}))
    change = bench.delete(CORE, "signal_port", "q", cascade=True)
    assert words(change.removed) == [f"signal_port q of {CORE}", f"connection net of {TOP} in view bus"]
    assert list(bench[TOP].design.connections) == ["net"]
