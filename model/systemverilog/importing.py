"""Turns the header of a module into a component, through the operations that every other edit goes through."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from model import operations
from model.change import Change, ElementId, ElementKind
from model.difference import element_kind, elements_of
from model.elements import Component, Dimension, Parameter, ParameterType, Port, SignalPort, StructuredPort
from model.errors import DesignError
from model.expressions import ExpressionError, evaluate, names_in, rename_names
from model.findings import Finding, Severity
from model.library import Library
from model.operations.parameters import check_parameter, check_parameter_free
from model.parameters import Values, text_references
from model.systemverilog.elaboration import NO_DEFAULT, Elaboration
from model.systemverilog.headers import Range, RtlModule, RtlParameter, RtlPort, RtlType
from model.vlnv import Vlnv, is_nmtoken, is_port_name, is_xml_name
from model.widths import port_width, width_text

_WIDTHS = {"byte": 8, "shortint": 16, "int": 32, "integer": 32, "longint": 64, "time": 64}
"""Bits of the integer types that have a width of their own (clause 6.11)."""

_NUMBER_TYPES: dict[str, ParameterType] = {
    "byte": "byte",
    "shortint": "shortint",
    "int": "int",
    "integer": "int",
    "longint": "longint",
    "time": "longint",
    "real": "real",
    "realtime": "real",
    "shortreal": "shortreal",
}
_NO_BITS = {"real", "realtime", "shortreal", "string", "chandle", "event"}


@dataclass(frozen=True, slots=True)
class Imported:
    """A module as a component.

    Attributes:
        findings: everything that the component says otherwise than the module, or not at all.
    """

    component: Component
    findings: tuple[Finding, ...]


def component_of(
    module: RtlModule, elaboration: Elaboration, path: Path, vendor: str, library: str, version: str
) -> Imported:
    """Make a component of a module.

    Args:
        elaboration: of the module, for what its text alone does not say.
        path: of the file, for findings.

    Raises:
        DesignError: ``bad-vlnv``.
    """
    return _Importer(module, elaboration, path, vendor, library, version).run()


def add_component(current: Library, /, component: Component) -> tuple[Library, Change]:
    """Put a component that was made elsewhere into the library.

    Raises:
        DesignError: ``component-exists``.
    """
    vlnv = component.vlnv
    if vlnv in current:
        raise DesignError(
            "component-exists",
            f"There is already a component {vlnv}.",
            "Delete it first, or import under another library or version.",
        )
    added = (ElementId(vlnv, "component"), *(element for element, _value in elements_of(component)))
    return current.put(component), Change(f"Imported component {vlnv}.", added=added)


@dataclass(frozen=True, slots=True)
class _Shape:
    """The dimensions of a port: packed ones, the outermost first, and those of an array."""

    packed: tuple[Range, ...] = ()
    unpacked: tuple[Range, ...] = ()


class _Importer:
    """Makes one component."""

    def __init__(
        self, module: RtlModule, elaboration: Elaboration, path: Path, vendor: str, library: str, version: str
    ) -> None:
        self._module = module
        self._elaboration = elaboration
        self._path = path
        self._findings: list[Finding] = []
        name = module.name if is_nmtoken(module.name) else re.sub(r"[^\w.-]", "_", module.name)
        self._vlnv = Vlnv.checked(vendor, library, name, version)
        self._library, _change = operations.create_component(
            Library(), vendor=vendor, library=library, name=name, version=version
        )
        if name != module.name:
            self._report("warning", "name-changed", f"Module {module.name} is called {name} here.", module.line)
        self._renamed: dict[str, str] = {}

    def run(self) -> Imported:
        for line, text in self._module.problems:
            self._report("warning", "not-imported", text, line)
        parameters = list(self._wanted_parameters())
        names = {parameter.name for parameter in parameters}
        for parameter in parameters:
            self._parameter(parameter, names)
        for port in self._module.ports:
            self._port(port)
        return Imported(self._component, tuple(self._findings))

    @property
    def _component(self) -> Component:
        return self._library.get(self._vlnv)

    def _report(
        self, severity: Severity, code: str, message: str, line: int, kind: ElementKind = "component", name: str = ""
    ) -> None:
        where = ElementId(self._vlnv, kind, name)
        self._findings.append(Finding(severity, code, message, where, self._path, line))

    def _wanted_parameters(self) -> Iterator[RtlParameter]:
        """The parameters, and those inside that ports or parameters refer to."""
        inside = {parameter.name: parameter for parameter in self._module.locals}
        needed: dict[str, None] = {}
        waiting = [text for parameter in self._module.parameters for text in _texts(parameter)]
        waiting.extend(text for port in self._module.ports for text in _texts(port))
        while waiting:
            for name in sorted(_names(waiting.pop())):
                if name in inside and name not in needed:
                    needed[name] = None
                    waiting.extend(_texts(inside[name]))
        yield from self._module.parameters
        yield from (parameter for name, parameter in inside.items() if name in needed)

    def _parameter(self, parameter: RtlParameter, names: set[str]) -> None:
        kind: ElementKind = "immediate_parameter" if parameter.is_local else "user_parameter"
        name = self._legal(parameter.name, is_xml_name(parameter.name), parameter.line, kind)
        if name != parameter.name:
            self._renamed[parameter.name] = name
        refusal = "it has no value"
        for value, types, is_present in self._candidates(parameter, names):
            for type_ in types:
                made = Parameter(
                    name=name,
                    kind="immediate" if parameter.is_local else "user",
                    value=value,
                    type=type_,
                    description=parameter.comment,
                )
                try:
                    self._add_parameter(made)
                except DesignError as problem:
                    refusal = problem.message
                    continue
                self._doubts_about(parameter, made, is_present)
                return
        message = f"Parameter {name} is not imported: {refusal}"
        self._report("error", "not-imported", message, parameter.line, kind, name)

    def _candidates(
        self, parameter: RtlParameter, names: set[str]
    ) -> Iterator[tuple[str, Sequence[ParameterType], bool]]:
        """Values with the types that may hold them, the best first, and whether that is only the present value."""
        if parameter.type.name == "type":
            yield parameter.value or "logic", ("string",), False
            return
        if not parameter.value:
            yield NO_DEFAULT, (*self._types(parameter.type, NO_DEFAULT), "string"), False
            return
        value, present = self._in_own_names(parameter.value), ""
        if parameter.type == RtlType() and self._refers_to_text(value):
            yield value, ("string",), False
        if not parameter.unpacked:
            yield value, self._types(parameter.type, value), False
            present = "" if value.startswith('"') else self._elaboration.parameter_value(parameter.name)
            yield present, self._types(parameter.type, present) if present else (), True
        yield self._unquoted(present or value, names), ("string",), bool(present)

    def _is_meant_as_text(self, parameter: RtlParameter, made: Parameter) -> bool:
        return parameter.type.name == "string" or '"' in parameter.value or self._refers_to_text(made.value)

    def _refers_to_text(self, value: str) -> bool:
        """Whether the value is that of a parameter that holds text."""
        try:
            return bool(names_in(value)) and isinstance(evaluate(value, Values(self._component.parameters)), str)
        except ExpressionError:
            return False

    def _types(self, type_: RtlType, value: str) -> Sequence[ParameterType]:
        if type_.name == "string" or value.startswith('"'):
            return ()
        if type_.name in _NUMBER_TYPES and not type_.packed:
            return (_NUMBER_TYPES[type_.name],)
        if type_.name in {"bit", "logic", "reg"} and not type_.packed:
            return ("bit", "int", "longint")
        return ("int", "longint") if type_.packed or type_.name or type_.signed else ("int", "longint", "real")

    def _unquoted(self, text: str, names: set[str]) -> str:
        """A string without its quotes, unless it would be taken for a number or a parameter then."""
        try:
            value = evaluate(text, {}) if not names_in(text) else None
        except ExpressionError:
            return text
        if not isinstance(value, str) or not value.strip():
            return text
        try:
            plain = evaluate(value, {}) if not names_in(value) else None
        except ExpressionError:
            return value
        is_taken = plain is not None or text_references(value, dict.fromkeys(names))
        return text if is_taken else value

    def _add_parameter(self, parameter: Parameter) -> None:
        if parameter.kind == "user":
            self._library, _change = operations.add_user_parameter(
                self._library,
                component=str(self._vlnv),
                name=parameter.name,
                value=parameter.value,
                type=parameter.type,
                description=parameter.description,
            )
            return
        # The tools do not make immediate parameters, but the rules for them are the same.
        check_parameter_free(self._component, parameter.name)
        longer = self._component.parameters.set(parameter.name, parameter)
        changed = self._component.model_copy(update={"parameters": longer})
        check_parameter(changed, parameter)
        self._library = self._library.put(changed)

    def _doubts_about(self, parameter: RtlParameter, made: Parameter, is_present: bool) -> None:
        def doubt(code: str, message: str) -> None:
            kind = element_kind(made, "user_parameter")
            self._report("warning", code, f"Parameter {made.name} {message}", parameter.line, kind, made.name)

        if parameter.type.name == "type":
            doubt("type-parameter", "is a type; it is kept as text, and ports of that type have its width.")
        elif not parameter.value:
            doubt("no-default", f"has no default; it is {made.value} here.")
        elif parameter.unpacked:
            doubt("kept-as-text", "is an array; its value is kept as text.")
        elif is_present:
            doubt("present-value", f"has its present value {made.value} instead of '{parameter.value}'.")
        elif made.type == "string" and not self._is_meant_as_text(parameter, made):
            doubt("kept-as-text", f"has a value that is kept as text: {parameter.value}.")
        if not parameter.type.is_builtin:
            doubt("type-changed", f"has the type {parameter.type.name}; it is {made.type} here.")

    def _port(self, port: RtlPort) -> None:
        name = self._legal(port.name, is_port_name(port.name), port.line, "signal_port")

        def doubt(code: str, message: str, severity: Severity = "warning") -> None:
            self._report(severity, code, f"Port {name} {message}", port.line, "signal_port", name)

        if port.interface or not port.direction:
            if not port.interface:
                doubt("no-direction", "has no direction; its name is kept as a phantom port.")
            self._odd_port(port, name)
            return
        if port.direction == "ref":
            doubt("type-changed", "is passed by reference; it is an inout here.")
        if port.type.signed:
            doubt("type-changed", "is signed; the component does not say so.", "note")
        direction = "inout" if port.direction == "ref" else port.direction
        for shape, code, message in self._shapes(port):
            left, right = shape.packed[0] if shape.packed else ("", "")
            try:
                self._library, _change = operations.add_signal_port(
                    self._library,
                    component=str(self._vlnv),
                    name=name,
                    direction=direction,
                    width="" if left else "1",
                    left=left,
                    right=right,
                    description=port.comment,
                )
                self._add_dimensions(name, shape)
            except DesignError as problem:
                refusal = problem
                continue
            if code:
                doubt(code, message, "error" if code == "width-unknown" else "warning")
            break
        else:
            doubt(refusal.code, f"is not imported: {refusal.message}", "error")
            return
        if port.default:
            self._default(port, name, direction)

    def _odd_port(self, port: RtlPort, name: str) -> None:
        """Keep a port that the operations cannot make: an interface, or one without a direction."""
        if name in self._component.ports:
            self._report("error", "name-taken", f"Port {name} exists twice.", port.line, "signal_port", name)
            return
        made: Port = SignalPort(name=name, direction="phantom", description=port.comment)
        if port.interface:
            arrays = _dimensions([self._own_range(range_) for range_ in port.unpacked])
            made = StructuredPort(
                name=name, form="interface", type_name=port.interface, arrays=arrays, description=port.comment
            )
        longer = self._component.ports.set(name, made)
        self._library = self._library.put(self._component.model_copy(update={"ports": longer}))

    def _add_dimensions(self, name: str, shape: _Shape) -> None:
        """Give a port that was just added the dimensions behind its first; take it back where they have no value."""
        vectors, arrays = shape.packed[1:], shape.unpacked
        if not vectors and not arrays:
            return
        before = self._component
        port = before.ports[name].model_copy(update={"vectors": _dimensions(vectors), "arrays": _dimensions(arrays)})
        made = before.model_copy(update={"ports": before.ports.set(name, port)})
        if port_width(made, port) is None:
            self._library = self._library.put(before.model_copy(update={"ports": before.ports.without(name)}))
            raise DesignError("bad-bounds", f"the dimensions {width_text(port)} have no value.")
        self._library = self._library.put(made)

    def _shapes(self, port: RtlPort) -> Iterator[tuple[_Shape, str, str]]:
        """Dimensions to try, the best first, each with what there is to say about them: code and message."""
        packed = [self._own_range(range_) for range_ in port.type.packed]
        unpacked = [self._own_range(range_) for range_ in port.unpacked]
        own = _WIDTHS.get(port.type.name)
        if port.type.is_builtin and port.type.name not in _NO_BITS:
            if own is not None:
                packed.append((str(own - 1), "0"))
            if not unpacked or packed or all(range_ != ("", "") for range_ in unpacked):
                yield _Shape(tuple(packed), tuple(unpacked)), "", ""
        width = self._elaboration.port_width(port.name)
        if width is None:
            what = f"the type {port.type.name}, whose" if port.type.name and not packed else "a range whose"
            yield _Shape(), "width-unknown", f"has {what} bits are not known; it has one bit here."
        elif not port.type.is_builtin:
            message = f"has the type {port.type.name}; it is a vector of its {width} bits here."
            yield _width_shape(width), "type-changed", message
        else:
            message = f"has its present width {width}; its range cannot be kept as an expression."
            yield _width_shape(width), "present-value", message

    def _own_range(self, range_: Range) -> Range:
        return self._in_own_names(range_[0]), self._in_own_names(range_[1])

    def _default(self, port: RtlPort, name: str, direction: str) -> None:
        """Give a port its default value; only inputs have one."""
        message = f"Port {name} has the initial value {port.default}, which is left out."
        if direction != "out":
            try:
                self._library, _change = operations.update_element(
                    self._library,
                    component=str(self._vlnv),
                    element_type="signal_port",
                    name=name,
                    default_value=self._in_own_names(port.default),
                )
            except DesignError as problem:
                message = f"Port {name} has no default value here: {problem.message}"
            else:
                return
        self._report("note", "default-left-out", message, port.line, "signal_port", name)

    def _in_own_names(self, text: str) -> str:
        """An expression in which parameters have the names that they have in the component."""
        if not self._renamed:
            return text
        try:
            return rename_names(text, self._renamed)
        except ExpressionError:
            return text

    def _legal(self, name: str, is_legal: bool, line: int, kind: ElementKind) -> str:
        if is_legal:
            return name
        legal = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
        legal = legal if is_xml_name(legal) else f"_{legal}"
        self._report("warning", "name-changed", f"'{name}' is called {legal} here.", line, kind, legal)
        return legal


def _texts(element: RtlParameter | RtlPort) -> list[str]:
    ranges = (*element.type.packed, *element.unpacked)
    value = element.value if isinstance(element, RtlParameter) else element.default
    return [text for range_ in ranges for text in range_] + [value]


def _names(text: str) -> frozenset[str]:
    try:
        return names_in(text) if text else frozenset()
    except ExpressionError:
        return frozenset()


def _dimensions(ranges: Sequence[Range]) -> tuple[Dimension, ...]:
    return tuple(Dimension(left=left, right=right) for left, right in ranges)


def _width_shape(width: int) -> _Shape:
    return _Shape(((str(width - 1), "0"),)) if width > 1 else _Shape()
