"""The canvas under a person's hands, and under edits that come from elsewhere."""

from __future__ import annotations

import pytest
from canvas_designs import BUS, TOP, UART
from gestures import drag, inside_place, pin_place, places, send, title_place
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip

from desktop.canvas.block_item import BlockItem
from desktop.canvas.elk import Elk, LayoutError
from desktop.canvas.layout import Point
from desktop.canvas.note_item import NoteEditor
from desktop.canvas.renaming import NameEditor
from desktop.canvas.seeds import Seeds
from desktop.canvas.view import DesignView
from desktop.theme.tokens import DARK
from model import operations
from model.change import ElementId
from model.elements import Endpoint, InterfaceEnd
from model.findings import Finding
from model.workspace import Workspace


@pytest.fixture
def workspace(library):
    return Workspace(library=library)


@pytest.fixture
def view(qtbot, library):
    view = DesignView()
    qtbot.addWidget(view)
    view.resize(1000, 700)
    view.show()
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.show_component(library, TOP)
    return view


def block(name):
    return ElementId(TOP, "subcomponent", name)


def edit(qtbot, view, workspace, operation, **arguments):
    change = workspace.apply(operation, component=str(TOP), **arguments)
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.apply_change(workspace.library, change)
    return change


def test_everything_is_in_view_after_the_layout(view):
    seen = view.mapToScene(view.viewport().rect()).boundingRect()
    assert seen.contains(view.design_scene().content_rect())
    assert (view.block_count, view.net_count) == (4, 6)


def test_a_double_click_opens_the_component(qtbot, view):
    with qtbot.waitSignal(view.component_opened) as opened:
        qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=inside_place(view, "uart"))
    assert opened.args == [UART]


def test_a_missing_component_cannot_be_opened(qtbot, view):
    with qtbot.assertNotEmitted(view.component_opened):
        qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=inside_place(view, "gone"))


def test_a_click_selects_and_delete_asks(qtbot, view):
    with qtbot.waitSignal(view.selection_changed) as selected:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=title_place(view, "uart"))
    assert selected.args == [(block("uart"),)]
    with qtbot.waitSignal(view.delete_requested) as deleted:
        qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert deleted.args == [(block("uart"),)]


def test_a_rubber_band_selects_several(qtbot, view):
    rect = view.mapFromScene(view.design_scene().content_rect()).boundingRect()
    drag(view, rect.topLeft() - QPoint(5, 5), rect.bottomRight() + QPoint(5, 5))
    assert {block("cpu"), block("bus"), block("uart"), block("gone")} <= set(view.selected())


def test_a_drag_from_port_to_port_asks_for_a_connection(qtbot, view):
    asked = []
    view.set_can_connect(lambda source, target: asked.append((source, target)) or "")
    with qtbot.waitSignal(view.connection_requested) as requested:
        drag(view, pin_place(view, "uart", "tx"), pin_place(view, "cpu", "irq"))
    assert requested.args == [Endpoint(instance="uart", port="tx"), Endpoint(instance="cpu", port="irq")]
    assert (Endpoint(instance="uart", port="tx"), Endpoint(instance="", port="clk")) in asked
    assert not any(node.marks for node in view.design_scene().nodes.values())


def test_legal_targets_light_up_and_illegal_ones_say_why(qtbot, view):
    view.set_can_connect(lambda _source, target: "" if target.port == "clk" else "Two drivers.")
    drag(view, pin_place(view, "uart", "tx"), pin_place(view, "cpu", "irq"), release=False)
    marks = {ref: legal for node in view.design_scene().nodes.values() for ref, legal in node.marks.items()}
    assert {ref.name for ref, legal in marks.items() if legal} == {"clk"}
    assert view.gesture_reason() == "Two drivers."
    with qtbot.assertNotEmitted(view.connection_requested):
        send(view, QMouseEvent.Type.MouseButtonRelease, pin_place(view, "cpu", "irq"))


def test_escape_gives_a_wire_up(qtbot, view):
    drag(view, pin_place(view, "uart", "tx"), pin_place(view, "cpu", "irq"), release=False)
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    with qtbot.assertNotEmitted(view.connection_requested):
        send(view, QMouseEvent.Type.MouseButtonRelease, pin_place(view, "cpu", "irq"))


