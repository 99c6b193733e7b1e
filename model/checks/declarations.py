"""Checks of what a component declares: ports, parameters, bus interfaces, names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.change import ElementId, ElementKind
from model.difference import element_kind
from model.elements import BusInterface, Component, Parameter, Port, SignalPort, TransactionalPort
from model.errors import DesignError
from model.expressions import ExpressionError, evaluate, names_in
from model.findings import Finding, Severity
from model.parameters import Values, check_value, references, unknown_parameter


def finding(
    severity: Severity, code: str, message: str, component: Component, kind: ElementKind, name: str = ""
) -> Finding:
    """A finding about an element of a component."""
    return Finding(severity, code, message, ElementId(component.vlnv, kind, name))


def check_declarations(component: Component) -> Iterator[Finding]:
    """Everything that is wrong with a component seen from outside."""
    values = Values(component.parameters)
    for parameter in component.parameters.values():
        yield from check_parameter(component, parameter, values)
    for port in component.ports.values():
        yield from check_port(component, port, values)
    for interface in component.bus_interfaces.values():
        yield from _check_interface(component, interface)
    yield from check_case(component, "signal_port", component.ports)
    yield from check_case(component, "user_parameter", component.parameters)


def check_parameter(component: Component, parameter: Parameter, values: Values) -> Iterator[Finding]:
    """What is wrong with a parameter; ``values`` are those of the component."""
    kind = element_kind(parameter, "user_parameter")
    try:
        if parameter.type != "string" or parameter.minimum or parameter.maximum or parameter.arrays:
            check_value(parameter, values)
        elif references(parameter, component.parameters):
            values[parameter.name]
    except DesignError as problem:
        yield finding("error", problem.code, problem.message, component, kind, parameter.name)


def check_port(component: Component, port: Port, values: Values) -> Iterator[Finding]:
    """What is wrong with a port; ``values`` are those of the component."""
    kind = element_kind(port, "signal_port")
    if isinstance(port, SignalPort):
        bounds = {"left": port.left, "right": port.right}
        if port.default_value and port.direction == "out":
            message = f"Output {port.name} has a default value {port.default_value}; only inputs and inouts have one."
            yield finding("warning", "default-on-output", message, component, kind, port.name)
        if problem := _names_problem(component, port.default_value):
            yield finding("error", problem.code, f"Port {port.name}: {problem.message}", component, kind, port.name)
        lowest = 0
    elif isinstance(port, TransactionalPort):
        bounds = {"bus width": port.bus_width}
        lowest = 1
    else:
        bounds, lowest = {}, 0
    bounds |= {
        f"{side} bound of dimension {each}": getattr(each, side)
        for each in (*port.arrays, *([] if isinstance(port, TransactionalPort) else port.vectors))
        for side in ("left", "right")
    }
    for what, text in bounds.items():
        if text and (problem := _number_problem(component, text, what, lowest, values)):
            yield finding("error", problem.code, f"Port {port.name}: {problem.message}", component, kind, port.name)


def _names_problem(component: Component, text: str) -> DesignError | None:
    """An unknown parameter in an expression; what is no expression at all is left to the file it came from."""
    try:
        names = names_in(text) if text else frozenset[str]()
    except ExpressionError:
        return None
    unknown = sorted(name for name in names if name not in component.parameters)
    return unknown_parameter(unknown[0], component) if unknown else None


def _number_problem(component: Component, text: str, what: str, lowest: int, values: Values) -> DesignError | None:
    if problem := _names_problem(component, text):
        return problem
    try:
        value = evaluate(text, values)
    except ExpressionError as failed:
        return failed
    if isinstance(value, int | float) and value == int(value) and value >= lowest:
        return None
    shown = f"'{text}'" if str(value) == text else f"'{text}' (now {value})"
    return DesignError("bad-width", f"The {what} {shown} is not a whole number from {lowest} up.")


def _check_interface(component: Component, interface: BusInterface) -> Iterator[Finding]:
    """Port maps to nowhere."""
    for port in dict.fromkeys(row.physical for row in interface.port_maps):
        if port and port not in component.ports:
            message = f"Bus interface {interface.name} maps to port {port}, which does not exist."
            yield finding("warning", "port-not-found", message, component, "bus_interface", interface.name)


def check_case(component: Component, kind: ElementKind, names: Iterable[str]) -> Iterator[Finding]:
    """Names that differ only in letter case: VHDL and some file systems take them for one."""
    known: dict[str, str] = {}
    for name in names:
        twin = known.setdefault(name.casefold(), name)
        if twin != name:
            words = {"signal_port": "Ports", "user_parameter": "Parameters"}.get(kind, "Subcomponents")
            message = f"{words} {twin} and {name} differ only in letter case."
            yield finding("note", "case-differs", message, component, _kind_of(component, kind, name), name)


def _kind_of(component: Component, kind: ElementKind, name: str) -> ElementKind:
    value = component.ports.get(name) if kind == "signal_port" else component.parameters.get(name)
    return element_kind(value, kind) if value is not None and kind != "subcomponent" else kind
