from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from mcp import Client
from mcp.types import TextResourceContents

from model.elements import Component, Connection, Design, Endpoint, Instance, SignalPort
from model.frozen_map import FrozenMap
from model.library import Library
from model.storage import open_workspace
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.design_server import build_server
from server.diagram import diagram_svg
from server.diagram.blocks import MAX_BLOCKS, picture_of
from server.diagram.layers import Arranged, Box, Route, arrange

SVG = "{http://www.w3.org/2000/svg}"
TOP = "acme:soc:top:1.0"
EXAMPLE = Path("resources/examples/tiny_soc")


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in etree.fromstring(svg.encode()).iter(f"{SVG}text")]


@pytest.mark.anyio
async def test_a_client_reads_the_diagram(workspace: Workspace, mode: str) -> None:
    async with Client(build_server(workspace), mode=mode) as client:
        listed = {resource.uri: resource.mime_type for resource in (await client.list_resources()).resources}
        assert listed[f"design://component/{TOP}/diagram"] == "image/svg+xml"
        (content,) = (await client.read_resource(f"design://component/{TOP}/diagram")).contents
    assert isinstance(content, TextResourceContents)
    assert content.mime_type == "image/svg+xml"
    said = texts(content.text)
    assert {TOP, "u_cpu", "u_uart", "u_lost", "acme:lost:block:1.0 (missing)"} <= set(said)
    assert any(text.startswith("data [DATA_WIDTH]") for text in said)


def test_a_leaf_is_drawn_with_its_ports(soc: Library) -> None:
    said = texts(diagram_svg(soc, soc.get(Vlnv.parse("acme:periph:uart:1.0"))))
    assert {"clk", "rx", "debug", "apb"} <= set(said)


def test_an_empty_component_is_drawn() -> None:
    component = Component(vlnv=Vlnv.parse("a:b:c:1.0"))
    assert "a:b:c:1.0" in texts(diagram_svg(Library.of((component,)), component))


def test_text_of_a_design_stays_text() -> None:
    hostile = '<script>"&amp;]]>'
    component = Component(
        vlnv=Vlnv.parse("a:b:c:1.0"),
        description=hostile,
        ports=FrozenMap({hostile: SignalPort(name=hostile, direction="in", left='"><x', right="0")}),
    )
    svg = diagram_svg(Library.of((component,)), component)
    assert not list(etree.fromstring(svg.encode()).iter(f"{SVG}script"))
    assert any(text.startswith(hostile) for text in texts(svg))


def overlaps(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def crosses(route: Route, box: Box) -> bool:
    """Whether a wire runs through the inside of a block."""
    for (x1, y1), (x2, y2) in route.lines:
        inside_x = max(min(x1, x2), box.x + 1) < min(max(x1, x2), box.x + box.width - 1) or (
            x1 == x2 and box.x < x1 < box.x + box.width
        )
        inside_y = max(min(y1, y2), box.y + 1) < min(max(y1, y2), box.y + box.height - 1) or (
            y1 == y2 and box.y < y1 < box.y + box.height
        )
        if inside_x and inside_y:
            return True
    return False


def check_tidy(arranged: Arranged) -> None:
    for index, box in enumerate(arranged.boxes):
        assert 0 <= box.x <= box.x + box.width <= arranged.width
        assert 0 <= box.y <= box.y + box.height <= arranged.height
        assert not any(overlaps(box, other) for other in arranged.boxes[index + 1 :])
        assert not any(crosses(route, box) for route in arranged.routes)
    for route in arranged.routes:
        assert all(x1 == x2 or y1 == y2 for (x1, y1), (x2, y2) in route.lines)


@pytest.mark.parametrize("name", ["tiny_soc", "periph_ss"])
def test_the_examples_are_tidy(name: str) -> None:
    library = open_workspace(EXAMPLE).workspace.library
    (component,) = [component for component in library if component.vlnv.name == name]
    check_tidy(arrange(picture_of(library, component)))
    assert diagram_svg(library, component) == diagram_svg(library, component)


LEAF = Component(
    vlnv=Vlnv.parse("a:b:leaf:1.0"),
    ports=FrozenMap(
        (name, SignalPort(name=name, direction=way))  # type: ignore[arg-type]
        for name, way in (("a", "in"), ("b", "in"), ("q", "out"), ("r", "out"), ("io", "inout"))
    ),
)


def wired(count: int, wires: list[tuple[tuple[int, str], tuple[int, str]]]) -> tuple[Library, Component]:
    """A component with leaves; instance 0 is the component itself."""
    connections = {}
    for number, ends in enumerate(wires):
        joined = tuple(Endpoint(instance=f"u{index}" if index else "", port=port) for index, port in ends)
        connections[f"w{number}"] = Connection(name=f"w{number}", ends=joined)
    design = Design(
        instances=FrozenMap((f"u{i}", Instance(name=f"u{i}", component=LEAF.vlnv)) for i in range(1, count + 1)),
        connections=FrozenMap(connections),
    )
    top = Component(vlnv=Vlnv.parse("a:b:top:1.0"), ports=LEAF.ports, designs=FrozenMap({"v": design}))
    return Library.of((LEAF, top)), top


ENDS = st.tuples(st.integers(0, 6), st.sampled_from(list(LEAF.ports)))


@settings(max_examples=100, deadline=None)
@given(count=st.integers(1, 6), wires=st.lists(st.tuples(ENDS, ENDS), max_size=15))
def test_no_design_makes_blocks_or_wires_overlap(
    count: int, wires: list[tuple[tuple[int, str], tuple[int, str]]]
) -> None:
    library, top = wired(count, wires)
    check_tidy(arrange(picture_of(library, top)))
    etree.fromstring(diagram_svg(library, top).encode())


def test_a_large_inside_is_cut_and_says_so() -> None:
    chain = [((index, "q"), (index + 1, "a")) for index in range(1, 300)]
    library, top = wired(300, chain)
    svg = diagram_svg(library, top)
    assert f"{300 - MAX_BLOCKS} more subcomponents are not shown." in texts(svg)
    assert len(svg) < 400_000
