"""The tools that edit the design: each is one operation of the model, applied to the workspace."""

from __future__ import annotations

from typing import Any

from mcp.types import CallToolResult

from model import operations
from model.change import Change
from model.errors import DesignError, nearest
from model.library import Library
from model.workspace import Operation, Transaction, Workspace
from server.contract_extended import PROPERTIES
from server.results import accepted

_PROPERTY_NAMES = tuple(argument.name for argument in PROPERTIES)


def _update_element(
    current: Library, /, component: str, element_type: str, name: str, clear: str, **properties: str
) -> tuple[Library, Change]:
    """The operation with "" for "leave it", as all tools have it, and a list of what to empty.

    Raises:
        DesignError: ``unknown-property``, and whatever the operation refuses.
    """
    given = {key: value for key, value in properties.items() if value}
    for emptied in (word.strip() for word in clear.split(",") if word.strip()):
        if emptied not in _PROPERTY_NAMES:
            raise DesignError(
                "unknown-property",
                f"There is no property {emptied[:60]} to clear.",
                f"The properties are {', '.join(_PROPERTY_NAMES)}.",
                nearest(emptied[:200], _PROPERTY_NAMES),
            )
        given[emptied] = ""
    return operations.update_element(current, component, element_type, name, **given)


OPERATIONS: dict[str, Operation] = {
    "create_component": operations.create_component,
    "add_signal_port": operations.add_signal_port,
    "add_transactional_port": operations.add_transactional_port,
    "add_user_parameter": operations.add_user_parameter,
    "add_generator_parameter": operations.add_generator_parameter,
    "add_subcomponent": operations.add_subcomponent,
    "add_subcomponent_connection": operations.add_subcomponent_connection,
    "delete_element": operations.delete_element,
    "delete_component": operations.delete_component,
    "rename_element": operations.rename_element,
    "update_element": _update_element,
    "set_instance_parameter": operations.set_instance_parameter,
    "connect_slice": operations.connect_slice,
    "tie_off": operations.tie_off,
    "connect_interface": operations.connect_interface,
    "connect_by_name": operations.connect_by_name,
    "copy_component": operations.copy_component,
}
"""The operation behind each editing tool; its parameters are the tool's arguments."""


def write(
    workspace: Workspace, tool: str, arguments: dict[str, Any], transaction: Transaction | None
) -> CallToolResult:
    """Make one edit.

    Raises:
        DesignError: the rules refuse it; nothing has changed.
    """
    return accepted(workspace.apply(OPERATIONS[tool], transaction=transaction, **arguments))
