"""Small designs for tests, made through the operations alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from model import operations
from model.change import Change
from model.elements import Component
from model.errors import DesignError
from model.library import Library
from model.vlnv import Vlnv

CORE, UART, TOP = "acme:soc:core:1.0", "acme:soc:uart:1.0", "acme:soc:top:1.0"


class Bench:
    """A library under edit, with what the last edit reported."""

    def __init__(self, *vlnvs: str) -> None:
        self.library = Library()
        self.change = Change()
        for vlnv in vlnvs:
            self.create(vlnv)

    def create(self, vlnv: str) -> None:
        vendor, library, name, version = vlnv.split(":")
        self.do(operations.create_component, vendor=vendor, library=library, name=name, version=version)

    def do(self, operation: Callable[..., tuple[Library, Change]], **arguments: Any) -> Change:
        self.library, self.change = operation(self.library, **arguments)
        return self.change

    def refused(self, code: str, operation: Callable[..., tuple[Library, Change]], **arguments: Any) -> DesignError:
        """Run an edit that must be refused with a code."""
        with pytest.raises(DesignError) as caught:
            operation(self.library, **arguments)
        assert caught.value.code == code, str(caught.value)
        return caught.value

    def __getitem__(self, vlnv: str) -> Component:
        return self.library.get(Vlnv.parse(vlnv))

    def signal(self, component: str, name: str, direction: str, **more: Any) -> Change:
        return self.do(operations.add_signal_port, component=component, name=name, direction=direction, **more)

    def transactional(self, component: str, name: str, initiative: str, **more: Any) -> Change:
        return self.do(operations.add_transactional_port, component=component, name=name, initiative=initiative, **more)

    def parameter(self, component: str, name: str, value: Any, **more: Any) -> Change:
        return self.do(operations.add_user_parameter, component=component, name=name, value=value, **more)

    def instance(self, component: str, subcomponent: str, name: str) -> Change:
        return self.do(operations.add_subcomponent, component=component, subcomponent=subcomponent, instance_name=name)

    def connect(self, component: str, source: str, target: str, name: str = "") -> Change:
        return self.do(operations.add_subcomponent_connection, **joining(component, source, target, name))

    def delete(self, component: str, element_type: str, name: str, **more: Any) -> Change:
        return self.do(operations.delete_element, component=component, element_type=element_type, name=name, **more)


def joining(component: str, source: str, target: str, name: str = "") -> dict[str, str]:
    """The arguments that connect ``instance.port`` or ``port`` with another."""
    arguments = {"component": component, "name": name}
    for side, end in (("source", source), ("target", target)):
        instance, _dot, port = end.rpartition(".")
        arguments |= {f"{side}_instance": instance, f"{side}_port": port}
    return arguments


def two_cores() -> Bench:
    """A top with two cores: ``q`` out 8, ``d`` in 8, ``io`` inout 8; own ports ``clk`` in, ``led`` out."""
    bench = Bench(CORE, TOP)
    for name, direction in (("q", "out"), ("d", "in"), ("io", "inout")):
        bench.signal(CORE, name, direction, width=8)
    bench.signal(TOP, "clk", "in", width=8)
    bench.signal(TOP, "led", "out", width=8)
    bench.instance(TOP, CORE, "u1")
    bench.instance(TOP, CORE, "u2")
    return bench
