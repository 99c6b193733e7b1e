"""How one task is scored: the four metrics of section 3.5 of the paper, from the expected and the made calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from agent.evaluation.contract import tools_contract
from agent.evaluation.matching import canonical_call


class Call(Protocol):
    """A tool and the arguments it is called with: a suite's call, an :class:`ExpectedCall`, a :class:`MadeCall`."""

    @property
    def tool(self) -> str:
        """Name of the tool."""
        ...

    @property
    def args(self) -> Mapping[str, Any]:
        """Arguments by name."""
        ...


class Tool(Protocol):
    """The tool of a call that was made: of a :class:`MadeCall`, or of one that was written down."""

    @property
    def tool(self) -> str:
        """Name of the tool."""
        ...

    @property
    def read_only(self) -> bool:
        """Its server says that it changes nothing."""
        ...


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """A call that a task asks for."""

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call that an agent made.

    Attributes:
        ok: the server accepted it.
        read_only: another server says that its tool changes nothing; of the 14 tools it is known.
    """

    tool: str
    args: Mapping[str, Any]
    ok: bool
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Score:
    """The metrics of one task.

    Attributes:
        ecc: expected call coverage, or None for a task whose right answer is no call.
        evcr: extraneous valid call ratio.
        evcr_writes: the same without reads: they count neither as extraneous nor as successful.
        tfr: tool failure rate.
        nca: 1.0 or 0.0 for a task whose right answer is no call, otherwise None.
        expected: the set of expected calls that scored best, which the indexes in ``pairs`` refer to.
        pairs: which expected call was answered by which made call.
    """

    ecc: float | None
    evcr: float
    evcr_writes: float
    tfr: float
    nca: float | None
    expected: tuple[Call, ...]
    pairs: tuple[tuple[int, int], ...]


def score(expected: Sequence[Call], made: Sequence[MadeCall], alternatives: Sequence[Sequence[Call]] = ()) -> Score:
    """Score the calls made for a task.

    Args:
        expected: the canonical set of calls; empty where the right answer is no call. It decides whether the task
            counts for ECC or for NCA.
        made: all calls in the order in which they were made, refused ones too.
        alternatives: other sets that are as right. The set with the highest coverage counts, of equals the one with
            the fewest extraneous calls, of equals the first.
    """
    scores = [_score_against(calls, made) for calls in (expected, *alternatives)]
    best = max(scores, key=lambda score: (_achieved(score), -score.evcr))
    if expected:
        return best if best.ecc is not None else _replace_kind(best, ecc=_achieved(best), nca=None)
    # An alternative to making no call is as right only if it is exactly what was done.
    exact = best.ecc is None or (best.ecc == 1.0 and best.evcr == 0.0 and best.tfr == 0.0)
    return _replace_kind(best, ecc=None, nca=_achieved(best) if exact else 0.0)


def _achieved(score: Score) -> float:
    return score.ecc if score.ecc is not None else score.nca or 0.0


def _replace_kind(best: Score, *, ecc: float | None, nca: float | None) -> Score:
    return Score(ecc, best.evcr, best.evcr_writes, best.tfr, nca, best.expected, best.pairs)


def _score_against(expected: Sequence[Call], made: Sequence[MadeCall]) -> Score:
    pairs = _match(expected, made)
    answered = {index for _expected, index in pairs}
    successful = [index for index, call in enumerate(made) if call.ok]
    writes = [index for index in successful if not reads(made[index])]
    return Score(
        ecc=len(pairs) / len(expected) if expected else None,
        evcr=_share(successful, answered),
        evcr_writes=_share(writes, answered),
        tfr=(len(made) - len(successful)) / len(made) if made else 0.0,
        nca=None if expected else float(not made),
        expected=tuple(expected),
        pairs=pairs,
    )


def _share(calls: Sequence[int], answered: set[int]) -> float:
    """Share of the calls that nobody asked for; 0 by convention where there are none."""
    return sum(index not in answered for index in calls) / len(calls) if calls else 0.0


def reads(call: Tool) -> bool:
    """Whether a call changes nothing, as the contract says, or the server whose tool it is."""
    contract = tools_contract().get(call.tool)
    return contract.effect == "read" if contract is not None else call.read_only


def _match(expected: Sequence[Call], made: Sequence[MadeCall]) -> tuple[tuple[int, int], ...]:
    """Pair as many expected calls as possible with successful made ones, each used once.

    Taking the first that fits would not do: an expected call that leaves its description open could use up the one
    made call that another, with a given description, needs.
    """
    # A third of a second to load, which the desktop's first window does not wait for.
    from networkx import Graph  # noqa: PLC0415
    from networkx.algorithms.bipartite import hopcroft_karp_matching  # noqa: PLC0415

    wanted = [canonical_call(call.tool, call.args) for call in expected]
    graph: Graph[int] = Graph()
    graph.add_nodes_from(range(len(wanted)))
    for index, call in enumerate(made):
        if call.ok:
            done = canonical_call(call.tool, call.args)
            graph.add_edges_from(
                (position, len(wanted) + index) for position, want in enumerate(wanted) if done.answers(want)
            )
    matching = hopcroft_karp_matching(graph, top_nodes=range(len(wanted)))
    return tuple(
        (position, matching[position] - len(wanted)) for position in range(len(wanted)) if position in matching
    )