def test_a_dragged_block_snaps_and_only_its_wires_move(qtbot, view):
    before = places(view)
    wires = {key: wire.points for key, wire in view.design_scene().wires.items()}
    start = title_place(view, "gone")
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        drag(view, start, start + QPoint(7, 93))
    after = places(view)
    assert {key for key in before if after[key] != before[key]} == {"gone"}
    assert after["gone"][0] % 10 == after["gone"][1] % 10 == 0
    moved = {key for key, wire in view.design_scene().wires.items() if wire.points != wires[key]}
    assert "connection:bark:0" in moved
    assert not moved & {"connection:clk_cpu:0", "interconnection:fetch:0", "interconnection:apb:0"}


def test_a_new_block_is_the_only_one_that_is_placed(qtbot, view, workspace):
    before = places(view)
    edit(qtbot, view, workspace, operations.add_subcomponent, subcomponent=str(UART), instance_name="uart2")
    after = places(view)
    assert after.keys() - before.keys() == {"uart2"}
    assert {key: after[key] for key in before} == before
    items = view.design_scene().nodes
    assert items["uart2"].state == "added"
    assert items["cpu"].state == ""
    others = [node for key, node in items.items() if key != "uart2"]
    assert not any(
        items["uart2"].mapRectToScene(items["uart2"].body).intersects(n.mapRectToScene(n.body)) for n in others
    )


def test_items_live_through_edits(qtbot, view, workspace):
    scene = view.design_scene()
    cpu, wire = scene.nodes["cpu"], scene.wires["connection:irq:0"]
    edit(qtbot, view, workspace, operations.add_signal_port, name="debug", direction="out", width="8")
    assert view.design_scene() is scene
    assert scene.nodes["cpu"] is cpu
    assert scene.wires["connection:irq:0"] is wire
    assert scene.nodes["port:debug"].state == "added"


def test_what_was_removed_stays_in_sight_for_a_while(qtbot, view, workspace):
    edit(qtbot, view, workspace, operations.delete_element, element_type="subcomponent", name="gone")
    scene = view.design_scene()
    assert "gone" not in scene.nodes
    assert {ghost.state for ghost in scene.ghosts} == {"removed"}
    ghosts = list(scene.ghosts)
    view.clear_highlights()
    assert not scene.ghosts
    assert not any(ghost.scene() for ghost in ghosts)


def test_an_edit_of_an_instantiated_component_shows_at_its_instances(qtbot, view, workspace):
    change = workspace.apply(operations.add_signal_port, component=str(UART), name="cts", direction="in")
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.apply_change(workspace.library, change)
    uart = view.design_scene().nodes["uart"]
    assert "cts" in [pin.label for pin in uart.pins]
    assert uart.part_states == {ElementId(UART, "signal_port", "cts"): "added"}


def test_undo_brings_the_picture_back(qtbot, view, workspace):
    before = places(view)
    edit(qtbot, view, workspace, operations.add_subcomponent, subcomponent=str(UART), instance_name="uart2")
    change = workspace.undo()
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.apply_change(workspace.library, change)
    assert places(view) == before


def test_a_leaf_that_gets_an_inside_becomes_a_diagram(qtbot, view, workspace):
    with qtbot.waitSignal(view.layout_finished):
        view.show_component(workspace.library, UART)
    assert view.block_count == 0
    change = workspace.apply(
        operations.add_subcomponent, component=str(UART), subcomponent=str(BUS), instance_name="inner"
    )
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.apply_change(workspace.library, change)
    assert view.block_count == 1
    assert view.design_scene().nodes["inner"].state == "added"


def test_the_component_on_show_may_be_deleted(qtbot, view, workspace):
    change = workspace.apply(operations.delete_component, component=str(TOP))
    with qtbot.waitSignal(view.layout_finished):
        view.apply_change(workspace.library, change)
    assert view.component is None
    assert not view.design_scene().nodes


