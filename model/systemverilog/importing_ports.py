"""Ports of a module as ports of a component."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model import operations
from model.elements import Dimension, Port, SignalPort, StructuredPort
from model.errors import DesignError
from model.findings import Severity
from model.systemverilog.draft import Draft
from model.systemverilog.headers import RtlPort
from model.vlnv import is_port_name
from model.widths import port_width, width_text

_WIDTHS = {"byte": 8, "shortint": 16, "int": 32, "integer": 32, "longint": 64, "time": 64}
"""Bits of the integer types that have a width of their own (IEEE 1800-2017, clause 6.11)."""

_NO_BITS = {"real", "realtime", "shortreal", "string", "chandle", "event"}


@dataclass(frozen=True, slots=True)
class _Shape:
    """The dimensions of a port: packed ones, the outermost first, and those of an array."""

    packed: tuple[Dimension, ...] = ()
    unpacked: tuple[Dimension, ...] = ()


def import_port(draft: Draft, port: RtlPort) -> None:
    """Add a port to the component."""
    name = draft.legal(port.name, is_port_name(port.name), port.line, "signal_port")

    def doubt(code: str, message: str, severity: Severity = "warning") -> None:
        draft.report(severity, code, f"Port {name} {message}", port.line, "signal_port", name)

    if port.interface or not port.direction:
        if not port.interface:
            doubt("no-direction", "has no direction; its name is kept as a phantom port.")
        _add_odd_port(draft, port, name)
        return
    if port.direction == "ref":
        doubt("type-changed", "is passed by reference; it is an inout here.")
    if port.type.sign == "signed":
        doubt("type-changed", "is signed; the component does not say so.", "note")
    direction = "inout" if port.direction == "ref" else port.direction
    for shape, code, message in _shapes(draft, port):
        try:
            _add_port(draft, port, name, direction, shape)
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
        _set_default(draft, port, name, direction)


def _add_odd_port(draft: Draft, port: RtlPort, name: str) -> None:
    """Keep a port that the operations cannot make: an interface, or one without a direction."""
    component = draft.component
    if name in component.ports:
        draft.report("error", "name-taken", f"Port {name} exists twice.", port.line, "signal_port", name)
        return
    made: Port = SignalPort(name=name, direction="phantom", description=port.comment)
    if port.interface:
        made = StructuredPort(
            name=name,
            form="interface",
            type_name=port.interface,
            arrays=tuple(map(draft.dimension, port.unpacked)),
            description=port.comment,
        )
    draft.put(component.model_copy(update={"ports": component.ports.set(name, made)}))


def _add_port(draft: Draft, port: RtlPort, name: str, direction: str, shape: _Shape) -> None:
    first = shape.packed[0] if shape.packed else Dimension(left="", right="")
    longer, _change = operations.add_signal_port(
        draft.library,
        component=str(draft.vlnv),
        name=name,
        direction=direction,
        width="" if first.left else "1",
        left=first.left,
        right=first.right,
        description=port.comment,
    )
    component = longer.get(draft.vlnv)
    vectors, arrays = shape.packed[1:], shape.unpacked
    if vectors or arrays:
        made = component.ports[name].model_copy(update={"vectors": vectors, "arrays": arrays})
        component = component.model_copy(update={"ports": component.ports.set(name, made)})
        if port_width(component, made) is None:
            raise DesignError("bad-bounds", f"the dimensions {width_text(made)} have no value.")
    draft.put(component)


def _shapes(draft: Draft, port: RtlPort) -> Iterator[tuple[_Shape, str, str]]:
    """Dimensions to try, the best first, each with what there is to say about them: code and message."""
    packed = [draft.dimension(range_) for range_ in port.type.packed]
    unpacked = [draft.dimension(range_) for range_ in port.unpacked]
    own = _WIDTHS.get(port.type.name)
    if port.type.is_builtin and port.type.name not in _NO_BITS:
        if own is not None:
            packed.append(Dimension(left=str(own - 1), right="0"))
        if not unpacked or packed or all(each.left for each in unpacked):
            yield _Shape(tuple(packed), tuple(unpacked)), "", ""
    width = draft.elaboration.port_width(port.name)
    if width is None:
        what = f"the type {port.type.name}, whose" if port.type.name and not packed else "a range whose"
        yield _Shape(), "width-unknown", f"has {what} bits are not known; it has one bit here."
    elif not port.type.is_builtin:
        message = f"has the type {port.type.name}; it is a vector of its {width} bits here."
        yield _width_shape(width), "type-changed", message
    else:
        message = f"has its present width {width}; its range cannot be kept as an expression."
        yield _width_shape(width), "present-value", message


def _set_default(draft: Draft, port: RtlPort, name: str, direction: str) -> None:
    """Give a port its default value; only inputs have one."""
    message = f"Port {name} has the initial value {port.default}, which is left out."
    if direction != "out":
        try:
            draft.library, _change = operations.update_element(
                draft.library,
                component=str(draft.vlnv),
                element_type="signal_port",
                name=name,
                default_value=draft.in_own_names(port.default),
            )
        except DesignError as problem:
            message = f"Port {name} has no default value here: {problem.message}"
        else:
            return
    draft.report("note", "default-left-out", message, port.line, "signal_port", name)


def _width_shape(width: int) -> _Shape:
    return _Shape((Dimension(left=str(width - 1), right="0"),)) if width > 1 else _Shape()
