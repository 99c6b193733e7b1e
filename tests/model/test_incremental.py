"""What follows edits at their own cost is the same as what is found from scratch."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import PARAMETERS, PORTS, SEQUENCES, Edit, made_afresh, started

from model.alike_wires import alike_wires
from model.checks import check_component
from model.difference import change_between
from model.elements import Component, Connection, Design, Endpoint, Instance, Parameter, SignalPort
from model.errors import DesignError, Warning
from model.findings import Finding
from model.frozen_map import Fact, FrozenMap
from model.joints import joints
from model.library import Library
from model.netlist import netlist
from model.operations.consequences import check_consequences
from model.separation import separated
from model.usage import instances_of, usage, used_by, users_of
from model.vlnv import Vlnv

START = started()
PARAMETER_W = FrozenMap({"W": Parameter(name="W", kind="user", value="8", type="int")})
SLOW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def afresh(library: Library) -> Library:
    """The library as if it had just been read: nothing about its designs is known yet."""
    return Library.of(
        component.model_copy(
            update={
                "ports": FrozenMap(component.ports.items()),
                "parameters": FrozenMap(component.parameters.items()),
                "designs": FrozenMap((view, made_afresh(design)) for view, design in component.designs.items()),
            }
        )
        for component in library
    )


def alike_connections(design: Design) -> set[frozenset[str]]:
    """The groups of connections that are alike, by name."""
    names = {place: name for place, name, _connection in design.connections.entries()}
    return {frozenset(names[place] for place in group) for group in joints(design).all()}


def joined_at(design: Design) -> dict[Any, set[frozenset[str]]]:
    """The groups of connections by what they join."""
    names = {place: name for place, name, _connection in design.connections.entries()}
    known = joints(design)
    return {
        (owner, port): {frozenset(names[place] for place in group) for group in known.at(owner, [port])}
        for owner, ports in known.shapes.items()
        for port in ports
    }


def alike_wire_names(design: Design) -> Any:
    """The groups of wires that are alike, by their first connection, and where they are."""
    wires, known = netlist(design), alike_wires(design)

    def named(groups: Any) -> set[frozenset[str]]:
        return {frozenset(wires.wire(number).first.name for number in group) for group in groups}

    at = {owner: {port: named(known.on(owner, [port])) for port in ports} for owner, ports in known.signatures.items()}
    return named(known.alike.values()), at, named(known.sliced())


def same_index(design: Design) -> None:
    fresh = made_afresh(design)
    wires, afresh_wires = netlist(design).wires(), netlist(fresh).wires()
    assert [(wire.nodes, wire.connections, wire.tied) for wire in wires] == [
        (wire.nodes, wire.connections, wire.tied) for wire in afresh_wires
    ]
    assert [dict(wire.kinds) for wire in wires] == [dict(wire.kinds) for wire in afresh_wires]
    for name, connection in design.connections.items():
        for end in connection.ends:
            assert name in [each.name for each in netlist(design).connections_of(end)]
    for name in design.instances:
        here = [each.name for each in netlist(design).connections_at([(name, None)])]
        assert here == [key for key, value in design.connections.items() if any(e.instance == name for e in value.ends)]
    assert alike_connections(design) == alike_connections(fresh)
    assert joined_at(design) == joined_at(fresh)
    assert alike_wire_names(design) == alike_wire_names(fresh)
    assert usage(design) == usage(fresh)


@given(SEQUENCES)
@SLOW
def test_every_index_follows_the_operations(edits: list[Edit]) -> None:
    library = START
    for edit in edits:
        library, change = edit.apply(library)
        for component in library if change is not None else ():
            same_index(component.design)
            users = [parent.vlnv for parent in library if component.vlnv in used_by(parent)]
            assert users_of(library, component.vlnv) == users
            named = {name for name, each in component.design.instances.items() if each.component == component.vlnv}
            assert set(instances_of(component.design, component.vlnv)) == named


VLNVS = (Vlnv("a", "l", "leaf", "1.0"), Vlnv("a", "l", "mid", "1.0"), Vlnv("a", "l", "missing", "1.0"))
parts = st.sampled_from([("", ""), ("7", "0"), ("7", "4"), ("3", "0"), ("0", "3"), ("N-1", "0"), ("5", "")])
ends = st.builds(
    lambda instance, port, part: Endpoint(instance=instance, port=port, left=part[0], right=part[1]),
    st.sampled_from(["", "u", "v", "w", "gone"]),
    st.sampled_from(["p", "q"]),
    parts,
)
joins = st.builds(
    lambda ends, tied: (tuple(ends), tied),
    st.lists(ends, min_size=0, max_size=4),
    st.sampled_from(["", "", "", "0", "open"]),
)
overrides = st.dictionaries(st.sampled_from(["W", "N"]), st.sampled_from(["1", "W"]), max_size=1)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("connect"), st.sampled_from("abcdefgh"), joins),
        st.tuples(st.just("disconnect"), st.sampled_from("abcdefgh"), st.just(None)),
        st.tuples(st.just("instance"), st.sampled_from("uvw"), st.tuples(st.sampled_from(VLNVS), overrides)),
        st.tuples(st.just("no instance"), st.sampled_from("uvw"), st.just(None)),
        st.tuples(st.just("look"), st.just(""), st.just(None)),
    ),
    max_size=25,
)


@given(steps)
@SLOW
def test_every_index_follows_what_files_may_hold(edits: list[tuple[str, str, Any]]) -> None:
    design = Design()
    for what, name, content in edits:
        instances, connections = design.instances, design.connections
        if what == "connect":
            connections = connections.set(name, Connection(name=name, ends=content[0], tied_value=content[1]))
        elif what == "disconnect" and name in connections:
            connections = connections.without(name)
        elif what == "instance":
            value = Instance(name=name, component=content[0], parameters=FrozenMap(content[1]))
            instances = instances.set(name, value)
        elif what == "no instance" and name in instances:
            instances = instances.without(name)
        elif what == "look":
            same_index(design)
        design = design.model_copy(update={"instances": instances, "connections": connections})
    same_index(design)


def expected(before: Library, after: Library, vlnv: Vlnv) -> tuple[str, ...] | tuple[Warning, ...]:
    """What a whole check before and after says that an edit adds: the slow way, and the definition."""
    warnings: list[Warning] = []
    for parent in after:
        if parent.vlnv != vlnv and vlnv not in used_by(parent):
            continue
        old = check_component(before, parent.vlnv) if parent.vlnv in before else ()
        new = check_component(after, parent.vlnv)
        counts = Counter((found.code, found.where) for found in old if breaks_a_rule(found))
        for found in new:
            if breaks_a_rule(found):
                counts[found.code, found.where] -= 1
                if counts[found.code, found.where] < 0:
                    return found.code, found.message
        known = {finding.message for finding in old}
        warnings.extend(
            Warning(finding.code, f"{finding.message} ({parent.vlnv})" if parent.vlnv != vlnv else finding.message)
            for finding in new
            if finding.code == "widths-differ" and finding.message not in known
        )
    return tuple(warnings)


def breaks_a_rule(finding: Finding) -> bool:
    return finding.severity == "error" or finding.code == "bad-width"


def found(before: Library, after: Library, vlnv: Vlnv) -> tuple[str, ...] | tuple[Warning, ...]:
    try:
        return check_consequences(before, after, vlnv)
    except DesignError as problem:
        message = problem.message.partition(": ")[2]
        return problem.code, message


texts = st.sampled_from(["", "1", "7", "W", "N-1", "M", "W/0", "0"])
changes = st.one_of(
    st.tuples(
        st.just("port"), st.sampled_from(PORTS), st.sampled_from(["in", "out", "inout"]), st.tuples(texts, texts, texts)
    ),
    st.tuples(st.just("parameter"), st.sampled_from(PARAMETERS), st.sampled_from(["1", "3", "N", "W+1", "x y"])),
    st.tuples(st.just("override"), st.sampled_from(["u", "v"]), st.sampled_from(PARAMETERS), st.sampled_from("139N")),
)


def edited(component: Component, change: tuple[Any, ...]) -> Component:
    """The component with one thing set to something else, whether or not the rules allow it."""
    what, name, value, *rest = change
    if what == "port" and isinstance(component.ports.get(name), SignalPort):
        left, right, default = rest[0]
        bounds = {"left": left, "right": right} if left and right else {"left": "", "right": ""}
        port = component.ports[name].model_copy(update={"direction": value, "default_value": default, **bounds})
        return component.model_copy(update={"ports": component.ports.set(name, port)})
    if what == "parameter" and name in component.parameters:
        parameter = component.parameters[name].model_copy(update={"value": value})
        return component.model_copy(update={"parameters": component.parameters.set(name, parameter)})
    if what == "override" and name in component.design.instances:
        instance = component.design.instances[name]
        instance = instance.model_copy(update={"parameters": instance.parameters.set(value, rest[0])})
        design = component.design
        return component.with_design(design.model_copy(update={"instances": design.instances.set(name, instance)}))
    return component


def with_connections_of_files(library: Library, extra: list[tuple[Any, ...]]) -> Library:
    """The library with connections that no operation would make: a file's breaches must not hide or become new ones."""
    for user in list(library):
        design = user.design
        for number, (places, tied) in enumerate(extra):
            connection = Connection(name=f"extra{number}", ends=places, tied_value=tied)
            design = design.model_copy(update={"connections": design.connections.set(connection.name, connection)})
        if user.designs:
            library = library.put(user.with_design(design))
    return library


