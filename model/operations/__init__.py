"""Edits of a design as pure functions ``(library, arguments) → (library, change)`` that enforce the rules.

Whoever edits, a tool call or the desktop, edits through these. An edit that the rules refuse raises
:class:`model.errors.DesignError` and changes nothing.
"""

from model.operations.by_name import connect_by_name
from model.operations.components import copy_component, create_component, delete_component, rename_component
from model.operations.connections import add_subcomponent_connection
from model.operations.deletion import delete_element
from model.operations.instances import add_subcomponent, set_instance_parameter
from model.operations.interfaces import connect_interface
from model.operations.parameters import add_generator_parameter, add_user_parameter
from model.operations.pasting import paste
from model.operations.ports import add_signal_port, add_transactional_port
from model.operations.renaming import rename_element
from model.operations.slices import connect_slice, tie_off
from model.operations.updating import update_element

__all__ = [
    "add_generator_parameter",
    "add_signal_port",
    "add_subcomponent",
    "add_subcomponent_connection",
    "add_transactional_port",
    "add_user_parameter",
    "connect_by_name",
    "connect_interface",
    "connect_slice",
    "copy_component",
    "create_component",
    "delete_component",
    "delete_element",
    "paste",
    "rename_component",
    "rename_element",
    "set_instance_parameter",
    "tie_off",
    "update_element",
]
