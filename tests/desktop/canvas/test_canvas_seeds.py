"""The picture that a design's own file keeps: sides of pins, ports at their borders, courses of wires."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from canvas_designs import TOP

from desktop.canvas.arrange import carry_over, reroute
from desktop.canvas.build import BlockCache, build_diagram
from desktop.canvas.diagram import Pin, PinRef, Stand
from desktop.canvas.elk import Elk
from desktop.canvas.elk_graph import elk_graph, read_elk
from desktop.canvas.fitting import fitted_courses
from desktop.canvas.layout import BlockLayout, Layout, Point, anchor_of, shapes
from desktop.canvas.seeding import Ruler, moved_seeds, scale_of, seeded_layout
from desktop.canvas.seeds import Seeds, places_of, seeds_of
from model.ipxact.kactus2 import Drawing, Places, read_drawing
from model.storage import open_workspace
from model.vlnv import Vlnv

LIBRARY = Path(__file__).parents[4] / "shared" / "ipxact" / "kactus2-example-library"
CORE = Vlnv.parse("tut.fi:cpu.subsystem:core_example:1.0")

needs_library = pytest.mark.skipif(not LIBRARY.is_dir(), reason="the corpus of public files is not here")


def runs_through(points, block):
    for start, end in pairwise(points):
        box = BlockLayout(min(start.x, end.x), min(start.y, end.y), abs(start.x - end.x), abs(start.y - end.y))
        if box.grown(0.01).overlaps(block.grown(-1)):
            return True
    return False


class Seeded:
    """A component whose file keeps a picture, as far as it is shown."""

    def __init__(self, library, vlnv, seeds):
        self.seeds = seeds
        self.diagram = build_diagram(library, vlnv, (), BlockCache(seeds.stands))
        self.shapes = shapes(self.diagram)
        self.scale = scale_of(seeds, self.diagram, self.shapes)
        self.layout = seeded_layout(seeds, self.scale, self.diagram, self.shapes)

    def courses(self, layout=None):
        return fitted_courses(self.seeds, self.scale, self.layout, self.diagram, self.shapes, layout or self.layout)

    def anchor(self, ref):
        return anchor_of(ref, self.diagram, self.layout, self.shapes)


def labels(rows):
    return [row.label for row in rows if isinstance(row, Pin)]


def shown(library, courses=(), **own):
    """The small system as Kactus2 might have it: the processor left, the UART right, ports at chosen places."""
    drawing = Drawing(
        Places({"cpu": (280.0, 60.0), "bus": (600.0, 300.0), "uart": (920.0, 60.0), "gone": (280.0, 300.0)}, own),
        {("uart", "irq"): (-110.0, 70.0), ("uart", "tx"): (110.0, 70.0), ("uart", "rx"): (110.0, 40.0)},
        {("uart", "apb"): (-110.0, 40.0)},
        dict(courses),
    )
    return Seeded(library, TOP, seeds_of(drawing, library.get(TOP).design))


def test_pins_stand_where_the_file_has_them_and_are_drawn_the_other_way_round(library):
    uart = shown(library).diagram.blocks["uart"]
    assert labels(uart.west) == ["apb", "irq", "clk", "div"]
    assert labels(uart.east) == ["rx", "tx"]
    assert {pin.label for pin in uart.pins if pin.turned} == {"irq", "rx"}


def test_what_is_turned_still_drives_what_it_drove(library):
    plain, turned = build_diagram(library, TOP), shown(library, clk=(1140.0, 100.0)).diagram
    assert turned.branches == plain.branches
    assert turned.terminals["port:clk"].pin.stands == "E"


def test_ports_stand_beside_the_blocks_at_the_border_of_the_file(library):
    seeded = shown(library, clk=(1140.0, 100.0), tx=(1140.0, 130.0))
    nodes, blocks = seeded.layout.nodes, seeded.diagram.blocks
    right = max(nodes[key].right for key in blocks)
    assert nodes["port:clk"].x == nodes["port:tx"].x == right + 110
    assert seeded.anchor(PinRef("", "clk")).side == "W"
    # As far below the pin that it is joined to as there.
    assert seeded.anchor(PinRef("", "tx")).y == seeded.anchor(PinRef("uart", "tx")).y
    assert not any(one.overlaps(other) for one, other in combinations(nodes.values(), 2))


def test_a_moved_port_is_told_in_the_scale_of_the_file(library):
    seeded = shown(library, clk=(60.0, 100.0))
    moved = dict(seeded.layout.nodes)
    moved["port:clk"] = replace(moved["port:clk"], y=moved["port:clk"].y + 60, x=moved["port:clk"].x - 20)
    found = moved_seeds(seeded.seeds, seeded.scale, seeded.layout, Layout(moved))
    assert found == {"port:clk": Point(40.0, pytest.approx(100 + 60 / seeded.scale[1], abs=5))}


def test_places_go_to_where_the_file_keeps_them():
    found = places_of({"cpu": Point(1, 2), "port:a": Point(3, 4), "interface:b": Point(5, 6)})
    assert found == Places({"cpu": (1, 2)}, {"a": (3, 4)}, {"b": (5, 6)})


IRQ = ((810.0, 130.0), (440.0, 130.0), (440.0, 100.0), (390.0, 100.0))  # from the UART back to the processor's right


def test_wires_tell_where_ports_stand_that_nobody_has_moved(library):
    seeded = shown(library, {"irq": IRQ})
    assert seeded.seeds.stands[PinRef("cpu", "irq")] == Stand("E", 40.0)
    assert "irq" in labels(seeded.diagram.blocks["cpu"].east)


def test_a_course_keeps_its_corners_and_ends_at_the_pins(library):
    seeded = shown(library, {"irq": IRQ})
    course = seeded.courses()["connection:irq:0"].points
    source, target = seeded.anchor(PinRef("uart", "irq")), seeded.anchor(PinRef("cpu", "irq"))
    assert course[0] == (source.x, source.y)
    assert course[-1] == (target.x, target.y)
    blocks = {key: seeded.layout.nodes[key] for key in seeded.diagram.blocks}
    x = Ruler(seeded.seeds, seeded.scale, blocks).x(440.0)
    assert [point.x for point in course[1:-1]] == [x, x]


def test_a_course_given_from_its_other_end_is_the_same(library):
    assert shown(library, {"irq": IRQ[::-1]}).courses() == shown(library, {"irq": IRQ}).courses()


@pytest.mark.parametrize(
    "corners",
    [
        ((810.0, 130.0), (500.0, 100.0)),  # meets no block
        ((810.0, 300.0), (390.0, 100.0)),  # begins where the port is not
        ((810.0, 130.0), (600.0, 130.0), (500.0, 100.0), (390.0, 100.0)),  # aslant
        ((810.0, 130.0), (280.0, 130.0), (280.0, 100.0), (390.0, 100.0)),  # through the processor
        ((810.0, 130.0), (900.0, 130.0), (900.0, 100.0), (390.0, 100.0)),  # backwards out of its pin
    ],
)
def test_a_course_that_does_not_fit_is_left_to_the_router(library, corners):
    assert shown(library, {"irq": corners}).courses() == {}


def test_a_course_gives_way_once_an_end_has_moved_or_a_block_stands_in_it(library):
    seeded = shown(library, {"irq": IRQ})
    nodes = dict(seeded.layout.nodes)
    cpu, course = nodes["cpu"], seeded.courses()["connection:irq:0"].points
    assert seeded.courses(Layout({**nodes, "cpu": replace(cpu, y=cpu.y - 10)})) == {}
    in_the_way = BlockLayout(course[1].x - 20, course[1].y - 20, 40.0, 40.0)
    assert seeded.courses(Layout({**nodes, "bus": in_the_way})) == {}


def test_a_course_on_another_net_is_left_to_the_router(library):
    both = shown(library, {"irq": IRQ})
    irq = both.diagram.branches["connection:irq:0"]
    other = irq._replace(key="connection:other:0", net="other")
    both.diagram.wiring.branches[other.key] = other
    assert both.courses().keys() == {"connection:irq:0"}


def test_columns_that_reach_into_each_other_are_brought_to_scale_without_their_sides():
    seeds = Seeds({"a": Point(100.0, 0.0), "b": Point(160.0, 500.0)})
    blocks = {"a": BlockLayout(0.0, 0.0, 200.0, 100.0), "b": BlockLayout(-40.0, 500.0, 400.0, 100.0)}
    assert Ruler(seeds, (2.0, 1.0), blocks).x(100.0) == 200.0


def test_elk_lays_out_a_design_with_turned_ports(library):
    seeded = shown(library, clk=(1140.0, 100.0), tx=(60.0, 100.0))
    diagram, known = seeded.diagram, seeded.shapes
    assert {key for key, item in diagram.terminals.items() if item.pin.turned} == {"port:clk", "port:tx"}
    engine = Elk()
    try:
        layout = read_elk(engine.layout(elk_graph(diagram, known)), diagram, known)
    finally:
        engine.close()
    blocks = [layout.nodes[key] for key in diagram.blocks]
    assert layout.nodes["port:tx"].right < min(block.x for block in blocks)
    assert layout.nodes["port:clk"].x > max(block.right for block in blocks)
    for key, branch in diagram.branches.items():
        target = anchor_of(branch.target, diagram, layout, known)
        assert layout.edges[key].points[-1] == pytest.approx((target.x, target.y))


@needs_library
def test_every_real_design_opens_as_kactus2_has_it_and_no_wire_runs_through_a_block():
    workspace = open_workspace(LIBRARY).workspace
    kept = fitted = 0
    for vlnv in [component.vlnv for component in workspace.library]:
        component = workspace.library.get(vlnv)
        source = workspace.sources[vlnv]
        design = source.designs.get(component.view)
        if component.design.is_empty or design is None:
            continue
        seeds = seeds_of(read_drawing(design.content, design.path), component.design)
        seeded = Seeded(workspace.library, vlnv, seeds)
        diagram, known = seeded.diagram, seeded.shapes
        assert {key for key in (*diagram.blocks, *diagram.terminals) if key in seeds.places} == set(seeded.layout.nodes)
        courses = seeded.courses()
        kept, fitted = kept + len(seeds.courses), fitted + len(courses)
        begun = carry_over(seeded.layout.with_edges(courses), diagram, known)
        assert not begun.stale & courses.keys()
        layout = begun.layout.with_edges(reroute(begun.layout, diagram, known, begun.stale))
        for key, branch in diagram.branches.items():
            for name, node in layout.nodes.items():
                assert not runs_through(layout.edges[key].points, node), (vlnv, key, name)
            target = anchor_of(branch.target, diagram, layout, known)
            assert layout.edges[key].points[-1] == (target.x, target.y)
    assert fitted >= 0.8 * kept > 30


@needs_library
def test_the_ports_of_a_real_design_stand_in_its_order_at_its_borders():
    workspace = open_workspace(LIBRARY).workspace
    component = workspace.library.get(CORE)
    source = workspace.sources[CORE].designs[component.view]
    seeded = Seeded(workspace.library, CORE, seeds_of(read_drawing(source.content, source.path), component.design))
    nodes = seeded.layout.nodes
    left = sorted((key for key in nodes if nodes[key].right < nodes["alu"].x), key=lambda key: nodes[key].y)
    assert left == ["interface:peripheral_access", "interface:local_data", "interface:instructions"]
    assert nodes["port:clk_i"].x == nodes["port:rst_i"].x > nodes["clock"].right
    wires = {branch.element.name: key for key, branch in seeded.diagram.branches.items()}
    level = seeded.courses()[wires["memory_controller_peripheral_access_to_peripheral_access"]]
    assert len(level.points) == 2
