from __future__ import annotations

from designs import CORE, TOP, Bench, two_cores
from hypothesis import given, settings
from strategies import SEQUENCES, started

from model import operations
from model.difference import change_between
from model.elements import (
    BusInterface,
    Component,
    Configuration,
    Design,
    Dimension,
    Interconnection,
    InterfaceEnd,
    Port,
    PortMap,
    SignalPort,
    StructuredPort,
    TransactionalPort,
)
from model.frozen_map import FrozenMap
from model.library import Library
from model.revisions import compare_components, compare_libraries
from model.vlnv import Vlnv


def texts(before: Library, after: Library) -> list[str]:
    return [difference.text for difference in compare_libraries(before, after)]


def test_a_changed_port_says_which_property_changed() -> None:
    bench = Bench(CORE)
    bench.signal(CORE, "clk", "in")
    before = bench.library
    update = {"component": CORE, "element_type": "signal_port", "name": "clk"}
    bench.do(operations.update_element, **update, width="8", description="the clock")
    assert texts(before, bench.library) == ["changed signal port clk: width 1 → 8, description nothing → 'the clock'"]
    bench.do(operations.update_element, **update, left="0", right="7")
    assert "width 1 → 0:7" in texts(before, bench.library)[0]


def test_everything_that_was_added_or_removed_is_listed_with_its_properties() -> None:
    bench = two_cores()
    before = bench.library
    bench.connect(TOP, "u1.q", "u2.d", name="link")
    bench.parameter(TOP, "DEPTH", 4, type="int", maximum=16)
    assert texts(before, bench.library) == [
        "added user parameter DEPTH: set by user, type int, value 4, maximum 16",
        "added connection link: ends 'u1.q, u2.d'",
    ]
    assert texts(bench.library, before) == [
        "removed user parameter DEPTH: set by user, type int, value 4, maximum 16",
        "removed connection link: ends 'u1.q, u2.d'",
    ]


def test_whole_components_are_one_difference() -> None:
    bench = two_cores()
    after = bench.library
    only_core = Library.of([bench[CORE]])
    assert texts(only_core, after) == ["added component: ports 2, subcomponents 2"]
    (removed,) = compare_libraries(after, only_core)
    assert removed.data()["change"] == "removed"
    assert removed.data()["component"] == TOP
    assert removed.data()["fields"][0] == {"field": "ports", "before": "2", "after": None}


def test_an_override_of_an_instance_is_named() -> None:
    bench = Bench(CORE, TOP)
    bench.parameter(CORE, "W", 8, type="int")
    bench.instance(TOP, CORE, "u")
    before = bench.library
    bench.do(operations.set_instance_parameter, component=TOP, instance_name="u", parameter="W", value="16")
    assert texts(before, bench.library) == ["changed subcomponent u: parameter W nothing → 16"]


def test_the_order_of_ports_counts() -> None:
    bench = two_cores()
    core = bench[CORE]
    turned = core.model_copy(update={"ports": FrozenMap(reversed(core.ports.items()))})
    assert [each.text for each in compare_components(core, turned)] == ["reordered signal ports"]
    assert compare_components(core, core) == ()


def test_another_kind_of_parameter_is_a_change_of_who_sets_it() -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "W", 8, type="int")
    core = bench[CORE]
    generated = core.parameters.set("W", core.parameters["W"].model_copy(update={"kind": "generated"}))
    (only,) = compare_components(core, core.model_copy(update={"parameters": generated}))
    assert only.text == "changed generator parameter W: set by user → generated"


def test_mere_spelling_is_shown_as_it_is_stored() -> None:
    bench = Bench(CORE)
    bench.signal(CORE, "d", "in", left="7", right="0")
    core = bench[CORE]
    spelled = core.ports.set("d", core.ports["d"].model_copy(update={"left": " 7"}))
    (only,) = compare_components(core, core.model_copy(update={"ports": spelled}))
    assert only.text == "changed signal port d: left 7 → ' 7'"


def test_designs_of_further_views_are_compared_and_named() -> None:
    bench = two_cores()
    top = bench[TOP]
    both = top.model_copy(update={"designs": top.designs.set("other", top.design)})
    emptied = both.model_copy(update={"designs": both.designs.set("other", type(top.design)())})
    assert [each.text for each in compare_components(both, emptied)] == [
        f"removed subcomponent {name} in view other: component {CORE}" for name in ("u1", "u2")
    ]


