"""The tools that edit the design: each is one operation of the model, applied to the workspace."""

from __future__ import annotations

from typing import Any

from mcp.types import CallToolResult

from model import operations
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
    return accepted(workspace.apply(OPERATIONS[tool], transaction=transaction, **arguments))
