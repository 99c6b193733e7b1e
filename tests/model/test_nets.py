"""Nets: what is joined, who drives it, at what cost it is found again."""

from __future__ import annotations

import gc

from designs import CORE, TOP, Bench, joining, two_cores
from hypothesis import given
from hypothesis import strategies as st
from strategies import made_afresh
from test_operations_connections import joined, loaded

from model.elements import Connection, Design, Endpoint, Instance
from model.ends import Ends
from model.frozen_map import FrozenMap
from model.graph import connectivity
from model.identity_cache import IdentityCache
from model.nets import Wire, contentions, netlist, nets_at, nets_of, with_connections
from model.operations import add_subcomponent_connection
from model.vlnv import Vlnv


def names(bench: Bench) -> list[tuple[str, list[str], list[str]]]:
    return [
        (net.name, [str(end) for end in net.ends], [str(end) for end in net.drivers])
        for net in nets_of(bench.library, bench[TOP])
    ]


def test_a_net_joins_what_its_connections_join() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d", "one")
    bench.connect(TOP, "u1.q", "led", "two")
    bench.connect(TOP, "clk", "u1.d", "three")
    bench.connect(TOP, "u1.io", "u2.io", "four")
    assert names(bench) == [
        ("led", ["u1.q", "u2.d", "led"], ["u1.q"]),
        ("clk", ["clk", "u1.d"], ["clk"]),
        ("four", ["u1.io", "u2.io"], []),
    ]
    (net,) = nets_at(bench.library, bench[TOP], "u2", "d")
    assert net.connections == ("one", "two")
    assert net.width == 8
    assert nets_at(bench.library, bench[TOP], "u2", "q") == ()


def test_a_net_without_an_own_port_is_called_after_its_driver() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d", "one")
    assert names(bench)[0][0] == "u1_q"


def test_parts_of_a_port_are_nets_of_their_own() -> None:
    bench = two_cores()
    bench.signal(CORE, "irq", "in", width=16)
    loaded(bench, joined("low", "u1.q", "u1.irq[7:0]"), joined("high", "u2.q", "u1.irq[15:8]"))
    low, high = nets_at(bench.library, bench[TOP], "u1", "irq")
    assert (low.connections, high.connections) == (("low",), ("high",))
    assert [str(end) for end in low.ends] == ["u1.q", "u1.irq[7:0]"]
    loaded(bench, joined("all", "u1.irq", "u2.irq"))
    (net,) = nets_at(bench.library, bench[TOP], "u1", "irq")
    assert set(net.connections) == {"low", "high", "all"}


def test_little_endian_parts_of_a_port_are_told_apart() -> None:
    bench = two_cores()
    bench.signal(CORE, "v", "in", left="0", right="15")
    loaded(bench, joined("low", "u1.q", "u1.v[0:7]"), joined("high", "u2.q", "u1.v[8:15]"))
    assert len(nets_at(bench.library, bench[TOP], "u1", "v")) == 2


def test_contention_is_found_bit_by_bit_where_parts_meet() -> None:
    bench = two_cores()
    bench.signal(CORE, "w", "inout", width=16)
    loaded(
        bench,
        joined("low", "u1.q", "u1.w[7:0]"),
        joined("high", "u2.q", "u1.w[15:8]"),
        joined("all", "u1.w", "u2.w"),
    )
    top = bench[TOP]
    ends = Ends(bench.library, top, top.design)
    (wire,) = netlist(top.design).wires()
    assert contentions(ends, wire) == []
    loaded(bench, joined("again", "u1.q", "u2.w[15:8]"))
    top = bench[TOP]
    (wire,) = netlist(top.design).wires()
    assert contentions(Ends(bench.library, top, top.design), wire) == [("u1.q", "u2.q")]


def test_a_tie_counts_as_a_driver_and_open_does_not() -> None:
    bench = two_cores()
    loaded(bench, joined("zero", "u1.d", tied="0"), joined("loose", "u1.q", tied="open"))
    nets = nets_of(bench.library, bench[TOP])
    assert [net.tied for net in nets] == [("zero",), ()]


