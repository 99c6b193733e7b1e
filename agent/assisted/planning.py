"""Makes a plan of calls for a request: asked of the model, held against the request, tried on a copy of the design."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from agent.assisted.aids import Aid
from agent.assisted.answers import identity, parsed, until_it_repeats
from agent.assisted.attributes import with_said_attributes
from agent.assisted.contradictions import FILE_TOOLS, is_work_of_others, out_of_scope, ruled_out
from agent.assisted.coverage import is_path, left_untouched, nowhere
from agent.assisted.creation import is_introduced, with_creation
from agent.assisted.ends import with_ends_written_out
from agent.assisted.evidence import (
    asks_for,
    is_on_topic,
    names_what_is_done,
    of_the_same_sort,
    only_joins,
    possible_tools,
)
from agent.assisted.grounding import Grounded, as_planned, ground
from agent.assisted.inventions import is_read
from agent.assisted.loading import Outlook
from agent.assisted.mentions import (
    VLNV,
    Mentions,
    is_about,
    mentioned_components,
    new_names,
    points_back,
    with_vlnvs_written_out,
)
from agent.assisted.order import FILLS, vlnv_made
from agent.assisted.prompts import Exchange, conversation, left_out, objection, second_opinion, untouched
from agent.assisted.prose import put_right
from agent.assisted.references import with_references_written_out
from agent.assisted.schema import MOST_CALLS, answer_schema
from agent.assisted.state import names_of, state_summary
from agent.assisted.surplus import (
    has_a_better_sibling,
    in_words,
    is_of_what_is_deleted,
    is_surplus,
    is_there_already,
)
from agent.assisted.unknown import unknown_names
from agent.design_tools import design_tools
from agent.host import Host
from agent.models.base import ChatOptions, LanguageModel, Message, ToolCall, ToolSpec, Usage
from agent.react import last_turn
from agent.toolbox import Toolbox
from model.elements import Component
from model.errors import DesignError
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace

CONTEXT = 6  # components of the conversation that are described to the model, the most recent ones
_UNKNOWN = "element-not-found"
_DONE = "already-connected"
_MAKE_IT = " If the request wants it made, add it."
_FAULT = "internal-error"  # of the program: no other answer of the model helps
_NOTHING_TO_DO = "This is not an edit or a question that the design tools can answer."


@dataclass(frozen=True, slots=True)
class Planned:
    """What is to be done for a request.

    Attributes:
        request: as it was read, slips of the pen put right.
        calls: none where the request is refused.
        refusal: why, for the user; "" where there are calls.
        messages: the conversation with the model up to here.
        usage: of all its answers.
    """

    request: str
    calls: tuple[ToolCall, ...]
    refusal: str
    messages: list[Message]
    usage: Usage


@dataclass(frozen=True, slots=True)
class _Plan:
    """An answer of the model, and what speaks against it.

    Attributes:
        refusal: the model's own reason not to make any call.
        reasons: why the calls cannot be made; none where they can.
        final: asking again is pointless.
        refused: the tool whose call the dry run refused.
        accepted: how many calls it accepted before that.
    """

    grounded: Grounded = Grounded(())
    refusal: str = ""
    reasons: tuple[str, ...] = ()
    final: bool = False
    refused: str = ""
    accepted: int = 0

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return self.grounded.calls

    @property
    def stands(self) -> bool:
        return bool(self.calls) and not self.reasons


class Planner:
    """Asks a model for plans until one passes every check.

    Args:
        workspace: read for names and forked for dry runs; never edited.
        attempts: answers asked of the model before a request is refused.
        aids: which checks and helps there are, see :mod:`agent.assisted.aids`.
        focus: the component that the user is looking at, if any.
        history: the whole conversation: "the second block" counts from its beginning, whatever of it is in the prompt.
    """

    def __init__(
        self,
        model: LanguageModel,
        workspace: Workspace,
        options: ChatOptions,
        attempts: int,
        aids: Collection[Aid],
        focus: Vlnv | None = None,
        history: Sequence[Exchange] = (),
    ) -> None:
        self._model = model
        self._workspace = workspace
        self._options = options
        self._attempts = attempts
        self._aids = aids
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
        attempt = _Attempts(self, self._question(request, earlier), host)
        plan = await attempt.best()
        if plan.stands:
            for correction in plan.grounded.corrections:
                host.notice(correction)
            if plan.grounded.left_out:
                host.notice(f"Left out, since the request does not say it: {', '.join(plan.grounded.left_out)}.")
            return Planned(request, plan.calls, "", attempt.messages, attempt.usage)
        if plan.reasons:
            why = " ".join(reason.partition(": ")[2] or reason for reason in plan.reasons)
        else:
            why = plan.refusal or _NOTHING_TO_DO
        return Planned(request, (), why, attempt.messages, attempt.usage)

    def prompt(self, request: str, earlier: Sequence[Exchange]) -> list[Message]:
        """What the model is asked first for a request, or for the beginning of one that is still being typed."""
        return self._question(self._as_read(request), earlier).messages

    def _as_read(self, request: str) -> str:
        library = self._outlook(request).library
        read = put_right(request, _names(library)) if "spelling" in self._aids else request
        read = with_vlnvs_written_out(read, library) if "references" in self._aids else read
        read = with_references_written_out(read, self._history) if "references" in self._aids else read
        return with_ends_written_out(read, library) if "ends" in self._aids else read

    def _outlook(self, request: str) -> Outlook:
        return Outlook.of(request, self._workspace) if "creation" in self._aids else Outlook(self._workspace.library)

    def _question(self, request: str, earlier: Sequence[Exchange]) -> _Question:
        outlook = self._outlook(request)
        library = outlook.library
        mentions = Mentions.of(request)
        about = mentioned_components(library, mentions, self._context(earlier, library))
        state = state_summary(library, about, mentions, whole=bool(earlier))
        messages = conversation(earlier, state, request, with_examples="examples" in self._aids)
        talk = "\n".join(f"{exchange.request}\n{exchange.answer}" for exchange in earlier)
        last = [call.name for call in self._history[-1].calls] if earlier and self._history else []
        return _Question(request, outlook, mentions, about, state, talk, last, messages)

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


@dataclass(frozen=True, slots=True)
class _Question:
    """A request, and what the design and the conversation have to say about it.

    Attributes:
        about: the components that it is about, the most certain first.
        state: these in words.
        talk: the earlier exchanges that it may lean on, as text.
        last: the tools of the last one.
        messages: all of it, for the model.
    """

    request: str
    outlook: Outlook
    mentions: Mentions
    about: list[Component]
    state: str
    talk: str
    last: list[str]
    messages: list[Message]


class _Attempts:
    """The conversation about one request."""

    def __init__(self, planner: Planner, question: _Question, host: Host) -> None:
        self._planner = planner
        self._host = host
        self._request = question.request
        self._outlook = question.outlook
        self._library = question.outlook.library
        self._mentions = question.mentions
        self._about = question.about
        self._state = question.state
        self._talk = question.talk
        self.messages = question.messages
        self.usage = Usage()
        tools = host.tools
        self._tools: list[ToolSpec] = possible_tools(self._request, tools) if self._has("evidence") else list(tools)
        if self._has("evidence"):
            self._tools = of_the_same_sort(self._request, question.last, self._tools)
        if self._has("evidence") and only_joins(self._request) and not new_names(self._mentions, self._library):
            self._tools = [tool for tool in self._tools if tool.name not in FILLS]

    def _has(self, aid: Aid) -> bool:
        return aid in self._planner._aids

    async def best(self) -> _Plan:
        """Ask until a plan stands and covers the request, or nothing helps."""
        plan = _Plan()
        refusal = ""  # of the model, about which it was asked again
        for _attempt in range(self._planner._attempts):
            before, plan = plan, await self._ask(may_refuse=not (plan.reasons or refusal))
            plan = await self._with_what_was_right(plan, before)
            if refusal:
                # Overruled only by calls that can be made and that the request has words for.
                agreed = plan.stands and all(self._is_asked_for(call) for call in plan.calls)
                return plan if agreed else _Plan(refusal=refusal)
            if plan.stands:
                return await self._covering(plan)
            if not plan.calls and self._may_ask_again():
                refusal = plan.refusal or _NOTHING_TO_DO
                self.messages.append(second_opinion())
            elif plan.final:
                break
            else:
                self.messages.append(objection(plan.reasons))
                if plan.calls == before.calls or (plan.refused and plan.refused == before.refused):
                    # A model that insists has taken the wrong tool more often than the wrong name, unless the request
                    # speaks of just that tool: what is left then are tools that it does not speak of.
                    if names_what_is_done(plan.refused, self._request):
                        break
                    self._tools = [tool for tool in self._tools if tool.name != plan.refused]
        return plan

    def _is_asked_for(self, call: ToolCall) -> bool:
        if call.name == "create_component" and is_introduced(vlnv_made(call), self._mentions):
            return True
        return asks_for(call.name, self._request)

    def _may_ask_again(self) -> bool:
        """Whether a refusal of the model may be a mistake: the request is about the design and what tools do to it."""
        leans = is_on_topic(self._request) or points_back(self._request)
        is_meant = is_about(self._library, self._mentions) or (self._talk and leans)
        return self._has("second-opinion") and bool(is_meant) and not out_of_scope(self._request)

    async def _with_what_was_right(self, plan: _Plan, before: _Plan) -> _Plan:
        """Take the corrected calls into the plan that they correct, where the model has given only these.

        Asked for the whole list, a small model often answers with what was missing from it.
        """
        new = [call for call in plan.calls if call not in before.calls]
        if not before.accepted or not plan.calls or len(plan.calls) >= len(before.calls):
            return plan
        if not new:
            return before
        told = set(map(identity, new))
        rest = [call for call in before.calls[before.accepted :] if identity(call) not in told]
        calls = (*before.calls[: before.accepted], *new, *rest)
        return await self._judged(_Plan(replace(plan.grounded, calls=calls)))

    async def _covering(self, plan: _Plan) -> _Plan:
        """Ask once about names of the request that a plan leaves out; keep the better of the two plans."""
        if not self._has("coverage"):
            return plan
        missing = left_untouched(self._mentions, self._library, plan.calls)
        if not missing:
            return plan
        paths = [name for name in missing if is_path(name)]
        if any("." in name for name in missing if name not in paths):  # an end: a call that is there is wrong
            self.messages.append(untouched(missing))
            other = await self._ask(may_refuse=False, most_calls=len(plan.calls) + len(missing))
        else:
            self.messages.append(left_out(missing))
            tools = [tool for tool in self._tools if tool.name in FILE_TOOLS] if paths == missing else self._tools
            other = await self._ask(may_refuse=False, most_calls=len(missing), onto=plan.calls, tools=tools)
        still_missing = left_untouched(self._mentions, self._library, other.calls)
        if other.stands and len(still_missing) < len(missing):
            plan, missing = other, still_missing
        if unheard := nowhere(missing, self._library, plan.calls):
            return replace(plan, reasons=tuple(f"There is no {name} in the design." for name in unheard), final=True)
        return plan

    async def _ask(
        self,
        *,
        may_refuse: bool,
        most_calls: int = MOST_CALLS,
        onto: Sequence[ToolCall] = (),
        tools: Sequence[ToolSpec] | None = None,
    ) -> _Plan:
        """Ask for a plan, or for what is still missing from the calls ``onto`` which it comes, if anything is."""
        schema = answer_schema(
            self._tools if tools is None else tools,
            self._library,
            self._about,
            self._mentions,
            may_refuse=may_refuse,
            held_to_names=self._has("names"),
            least_calls=0 if onto or may_refuse else 1,
            most_calls=most_calls,
        )
        options = replace(self._planner._options, response_schema=schema)
        answer_stream = until_it_repeats(self._planner._model.chat(self.messages, (), options))
        turn = await last_turn(answer_stream, self._host, as_thinking=True)
        self.usage += turn.usage
        self.messages.append(Message("assistant", turn.text))  # to the letter: the engine has it cached
        answer = parsed(turn.text)
        plans = answer["calls"]
        if self._has("attributes"):
            plans = with_said_attributes(plans, self._request)
        if self._has("grounding"):
            about = [str(component.vlnv) for component in self._about]
            grounded = ground(plans, self._host.tools, self._library, self._request, self._talk, self._state, about)
        else:
            grounded = as_planned(plans)
        if self._has("creation"):
            calls = with_creation(grounded.calls, self._mentions, self._library)
            grounded = replace(grounded, calls=self._outlook.with_loads(calls))
        if onto:
            more = [call for call in grounded.calls if call not in onto]
            grounded = replace(grounded, calls=(*onto, *more))
        return await self._judged(_Plan(grounded, str(answer.get("refusal", ""))))

    async def _judged(self, plan: _Plan) -> _Plan:
        """Find what speaks against a plan: unknown names, invented values, a refusal on a copy of the design."""
        if not plan.calls:
            return replace(plan, final=True)
        unknown: list[str] = []
        if self._has("unknown"):
            unknown = unknown_names(self._mentions, self._library, self._about, plan.calls)
            unknown += ruled_out(self._mentions, plan.calls)
            if is_work_of_others(self._request, plan.calls):
                unknown.append(_NOTHING_TO_DO)
        if unknown:
            return replace(plan, reasons=tuple(unknown), final=True)
        if plan.grounded.invented:
            return replace(plan, reasons=(f"The request does not say {', '.join(plan.grounded.invented)}.",))
        return await self._tried(plan) if self._has("dry-run") else plan

    async def _tried(self, plan: _Plan) -> _Plan:
        """Make the calls on a copy of the design; the first refusal speaks against them, unless its call is surplus.

        Saving is left out: a dry run must not write.
        """
        fork = self._planner._workspace.fork()
        fork.folder = self._planner._workspace.folder  # files are loaded from there
        surplus: list[ToolCall] = []
        reasons: tuple[str, ...] = ()
        accepted = 0
        async with Toolbox.connected({"design": design_tools(fork)}) as copy:
            for call in plan.calls:
                result = await copy.call(call) if call.name != "save_component" else None
                if result is None or result.ok:
                    accepted += 1
                elif len(plan.calls) > 1 and (
                    _DONE in result.text
                    or is_surplus(call, plan.calls, self._mentions)
                    or is_there_already(call, plan.calls, fork.library)
                    or is_of_what_is_deleted(call, plan.calls)
                    or has_a_better_sibling(call, plan.calls, self._mentions)
                ):
                    surplus.append(call)
                    reasons = (*reasons, f"{call.name}: {result.text}")
                else:
                    hint = _MAKE_IT if call.name == "get_element" and _UNKNOWN in result.text else ""
                    reason = f"{call.name}: {result.text}{hint}"
                    fault = _FAULT in result.text
                    plan = replace(plan, reasons=(reason,), final=fault, refused=call.name, accepted=accepted)
                    break
        rest = [call for call in plan.calls if call not in surplus]
        if reasons and not plan.reasons and all(is_read(call) for call in rest):
            return replace(plan, reasons=reasons[:1], accepted=0)  # what is left would not do anything
        return _without(plan, surplus)


def _without(plan: _Plan, surplus: Sequence[ToolCall]) -> _Plan:
    """The plan without some of its calls, which it tells as left out."""
    if not surplus:
        return plan
    left_out = (*plan.grounded.left_out, *map(in_words, surplus))
    calls = tuple(call for call in plan.calls if call not in surplus)
    return replace(plan, grounded=replace(plan.grounded, calls=calls, left_out=left_out))


def _names(library: Library) -> set[str]:
    """Everything that has a name in a library."""
    names = {field for component in library for field in str(component.vlnv).split(":")}
    names |= {part for name in names for part in name.split("_")}  # "the sha block" is no slip for "has"
    return names.union(*(names_of(component) for component in library))
