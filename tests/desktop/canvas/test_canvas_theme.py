"""What a change between light and dark leaves as it is."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop.canvas.view import DesignView
from desktop.theme.tokens import DARK
from model import operations
from model.vlnv import Vlnv
from model.workspace import Workspace

TOP = Vlnv.parse("acme:soc:top:1.0")
UART = "acme:periph:uart:1.0"


def test_a_proposal_still_says_that_it_is_one(application: object, qtbot: QtBot, workspace: Workspace) -> None:
    view = DesignView()
    qtbot.addWidget(view)
    with qtbot.waitSignal(view.layout_finished):
        view.show_component(workspace.library, TOP)
    changed = workspace.fork()
    changed.apply(operations.add_subcomponent, component=str(TOP), subcomponent=UART, instance_name="u_spare")
    view.show_proposal(changed.library)
    words = dict(view.design_scene().tag_words)
    assert words["added"] == "proposed"
    view.set_tokens(DARK)
    assert view.design_scene().tag_words == words