def check_edits(library: Library, target: Vlnv, changed: list[tuple[Any, ...]]) -> None:
    after = library
    for change in changed:
        after = after.put(edited(after.get(target), change))
    assert found(library, after, target) == expected(afresh(library), afresh(after), target)


@given(SEQUENCES, st.lists(joins, max_size=4), st.lists(changes, min_size=1, max_size=4), st.integers(0, 3))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_an_edit_breaks_is_what_a_whole_check_finds(
    edits: list[Edit], extra: list[tuple[Any, ...]], changed: list[tuple[Any, ...]], which: int
) -> None:
    library = START
    for edit in edits:
        library, _change = edit.apply(library)
    library = with_connections_of_files(library, extra)
    check_edits(library, list(library)[which % len(library)].vlnv, changed)


plain_ends = st.builds(
    lambda instance, port, part: Endpoint(instance=instance, port=port, left=part[0], right=part[1]),
    st.sampled_from(["", "u", "v", "x", "y"]),
    st.sampled_from(["p", "q", "r"]),
    st.sampled_from([("", ""), ("", ""), ("", ""), ("7", "4"), ("3", "0"), ("W-1", "2")]),
)
plain_joins = st.tuples(st.lists(plain_ends, min_size=1, max_size=3).map(tuple), st.sampled_from(["", "", "", "", "0"]))
fitting_changes = st.one_of(
    st.tuples(
        st.just("port"),
        st.sampled_from(["p", "q", "r"]),
        st.sampled_from(["in", "out", "inout"]),
        st.tuples(st.sampled_from(["7", "8", "W", "3"]), st.just("0"), st.just("")),
    ),
    st.tuples(st.just("parameter"), st.just("W"), st.sampled_from(["4", "8", "16", "0"])),
    st.tuples(st.just("override"), st.sampled_from(["u", "x"]), st.just("W"), st.sampled_from(["4", "8", "0"])),
)


