"""What each pin of each instance is connected to, and the wires and assignments that this takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from model.bits import BitNets, default_value
from model.change import ElementId, ElementKind
from model.elements import Component, Connection, Design, Dimension, Endpoint, Instance, SignalPort
from model.ends import Ends, Resolved
from model.expressions import ExpressionError, evaluate, names_in
from model.findings import Finding, Severity
from model.interfaces import expand_interfaces
from model.library import Library
from model.scopes import in_parent_terms
from model.systemverilog.bitwise import Bitwise
from model.systemverilog.names import identifier, names_of
from model.systemverilog.text import all_dimensions, constant, expression, vectors

Pin = tuple[str, str]
"""Instance ("" for the module itself) and port."""

_FIRST_OWN = {"in": 0, "inout": 1, "out": 2}
_FIRST_INSIDE = {"out": 0, "inout": 1, "in": 2}


@dataclass
class Wiring:
    """The inside of a module.

    Attributes:
        instances: the name of each instance in the module, raw.
        wires: declarations: raw name and range.
        assigns: left and right sides.
        pins: what a pin of an instance is connected to; "" for nothing.
    """

    instances: dict[str, str] = field(default_factory=dict)
    wires: list[tuple[str, str]] = field(default_factory=list)
    assigns: list[tuple[str, str]] = field(default_factory=list)
    pins: dict[Pin, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def wire_up(library: Library, component: Component, design: Design) -> Wiring:
    """Work out the wires of a design."""
    return _Wirer(library, component, design).wire_up()


class _Wirer:
    """One run over one design."""

    def __init__(self, library: Library, component: Component, design: Design) -> None:
        self._library = library
        self._component = component
        self._design = design
        self._ends = Ends(library, component, design)
        self._names = names_of(component)
        self._scope = self._names.scope()
        self._wiring = Wiring()

    def wire_up(self) -> Wiring:
        wiring = self._wiring
        for name in self._design.instances:
            wiring.instances[name] = self._scope.claim(name, "_inst")
        expansion = expand_interfaces(self._library, self._component, self._design)
        wiring.findings.extend(expansion.findings)
        usable = [self._usable(connection) for connection in expansion.connections]
        for group in _groups(usable):
            self._group(group)
        for instance in self._design.instances.values():
            self._unconnected(instance)
        return wiring

    def _report(self, severity: Severity, code: str, message: str, kind: ElementKind, name: str) -> None:
        self._wiring.findings.append(Finding(severity, code, message, ElementId(self._component.vlnv, kind, name)))

    def _usable(self, connection: Connection) -> Connection:
        """The connection with those of its ends that a module can have."""
        ends = []
        for end in connection.ends:
            problem = self._problem(self._ends.resolve(end))
            if problem:
                message = f"Connection {connection.name}: {end} is left out: {problem}."
                self._report("warning", "end-left-out", message, "connection", connection.name)
            else:
                ends.append(end)
        return connection.model_copy(update={"ends": tuple(ends)})

    def _problem(self, found: Resolved) -> str:
        end = found.end
        if end.instance and found.instance is None:
            return f"there is no subcomponent {end.instance}"
        if found.owner is None:
            is_part = end.left or end.path
            return "its component is missing, so a part of its port cannot be placed" if is_part else ""
        if found.port is None:
            return f"{found.owner.vlnv} has no port {end.port}"
        if not isinstance(found.port, SignalPort):
            return "it is no signal port, and the module has no others"
        if any(step.startswith(".") for step in end.path):
            return "it is inside a structured port, which the module does not have"
        return "it is a phantom port" if found.port.direction == "phantom" else ""

    def _group(self, connections: Sequence[Connection]) -> None:
        ends = [end for connection in connections for end in connection.ends]
        widths = {self._ends.width(self._ends.resolve(end)) for end in ends} - {None}
        if len(widths) < 2 and not any(end.left or end.path for end in ends):
            self._whole(connections, list(dict.fromkeys((end.instance, end.port) for end in ends)))
            return
        nets = BitNets(self._ends, connections)
        self._wiring.findings.extend(nets.findings)
        bitwise = Bitwise(
            self._ends, nets, self._names.ports, lambda name: self._scope.claim(_word(name), "_net"), self._plain_bounds
        )
        pins = dict.fromkeys((end.instance, end.port) for end in ends)
        for pin in pins:
            if pin[0]:
                self._wiring.pins[pin] = bitwise.pin(pin)
            else:
                self._wiring.assigns.extend(bitwise.assignments(pin[1]))
        self._wiring.wires.extend(bitwise.wires())
        self._wiring.assigns.extend(bitwise.flat_assignments())
        self._warn_of_present_values(connections[0].name, ends, is_counted=bitwise.is_counted)
        for port in bitwise.joined_inputs:
            self._report_joined(port)

    def _whole(self, connections: Sequence[Connection], pins: list[Pin]) -> None:
        """Wire up a net of whole ports; widths stay the expressions that they are."""
        values = [each.tied_value for each in connections if each.tied_value not in {"", "open", "default"}]
        if len(pins) == 1 and not values:
            return
        own = sorted((port for instance, port in pins if not instance), key=self._own_rank)
        inside = [pin for pin in pins if pin[0]]
        value = self._tied_text(values[0], pins, connections[0].name) if values else ""
        if own:
            carrier = identifier(self._names.ports[own[0]])
            for port in own[1:]:
                if self._own_rank(port) == _FIRST_OWN["out"]:
                    self._wiring.assigns.append((identifier(self._names.ports[port]), carrier))
                else:
                    self._report_joined(port)
            if value and self._own_rank(own[0]) != _FIRST_OWN["in"]:
                self._wiring.assigns.append((carrier, value))
        elif value and all(self._ends.direction(*pin) == "in" for pin in inside) and "'" in value:
            carrier = value
        else:
            name = self._scope.claim(_word(connections[0].name), "_net")
            carrier = identifier(name)
            self._wiring.wires.append((name, self._range(inside, connections[0].name)))
            if value:
                self._wiring.assigns.append((carrier, value))
        for pin in inside:
            self._wiring.pins[pin] = carrier

    def _own_rank(self, port: str) -> int:
        return _FIRST_OWN.get(self._ends.direction("", port) or "out", 2)

    def _report_joined(self, port: str) -> None:
        message = (
            f"Port {port} is joined with another port of the module, which takes no value from it; it is left open."
        )
        self._report("warning", "ports-joined", message, "signal_port", port)

    def _tied_text(self, text: str, pins: Iterable[Pin], name: str) -> str:
        """The value of a tie-off: sized where it and the width are plain numbers."""
        width = next(filter(None, (self._ends.width(self._resolve(pin)) for pin in pins)), None)
        try:
            if width is not None and not names_in(text):
                value = evaluate(text, {}, width)
                if isinstance(value, int):
                    return constant(value, width)
            written = expression(text, self._names.written())
            return written if width is None else f"{width}'({written})"
        except ExpressionError as problem:
            message = f"The value of connection {name} is left out: {problem.message}"
            self._report("error", problem.code, message, "connection", name)
            return ""

    def _resolve(self, pin: Pin) -> Resolved:
        return self._ends.resolve(Endpoint(instance=pin[0], port=pin[1]))

    def _range(self, pins: list[Pin], name: str) -> str:
        """The range of the wire for a net inside: that of its driver, else of any end."""
        ranked = sorted(pins, key=lambda pin: _FIRST_INSIDE.get(self._ends.direction(*pin) or "", 3))
        found = self._resolve(ranked[0])
        if found.owner is None or not isinstance(found.port, SignalPort):
            return ""
        try:
            known = self._dimensions(found, found.port)
            if known is not None:
                return vectors(known, self._names.written())
        except ExpressionError:
            pass
        message = f"The width of {found.end} has no value; the wire of connection {name} has one bit."
        self._report("error", "bad-width", message, "connection", name)
        return ""

    def _dimensions(self, found: Resolved, port: SignalPort) -> list[Dimension] | None:
        """The dimensions of a port over the parameters of the module, or None where one cannot be said so."""
        if found.owner is None:
            return None
        dimensions: list[Dimension] = []
        for each in all_dimensions(port):
            left = in_parent_terms(each.left, found.owner, found.instance)
            right = in_parent_terms(each.right, found.owner, found.instance)
            if left is None or right is None:
                return None
            dimensions.append(Dimension(left=left, right=right))
        return dimensions

    def _plain_bounds(self, pin: Pin) -> tuple[str, str] | None:
        """The bounds of a pin of one dimension as they are written in the module."""
        found = self._resolve(pin)
        dimensions = self._dimensions(found, found.port) if isinstance(found.port, SignalPort) else None
        if dimensions is None or len(dimensions) != 1:
            return None
        written = self._names.written()
        try:
            return expression(dimensions[0].left, written), expression(dimensions[0].right, written)
        except ExpressionError:
            return None

    def _warn_of_present_values(self, name: str, ends: Iterable[Endpoint], *, is_counted: bool) -> None:
        """Bits that were counted out are right only for the values that the parameters have now.

        Where expressions could be kept, it still depends on them which end of a net is the narrower one.
        """
        names: set[str] = set()
        for end in ends:
            found = self._ends.resolve(end)
            texts: list[str | None] = [end.left, end.right, *(step for step in end.path if not step.startswith("."))]
            if found.owner is not None and isinstance(found.port, SignalPort):
                bounds = [text for each in all_dimensions(found.port) for text in (each.left, each.right)]
                texts.extend(in_parent_terms(text, found.owner, found.instance) for text in bounds)
            for text in filter(None, texts):
                names |= _names(text)
        fixed = sorted(
            name
            for name in names
            if name in self._component.parameters and self._component.parameters[name].kind != "immediate"
        )
        if fixed:
            what = f"The parts of ports on net {name} are" if is_counted else f"Which ports are cut on net {name} is"
            message = f"{what} worked out for the present value of {', '.join(fixed)}."
            self._report("warning", "present-value", message, "connection", name)

    def _unconnected(self, instance: Instance) -> None:
        owner = self._library.find(instance.component)
        if owner is None:
            return
        for port in owner.ports.values():
            pin = (instance.name, port.name)
            if isinstance(port, SignalPort) and port.direction != "phantom" and pin not in self._wiring.pins:
                self._wiring.pins[pin] = self._default(pin) if port.direction == "in" else ""

    def _default(self, pin: Pin) -> str:
        """The default value of an input that nothing is connected to."""
        found = self._resolve(pin)
        value, width = default_value(self._ends, found), self._ends.width(found)
        return constant(value, width) if value is not None and width else ""


def _names(text: str) -> frozenset[str]:
    try:
        return names_in(text)
    except ExpressionError:
        return frozenset()


def _word(name: str) -> str:
    """A name for a wire that needs no escaping."""
    word = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return word if not word[:1].isdigit() else f"n_{word}"


def _groups(connections: Iterable[Connection]) -> list[list[Connection]]:
    """The connections that have ports in common, directly or through others."""
    parent: dict[Pin, Pin] = {}

    def find(pin: Pin) -> Pin:
        parent.setdefault(pin, pin)
        while parent[pin] != pin:
            parent[pin] = parent[parent[pin]]
            pin = parent[pin]
        return pin

    kept = [connection for connection in connections if connection.ends]
    for connection in kept:
        first = connection.ends[0]
        for end in connection.ends:
            parent[find((end.instance, end.port))] = find((first.instance, first.port))
    groups: dict[Pin, list[Connection]] = {}
    for connection in kept:
        groups.setdefault(find((connection.ends[0].instance, connection.ends[0].port)), []).append(connection)
    return list(groups.values())
