"""The extended set: what engineers ask for beyond the 14 tools. Off unless a server is started with it."""

from __future__ import annotations

from model.operations.arguments import DIRECTIONS, ELEMENT_TYPES, INITIATIVES, KINDS, MORE_ELEMENT_TYPES, TYPES
from model.operations.by_name import WHAT
from server.contract import TOOLS, Argument, ToolContract

_COMPONENT = Argument("component", "vendor:library:name:version")
_NAME = Argument("name", "name of the element")
_CONNECTION_NAME = Argument("name", "name of the connection; generated when empty", "")

_RENAMED_TYPES = (*ELEMENT_TYPES, *MORE_ELEMENT_TYPES)
_RENAMED_TYPE = Argument("element_type", "one of " + ", ".join(_RENAMED_TYPES), choices=_RENAMED_TYPES)
_UPDATED_TYPES = (*_RENAMED_TYPES, "component")

PROPERTIES = (
    Argument("direction", "in, out or inout", "", DIRECTIONS),
    Argument("width", "bits, a number or an expression over parameters", "", counts=True),
    Argument("left", "left bound, together with right", "", counts=True),
    Argument("right", "right bound, together with left", "", counts=True),
    Argument("default_value", "value when undriven", ""),
    Argument("initiative", "requires, provides or both", "", INITIATIVES),
    Argument("kind", "one of " + ", ".join(KINDS), "", KINDS),
    Argument("protocol", "protocol name", ""),
    Argument("bus_width", "bits", "", counts=True),
    Argument("value", "the value as text", ""),
    Argument("type", "one of " + ", ".join(TYPES), "", TYPES),
    Argument("minimum", "lowest legal value", ""),
    Argument("maximum", "highest legal value", ""),
    Argument("description", "free text", ""),
)
"""What update_element can change; "" leaves a property as it is."""


def _end(side: str, what: str) -> tuple[Argument, Argument]:
    return (
        Argument(f"{side}_{what}", f"name of the {side} {what}"),
        Argument(f"{side}_instance", f"instance of {side}_{what}; empty for the component's own", ""),
    )


def _bounds(side: str) -> tuple[Argument, Argument]:
    return (
        Argument(f"{side}left", "left bound; alone for a single bit", "", counts=True),
        Argument(f"{side}right", "right bound", "", counts=True),
    )


_SOURCE, _SOURCE_INSTANCE = _end("source", "port")
_TARGET, _TARGET_INSTANCE = _end("target", "port")
_SOURCE_INTERFACE, _SOURCE_INTERFACE_INSTANCE = _end("source", "interface")
_TARGET_INTERFACE, _TARGET_INTERFACE_INSTANCE = _end("target", "interface")

_CONTRACTS = (
    ToolContract(
        "rename_element",
        "Rename an element",
        "write",
        (_COMPONENT, _RENAMED_TYPE, _NAME, Argument("new_name", "the new name")),
        destructive=True,
        idempotent=True,
    ),
    ToolContract(
        "update_element",
        "Change an element",
        "write",
        (
            _COMPONENT,
            Argument("element_type", "one of " + ", ".join(_UPDATED_TYPES), choices=_UPDATED_TYPES),
            Argument("name", "name of the element; empty for the component itself", ""),
            *PROPERTIES,
            Argument("clear", "properties to empty, separated by commas", ""),
        ),
        destructive=True,
        idempotent=True,
    ),
    ToolContract(
        "set_instance_parameter",
        "Set a parameter of an instance",
        "write",
        (
            _COMPONENT,
            Argument("instance_name", "name of the instance"),
            Argument("parameter", "name of the parameter"),
            Argument("value", "the value as text; empty for the component's own", ""),
        ),
        destructive=True,
        idempotent=True,
    ),
    ToolContract(
        "connect_slice",
        "Connect parts of ports",
        "write",
        (
            _COMPONENT,
            _SOURCE,
            _TARGET,
            _SOURCE_INSTANCE,
            *_bounds("source_"),
            _TARGET_INSTANCE,
            *_bounds("target_"),
            _CONNECTION_NAME,
        ),
    ),
    ToolContract(
        "tie_off",
        "Tie a port off",
        "write",
        (
            _COMPONENT,
            Argument("port", "name of the port"),
            Argument("value", "a value or expression, default, or open"),
            Argument("instance", "instance of the port; empty for the component's own port", ""),
            *_bounds(""),
            _CONNECTION_NAME,
        ),
    ),
    ToolContract(
        "connect_interface",
        "Connect bus interfaces",
        "write",
        (
            _COMPONENT,
            _SOURCE_INTERFACE,
            _TARGET_INTERFACE,
            _SOURCE_INTERFACE_INSTANCE,
            _TARGET_INTERFACE_INSTANCE,
            _CONNECTION_NAME,
        ),
    ),
    ToolContract(
        "connect_by_name",
        "Connect what its names say",
        "write",
        (
            _COMPONENT,
            Argument("what", "clocks, resets or equal_names", choices=WHAT),
            Argument("port", "the component's own port; empty for all that fit", ""),
        ),
    ),
    ToolContract(
        "copy_component",
        "Copy a component",
        "write",
        (_COMPONENT, Argument("new_component", "vendor:library:name:version of the copy")),
    ),
    ToolContract(
        "check_design",
        "Check the design",
        "read",
        (Argument("component", "vendor:library:name:version; empty for all components", ""),),
        idempotent=True,
    ),
)

EXTENDED_TOOLS: dict[str, ToolContract] = {contract.name: contract for contract in _CONTRACTS}
"""The further tools by name, in the order in which they are listed."""

ALL_TOOLS: dict[str, ToolContract] = TOOLS | EXTENDED_TOOLS
"""The 14 tools and the extended set."""