def test_coming_back_finds_blocks_where_they_were_put(qtbot, view, library):
    start = title_place(view, "gone")
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        drag(view, start, start + QPoint(60, 90))
    before = places(view)
    with qtbot.waitSignal(view.layout_finished):
        view.show_component(library, UART)
    with qtbot.waitSignal(view.layout_finished):
        view.show_component(library, TOP)
    assert places(view) == before


def test_selecting_from_elsewhere_is_silent_and_shows(qtbot, view):
    with qtbot.assertNotEmitted(view.selection_changed):
        view.select([block("bus"), ElementId(TOP, "connection", "irq")])
    assert set(view.selected()) == {block("bus"), ElementId(TOP, "connection", "irq")}
    assert view.design_scene().wires["connection:irq:0"].lit


def test_a_selection_made_before_the_layout_is_ready_is_not_lost(qtbot, library):
    view = DesignView()
    qtbot.addWidget(view)
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.show_component(library, TOP)
        view.select([block("bus")])
        view.reveal(block("bus"))
    assert view.selected() == (block("bus"),)


def test_a_port_of_a_symbol_can_be_selected(qtbot, view, library):
    with qtbot.waitSignal(view.layout_finished):
        view.show_component(library, UART)
    with qtbot.waitSignal(view.selection_changed) as selected:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=pin_place(view, "", "tx"))
    assert selected.args == [(ElementId(UART, "signal_port", "tx"),)]


def test_pointing_at_a_pin_lights_its_whole_net(qtbot, view):
    send(
        view,
        QMouseEvent.Type.MouseMove,
        pin_place(view, "cpu", "clk"),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
    )
    lit = {key for key, wire in view.design_scene().wires.items() if wire.lit}
    assert lit == {"connection:clk_cpu:0", "connection:clk_uart:0"}


def test_the_wheel_zooms_around_the_cursor(qtbot, view):
    place = title_place(view, "cpu")
    before, zoom = view.mapToScene(place), view.zoom
    wheel = QWheelEvent(
        QPointF(place),
        view.viewport().mapToGlobal(QPointF(place)),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    with qtbot.waitSignal(view.zoom_changed) as changed:
        QApplication.sendEvent(view.viewport(), wheel)
    assert changed.args[0] > zoom
    moved = view.mapToScene(place) - before
    assert abs(moved.x()) + abs(moved.y()) < 4


def test_the_middle_button_pans(view):
    view.zoom_in()
    before = view.mapToScene(QPoint(0, 0))
    drag(view, QPoint(400, 300), QPoint(350, 260), Qt.MouseButton.MiddleButton)
    moved = view.mapToScene(QPoint(0, 0)) - before
    assert moved.x() * view.zoom == pytest.approx(50, abs=2)
    assert moved.y() * view.zoom == pytest.approx(40, abs=2)


def test_keys_fit_zoom_and_walk(qtbot, view):
    fitted = view.zoom
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.zoom > fitted
    qtbot.keyClick(view, Qt.Key.Key_F)
    assert view.zoom == pytest.approx(fitted)
    view.select([block("cpu")])
    with qtbot.waitSignal(view.selection_changed):
        qtbot.keyClick(view, Qt.Key.Key_Right)
    (chosen,) = view.selected()
    assert view.design_scene().nodes[chosen.name].x() > view.design_scene().nodes["cpu"].x()
    view.select([block("uart")])
    with qtbot.waitSignal(view.component_opened) as opened:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert opened.args == [UART]


def test_other_colours_keep_places_and_selection(view):
    view.select([block("cpu")])
    before, zoom, middle = places(view), view.zoom, view.mapToScene(view.viewport().rect().center())
    view.set_tokens(DARK)
    assert places(view) == before
    assert view.zoom == zoom
    assert (view.mapToScene(view.viewport().rect().center()) - middle).manhattanLength() < 3
    assert view.selected() == (block("cpu"),)
    cpu = view.design_scene().nodes["cpu"]
    assert isinstance(cpu, BlockItem)
    assert cpu.style.tokens is DARK


def test_a_layout_that_fails_leaves_a_grid_and_says_so(qtbot, library, monkeypatch):
    def fail(self, graph, time_limit_s=0.0):
        raise LayoutError("The layout did not finish (JSTimeoutException).")

    monkeypatch.setattr(Elk, "layout", fail)
    view = DesignView()
    qtbot.addWidget(view)
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.show_component(library, TOP)
    assert set(view.design_scene().nodes) >= {"cpu", "bus", "uart", "gone", "port:clk"}
    assert "did not finish" in view.notice


def test_painting_reads_at_every_distance(view):
    for zoom in (0.08, 0.3, 0.6, 1.0, 2.0):
        view.set_zoom(zoom)
        assert not view.grab().toImage().isNull()


def test_re_layout_starts_over(qtbot, view):
    before = places(view)
    start = title_place(view, "cpu")
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        drag(view, start, start + QPoint(0, 200))
    assert places(view) != before
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.relayout()
    assert places(view) == before


def test_moves_new_courses_and_new_layouts_are_taken_back_one_by_one(qtbot, view):
    done = []
    view.rearranged.connect(done.append)
    states = [places(view)]
    start = title_place(view, "uart")
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        drag(view, start, start + QPoint(60, 90))
    states.append(places(view))
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.reroute()
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.relayout()
    states.append(places(view))
    assert [move.label for move in done] == ["Move uart", "Re-route wires", "Re-layout"]
    for move, expected in zip(reversed(done), (states[1], states[1], states[0]), strict=True):
        with qtbot.waitSignal(view.layout_finished, timeout=20000):
            move.undo()
        assert places(view) == expected
    for move, expected in zip(done, (states[1], states[1], states[2]), strict=True):
        with qtbot.waitSignal(view.layout_finished, timeout=20000):
            move.redo()
        assert places(view) == expected


def test_places_are_kept_with_the_workspace(qtbot, view, library, tmp_path):
    start = title_place(view, "gone")
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        drag(view, start, start + QPoint(60, 90))
    view.save_positions(tmp_path)
    assert [path.name for path in (tmp_path / ".blockwright").iterdir()] == ["layout.json"]
    other = DesignView()
    qtbot.addWidget(other)
    other.load_positions(tmp_path)
    with qtbot.waitSignal(other.layout_finished, timeout=20000):
        other.show_component(library, TOP)
    assert places(other) == places(view)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 2, "components": {"x": {}}}', '{"version": 3}'])
