"""ELK's layout, the layout carried over an edit, and wires routed around fixed blocks."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from canvas_designs import TOP, UART, sliced_system
from hypothesis import given
from hypothesis import strategies as st

from desktop.canvas.arrange import carry_over, grid_layout, reroute
from desktop.canvas.build import build_diagram
from desktop.canvas.diagram import node_of
from desktop.canvas.elk import Elk, LayoutError
from desktop.canvas.elk_graph import elk_graph, flow_order, read_elk
from desktop.canvas.labels import place_labels
from desktop.canvas.layout import BlockLayout, Layout, Point, PortAnchor, anchor_of, shapes
from desktop.canvas.routing import CLEARANCE, Obstacles, direct_route, route
from model import operations


@pytest.fixture(scope="module")
def elk():
    engine = Elk()
    yield engine
    engine.close()


def runs_through(points, block):
    for start, end in pairwise(points):
        box = BlockLayout(min(start.x, end.x), min(start.y, end.y), abs(start.x - end.x), abs(start.y - end.y))
        if box.grown(0.01).overlaps(block.grown(-1)):
            return True
    return False


def check(diagram, layout, known):
    for one, other in combinations(layout.nodes.values(), 2):
        assert not one.overlaps(other)
    assert layout.edges.keys() == diagram.branches.keys()
    for key, branch in diagram.branches.items():
        points = layout.edges[key].points
        target = anchor_of(branch.target, diagram, layout, known)
        source = anchor_of(branch.source, diagram, layout, known)
        assert points[-1] == pytest.approx((target.x, target.y))
        assert points[0] == pytest.approx((source.x, source.y)) or points[0] in layout.edges[key].junctions
        assert all(start.x == end.x or start.y == end.y for start, end in pairwise(points))
        for node in layout.nodes.values():
            assert not runs_through(points, node), key


def test_elk_places_blocks_apart_and_wires_around_them(library, elk):
    diagram = build_diagram(library, TOP)
    known = shapes(diagram)
    layout = read_elk(elk.layout(elk_graph(diagram, known)), diagram, known)
    check(diagram, layout, known)
    blocks = [layout.nodes[key] for key in diagram.blocks]
    assert layout.nodes["port:clk"].right < min(block.x for block in blocks)
    assert layout.nodes["port:tx"].x > max(block.right for block in blocks)
    assert any(course.junctions for course in layout.edges.values())  # the clock branches


def test_the_processor_stays_left_of_its_bus_though_interrupts_run_back(library):
    diagram = build_diagram(library, TOP)
    order = flow_order(diagram, shapes(diagram))
    assert order.index("cpu") < order.index("bus") < order.index("uart")
    assert sorted(order) == sorted([*diagram.blocks, *diagram.terminals])


def test_a_malformed_graph_is_refused_with_the_reason(elk):
    with pytest.raises(LayoutError, match="nowhere"):
        elk.layout({"id": "root", "children": [], "edges": [{"id": "e", "sources": ["nowhere"], "targets": ["x"]}]})


def test_a_layout_that_takes_too_long_is_stopped_and_the_engine_works_again(library, elk):
    diagram = build_diagram(library, TOP)
    graph = elk_graph(diagram, shapes(diagram))
    with pytest.raises(LayoutError, match="did not finish"):
        elk.layout(graph, time_limit_s=1e-6)
    assert elk.layout(graph)["children"]


def test_adding_a_block_moves_nothing(library, elk):
    diagram = build_diagram(library, TOP)
    known = shapes(diagram)
    placed = read_elk(elk.layout(elk_graph(diagram, known)), diagram, known)
    before = carry_over(placed, diagram, known).layout
    assert {key: before.nodes[key] for key in placed.nodes} == placed.nodes
    library, _ = operations.add_subcomponent(library, component=str(TOP), subcomponent=str(UART), instance_name="uart2")
    library, _ = operations.add_subcomponent_connection(
        library, component=str(TOP), source_port="clk", target_instance="uart2", target_port="clk"
    )
    larger = build_diagram(library, TOP)
    known = shapes(larger)
    arrangement = carry_over(before, larger, known)
    assert arrangement.placed == ("uart2",)
    assert arrangement.stale >= {"connection:clk_to_uart2_clk:0"}
    after = arrangement.layout.with_edges(reroute(arrangement.layout, larger, known, arrangement.stale))
    assert {key: after.nodes[key] for key in before.nodes} == before.nodes
    check(larger, after, known)


def test_interactive_layout_keeps_the_order(library, elk):
    diagram = build_diagram(library, TOP)
    known = shapes(diagram)
    first = read_elk(elk.layout(elk_graph(diagram, known)), diagram, known)
    again = read_elk(elk.layout(elk_graph(diagram, known, first)), diagram, known)

    def columns(layout):
        return [key for key, _place in sorted(layout.nodes.items(), key=lambda item: (item[1].x, item[1].y))]

    assert columns(again) == columns(first)


def test_a_block_that_grows_pushes_down_what_it_would_cover(library):
    diagram = build_diagram(library, UART)
    shape = shapes(diagram)[""]
    top = build_diagram(library, TOP)
    known = shapes(top)
    nodes = dict(grid_layout(top, known).nodes)
    uart = nodes["uart"]
    nodes["uart"] = BlockLayout(uart.x, uart.y, uart.width, 40)
    nodes["gone"] = BlockLayout(uart.x, uart.y + 60, known["gone"].width, known["gone"].height)
    layout = carry_over(Layout(nodes), top, known).layout
    assert shape.height > 40
    assert not layout.nodes["uart"].overlaps(layout.nodes["gone"])
    assert layout.nodes["uart"].y == uart.y


def test_the_grid_that_stands_in_for_elk_shows_everything(library):
    diagram = build_diagram(library, TOP)
    known = shapes(diagram)
    layout = grid_layout(diagram, known)
    assert layout.nodes.keys() == known.keys()
    assert layout.edges.keys() == diagram.branches.keys()
    for one, other in combinations(layout.nodes.values(), 2):
        assert not one.overlaps(other)


def test_labels_keep_clear_of_blocks_and_of_one_another(library, elk):
    diagram = build_diagram(library, TOP)
    known = shapes(diagram)
    layout = read_elk(elk.layout(elk_graph(diagram, known)), diagram, known)
    placed = place_labels(diagram, layout, 5.4)
    assert placed
    for one, other in combinations(placed.values(), 2):
        assert not one.overlaps(other)
    for label in placed.values():
        assert not any(label.overlaps(node) for node in layout.nodes.values())


sides = st.sampled_from(["W", "E"])
places = st.integers(-40, 40).map(lambda step: step * 10.0)


@given(places, places, sides, places, places, sides)
def test_direct_wires_are_orthogonal_and_end_at_their_pins(x, y, side, far_x, far_y, far_side):
    points = direct_route(PortAnchor(x, y, side), PortAnchor(far_x, far_y, far_side))
    assert points[0] == (x, y)
    assert points[-1] == (far_x, far_y)
    assert all(start.x == end.x or start.y == end.y for start, end in pairwise(points))


@given(st.integers(0, 20).map(lambda step: step * 10.0), st.integers(3, 12).map(lambda step: step * 10.0))
def test_routed_wires_go_around_a_block_in_the_way(top, height):
    source, target = PortAnchor(0, 100, "E"), PortAnchor(400, 100, "W")
    block = BlockLayout(150, top, 100, height)
    course = route(source, target, Obstacles((block,)))
    assert course.points[0] == (0, 100)
    assert course.points[-1] == (400, 100)
    assert not runs_through(course.points, block.grown(CLEARANCE - 1))


def test_a_branch_leaves_its_net_at_a_junction():
    trunk = (Point(0, 100), Point(403, 100))
    course = route(PortAnchor(0, 100, "E"), PortAnchor(300, 200, "W"), Obstacles(()), [trunk])
    assert course.junctions == (course.points[0],)
    assert course.points[0].y == 100
    assert 0 < course.points[0].x < 300


def test_wires_do_not_run_on_top_of_other_nets():
    other = ((Point(-100, 100), Point(500, 100)),)
    course = route(PortAnchor(0, 60, "E"), PortAnchor(400, 140, "W"), Obstacles((), other))
    level = {point.y for point in course.points}
    assert 100 not in level


def test_wires_of_loops_leave_and_return(library):
    diagram = build_diagram(library, TOP)
    back = next(branch for branch in diagram.branches.values() if branch.element.name == "irq")
    assert node_of(back.source) == "uart"
    points = route(PortAnchor(300, 50, "E"), PortAnchor(100, 50, "W"), Obstacles((BlockLayout(100, 0, 200, 100),)))
    assert not runs_through(points.points, BlockLayout(100, 0, 200, 100))


def test_slices_of_one_port_are_not_drawn_as_one_net(elk):
    diagram = build_diagram(sliced_system(), TOP)
    known = shapes(diagram)
    layout = read_elk(elk.layout(elk_graph(diagram, known)), diagram, known)
    low, high = layout.edges["connection:low:0"], layout.edges["connection:high:0"]
    assert low.points[-1] != high.points[-1]
    assert not low.junctions + high.junctions
    again = carry_over(layout, diagram, known)
    assert again.layout.edges == layout.edges
    assert not again.stale
