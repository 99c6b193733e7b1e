"""How the range of a port reads beside its name, with the parameters of the instance put in. No Qt."""

from __future__ import annotations

from collections.abc import Mapping

from model.elements import Component, SignalPort
from model.widths import port_bounds, port_shape, width_text


def range_text(component: Component, port: SignalPort, overrides: Mapping[str, str]) -> str:
    """``[31:0]`` where the bounds have values, else the bounds as written; "" for a single bit."""
    if not port.left and not port.right and not port.arrays:
        return ""
    if port.vectors or port.arrays:
        shape = port_shape(component, port, overrides)
        return width_text(port) if shape is None else "".join(f"[{left}:{right}]" for left, right in shape)
    bounds = port_bounds(component, port, overrides)
    if bounds is None:
        return f"[{port.left}:{port.right}]"
    return f"[{bounds[0]}:{bounds[1]}]" if bounds[0] != bounds[1] else ""