def test_a_file_of_places_that_is_damaged_costs_nothing_else(qtbot, view, library, tmp_path, text):
    (tmp_path / ".blockwright").mkdir()
    (tmp_path / ".blockwright" / "layout.json").write_text(text, encoding="utf-8")
    view.load_positions(tmp_path)
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.show_component(library, TOP)
    assert view.block_count == 4


@pytest.mark.parametrize(("name", "start"), [("a.svg", b"<?xml"), ("a.pdf", b"%PDF"), ("a.png", b"\x89PNG")])
def test_the_picture_can_be_exported(view, tmp_path, name, start):
    view.export(tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_an_export_to_another_format_is_refused(view, tmp_path):
    with pytest.raises(ValueError, match="use svg, pdf or png"):
        view.export(tmp_path / "a.gif")
    assert not (tmp_path / "a.gif").exists()


def test_a_drag_between_bus_interfaces_asks_to_join_them(qtbot, view):
    with qtbot.waitSignal(view.interface_connection_requested) as requested:
        drag(view, pin_place(view, "cpu", "m"), pin_place(view, "uart", "apb"))
    assert requested.args == [
        InterfaceEnd(instance="cpu", interface="m"),
        InterfaceEnd(instance="uart", interface="apb"),
    ]
    drag(view, pin_place(view, "cpu", "m"), pin_place(view, "uart", "tx"), release=False)
    assert "another bus interface" in view.gesture_reason()


def test_a_proposal_is_drawn_over_the_design_and_goes_again(qtbot, view, library):
    before = places(view)
    wires = {key: wire.points for key, wire in view.design_scene().wires.items()}
    proposed, _ = operations.add_subcomponent(
        library, component=str(TOP), subcomponent=str(UART), instance_name="uart2"
    )
    proposed, _ = operations.delete_element(proposed, component=str(TOP), element_type="subcomponent", name="gone")
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.show_proposal(proposed)
    scene = view.design_scene()
    assert (scene.nodes["uart2"].state, scene.nodes["uart2"].state_word()) == ("added", "proposed")
    assert {ghost.state_word() for ghost in scene.ghosts if isinstance(ghost, BlockItem)} == {"to be removed"}
    view.set_tokens(DARK)
    assert view.design_scene().nodes["uart2"].state_word() == "proposed"
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.show_proposal(None)
    assert places(view) == before
    assert {key: wire.points for key, wire in view.design_scene().wires.items()} == wires
    assert not view.design_scene().ghosts
    assert not any(item.state for item in view.design_scene().all_items())


def test_a_block_is_renamed_where_it_stands(qtbot, view):
    view.select([block("uart")])
    qtbot.keyClick(view, Qt.Key.Key_F2)
    (editor,) = view.findChildren(NameEditor)
    assert editor.text() == "uart"
    editor.setText("uart0")
    with qtbot.waitSignal(view.rename_requested) as requested:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert requested.args == [block("uart"), "uart0"]


@pytest.mark.parametrize("way", ["F2", "double click"])
def test_a_name_can_be_edited_by_key_and_by_double_click(qtbot, view, way):
    if way == "F2":
        view.select([ElementId(TOP, "signal_port", "clk")])
        qtbot.keyClick(view, Qt.Key.Key_F2)
    else:
        qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=title_place(view, "uart"))
    (editor,) = view.findChildren(NameEditor)
    assert editor.text() == ("clk" if way == "F2" else "uart")
    with qtbot.assertNotEmitted(view.rename_requested):
        qtbot.keyClick(editor, Qt.Key.Key_Escape)


