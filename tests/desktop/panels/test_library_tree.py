"""The library as a tree."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from desktop.panels.library_tree import LibraryPanel
from desktop.window import MainWindow
from model import operations
from model.change import Change
from model.difference import change_between
from model.elements import Instance
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace

TOP, UART = "acme:soc:top:1.0", "acme:periph:uart:1.0"


def _leaves(panel: LibraryPanel, parent: QModelIndex | None = None) -> list[str]:
    model = panel.proxy
    parent = parent or QModelIndex()
    found = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        found += _leaves(panel, index) if model.rowCount(index) else [index.data()]
    return found


def test_components_stand_below_vendor_and_library(window: MainWindow) -> None:
    assert _leaves(window.library) == ["uart 1.0", "top 1.0"]
    assert window.library.count.text() == "2"


def test_the_filter_takes_vlnvs_and_ports(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(window.library.filter, "IRQ")
    assert _leaves(window.library) == ["uart 1.0"]
    window.library.filter.setText("acme top")
    assert _leaves(window.library) == ["top 1.0"]
    window.library.filter.setText("no(such")
    assert _leaves(window.library) == []
    window.library.filter.clear()
    assert len(_leaves(window.library)) == 2


def test_the_tree_follows_edits(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    workspace.apply(operations.create_component, vendor="acme", library="soc", name="alu", version="2.0")
    qtbot.waitUntil(lambda: _leaves(window.library) == ["uart 1.0", "alu 2.0", "top 1.0"])
    workspace.undo()
    qtbot.waitUntil(lambda: _leaves(window.library) == ["uart 1.0", "top 1.0"])


def test_a_click_shows_the_component(window: MainWindow, qtbot: QtBot) -> None:
    tree = window.library.tree
    index = window.library.proxy.mapFromSource(window.library._items[Vlnv.parse(UART)].index())
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(index).center())
    assert window.document.component == Vlnv.parse(UART)


def test_a_component_that_is_only_instantiated_is_shown_as_missing(
    window: MainWindow, qtbot: QtBot, workspace: Workspace
) -> None:
    def lose(current: Library, /) -> tuple[Library, Change]:
        top = current.get(Vlnv.parse(TOP))
        ghost = Instance(name="u_ghost", component=Vlnv.parse("acme:soc:ghost:3.0"))
        design = top.design.model_copy(update={"instances": top.design.instances.set("u_ghost", ghost)})
        after = current.put(top.with_design(design))
        return after, change_between(current, after)

    workspace.apply(lose)
    qtbot.waitUntil(lambda: "ghost 3.0" in _leaves(window.library))
    assert "no file in the workspace" in window.library._items[Vlnv.parse("acme:soc:ghost:3.0")].toolTip()