@given(
    st.lists(plain_joins, max_size=7),
    st.lists(fitting_changes, max_size=3),
    st.lists(fitting_changes, min_size=1, max_size=2),
    st.sampled_from(["a:l:leaf:1.0", "a:l:leaf:1.0", "a:l:mid:1.0", "a:l:top:1.0"]),
)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_an_edit_breaks_in_the_nets_around_is_what_a_whole_check_finds(
    extra: list[tuple[Any, ...]], prepared: list[tuple[Any, ...]], changed: list[tuple[Any, ...]], target: str
) -> None:
    library = START
    top = library.get(Vlnv.parse("a:l:top:1.0"))
    for vlnv in ("a:l:leaf:1.0", "a:l:top:1.0"):
        component = library.get(Vlnv.parse(vlnv))
        ports = library.get(Vlnv.parse("a:l:mid:1.0")).ports
        library = library.put(component.model_copy(update={"ports": ports, "parameters": PARAMETER_W}))
    top = library.get(top.vlnv)
    instances = top.design.instances
    for name in ("x", "y"):
        instances = instances.set(name, Instance(name=name, component=Vlnv.parse("a:l:leaf:1.0")))
    library = library.put(top.with_design(top.design.model_copy(update={"instances": instances})))
    library = with_connections_of_files(library, extra)
    for change in prepared:
        leaf = library.get(Vlnv.parse("a:l:leaf:1.0"))
        library = library.put(edited(leaf, change))
    check_edits(library, Vlnv.parse(target), changed)


