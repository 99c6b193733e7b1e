"""Netlists as JSON in the form of Yosys (``write_json``), which netlistsvg, nextpnr and other tools read.

Widths and slices are resolved with the present values of the parameters; parameters of cells are written as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from model.bits import Bit, BitNets, default_value
from model.change import ElementId
from model.elements import Component, Connection, Endpoint, Instance, SignalPort
from model.ends import Ends
from model.findings import Finding
from model.interfaces import expand_interfaces
from model.library import Library
from model.vlnv import Vlnv

_DIRECTIONS = {"in": "input", "out": "output", "inout": "inout"}
_FIRST_NUMBER = 2  # Yosys leaves 0 and 1 to the constants

Wire = int | str
"""The number of a net, or a constant "0", "1" or "x"."""


@dataclass(frozen=True, slots=True)
class NetlistJson:
    """A netlist.

    Attributes:
        data: ready for ``json.dumps``; modules go by their VLNV.
        findings: what is not in it.
    """

    data: dict[str, Any]
    findings: tuple[Finding, ...]


def netlist_json(library: Library, vlnvs: Iterable[Vlnv], version: str) -> NetlistJson:
    """Return some components as modules of one netlist; those without a design are black boxes.

    Args:
        version: of Blockwright.

    Raises:
        DesignError: ``component-not-found``.
    """
    writers = [_Writer(library, library.get(vlnv)) for vlnv in vlnvs]
    modules = {str(writer.component.vlnv): writer.module() for writer in writers}
    if writers:
        modules[str(writers[0].component.vlnv)]["attributes"]["top"] = "1"
    findings = tuple(finding for writer in writers for finding in writer.findings)
    return NetlistJson({"creator": f"Blockwright {version}", "modules": modules}, findings)


class _Writer:
    """Writes one module."""

    def __init__(self, library: Library, component: Component) -> None:
        self.component = component
        self._library = library
        self._ends = Ends(library, component, component.design)
        expansion = expand_interfaces(library, component, component.design)
        joinable = [each for each in expansion.connections if self._is_wire(each.ends)]
        self._nets = BitNets(self._ends, joinable)
        self.findings = [*expansion.findings, *self._nets.findings]
        self._names = dict(self._net_names(joinable))
        self._numbers: dict[Bit, int] = {}
        self._next = _FIRST_NUMBER

    def _is_wire(self, ends: Iterable[Endpoint]) -> bool:
        """Whether a connection joins signal ports; transactional ones have no bits."""
        return any(isinstance(self._ends.resolve(end).port, SignalPort) for end in ends)

    def module(self) -> dict[str, Any]:
        component = self.component
        ports = {
            port.name: self._port(port)
            for port in component.ports.values()
            if isinstance(port, SignalPort) and self._has_bits("", port.name)
        }
        instances = component.design.instances.values()
        return {
            "attributes": {"vlnv": str(component.vlnv)} | ({} if instances else {"blackbox": "1"}),
            "parameter_default_values": {name: each.value for name, each in component.parameters.items()},
            "ports": ports,
            "cells": {instance.name: self._cell(instance) for instance in instances},
            "netnames": self._netnames(ports),
        }

    def _has_bits(self, instance: str, port: str) -> bool:
        found = self._ends.resolve(Endpoint(instance=instance, port=port))
        if not isinstance(found.port, SignalPort) or found.port.direction == "phantom":
            return False
        if self._ends.bits(found.end) is None:
            where = ElementId(
                self.component.vlnv, "subcomponent" if instance else "signal_port", instance if instance else port
            )
            self.findings.append(Finding("error", "bad-width", f"The width of {found.end} has no value.", where))
            return False
        return True

    def _port(self, port: SignalPort) -> dict[str, Any]:
        return {"direction": _DIRECTIONS[port.direction], "bits": self._bits("", port.name)} | _bounds(
            self._ends.bits(Endpoint(instance="", port=port.name)) or [0]
        )

    def _cell(self, instance: Instance) -> dict[str, Any]:
        owner = self._library.find(instance.component)
        if owner is None:
            message = f"The component {instance.component} of subcomponent {instance.name} is missing."
            where = ElementId(self.component.vlnv, "subcomponent", instance.name)
            self.findings.append(Finding("error", "component-missing", message, where))
        ports = [
            port
            for port in (owner.ports.values() if owner is not None else ())
            if isinstance(port, SignalPort) and self._has_bits(instance.name, port.name)
        ]
        return {
            "hide_name": 0,
            "type": str(instance.component),
            "parameters": dict(instance.parameters.items()),
            "attributes": {},
            "port_directions": {port.name: _DIRECTIONS[port.direction] for port in ports},
            "connections": {port.name: self._bits(instance.name, port.name) for port in ports},
        }

    def _bits(self, instance: str, port: str) -> list[Wire]:
        """The nets of a port's bits, the rightmost first."""
        end = Endpoint(instance=instance, port=port)
        indices = self._ends.bits(end) or []
        is_sink = self._ends.direction(instance, port) == ("in" if instance else "out")
        default = default_value(self._ends, self._ends.resolve(end)) if is_sink and instance else None
        return [
            self._wire((instance, port, index), is_sink, None if default is None else default >> place & 1)
            for place, index in enumerate(indices)
        ]

    def _wire(self, bit: Bit, is_sink: bool, default: int | None) -> Wire:
        net = self._nets.at(bit)
        alone = net is None or net.bits == (bit,)
        if net is not None and net.tied is not None and is_sink:
            return str(net.tied)
        if alone and is_sink:
            return "x" if default is None else str(default)
        first = net.bits[0] if net is not None else bit
        if first not in self._numbers:
            self._numbers[first] = self._next
            self._next += 1
        return self._numbers[first]

    def _net_names(self, connections: Iterable[Connection]) -> Iterator[tuple[str, list[Bit]]]:
        """The bits of the longest end of each connection."""
        for connection in connections:
            columns = [(end, self._ends.bits(end) or []) for end in connection.ends]
            end, indices = max(columns, key=lambda column: len(column[1]))
            yield connection.name, [(end.instance, end.port, index) for index in indices]

    def _netnames(self, ports: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
        named = {name: {"hide_name": 0, "bits": port["bits"], "attributes": {}} for name, port in ports.items()}
        for name, bits in self._names.items():
            wires = [self._wire(bit, True, None) for bit in bits]
            named.setdefault(name, {"hide_name": 0, "bits": wires, "attributes": {}})
        return named


def _bounds(indices: list[int]) -> dict[str, int]:
    """How a port counts its bits, where that is not from 0 upwards."""
    lowest = min(indices)
    return ({"offset": lowest} if lowest else {}) | ({"upto": 1} if indices[0] > indices[-1] else {})
