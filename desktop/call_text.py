"""Tool calls and element ids in the short form that people read in the chat and the score panel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from model.change import ElementId, ElementKind
from model.errors import DesignError
from model.vlnv import Vlnv

_KINDS: tuple[ElementKind, ...] = get_args(ElementKind)

KIND_WORDS: Mapping[ElementKind, str] = {
    "component": "component",
    "signal_port": "port",
    "transactional_port": "port",
    "structured_port": "port",
    "user_parameter": "parameter",
    "generator_parameter": "parameter",
    "immediate_parameter": "parameter",
    "bus_interface": "bus interface",
    "subcomponent": "instance",
    "connection": "connection",
    "interconnection": "connection",
}


def parse_element(text: str) -> ElementId | None:
    """Read ``kind name of VLNV`` or ``component VLNV``, as tool results name elements; None for anything else."""
    kind, _space, rest = text.partition(" ")
    for known in _KINDS:
        if known != kind:
            continue
        name, separator, component = rest.rpartition(" of ")
        component, _in, view = (component if separator else rest).partition(" in view ")
        try:
            return ElementId(Vlnv.parse(component), known, name if separator else "", view)
        except DesignError:
            return None
    return None


def short_name(vlnv: Vlnv | str) -> str:
    """``name version`` of a VLNV; other text stays as it is."""
    if isinstance(vlnv, str):
        fields = vlnv.split(":")
        return f"{fields[2]} {fields[3]}" if len(fields) == 4 else vlnv
    return f"{vlnv.name} {vlnv.version}"


def element_words(element: ElementId) -> str:
    """``port clk``, ``instance u_spi`` or ``component uart 1.0``."""
    name = element.name or short_name(element.component)
    return f"{KIND_WORDS[element.kind]} {name}"


def _endpoint(arguments: Mapping[str, Any], side: str) -> str:
    instance = arguments.get(f"{side}_instance") or ""
    port = arguments.get(f"{side}_port") or "?"
    return f"{instance}.{port}" if instance else str(port)


def call_words(tool: str, arguments: Mapping[str, Any]) -> str:
    """What a call is about, without the tool's name: ``u_xbar.m2 → u_spi.apb in mcu_top 1.0``."""
    given = {name: value for name, value in arguments.items() if value not in ("", None, False)}
    component = short_name(str(given.pop("component", "")))
    place = f" in {component}" if component else ""
    if tool == "add_subcomponent_connection":
        return f"{_endpoint(given, 'source')} → {_endpoint(given, 'target')}{place}"
    if tool == "add_subcomponent":
        return f"{given.get('instance_name', '?')} : {short_name(str(given.get('subcomponent', '?')))}{place}"
    if tool == "create_component":
        return ":".join(str(given.get(field, "?")) for field in ("vendor", "library", "name", "version"))
    if tool == "add_signal_port":
        bounds = f"{given['left']}:{given.get('right', '?')}" if "left" in given else str(given.get("width", ""))
        suffix = f"[{bounds}]" if bounds and bounds != "1" else ""
        return f"{given.get('name', '?')}{suffix} {given.get('direction', '')}{place}"
    if tool == "add_transactional_port":
        return f"{given.get('name', '?')} {given.get('initiative', '')}{place}"
    if tool in {"add_user_parameter", "add_generator_parameter"}:
        return f"{given.get('name', '?')} = {given.get('value', '?')}{place}"
    if tool in {"delete_element", "get_element"}:
        return f"{given.get('element_type', '?')} {given.get('name', '?')}{place}"
    rest = ", ".join(f"{name}={value}" for name, value in given.items())
    if component:
        return f"{component} {rest}".strip()
    return rest
