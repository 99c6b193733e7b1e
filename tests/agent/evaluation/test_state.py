from __future__ import annotations

import pytest

from agent.evaluation.state import state_difference
from model.elements import Component, Connection, Design, Direction, Endpoint, Instance, SignalPort
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv

LEAF, TOP = Vlnv.parse("a:b:leaf:1.0"), Vlnv.parse("a:b:top:1.0")


def port(direction: Direction = "in", left: str = "", right: str = "", description: str = "") -> SignalPort:
    return SignalPort(name="clk", direction=direction, left=left, right=right, description=description)


def library(clk: SignalPort, connection: Connection | None = None) -> Library:
    joined = connection or Connection(
        name="n", ends=(Endpoint(instance="", port="clk"), Endpoint(instance="u", port="clk"))
    )
    design = Design(
        instances=FrozenMap({"u": Instance(name="u", component=LEAF)}), connections=FrozenMap({joined.name: joined})
    )
    leaf = Component(vlnv=LEAF, ports=FrozenMap({"clk": clk}))
    top = Component(vlnv=TOP, ports=FrozenMap({"clk": port()}), designs=FrozenMap({"hierarchical": design}))
    return Library.of([leaf, top])


OWN, INSTANCE = Endpoint(instance="", port="clk"), Endpoint(instance="u", port="clk")


@pytest.mark.parametrize(
    "other",
    [
        library(port()),
        library(port(left="0", right="0")),
        library(port(description="the clock")),
        library(port(), Connection(name="n_clk", ends=(INSTANCE, OWN), description="clock")),
        Library.of(reversed(list(library(port())))),
    ],
    ids=["equal", "one-bit vector", "description", "swapped and named", "order"],
)
def test_notation_does_not_matter(other: Library) -> None:
    assert state_difference(library(port()), other).is_empty
    assert state_difference(other, library(port())).is_empty


@pytest.mark.parametrize(
    ("other", "touched"),
    [
        (library(port("out")), "signal_port clk of a:b:leaf:1.0"),
        (library(port(left="0", right="7")), "signal_port clk of a:b:leaf:1.0"),
        (
            library(port(), Connection(name="n", ends=(OWN, Endpoint(instance="u", port="clk", left="0", right="0")))),
            "connection clk – u.clk[0] of a:b:top:1.0",
        ),
        (library(port(), Connection(name="n", ends=(OWN,), tied_value="0")), "connection clk – 0 of a:b:top:1.0"),
        (library(port()).without(TOP), "component a:b:top:1.0"),
    ],
)
def test_content_does(other: Library, touched: str) -> None:
    difference = state_difference(library(port()), other)
    assert touched in map(str, difference.touched)
