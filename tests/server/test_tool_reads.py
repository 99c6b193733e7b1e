from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult

from model.elements import Component, SignalPort
from model.errors import DesignError
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.design_server import build_server
from server.tools_read import MAX_COMPONENTS, MAX_DETAILED, get_component_details, get_element, list_components

UART = "acme:periph:uart:1.0"
TOP = "acme:soc:top:1.0"
Text = Callable[[CallToolResult], str]


def test_details_of_a_leaf(soc: Library, text_of: Text) -> None:
    result = get_component_details(soc, component=UART)
    data = result.structured_content
    ports = {port["name"]: port for port in data["signal_ports"]}
    assert ports["clk"] == {"name": "clk", "direction": "in", "width": "1", "bits": 1}
    assert (ports["data"]["width"], ports["data"]["bits"]) == ("DATA_WIDTH", 8)
    assert ports["nibble"]["bits"] == 4
    assert data["transactional_ports"][0]["initiative"] == "provides"
    assert data["user_parameters"][0]["maximum"] == "64"
    assert [part["name"] for part in data["immediate_parameters"]] == ["KIND"]
    assert data["bus_interfaces"][0]["port_maps"] == ["PCLK=clk"]
    text = text_of(result)
    for fact in (
        "has 4 signal ports, 1 transactional port, 1 user parameter",
        "A small UART.",
        "clk: in, 1 bit",
        "data: out, DATA_WIDTH = 8 bits",
        "nibble: in, [7:4] = 4 bits",
        "rx: in, 1 bit, default 1",
        "debug: provides, tlm_socket, 32 bits",
        "DATA_WIDTH = 8 (int, 1 to 64)",
        "apb: target of acme:bus:apb:1.0 (PCLK=clk)",
    ):
        assert fact in text


def test_details_of_what_is_inside(soc: Library, text_of: Text) -> None:
    result = get_component_details(soc, component=TOP)
    data = result.structured_content
    assert [part["name"] for part in data["subcomponents"]] == ["u_cpu", "u_uart", "u_lost"]
    assert data["subcomponents"][1]["parameters"] == {"DATA_WIDTH": "16"}
    assert data["subcomponents"][2]["missing"] is True
    assert data["connections"][0]["ends"] == ["clk", "u_cpu.clk"]
    assert data["other_views"] == ["flat"]
    text = text_of(result)
    for fact in (
        "u_uart: acme:periph:uart:1.0 (DATA_WIDTH=16)",
        "u_lost: acme:lost:block:1.0 MISSING from the library",
        "clk_net: clk -> u_cpu.clk",
        "rx_high: u_uart.rx tied to 1",
        "bus: u_cpu.apb - u_uart.apb",
        "other views: flat",
    ):
        assert fact in text


def test_details_of_an_empty_component(text_of: Text) -> None:
    library = Library.of((Component(vlnv=Vlnv.parse("a:b:c:1.0")),))
    assert "is empty" in text_of(get_component_details(library, component="a:b:c:1.0"))


def test_long_details_are_cut_and_say_how_to_get_the_rest(text_of: Text) -> None:
    ports = FrozenMap((f"p{index}", SignalPort(name=f"p{index}", direction="in")) for index in range(500))
    library = Library.of((Component(vlnv=Vlnv.parse("a:b:c:1.0"), ports=ports),))
    result = get_component_details(library, component="a:b:c:1.0")
    data = result.structured_content
    assert len(data["signal_ports"]) == MAX_DETAILED
    assert data["left_out"]["signal_port"]["count"] == 500 - MAX_DETAILED
    text = text_of(result)
    assert f"{500 - MAX_DETAILED} left out" in text
    assert 'get_element (element_type "signal_port")' in text
    assert len(text) < 4000


def test_an_element_with_what_is_attached(soc: Library, text_of: Text) -> None:
    result = get_element(soc, component=TOP, element_type="signal_port", name="clk")
    assert result.structured_content["element"]["direction"] == "in"
    assert result.structured_content["connections"] == ["clk_net: clk -> u_cpu.clk"]
    assert "clk_net: clk -> u_cpu.clk" in text_of(result)
    result = get_element(soc, component=TOP, element_type="subcomponent", name="u_uart")
    assert result.structured_content["connections"] == [
        "rx_high: u_uart.rx tied to 1",
        "bus: u_cpu.apb - u_uart.apb",
    ]


@pytest.mark.parametrize(
    ("element_type", "name", "said"),
    [
        ("signal_port", "debug", "debug of acme:periph:uart:1.0 is a transactional port"),
        ("user_parameter", "KIND", "KIND of acme:periph:uart:1.0 is a immediate parameter"),
        ("user_parameter", "DATA_WIDHT", "DATA_WIDTH"),
    ],
)
def test_an_element_that_is_not_there(soc: Library, element_type: str, name: str, said: str) -> None:
    with pytest.raises(DesignError) as caught:
        get_element(soc, component=UART, element_type=element_type, name=name)
    assert caught.value.code == "element-not-found"
    assert said in str(caught.value)


def test_filters_are_exact(soc: Library, text_of: Text) -> None:
    assert list_components(soc).structured_content["count"] == 3
    assert list_components(soc, name="uart").structured_content["components"] == [UART]
    assert list_components(soc, vendor="acme", library="soc").structured_content["components"] == [TOP]
    result = list_components(soc, name="urat")
    assert result.structured_content["count"] == 0
    assert result.structured_content["suggestions"] == ["uart"]
    assert "Did you mean uart?" in text_of(result)


def test_a_long_list_is_cut(text_of: Text) -> None:
    library = Library.of(Component(vlnv=Vlnv.parse(f"a:b:c{index}:1.0")) for index in range(250))
    result = list_components(library)
    assert result.structured_content["count"] == 250
    assert len(result.structured_content["components"]) == MAX_COMPONENTS
    assert "150 left out" in text_of(result)


@pytest.mark.anyio
async def test_reading_does_not_wait_for_a_busy_writer(workspace: Workspace, soc: Library, mode: str) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("list_components", {}),
        ("get_component_details", {"component": UART}),
        ("get_element", {"component": TOP, "element_type": "connection", "name": "clk_net"}),
    ]
    async with Client(build_server(workspace), mode=mode) as client:
        with workspace.lock:  # held by this thread: a call that wanted it would wait for ever
            for tool, arguments in calls:
                assert not (await client.call_tool(tool, arguments, read_timeout_seconds=10)).is_error
    assert workspace.library is soc
