"""The tools that edit the design: each is one operation of the model, applied to the workspace."""

from __future__ import annotations

from typing import Any

from mcp.types import CallToolResult

from model import operations
from model.vlnv import Vlnv
from model.workspace import Operation, Transaction, Workspace
from server.results import accepted

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
}
"""The operation behind each editing tool; its parameters are the tool's arguments."""


def write(
    workspace: Workspace, tool: str, arguments: dict[str, Any], transaction: Transaction | None
) -> CallToolResult:
    """Make one edit.

    Raises:
        DesignError: the rules refuse it; nothing has changed.
    """
    change = workspace.apply(OPERATIONS[tool], transaction=transaction, **arguments)
    note = _kept_file(workspace, arguments["component"]) if tool == "delete_component" else ""
    return accepted(change, note=note)


def _kept_file(workspace: Workspace, component: str) -> str:
    source = workspace.sources.get(Vlnv.parse(component))
    if source is None:
        return "It was never saved, so there is no file."
    return f"Its file {source.path.name} stays on disk."
