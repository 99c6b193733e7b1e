"""The workspace: one lock, one undo list, requests as steps, listeners."""

from __future__ import annotations

import threading

import pytest
from designs import CORE, TOP, two_cores

from model import operations
from model.change import Change
from model.errors import DesignError, nearest
from model.library import Library
from model.workspace import Transaction, Workspace


def workspace() -> Workspace:
    return Workspace(library=two_cores().library)


def add(space: Workspace, name: str, transaction: Transaction | None = None, label: str = "") -> Change:
    return space.apply(
        operations.add_signal_port, component=CORE, name=name, direction="in", transaction=transaction, label=label
    )


def ports(space: Workspace) -> list[str]:
    return [name for component in space.library if str(component.vlnv) == CORE for name in component.ports]


def test_an_edit_is_a_step_called_by_its_summary() -> None:
    space = workspace()
    change = add(space, "a")
    assert [step.label for step in space.done] == [change.summary]
    add(space, "b", label="By hand")
    assert space.done[-1].label == "By hand"


def test_undo_and_redo() -> None:
    space = workspace()
    start = space.library
    added = add(space, "a")
    end = space.library
    undone = space.undo()
    assert space.library is start
    assert undone.removed == added.added
    assert undone.summary == f"Undid: {added.summary}"
    redone = space.redo()
    assert space.library is end
    assert redone.added == added.added
    with pytest.raises(DesignError) as caught:
        space.redo()
    assert caught.value.code == "nothing-to-redo"


def test_there_is_nothing_to_undo_at_the_start_and_after_restoring() -> None:
    space = workspace()
    canonical = space.library
    with pytest.raises(DesignError) as caught:
        space.undo()
    assert caught.value.code == "nothing-to-undo"
    add(space, "a")
    assert space.restore(canonical).removed[0].name == "a"
    assert space.library is canonical
    assert space.done == ()
    assert space.undone == ()


def test_an_edit_after_undo_drops_what_was_undone() -> None:
    space = workspace()
    add(space, "a")
    space.undo()
    add(space, "b")
    assert space.undone == ()
    assert ports(space)[-1] == "b"


def test_a_request_is_one_step_called_by_its_text() -> None:
    space = workspace()
    request = Transaction("Add two ports")
    start = space.library
    add(space, "a", request)
    add(space, "b", request)
    assert [step.label for step in space.done] == ["Add two ports"]
    space.undo()
    assert space.library is start


def test_somebody_elses_edit_in_the_middle_makes_the_request_two_steps() -> None:
    space = workspace()
    request = Transaction("Add two ports")
    add(space, "a", request)
    add(space, "mine")
    add(space, "b", request)
    add(space, "c", request)
    assert [step.label for step in space.done] == [
        "Add two ports",
        "Added signal port mine (in, 1 bit) to " + CORE + ".",
        "Add two ports",
    ]
    space.undo()
    assert ports(space)[-2:] == ["a", "mine"]
    space.undo()
    assert ports(space)[-1] == "a"


def test_two_requests_with_the_same_text_are_two_steps() -> None:
    space = workspace()
    add(space, "a", Transaction("Again"))
    add(space, "b", Transaction("Again"))
    assert len(space.done) == 2


def test_a_refused_edit_changes_nothing_and_tells_nobody() -> None:
    space = workspace()
    heard: list[Change] = []
    space.subscribe(heard.append)
    before = space.library
    with pytest.raises(DesignError):
        add(space, "q")
    assert space.library is before
    assert space.done == ()
    assert heard == []


def test_an_edit_that_changes_nothing_is_no_step() -> None:
    space = workspace()
    space.apply(operations.rename_element, component=TOP, element_type="signal_port", name="clk", new_name="clk")
    assert space.done == ()


def test_listeners_hear_every_change_until_they_leave() -> None:
    space = workspace()
    heard: list[Change] = []
    leave = space.subscribe(heard.append)
    change = add(space, "a")
    undone = space.undo()
    redone = space.redo()
    leave()
    add(space, "b")
    leave()
    assert heard == [change, undone, redone]


def test_a_fork_goes_its_own_way() -> None:
    space = workspace()
    fork = space.fork()
    add(fork, "a")
    assert ports(fork)[-1] == "a"
    assert "a" not in ports(space)
    assert fork.folder is None


def test_ten_editors_of_one_name_make_one_port() -> None:
    space = workspace()
    outcomes: list[str] = []
    barrier = threading.Barrier(10)

    def edit() -> None:
        barrier.wait()
        try:
            add(space, "same")
        except DesignError as problem:
            outcomes.append(problem.code)
        else:
            outcomes.append("done")

    threads = [threading.Thread(target=edit) for _number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["done", *["name-taken"] * 9]
    assert ports(space).count("same") == 1


def test_what_has_no_file_is_unsaved() -> None:
    assert [str(vlnv) for vlnv in workspace().unsaved()] == [CORE, TOP]
    assert Workspace(library=Library()).unsaved() == ()


@pytest.mark.parametrize(
    ("name", "first"),
    [("clck", "clk"), ("CLK", "clk"), ("data_uot", "data_out"), ("resetn", "reset_n")],
)
def test_the_nearest_name_comes_first(name: str, first: str) -> None:
    assert nearest(name, ["data_in", "data_out", "clk", "reset_n", "irq"])[0] == first


def test_what_is_far_from_everything_suggests_nothing() -> None:
    assert nearest("zzzzzz", ["data_in", "clk"]) == ()
    assert nearest("clk", []) == ()
