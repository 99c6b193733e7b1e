"""The grade of one task: the paper's metrics, and what this project adds beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict

from agent.evaluation.contract import tools_contract
from agent.evaluation.scoring import MadeCall, score
from agent.evaluation.suites import Task

GRADER = "1"
"""Stamped on every grade; raised whenever the same calls could be graded otherwise than before."""

SEVERITY: Mapping[str, float] = {
    "list_components": 0.1,
    "get_component_details": 0.1,
    "get_element": 0.1,
    "add_user_parameter": 1,
    "add_generator_parameter": 1,
    "add_signal_port": 1,
    "add_transactional_port": 1,
    "create_component": 1,
    "save_component": 1,
    "add_subcomponent": 2,
    "load_component": 3,
    "add_subcomponent_connection": 4,
    "delete_element": 6,
    "delete_component": 8,
}
"""What a call that nobody asked for costs, a spare port or parameter being 1: reading costs time only, a wrong
connection changes what the hardware does, and a deletion takes work away."""
FOREIGN_SEVERITY = 1.0  # of another server's tools
FOREIGN_READ_SEVERITY = 0.1  # of those that change nothing


class Grade(BaseModel):
    """How well one task was done.

    Attributes:
        ecc: see :class:`agent.evaluation.scoring.Score`, as for ``evcr``, ``evcr_writes``, ``tfr`` and ``nca``.
        evcr_weighted: EVCR with each call counted by its severity.
        perfect: everything asked for was done, and nothing else was done or tried.
        answer: which right answer was compared with: 0 is the expected calls, n the n-th alternative.
        pairs: index in that answer and index of the made call that answers it.
        grader: version of the rules.
    """

    model_config = ConfigDict(frozen=True)

    ecc: float | None
    evcr: float
    evcr_writes: float
    evcr_weighted: float
    tfr: float
    nca: float | None
    perfect: bool
    answer: int
    pairs: tuple[tuple[int, int], ...]
    grader: str = GRADER


def grade(task: Task, made: Sequence[MadeCall]) -> Grade:
    """Grade the calls made for a task, refused ones included, in the order in which they were made."""
    scored = score(task.expected, made, task.alternatives)
    answers = [task.expected, *task.alternatives]
    answered = {index for _expected, index in scored.pairs}
    weights = [_severity(call) if call.ok else 0.0 for call in made]
    spare = sum(weight for index, weight in enumerate(weights) if index not in answered)
    achieved = scored.ecc if scored.ecc is not None else scored.nca
    return Grade(
        ecc=scored.ecc,
        evcr=scored.evcr,
        evcr_writes=scored.evcr_writes,
        evcr_weighted=spare / sum(weights) if sum(weights) else 0.0,
        tfr=scored.tfr,
        nca=scored.nca,
        perfect=achieved == 1.0 and scored.evcr == 0.0 and scored.tfr == 0.0,
        answer=next(index for index, calls in enumerate(answers) if tuple(calls) == scored.expected),
        pairs=scored.pairs,
    )


def _severity(call: MadeCall) -> float:
    if call.tool in tools_contract():
        return SEVERITY[call.tool]
    return FOREIGN_READ_SEVERITY if call.read_only else FOREIGN_SEVERITY
