from __future__ import annotations

from pathlib import Path

import pytest
from small_design import LIBRARY, TOP, UART

from agent.assisted.loading import Outlook
from agent.models.base import ToolCall
from model import storage
from model.library import Library
from model.workspace import Workspace

PLACE = ToolCall(
    "add_subcomponent", {"component": str(TOP.vlnv), "subcomponent": str(UART.vlnv), "instance_name": "u_two"}
)
LOAD = ToolCall("load_component", {"path": "drop/uart.xml"})


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A top, beside a file with a UART that nobody has loaded."""
    vendor = Workspace(tmp_path, LIBRARY)
    storage.save_component(vendor, str(UART.vlnv), "drop/uart.xml")
    return Workspace(tmp_path, Library.of([TOP]))


def test_what_a_file_holds_is_known_before_it_is_loaded(workspace: Workspace) -> None:
    outlook = Outlook.of("Load drop/uart.xml and place it in the top as u_two", workspace)
    assert outlook.library.get(UART.vlnv).ports.keys() == UART.ports.keys()
    assert outlook.files == {str(UART.vlnv): "drop/uart.xml"}
    assert UART.vlnv not in workspace.library


def test_what_is_used_is_loaded_first_and_once(workspace: Workspace) -> None:
    outlook = Outlook.of("Load drop/uart.xml and place it in the top as u_two", workspace)
    assert outlook.with_loads([PLACE]) == (LOAD, PLACE)
    assert outlook.with_loads([PLACE, LOAD]) == (LOAD, PLACE)
    assert outlook.with_loads([]) == ()


@pytest.mark.parametrize(
    "request_", ["Load drop/missing.xml", "Save the top as drop/uart.xml", "Load ../../etc/uart.xml", "Load the UART"]
)
def test_what_cannot_or_shall_not_be_loaded_changes_nothing(request_: str, workspace: Workspace) -> None:
    outlook = Outlook.of(request_, workspace)
    assert outlook.library is workspace.library or outlook.library == workspace.library
    assert outlook.with_loads([PLACE]) == (PLACE,)