def test_the_drivers_of_a_wide_net_follow_the_ports() -> None:
    bench = Bench(CORE, TOP)
    bench.signal(CORE, "d", "in")
    bench.signal(TOP, "clk", "in")
    for number in range(80):
        bench.instance(TOP, CORE, f"u{number}")
        bench.connect(TOP, "clk", f"u{number}.d")
    (net,) = nets_of(bench.library, bench[TOP])
    assert [str(end) for end in net.drivers] == ["clk"]
    core = bench[CORE]
    port = core.ports["d"].model_copy(update={"direction": "out"})
    turned = bench.library.put(core.model_copy(update={"ports": core.ports.set("d", port)}))
    top = bench[TOP]
    (wire,) = netlist(top.design).wires()
    assert len(contentions(Ends(turned, top, top.design), wire)[0]) == 81
    assert contentions(Ends(bench.library, top, top.design), wire) == []
    bench.signal(CORE, "q", "out")
    bench.refused("second-driver", add_subcomponent_connection, **joining(TOP, "u1.q", "u2.d"))


def test_a_missing_component_has_no_directions() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d")
    (net,) = nets_of(bench.library.without(Vlnv.parse(CORE)), bench[TOP])
    assert net.drivers == ()
    assert net.width is None


def test_connectivity_is_a_graph_of_blocks() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d", "one")
    bench.connect(TOP, "clk", "u1.d", "two")
    graph = connectivity(bench[TOP].design)
    assert set(graph.nodes) == {"", "u1", "u2"}
    assert sorted(edge for edge in graph.edges(data="connections")) == [("", "u1", ("two",)), ("u1", "u2", ("one",))]


ends = st.builds(
    lambda instance, port, part: Endpoint(instance=instance, port=port, left=part[0], right=part[1]),
    st.sampled_from(["", "u", "v", "w"]),
    st.sampled_from(["p", "q"]),
    st.sampled_from([("", ""), ("7", "0"), ("7", "4"), ("3", "0"), ("0", "3"), ("N-1", "0")]),
)
steps = st.lists(
    st.tuples(
        st.booleans(),
        st.sampled_from("abcdefgh"),
        st.lists(ends, min_size=1, max_size=3),
        st.sampled_from(["", "", "0"]),
    ),
    max_size=25,
)


def described(wire: Wire) -> tuple[object, ...]:
    """Everything about a wire but its identity."""
    return wire.nodes, wire.connections, wire.tied, wire.is_sliced, dict(wire.kinds)


@given(steps)
def test_a_netlist_that_followed_the_edits_is_the_one_made_afresh(
    edits: list[tuple[bool, str, list[Endpoint], str]],
) -> None:
    design = Design(instances=FrozenMap({name: Instance(name=name, component=Vlnv.parse(CORE)) for name in "uvw"}))
    for adds, name, places, tied in edits:
        connection = Connection(name=name, ends=tuple(places), tied_value=tied)
        known = design.connections.get(name)
        if adds:
            design = with_connections(design, design.connections.set(name, connection))
        elif known is not None:
            design = with_connections(design, design.connections.without(name))
        wires = netlist(design).wires()
        fresh = netlist(made_afresh(design)).wires()
        assert [described(wire) for wire in wires] == [described(wire) for wire in fresh]
        for wire in wires:
            assert set(wire.tied) == {name for name in wire.connections if design.connections[name].tied_value}
            assert wire.is_sliced == any(node[2] for node in wire.nodes)
            assert all(netlist(design).wire_at(node) == wire for node in wire.nodes)
            assert len(wire) == len(wire.nodes)


def test_the_cache_forgets_what_is_gone() -> None:
    cache: IdentityCache[FrozenMap[str, int], int] = IdentityCache()
    key: FrozenMap[str, int] | None = FrozenMap({"a": 1})
    assert key is not None
    assert cache.get(key, len) == 1
    assert cache.get(key, lambda _key: 99) == 1
    del key
    gc.collect()
    assert cache.is_empty