def test_a_note_is_written_moved_edited_and_deleted_and_all_of_it_is_taken_back(qtbot, view):
    done = []
    view.rearranged.connect(done.append)
    view.add_note()
    (editor,) = view.findChildren(NoteEditor)
    qtbot.keyClicks(editor, "Ask Anna about the reset")
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    scene = view.design_scene()
    (note,) = scene.notes.values()
    assert note.note.text == "Ask Anna about the reset"
    place, start = note.pos(), view.mapFromScene(note.mapToScene(QPointF(20, 8)))
    drag(view, start, start + QPoint(-80, 60))
    moved = scene.notes[note.key].pos()
    assert moved != place
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=start + QPoint(-80, 60))
    editor = next(each for each in view.findChildren(NoteEditor) if each.isVisible())
    editor.setPlainText("Done")
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert scene.notes[note.key].note.text == "Done"
    scene.notes[note.key].setSelected(True)
    with qtbot.assertNotEmitted(view.delete_requested):
        qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert not scene.notes
    assert [step.label for step in done] == ["Add note", "Move note", "Edit note", "Delete note"]
    for step in reversed(done[2:]):
        step.undo()
    assert scene.notes[note.key].note.text == "Ask Anna about the reset"
    assert scene.notes[note.key].pos() == moved
    for step in reversed(done[:2]):
        step.undo()
    assert not scene.notes
    done[0].redo()
    assert scene.notes[note.key].pos() == place


def test_an_empty_note_and_one_that_was_given_up_leave_nothing(qtbot, view):
    with qtbot.assertNotEmitted(view.rearranged):
        for text, key in (("", Qt.Key.Key_Return), ("words", Qt.Key.Key_Escape)):
            view.add_note()
            editor = next(each for each in view.findChildren(NoteEditor) if each.isVisible())
            editor.setPlainText(text)
            qtbot.keyClick(editor, key, Qt.KeyboardModifier.ControlModifier)
    assert not view.design_scene().notes


def test_notes_are_stored_with_the_places(qtbot, view, library, tmp_path):
    view._picture.add_note("Mind the clock", 10.0, 20.0)
    view.save_positions(tmp_path)
    other = DesignView()
    qtbot.addWidget(other)
    other.load_positions(tmp_path)
    with qtbot.waitSignal(other.layout_finished, timeout=20000):
        other.show_component(library, TOP)
    assert [note.note.text for note in other.design_scene().notes.values()] == ["Mind the clock"]
    assert places(other) == places(view)


