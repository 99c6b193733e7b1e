"""Components as SystemVerilog modules that Icarus Verilog and Verilator accept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from model.change import ElementId, ElementKind
from model.difference import element_kind
from model.elements import Component, Design, Dimension, Instance, Parameter, SignalPort
from model.expressions import ExpressionError
from model.findings import Finding, Severity
from model.library import Library
from model.systemverilog.names import identifier, names_of, representable, signal_ports
from model.systemverilog.text import (
    all_dimensions,
    comment,
    override,
    parameter_order,
    parameter_value,
    quoted,
    type_words,
    vectors,
)
from model.systemverilog.wiring import Wiring, wire_up
from model.vlnv import Vlnv
from model.widths import width_text

_DIRECTIONS = {"in": "input ", "out": "output", "inout": "inout "}


@dataclass(frozen=True, slots=True)
class Module:
    """A component as text.

    Attributes:
        name: of the module, raw.
        findings: what the text does not say, or says otherwise than the component.
    """

    vlnv: Vlnv
    name: str
    text: str
    findings: tuple[Finding, ...]

    @property
    def file_name(self) -> str:
        """A name for a file that holds it."""
        return f"{re.sub(r'[^A-Za-z0-9_.-]', '_', self.name)}.sv"


def export_modules(library: Library, vlnv: Vlnv, *, recursive: bool = False) -> tuple[Module, ...]:
    """Return a component as a module, the same text for the same component.

    A component without a design becomes an empty shell. Of several designs the first is written.

    Args:
        recursive: follow it with everything that it instantiates, each once.

    Raises:
        DesignError: ``component-not-found``.
    """
    top = library.get(vlnv)
    reached = _reached(library, top)
    names = _module_names(reached)
    wanted = [known for known in reached if known in library] if recursive else [vlnv]
    return tuple(_Writer(library, library.get(each), names).module() for each in wanted)


def _reached(library: Library, top: Component) -> list[Vlnv]:
    """The component and everything below it, missing ones too, parents first."""
    found: dict[Vlnv, None] = {top.vlnv: None}
    waiting = [top.vlnv]
    while waiting:
        component = library.find(waiting.pop(0))
        for instance in component.design.instances.values() if component is not None else ():
            if instance.component not in found:
                found[instance.component] = None
                waiting.append(instance.component)
    return list(found)


def _module_names(vlnvs: Sequence[Vlnv]) -> dict[Vlnv, str]:
    """The name of each component's module: its own, or its whole VLNV where others have that name too."""
    times = Counter(vlnv.name.casefold() for vlnv in vlnvs)
    return {
        vlnv: representable(vlnv.name if times[vlnv.name.casefold()] == 1 else "_".join(str(vlnv).split(":")))
        for vlnv in vlnvs
    }