def test_maps_of_a_bus_interface_are_compared_row_by_row() -> None:
    def component(physical: str) -> Component:
        bus = BusInterface(
            name="bus",
            mode="target",
            bus_type=Vlnv.parse("a:b:c:1.0"),
            port_maps=(PortMap(logical="ADDR", physical=physical), PortMap(logical="DATA", physical="data")),
        )
        return Component(vlnv=Vlnv.parse(CORE), bus_interfaces=FrozenMap({"bus": bus}))

    (only,) = compare_components(component("addr"), component("adr"))
    assert only.text == "changed bus interface bus: map of ADDR addr → adr"


def test_two_versions_of_a_component_can_be_compared() -> None:
    bench = two_cores()
    bench.do(operations.copy_component, component=CORE, new_component="acme:soc:core:2.0")
    (only,) = compare_components(bench[CORE], bench["acme:soc:core:2.0"])
    assert only.text == "changed component: VLNV acme:soc:core:1.0 → acme:soc:core:2.0"


@settings(max_examples=50)
@given(SEQUENCES)
def test_it_names_exactly_the_elements_that_a_change_names(edits: list) -> None:
    before = started()
    after = before
    for edit in edits:
        after, _change = edit.apply(after)
    change = change_between(before, after)
    found = compare_libraries(before, after)
    whole = {each.component for each in (*change.added, *change.removed) if each.kind == "component"}
    named = {each.element for each in found if each.how != "reordered" and each.element.component not in whole}
    expected = {each for each in change.touched if each.component not in whole}
    assert {(each.component, each.name) for each in named} == {(each.component, each.name) for each in expected}
    assert all(each.fields for each in found if each.how == "changed")


def test_every_shape_of_a_port_is_told() -> None:
    def holder(*ports: Port, maps: tuple[PortMap, ...] = (), **design: object) -> Component:
        bus = BusInterface(name="bus", mode="target", bus_type=Vlnv("a", "l", "b", "1"), port_maps=maps)
        return Component(
            vlnv=Vlnv("a", "l", "shapes", "1"),
            ports=FrozenMap((port.name, port) for port in ports),
            bus_interfaces=FrozenMap({"bus": bus}),
            designs=FrozenMap({"hier": Design(**design)}),  # type: ignore[arg-type]
        )

    def grid(left: str) -> SignalPort:
        return SignalPort(name="grid", direction="in", left="3", right="0", vectors=(Dimension(left=left, right="0"),))

    def structure(inside: SignalPort) -> StructuredPort:
        return StructuredPort(
            name="s", form="struct", direction="in", type_name="t", sub_ports=FrozenMap({"a": inside})
        )

    def talk(**more: str) -> TransactionalPort:
        return TransactionalPort(name="t", initiative="both", kind="custom", **more)  # type: ignore[arg-type]

    watched = InterfaceEnd(instance="u", interface="s")
    monitor = Interconnection(name="watch", ends=(InterfaceEnd(instance="v", interface="m"),), monitored=watched)
    before = holder(
        grid("7"),
        structure(SignalPort(name="a", direction="in")),
        talk(custom_kind="mail"),
        maps=(PortMap(logical="D", physical="grid", logical_left="3", logical_right="0"),),
        configurations=FrozenMap({"hier": Configuration(views=FrozenMap({"u": "rtl"}))}),
    )
    after = holder(
        grid("15"),
        structure(SignalPort(name="a", direction="in", left="7", right="0")),
        talk(custom_kind="post", most="4"),
        maps=(PortMap(logical="D", physical="grid", logical_left="7", logical_right="4"),),
        configurations=FrozenMap({"hier": Configuration(views=FrozenMap({"u": "tlm"}))}),
        interconnections=FrozenMap({"watch": monitor}),
    )
    assert [difference.text for difference in compare_components(before, after)] == [
        "changed signal port grid: width [3:0][7:0] → [3:0][15:0]",
        "changed structured port s: sub-port a 'kind signal, direction in, width 1'"
        " → 'kind signal, direction in, width 8'",
        "changed transactional port t: kind 'custom mail' → 'custom post', most connections nothing → 4",
        "changed bus interface bus: map of D[3:0] grid → nothing, map of D[7:4] nothing → grid",
        "changed component: view of u in configuration hier rtl → tlm",
        "added interconnection watch: monitored u.s, ends v.m",
    ]
