"""From a library to the diagram: sides, shapes, nets, folding, what is missing."""

from __future__ import annotations

from contextlib import suppress

import pytest
from canvas_designs import TOP, UART, instances, named, port, sliced_system, small_system, wire
from hypothesis import given
from hypothesis import strategies as st

from desktop.canvas.build import BlockCache, build_diagram
from desktop.canvas.diagram import More, Pin, PinRef, Stand
from desktop.canvas.pins import FOLD_ABOVE, is_clock_name
from model import operations
from model.elements import Component, Design
from model.errors import DesignError
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv


def labels(rows):
    return [row.label for row in rows if isinstance(row, Pin)]


def pin(diagram, instance, label):
    return next(pin for pin in diagram.blocks[instance].pins if pin.label == label)


def test_inputs_left_outputs_right_interfaces_by_mode(library):
    diagram = build_diagram(library, TOP)
    uart, cpu, bus = diagram.blocks["uart"], diagram.blocks["cpu"], diagram.blocks["bus"]
    assert labels(uart.west) == ["apb", "clk", "rx", "div"]
    assert labels(uart.east) == ["tx", "irq"]
    assert labels(cpu.east) == ["m"]
    assert (labels(bus.west), labels(bus.east)) == (["s"], ["m0"])


def test_mapped_ports_fold_into_their_interface(library):
    cpu = build_diagram(library, TOP).blocks["cpu"]
    assert "paddr" not in labels(cpu.west + cpu.east)
    assert next(pin for pin in cpu.pins if pin.label == "m").folded == 1


def test_a_mapped_port_that_is_connected_shows(library):
    library, _ = operations.add_signal_port(library, component=str(TOP), name="a", direction="out", width="32")
    library, _ = operations.add_subcomponent_connection(
        library, component=str(TOP), source_instance="cpu", source_port="paddr", target_port="a"
    )
    assert "paddr" in labels(build_diagram(library, TOP).blocks["cpu"].east)


def test_widths_follow_the_instance(library):
    assert pin(build_diagram(library, TOP), "uart", "div").width == "[7:0]"
    symbol = build_diagram(library, UART).blocks[""]
    assert next(pin for pin in symbol.pins if pin.label == "div").width == "[15:0]"


def test_ties_and_missing_components_show(library):
    diagram = build_diagram(library, TOP)
    assert pin(diagram, "uart", "div").tie == "4"
    gone = diagram.blocks["gone"]
    assert gone.missing
    assert labels(gone.east) == ["bark"]  # it drives an input
    assert pin(diagram, "gone", "bark").element is None


def test_wires_that_share_an_end_are_one_net_from_the_driver(library):
    nets = {net.key: net for net in build_diagram(library, TOP).nets}
    clock = nets[".clk"]
    assert {branch.source for branch in clock.branches} == {PinRef("", "clk")}
    assert {branch.target.instance for branch in clock.branches} == {"cpu", "uart"}
    assert clock.tone == "clock"
    assert nets["cpu.m*"].tone == "interface"
    assert nets["cpu.m*"].label == "APB"


def test_the_driver_is_the_source_whatever_the_order_of_the_ends(library):
    top = library.get(TOP)
    design = top.design
    turned = design.model_copy(
        update={"connections": design.connections.set("irq", wire("irq", "cpu.irq", "uart.irq"))}
    )
    diagram = build_diagram(library.put(top.with_design(turned)), TOP)
    assert diagram.branches["connection:irq:0"].source == PinRef("uart", "irq")


def test_slices_of_one_port_are_nets_of_their_own():
    nets = build_diagram(sliced_system(), TOP).nets
    assert sorted(net.label for net in nets) == ["[3:0]", "[7:4]"]


def test_very_many_pins_fold_and_unfold():
    count = FOLD_ABOVE + 30
    wide = Component(vlnv=UART, ports=named(*(port(f"p{index}", "in") for index in range(count))))
    inside = Design(instances=instances(u=UART), connections=named(wire("c", "x", f"u.p{count - 1}")))
    top = Component(vlnv=TOP, ports=named(port("x", "in")), designs=FrozenMap([("h", inside)]))
    library = Library.of([wide, top])
    folded = build_diagram(library, TOP).blocks["u"].west
    assert folded[0].label == f"p{count - 1}"
    assert folded[-1] == More(count - len(labels(folded)))
    unfolded = build_diagram(library, TOP, {"u"}).blocks["u"].west
    assert len(labels(unfolded)) == count
    assert unfolded[-1] == More(0)


