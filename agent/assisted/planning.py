"""Makes a plan of calls for a request: asked of the model, held against the request, tried on a copy of the design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.assisted.attempts import NOTHING_TO_DO, Attempts, Means, Question
from agent.assisted.ends import with_ends_written_out
from agent.assisted.loading import Outlook
from agent.assisted.mentions import VLNV, Mentions, mentioned_components
from agent.assisted.prompts import Exchange, conversation
from agent.assisted.prose import put_right
from agent.assisted.references import with_references_written_out
from agent.assisted.state import names_of, state_summary
from agent.assisted.vlnv_fields import with_vlnvs_written_out
from agent.host import Host
from agent.models.base import Message, ToolCall, Usage
from model.errors import DesignError
from model.library import Library
from model.vlnv import Vlnv

CONTEXT = 6  # components of the conversation that are described to the model, the most recent ones


@dataclass(frozen=True, slots=True)
class Planned:
    """What is to be done for a request.

    Attributes:
        request: as it was read, slips of the pen put right.
        calls: none where the request is refused.
        refusal: why, for the user; "" where there are calls.
        subjects: the VLNVs of the components that a refused request is about.
        messages: the conversation with the model up to here.
        usage: of all its answers.
    """

    request: str
    calls: tuple[ToolCall, ...]
    refusal: str
    subjects: tuple[str, ...]
    messages: list[Message]
    usage: Usage


class Planner:
    """Asks a model for plans until one passes every check.

    Args:
        focus: the component that the user is looking at, if any.
        history: the whole conversation: "the second block" counts from its beginning, whatever of it is in the prompt.
    """

    def __init__(self, means: Means, focus: Vlnv | None = None, history: Sequence[Exchange] = ()) -> None:
        self._means = means
        self._focus = focus
        self._history = history

    async def plan(self, request: str, earlier: Sequence[Exchange], host: Host) -> Planned:
        """Find the calls for a request, or the reason why there are none.

        Raises:
            ModelError: the model cannot answer.
        """
        read = self._as_read(request)
        if read != request:
            host.notice(f"Read as: {read}")
        request = read
        attempt = Attempts(self._means, self._question(request, earlier), host)
        plan = await attempt.best()
        if plan.stands:
            for correction in plan.grounded.corrections:
                host.notice(correction)
            if plan.grounded.left_out:
                host.notice(f"Left out, since the request does not say it: {', '.join(plan.grounded.left_out)}.")
            return Planned(request, plan.calls, "", (), attempt.messages, attempt.usage)
        if plan.reasons:
            why = " ".join(reason.partition(": ")[2] or reason for reason in plan.reasons)
        else:
            why = plan.refusal or NOTHING_TO_DO
        return Planned(request, (), why, self._subjects(request, plan.calls), attempt.messages, attempt.usage)

    def prompt(self, request: str, earlier: Sequence[Exchange]) -> list[Message]:
        """What the model is asked first for a request, or for the beginning of one that is still being typed."""
        return self._question(self._as_read(request), earlier).messages

    def _as_read(self, request: str) -> str:
        library = self._outlook(request).library
        read = put_right(request, _names(library)) if "spelling" in self._means.aids else request
        read = with_vlnvs_written_out(read, library) if "references" in self._means.aids else read
        read = with_references_written_out(read, self._history) if "references" in self._means.aids else read
        return with_ends_written_out(read, library) if "ends" in self._means.aids else read

    def _outlook(self, request: str) -> Outlook:
        return (
            Outlook.of(request, self._means.workspace)
            if "creation" in self._means.aids
            else Outlook(self._means.workspace.library)
        )

    def _question(self, request: str, earlier: Sequence[Exchange]) -> Question:
        outlook = self._outlook(request)
        library = outlook.library
        mentions = Mentions.of(request)
        about = mentioned_components(library, mentions, self._context(earlier, library))
        state = state_summary(library, about, mentions, whole=bool(earlier))
        messages = conversation(earlier, state, request, with_examples="examples" in self._means.aids)
        talk = "\n".join(f"{exchange.request}\n{exchange.answer}" for exchange in earlier)
        last = [call.name for call in self._history[-1].calls] if earlier and self._history else []
        return Question(request, outlook, mentions, about, state, talk, last, messages)

    def _subjects(self, request: str, calls: Sequence[ToolCall]) -> tuple[str, ...]:
        """What a refused request is about: the components that it names, else those that were to be edited."""
        library = self._means.workspace.library
        named = [str(component.vlnv) for component in mentioned_components(library, Mentions.of(request))]
        known = {str(component.vlnv) for component in library}
        planned = [vlnv for vlnv in Exchange(request, tuple(calls)).components if vlnv in known]
        return tuple(dict.fromkeys((*planned, *named)))

    def _context(self, earlier: Sequence[Exchange], library: Library) -> list[Vlnv]:
        """What the window and the conversation are about, the most recent first."""
        found: dict[Vlnv, None] = {}
        if self._focus is not None:
            found[self._focus] = None
        for exchange in reversed(earlier):
            # What a refused request was about counts too: the next one tends to put it right.
            for text in exchange.components or VLNV.findall(exchange.request):
                try:
                    found[Vlnv.parse(text)] = None
                except DesignError:
                    continue
        return [vlnv for vlnv in found if vlnv in library][:CONTEXT]


def _names(library: Library) -> set[str]:
    """Everything that has a name in a library."""
    names = {field for component in library for field in str(component.vlnv).split(":")}
    names |= {part for name in names for part in name.split("_")}  # "the sha block" is no slip for "has"
    return names.union(*(names_of(component) for component in library))
