"""What holds after any sequence of edits."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from strategies import EDITS, SEQUENCES, Edit, check_change, check_invariants, started

from model.errors import DesignError
from model.library import Library
from model.workspace import Transaction, Workspace

START = started()


@given(SEQUENCES)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_edits_keep_the_rules_and_say_what_they_did(edits: list[Edit]) -> None:
    library = START
    for edit in edits:
        result, change = edit.apply(library)
        if change is None:
            assert result is library
        else:
            check_change(library, result, change)
        library = result
    check_invariants(library)


@given(SEQUENCES)
@settings(max_examples=60, deadline=None)
def test_undoing_everything_is_the_start_and_redoing_everything_the_end(edits: list[Edit]) -> None:
    workspace = Workspace(library=START)
    for edit in edits:
        before = workspace.library
        try:
            workspace.apply(edit.operation, **dict(edit.arguments))
        except DesignError:
            assert workspace.library is before
    end = workspace.library
    count = len(workspace.done)
    while workspace.done:
        workspace.undo()
    assert workspace.library is START
    for _step in range(count):
        workspace.redo()
    assert workspace.library is end


@given(SEQUENCES)
@settings(max_examples=40, deadline=None)
def test_one_transaction_is_one_step(edits: list[Edit]) -> None:
    workspace = Workspace(library=START)
    request = Transaction("a request")
    for edit in edits:
        try:
            workspace.apply(edit.operation, transaction=request, **dict(edit.arguments))
        except DesignError:
            continue
    assert len(workspace.done) <= 1
    if workspace.done:
        assert workspace.done[0].label == "a request"
        workspace.undo()
    assert workspace.library is START


@given(EDITS)
@settings(max_examples=100, deadline=None)
def test_an_edit_of_an_empty_library_makes_a_component_or_is_refused(edit: Edit) -> None:
    library, change = edit.apply(Library())
    assert (change is not None) == (edit.name == "create_component")
    assert len(library) == (1 if change else 0)
