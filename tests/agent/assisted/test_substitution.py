from __future__ import annotations

from small_design import LIBRARY, TOP, UART

from agent.assisted.mentions import Mentions
from agent.assisted.substitution import with_said_names
from agent.models.base import ToolCall
from model.elements import Component, Design, Instance, Parameter, SignalPort
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv


def port(component: Component, name: str) -> ToolCall:
    return ToolCall("add_signal_port", {"component": str(component.vlnv), "name": name, "direction": "out"})


def delete(component: Component) -> ToolCall:
    return ToolCall("delete_component", {"component": str(component.vlnv)})


def wire(source: str, target: str) -> ToolCall:
    ends: dict[str, str] = {}
    for side, end in (("source", source), ("target", target)):
        instance, _dot, name = end.rpartition(".")
        ends |= ({f"{side}_instance": instance} if instance else {}) | {f"{side}_port": name}
    return ToolCall("add_subcomponent_connection", {"component": str(TOP.vlnv)} | ends)


def said(request: str, *calls: ToolCall, library: Library = LIBRARY) -> tuple[ToolCall, ...]:
    return with_said_names(calls, Mentions.of(request), library)


def test_the_component_that_is_written_out_is_filled() -> None:
    assert said("acme:soc:top:1.0: two outputs, a and b", port(UART, "a")) == (port(TOP, "a"),)


def test_another_component_may_be_meant_by_its_name_or_by_a_pattern() -> None:
    for request in ("An output a in the uart, as acme:soc:top:1.0 has it", "a for each block in acme:soc:top:1.0"):
        assert said(request, port(UART, "a")) == (port(UART, "a"),)


def test_of_two_components_the_one_that_is_edited_is_not_deleted() -> None:
    edit = ToolCall("delete_element", {"component": str(TOP.vlnv), "element_type": "subcomponent", "name": "u_uart"})
    request = "Remove u_uart from acme:soc:top:1.0, then delete the component behind it, acme:periph:uart:1.0"
    assert said(request, edit, delete(TOP)) == (edit, delete(UART))


def test_a_component_that_gets_something_is_not_deleted() -> None:
    assert said("Clean acme:soc:top:1.0 up, and add a", delete(TOP), port(TOP, "a")) == (port(TOP, "a"),)
    assert said("Delete acme:soc:top:1.0", delete(TOP)) == (delete(TOP),)


def test_an_element_of_another_kind_takes_the_place_of_the_old_one() -> None:
    depth = Parameter(name="DEPTH", value="8", kind="user")
    fifo = Component(vlnv=Vlnv.parse("acme:mem:fifo:1.0"), parameters=FrozenMap({"DEPTH": depth}))
    add = ToolCall("add_generator_parameter", {"component": "acme:mem:fifo:1.0", "name": "DEPTH", "value": "8"})
    out, anew = said("DEPTH ought to be a generator parameter", delete(fifo), add, library=Library.of([fifo]))
    assert out.arguments == {"component": "acme:mem:fifo:1.0", "element_type": "user_parameter", "name": "DEPTH"}
    assert anew == add


def test_an_end_that_nobody_said_gives_way_to_the_one_that_was_said() -> None:
    request = "In acme:soc:top:1.0 connect u_uart.tx to the output dbg that you add"
    calls = (port(TOP, "dbg"), wire("u_uart.tx", "u_uart.clk"))
    assert said(request, *calls) == (calls[0], wire("u_uart.tx", "dbg"))
    calls = (port(TOP, "dbg"), wire("u_uart.tx", "u_uart.tx"))
    assert said(request, *calls) == (calls[0], wire("u_uart.tx", "dbg"))


def test_where_both_ends_were_said_or_a_port_is_joined_already_nothing_is_replaced() -> None:
    request = "In acme:soc:top:1.0 add dbg and connect u_uart.tx and u_uart.clk"
    calls = (port(TOP, "dbg"), wire("u_uart.tx", "u_uart.clk"))
    assert said(request, *calls) == calls
    request = "In acme:soc:top:1.0 connect u_uart.tx to dbg"
    calls = (port(TOP, "dbg"), wire("u_uart.tx", "dbg"), wire("u_uart.tx", "u_uart.clk"))
    assert said(request, *calls) == calls


def test_the_port_for_the_purpose_that_is_said_is_joined() -> None:
    ports = {name: SignalPort(name=name, direction="in") for name in ("clk", "rst_n")}
    leaf = Component(vlnv=Vlnv.parse("acme:soc:leaf:1.0"), ports=FrozenMap(ports))
    inside = Design(instances=FrozenMap({"u_uart": Instance(name="u_uart", component=leaf.vlnv)}))
    library = Library.of([leaf, Component(vlnv=TOP.vlnv, ports=leaf.ports, designs=FrozenMap({"rtl": inside}))])
    assert said("Same thing with the reset", wire("rst_n", "u_uart.clk"), library=library) == (
        wire("rst_n", "u_uart.rst_n"),
    )
    for request in ("Same with clk and the reset", "Same thing with the others", "Same thing with the clock"):
        assert said(request, wire("rst_n", "u_uart.clk"), library=library)[0].arguments["target_port"] == "clk"


def test_a_port_belongs_to_the_component_that_stands_behind_its_name() -> None:
    request = "Give acme:soc:top:1.0 an output a, and a matching output b on acme:periph:uart:1.0"
    assert said(request, port(TOP, "a"), port(TOP, "b")) == (port(TOP, "a"), port(UART, "b"))