@given(SEQUENCES, SEQUENCES)
@SLOW
def test_the_difference_of_related_libraries_is_that_of_strangers(first: list[Edit], second: list[Edit]) -> None:
    before = START
    for edit in first:
        before, _change = edit.apply(before)
    after = before
    for edit in second:
        after, _change = edit.apply(after)
    quick, slow = change_between(before, after), change_between(afresh(before), afresh(after))
    assert quick == slow
    assert change_between(after, before) == change_between(afresh(after), afresh(before))
    assert (before == after) == (afresh(before) == afresh(after))


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=20),
    st.sets(st.integers(0, 12), min_size=1, max_size=5),
)
def test_searching_from_all_seeds_finds_the_pieces(edges: list[tuple[int, int]], seeds: set[int]) -> None:
    beside: dict[int, list[int]] = {}
    for one, other in edges:
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)

    def piece(start: int) -> frozenset[int]:
        reached, waiting = {start}, [start]
        while waiting:
            for other in beside.get(waiting.pop(), ()):
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
        return frozenset(reached)

    pieces = separated(sorted(seeds), lambda place: iter(beside.get(place, ())))
    true = {piece(seed) for seed in seeds}
    assert len(pieces) == len(true) - 1
    assert {frozenset(found) for found in pieces} < true or not pieces
    assert all(len(found) == len(set(found)) for found in pieces)


def test_a_long_chain_falls_into_its_two_halves() -> None:
    count = 500

    def beside(place: int) -> Any:
        return iter([other for other in (place - 1, place + 1) if 0 <= other < count and {place, other} != {100, 101}])

    (short,) = separated([100, 101], beside)
    assert sorted(short) == list(range(101))


def test_facts_are_brought_along_and_do_not_keep_old_states_alive() -> None:
    asked: list[str] = []
    size: Fact[str, int, int] = Fact(lambda _known, now, _differences: asked.append("followed") or len(now))
    total: Fact[str, int, int] = Fact(lambda _known, now, _differences: sum(now.values()))
    first = FrozenMap((str(number), number) for number in range(100))
    assert size.of(first, lambda: 100) == 100
    assert total.of(first, lambda: 4950) == 4950
    known = weakref.ref(first)
    second = first.set("more", 1)
    third = second.set("still more", 2)
    assert size.of(third, lambda: pytest.fail("it was known")) == 102
    assert asked == ["followed"]
    assert total.of(third, lambda: pytest.fail("it was known")) == 4953
    del first, second
    gc.collect()
    assert known() is None