class _Writer:
    """Writes one module."""

    def __init__(self, library: Library, component: Component, modules: dict[Vlnv, str]) -> None:
        self._library = library
        self._component = component
        self._modules = modules
        self._names = names_of(component)
        self._findings: list[Finding] = []

    def module(self) -> Module:
        component = self._component
        name = self._modules[component.vlnv]
        if name != component.vlnv.name:
            self._report("note", "name-changed", f"The module of {component.vlnv} is called {name}.", "component", "")
        lines = [*self._head(name), *self._body(component.design), "endmodule", ""]
        text = "\n".join(line.rstrip() for line in lines)
        return Module(component.vlnv, name, text, tuple(self._findings))

    def _report(self, severity: Severity, code: str, message: str, kind: ElementKind, name: str) -> None:
        self._findings.append(Finding(severity, code, message, ElementId(self._component.vlnv, kind, name)))

    def _head(self, name: str) -> Iterator[str]:
        component = self._component
        yield f"// {component.vlnv}"
        if description := comment(component.description).strip():
            yield description
        parameters = [*self._parameters()]
        ports = [*self._ports()]
        opening = f"module {identifier(name).rstrip()}"
        opening += " " if identifier(name).startswith("\\") else ""
        if parameters:
            yield f"{opening} #("
            yield from _listed(parameters)
            opening = ")"
        if not ports:
            yield f"{opening} ();"
            return
        yield f"{opening} ("
        yield from _listed(ports)
        yield ");"

    def _parameters(self) -> Iterator[tuple[str, str]]:
        for parameter in parameter_order(self._component):
            raw = self._names.parameters[parameter.name]
            kind = element_kind(parameter, "user_parameter")
            if raw != parameter.name:
                message = f"Parameter {parameter.name} is called {raw} in the module."
                self._report("note", "name-changed", message, kind, parameter.name)
            if parameter.type == "shortreal":
                message = f"Parameter {parameter.name} is a real in the module: tools do not know shortreal."
                self._report("note", "type-changed", message, kind, parameter.name)
            keyword = "localparam" if parameter.kind == "immediate" else "parameter"
            packed = self._packed(parameter, kind)
            words = filter(None, (keyword, type_words(parameter), packed, identifier(raw).rstrip()))
            gap = " " if identifier(raw).startswith("\\") else ""
            unpacked = self._dimensions(parameter.arrays, kind, parameter.name).rstrip()
            unpacked = f" {unpacked}" if unpacked else ""
            self._note_limits(parameter, kind)
            yield f"{' '.join(words)}{gap}{unpacked} = {self._value(parameter, kind)}", parameter.description

    def _packed(self, parameter: Parameter, kind: ElementKind) -> str:
        """The packed dimensions; the types that have a width of their own have none (IEEE 1800-2017, clause 6.11)."""
        if parameter.vectors and parameter.type not in {"bit", "string"}:
            ranges = "".join(map(str, parameter.vectors))
            message = f"Parameter {parameter.name} is a plain {parameter.type} in the module: no {ranges} goes with it."
            self._report("warning", "type-changed", message, kind, parameter.name)
            return ""
        return self._dimensions(parameter.vectors, kind, parameter.name).rstrip()

    def _note_limits(self, parameter: Parameter, kind: ElementKind) -> None:
        """Say what Icarus Verilog 11 does not read though it is legal; Verilator does."""
        what = ""
        if parameter.arrays:
            what = "an array"
        elif len(parameter.vectors) > 1:
            what = "a vector of vectors"
        elif parameter.sign and parameter.type not in {"bit", "string", "real", "shortreal"}:
            what = f"of type {type_words(parameter)}"
        if what:
            message = f"Parameter {parameter.name} is {what}, which Icarus Verilog 11 does not read as a parameter."
            self._report("note", "tool-limit", message, kind, parameter.name)

    def _value(self, parameter: Parameter, kind: ElementKind) -> str:
        try:
            return parameter_value(parameter, self._component, self._names)
        except ExpressionError as problem:
            message = f"The value of parameter {parameter.name} is written as text: {problem.message}"
            self._report("error", problem.code, message, kind, parameter.name)
            return quoted(parameter.value)

    def _ports(self) -> Iterator[tuple[str, str]]:
        kept = {port.name for port in signal_ports(self._component)}
        for port in self._component.ports.values():
            kind = element_kind(port, "signal_port")
            if port.name not in kept or not isinstance(port, SignalPort):
                what = "phantom" if isinstance(port, SignalPort) else kind.removesuffix("_port")
                message = f"Port {port.name} is {what}; the module does not have it."
                self._report("warning", "port-left-out", message, kind, port.name)
                continue
            raw = self._names.ports[port.name]
            if raw != port.name:
                message = f"Port {port.name} is called {raw} in the module."
                self._report("note", "name-changed", message, kind, port.name)
            if port.arrays:
                message = f"Port {port.name} is an array; the module has it as a vector of vectors, {width_text(port)}."
                self._report("note", "array-packed", message, kind, port.name)
            range_ = self._dimensions(all_dimensions(port), kind, port.name)
            yield f"{_DIRECTIONS[port.direction]} wire {range_}{identifier(raw)}", port.description

    def _dimensions(self, dimensions: Sequence[Dimension], kind: ElementKind, name: str) -> str:
        try:
            return vectors(dimensions, self._names.written())
        except ExpressionError as problem:
            what = "Port" if kind == "signal_port" else "Parameter"
            message = f"{what} {name} has one bit in the module: {problem.message}"
            self._report("error", problem.code, message, kind, name)
            return ""

    def _body(self, design: Design) -> Iterator[str]:
        if design.is_empty:
            return
        others = list(self._component.designs)[1:]
        if others:
            message = f"The module shows view {self._component.view}; not shown: {', '.join(others)}."
            self._report("note", "view-left-out", message, "component", "")
        wiring = wire_up(self._library, self._component, design)
        self._findings.extend(wiring.findings)
        if wiring.wires:
            yield ""
            yield from (f"  wire {range_}{identifier(name)};" for name, range_ in wiring.wires)
        if wiring.assigns:
            yield ""
            yield from (f"  assign {left} = {right};" for left, right in wiring.assigns)
        for instance in design.instances.values():
            yield ""
            yield from self._instance(instance, wiring)

    def _instance(self, instance: Instance, wiring: Wiring) -> Iterator[str]:
        owner = self._library.find(instance.component)
        if owner is None:
            message = f"The component {instance.component} of subcomponent {instance.name} is missing."
            self._report("error", "component-missing", message, "subcomponent", instance.name)
        module = identifier(self._modules[instance.component])
        name = identifier(wiring.instances[instance.name])
        settings = [*self._settings(instance, owner)] if owner is not None else []
        if description := comment(instance.description).strip():
            yield f"  {description}"
        opening = f"  {module} "
        if settings:
            yield f"{opening}#("
            yield from _listed([(text, "") for text in settings], "    ")
            opening = "  ) "
        known = names_of(owner).ports if owner is not None else {}
        pins = [(port, text) for (place, port), text in wiring.pins.items() if place == instance.name]
        if owner is not None:
            order = list(owner.ports)
            pins.sort(key=lambda pin: order.index(pin[0]))
        if not pins:
            yield f"{opening}{name} ();"
            return
        yield f"{opening}{name} ("
        yield from _listed(
            [(f".{identifier(known.get(port, representable(port)))}({text})", "") for port, text in pins], "    "
        )
        yield "  );"

    def _settings(self, instance: Instance, owner: Component) -> Iterator[str]:
        names = names_of(owner)
        for name, text in instance.parameters.items():
            parameter = owner.parameters.get(name)
            if parameter is None or parameter.kind == "immediate":
                why = f"{owner.vlnv} does not have" if parameter is None else "is immediate and cannot be set"
                message = f"Subcomponent {instance.name} sets parameter {name}, which {why}; that is left out."
                self._report("warning", "override-left-out", message, "subcomponent", instance.name)
                continue
            try:
                value = override(text, parameter, self._component, self._names)
            except ExpressionError as problem:
                message = f"Subcomponent {instance.name}: the value of {name} is written as text: {problem.message}"
                self._report("error", problem.code, message, "subcomponent", instance.name)
                value = quoted(text)
            yield f".{identifier(names.parameters[name])}({value})"


def _listed(items: Sequence[tuple[str, str]], indent: str = "  ") -> Iterator[str]:
    """Lines of a list: each item with its comma, and its comment behind that."""
    for place, (text, description) in enumerate(items, start=1):
        yield f"{indent}{text}{',' if place < len(items) else ''}{comment(description)}"
