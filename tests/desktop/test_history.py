"""Edits of the design and of the picture in one line of undo, whoever makes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.history import History, Rearrangement
from model import operations
from model.vlnv import Vlnv
from model.workspace import Transaction, Workspace

UART = "acme:periph:uart:1.0"


class _Picture:
    """Counts, as a picture that is moved and moved back would."""

    def __init__(self) -> None:
        self.place = 0

    def move(self, history: History) -> None:
        before = self.place
        self.place += 1
        after = self.place

        def put(place: int) -> None:
            self.place = place

        history.note(Rearrangement(f"Move {after}", lambda: put(before), lambda: put(after)))


@pytest.fixture
def workspace() -> Workspace:
    made = Workspace()
    made.apply(operations.create_component, vendor="acme", library="periph", name="uart", version="1.0")
    made.restore(made.library)
    return made


def add(workspace: Workspace, name: str, transaction: Transaction | None = None) -> None:
    workspace.apply(operations.add_signal_port, transaction=transaction, component=UART, name=name, direction="in")


def ports(workspace: Workspace) -> list[str]:
    return list(workspace.library.get(Vlnv.parse(UART)).ports)


def labels(history: History) -> list[str]:
    return [entry.label.split(" ")[0] for entry in history.done]


def test_moves_and_edits_are_taken_back_in_their_order(workspace: Workspace) -> None:
    history, picture = History(workspace), _Picture()
    add(workspace, "a")
    picture.move(history)
    add(workspace, "b")
    assert labels(history) == ["Added", "Move", "Added"]
    history.undo()
    assert (ports(workspace), picture.place) == (["a"], 1)
    history.undo()
    assert (ports(workspace), picture.place) == (["a"], 0)
    history.undo()
    assert (ports(workspace), picture.place) == ([], 0)
    history.jump(3)
    assert (ports(workspace), picture.place) == (["a", "b"], 1)


def test_a_request_that_grows_stays_one_step(workspace: Workspace) -> None:
    history, request = History(workspace), Transaction("Add two")
    add(workspace, "a", request)
    assert len(history.done) == 1
    add(workspace, "b", request)
    assert [(entry.label, entry.transaction) for entry in history.done] == [("Add two", request)]
    history.undo()
    assert ports(workspace) == []


def test_a_move_in_the_middle_of_a_request_comes_before_it_is_taken_back(workspace: Workspace) -> None:
    history, picture, request = History(workspace), _Picture(), Transaction("Add two")
    add(workspace, "a", request)
    picture.move(history)
    add(workspace, "b", request)
    history.undo()
    assert (ports(workspace), picture.place) == (["a", "b"], 0)
    history.undo()
    assert ports(workspace) == []


def test_what_somebody_else_takes_back_can_be_made_again(workspace: Workspace) -> None:
    history, picture = History(workspace), _Picture()
    add(workspace, "a")
    picture.move(history)
    workspace.undo()
    assert labels(history) == ["Move"]
    assert len(history.undone) == 1
    history.redo()
    assert ports(workspace) == ["a"]


def test_a_new_edit_forgets_undone_moves_and_a_new_move_keeps_undone_edits(workspace: Workspace) -> None:
    history, picture = History(workspace), _Picture()
    add(workspace, "a")
    history.undo()
    picture.move(history)
    assert [entry.is_edit for entry in history.undone] == [True]
    history.undo()
    assert len(history.undone) == 2
    add(workspace, "b")
    assert history.undone == ()


@given(st.lists(st.sampled_from(["edit", "move", "undo", "redo"]), max_size=30))
def test_undoing_all_leads_to_the_start_and_redoing_all_back(steps: list[str]) -> None:
    workspace = Workspace()
    workspace.apply(operations.create_component, vendor="acme", library="periph", name="uart", version="1.0")
    workspace.restore(workspace.library)
    start = workspace.library
    history, picture = History(workspace), _Picture()
    for number, step in enumerate(steps):
        match step:
            case "edit":
                add(workspace, f"p{number}")
            case "move":
                picture.move(history)
            case "undo":
                history.undo()
            case _:
                history.redo()
    history.jump(10_000)
    end = (workspace.library, picture.place)
    count = len(history.done)
    history.jump(0)
    assert (workspace.library, picture.place) == (start, 0)
    history.jump(count)
    assert (workspace.library, picture.place) == end