def test_looking_at_a_design_stores_nothing(view, tmp_path):
    view.save_positions(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_block_that_is_expected_appears_at_its_place(qtbot, view, workspace):
    before = places(view)
    view.expect({"uart2": Point(900, 700)})
    edit(qtbot, view, workspace, operations.add_subcomponent, subcomponent=str(UART), instance_name="uart2")
    after = places(view)
    assert after.pop("uart2") == (900, 700)
    assert after == before


def test_zooming_to_the_selection_brings_it_into_view(qtbot, view):
    view.select([block("uart")])
    view.set_zoom(0.2)
    view.zoom_to_selection()
    seen = view.mapToScene(view.viewport().rect()).boundingRect()
    assert seen.contains(view.design_scene().nodes["uart"].sceneBoundingRect())
    assert view.zoom > 1


def test_places_of_the_designs_own_file_come_first_and_moves_are_told_in_its_scale(qtbot, library, tmp_path):
    seeds = {"cpu": Point(0, 0), "bus": Point(300, 0), "uart": Point(0, 120), "gone": Point(300, 120)}
    view = DesignView()
    qtbot.addWidget(view)
    view.resize(1000, 700)
    view.show()
    view.seed_from(lambda _vlnv: Seeds(seeds))
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        view.show_component(library, TOP)
    found = places(view)
    assert found["cpu"][1] == found["bus"][1] < found["uart"][1] == found["gone"][1]
    assert found["cpu"][0] < found["bus"][0]
    assert view.moved_seeds(TOP) == {}
    start = title_place(view, "uart")
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        drag(view, start, start + QPoint(0, 100))
    moved = view.moved_seeds(TOP)
    assert moved.keys() == {"uart"}
    assert moved["uart"].x == 0
    assert moved["uart"].y > 120
    view.seeds_written(TOP, moved)
    assert view.moved_seeds(TOP) == {}
    view.save_positions(tmp_path)
    for file_says, kept in ((seeds | moved, True), (seeds | {"cpu": Point(-100, 0)}, False)):
        other = DesignView()
        qtbot.addWidget(other)
        other.load_positions(tmp_path)
        other.seed_from(lambda _vlnv, says=file_says: Seeds(says))
        with qtbot.waitSignal(other.layout_finished, timeout=20000):
            other.show_component(library, TOP)
        assert (places(other) == places(view)) is kept  # another program has moved the blocks since


def test_findings_stand_at_what_they_are_about_and_move_along(qtbot, view, workspace):
    found = [
        Finding("warning", "undriven", "Input rx has no driver.", block("uart")),
        Finding("error", "missing", "Its component is missing.", block("gone")),
        Finding("note", "widths", "Widths differ.", ElementId(TOP, "connection", "irq")),
        Finding("note", "elsewhere", "Not here.", ElementId(UART, "signal_port", "rx")),
    ]
    view.set_findings(found)
    scene = view.design_scene()
    signs = {item.element.name: sign for item, sign in scene.findings.items()}
    assert {name: sign.severity for name, sign in signs.items()} == {"uart": "warning", "gone": "error", "irq": "note"}
    assert "no driver" in signs["uart"].toolTip()
    assert scene.nodes["uart"].sceneBoundingRect().contains(signs["uart"].pos())
    start = title_place(view, "uart")
    with qtbot.waitSignal(view.layout_finished, timeout=20000):
        drag(view, start, start + QPoint(60, 90))
    assert scene.nodes["uart"].sceneBoundingRect().contains(signs["uart"].pos())
    edit(qtbot, view, workspace, operations.delete_element, element_type="subcomponent", name="uart")
    assert "uart" not in {item.element.name for item in scene.findings}
    view.set_findings([])
    assert not scene.findings


def test_what_the_pointer_rests_on_is_told(qtbot, view):
    place = title_place(view, "uart")
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, view.viewport().mapToGlobal(place)))
    assert QToolTip.text().splitlines()[:2] == ["uart", str(UART)]
    wire = view.design_scene().wires["connection:irq:0"]
    place = view.mapFromScene((wire.points[0] + wire.points[1]) / 2)
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, view.viewport().mapToGlobal(place)))
    assert QToolTip.text() == "irq\nconnection"