def test_an_edit_makes_only_those_blocks_anew_that_it_is_about(library):
    cache = BlockCache()
    before = build_diagram(library, TOP, (), cache)
    library, _ = operations.add_signal_port(library, component=str(UART), name="cts", direction="in")
    after = build_diagram(library, TOP, (), cache)
    assert after.blocks["cpu"] is before.blocks["cpu"]
    assert "cts" in labels(after.blocks["uart"].west)


ENDS = [("", "clk"), ("", "tx"), ("cpu", "irq"), ("uart", "tx"), ("uart", "rx"), ("uart", "irq"), ("more", "clk")]
edits = st.one_of(
    st.tuples(st.just("join"), st.sampled_from(ENDS), st.sampled_from(ENDS)),
    st.tuples(st.just("drop"), st.sampled_from(["clk_cpu", "irq", "bark", "tie", "tx"]), st.none()),
    st.tuples(st.just("remove"), st.sampled_from(["cpu", "uart", "gone", "more"]), st.none()),
    st.tuples(st.just("place"), st.none(), st.none()),
    st.tuples(st.just("port"), st.sampled_from([str(UART), str(TOP)]), st.sampled_from(["x", "bark"])),
    st.tuples(st.just("lose"), st.none(), st.none()),
)


def edited(library, what, one, other):
    top = str(TOP)
    match what:
        case "join":
            return operations.add_subcomponent_connection(
                library,
                component=top,
                source_instance=one[0],
                source_port=one[1],
                target_instance=other[0],
                target_port=other[1],
            )[0]
        case "drop":
            return operations.delete_element(library, component=top, element_type="connection", name=one)[0]
        case "remove":
            return operations.delete_element(library, component=top, element_type="subcomponent", name=one)[0]
        case "place":
            return operations.add_subcomponent(library, component=top, subcomponent=str(UART), instance_name="more")[0]
        case "port":
            return operations.add_signal_port(library, component=one, name=other, direction="out", width="2")[0]
        case _:
            return library.without(UART) if UART in library else library


@pytest.mark.parametrize(
    "stands",
    [{}, {PinRef("", "clk"): Stand("E", 10.0), PinRef("uart", "rx"): Stand("E", 20.0)}],
    ids=["plain", "turned"],
)
@given(steps=st.lists(edits, max_size=12))
def test_following_edit_by_edit_gives_what_building_anew_gives(stands, steps):
    library = small_system()
    cache = BlockCache(stands)
    build_diagram(library, TOP, (), cache)
    for step in steps:
        with suppress(DesignError):
            library = edited(library, *step)
        followed = build_diagram(library, TOP, (), cache)
        fresh = build_diagram(library, TOP, (), BlockCache(stands))
        assert dict(followed.blocks) == dict(fresh.blocks)
        assert dict(followed.terminals) == dict(fresh.terminals)
        assert {net.key: net for net in followed.nets} == {net.key: net for net in fresh.nets}
        assert dict(followed.branches) == dict(fresh.branches)
        for key in (*followed.blocks, *followed.terminals):
            assert set(followed.at_node(key)) == set(fresh.at_node(key))


def test_a_leaf_is_one_symbol_with_its_parameters(library):
    diagram = build_diagram(library, UART)
    assert diagram.is_symbol
    assert [line.name for line in diagram.blocks[""].parameters] == ["W"]
    assert not diagram.nets


@pytest.mark.parametrize("name", ["clk", "clk_i", "sys_clock", "rst_n", "HRESETn", "aresetn", "spi_clk", "PCLK"])
def test_clock_names(name):
    assert is_clock_name(name)


@pytest.mark.parametrize("name", ["data", "burst", "first", "irq", "clear", "restart", "interrupt", "port", "export"])
def test_other_names(name):
    assert not is_clock_name(name)


def test_an_interface_that_does_not_exist_is_drawn_where_it_is_named(library):
    vlnv = Vlnv.parse("acme:soc:odd:1.0")
    inside = Design(instances=instances(u=UART), connections=named(wire("c", "u.nothing", "u.rx")))
    diagram = build_diagram(library.put(Component(vlnv=vlnv, designs=FrozenMap([("h", inside)]))), vlnv)
    assert pin(diagram, "u", "nothing").element is None
    assert len(diagram.branches) == 1
