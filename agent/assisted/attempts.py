"""Asks a model for plans until one passes every check, or until nothing helps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from agent.assisted.aids import Aid
from agent.assisted.answers import identity, parsed, until_it_repeats
from agent.assisted.attributes import with_said_attributes
from agent.assisted.contradictions import FILE_TOOLS, is_work_of_others, out_of_scope, ruled_out
from agent.assisted.coverage import is_path, left_untouched, nowhere, unheard_orders
from agent.assisted.creation import is_introduced, with_creation
from agent.assisted.dry_run import tried
from agent.assisted.evidence import (
    asks_for,
    is_on_topic,
    names_what_is_done,
    of_the_same_sort,
    only_joins,
    possible_tools,
)
from agent.assisted.grounding import as_planned, ground
from agent.assisted.inventions import wholes_may_go
from agent.assisted.leaning import leans_by_a_word, points_back
from agent.assisted.loading import Outlook
from agent.assisted.mentions import Mentions, is_about, new_names
from agent.assisted.order import FILLS, vlnv_made
from agent.assisted.plan import Plan
from agent.assisted.prompts import left_out, objection, second_opinion, untouched
from agent.assisted.schema import MOST_CALLS, answer_schema
from agent.assisted.state import is_near
from agent.assisted.unknown import unknown_names
from agent.host import Host
from agent.models.base import ChatOptions, LanguageModel, Message, ToolCall, ToolSpec, Usage
from agent.react import last_turn
from model.elements import Component
from model.workspace import Workspace

NOTHING_TO_DO = "This is not an edit or a question that the design tools can answer."


@dataclass(frozen=True, slots=True)
class Means:
    """What plans are made with.

    Attributes:
        workspace: read for names and forked for dry runs; never edited.
        attempts: answers asked of the model before a request is refused.
        aids: which checks and helps there are, see :mod:`agent.assisted.aids`.
    """

    model: LanguageModel
    workspace: Workspace
    options: ChatOptions
    attempts: int
    aids: Collection[Aid]


@dataclass(frozen=True, slots=True)
class Question:
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


class Attempts:
    """The conversation with the model about one request."""

    def __init__(self, means: Means, question: Question, host: Host) -> None:
        self._means = means
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
        if self._has("evidence") and not wholes_may_go(self._mentions, self._library):
            self._tools = [tool for tool in self._tools if tool.name != "delete_component"]

    def _has(self, aid: Aid) -> bool:
        return aid in self._means.aids

    async def best(self) -> Plan:
        """Ask until a plan stands and covers the request, or nothing helps."""
        plan = Plan()
        refusal = ""  # of the model, about which it was asked again
        for _attempt in range(self._means.attempts):
            before, plan = plan, await self._ask(may_refuse=not (plan.reasons or refusal))
            plan = await self._with_what_was_right(plan, before)
            if refusal:
                # Overruled only by calls that can be made and that the request has words for.
                agreed = plan.stands and all(self._is_asked_for(call) for call in plan.calls)
                return plan if agreed else Plan(refusal=refusal)
            if plan.stands:
                return await self._covering(plan)
            if not plan.calls and self._may_ask_again():
                refusal = plan.refusal or NOTHING_TO_DO
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

    def _looks_at_what_nobody_spoke_of(self, plan: Plan) -> bool:
        """Whether a plan only reads components for a request that speaks of no design."""
        names_it = self._mentions.vlnvs or is_about(self._library, self._mentions)
        if names_it or is_on_topic(self._request) or leans_by_a_word(self._request):
            return False
        reads = {call.name for call in plan.calls} <= {"get_component_details", "get_element"}
        fields = (field for call in plan.calls for field in str(call.arguments.get("component", "")).split(":"))
        return reads and not any(is_near(field, self._mentions) for field in fields)

    async def _with_what_was_right(self, plan: Plan, before: Plan) -> Plan:
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
        return await self._judged(Plan(replace(plan.grounded, calls=calls)))

    async def _covering(self, plan: Plan) -> Plan:
        """Ask once about names of the request that a plan leaves out; keep the better of the two plans."""
        if not self._has("coverage"):
            return plan
        plan = await self._with_every_order(plan)
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

    async def _with_every_order(self, plan: Plan) -> Plan:
        """Ask once for what a request orders by a verb of its own and no call does: "… and then save it"."""
        for verb, names in unheard_orders(self._request, plan.calls):
            tools = [tool for tool in self._tools if tool.name in names]
            if not tools:
                continue
            self.messages.append(left_out((verb,)))
            other = await self._ask(may_refuse=False, most_calls=1, onto=plan.calls, tools=tools)
            if other.stands and any(call.name in names for call in other.calls):
                plan = other
        return plan

    async def _ask(
        self,
        *,
        may_refuse: bool,
        most_calls: int = MOST_CALLS,
        onto: Sequence[ToolCall] = (),
        tools: Sequence[ToolSpec] | None = None,
    ) -> Plan:
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
        options = replace(self._means.options, response_schema=schema)
        answer_stream = until_it_repeats(self._means.model.chat(self.messages, (), options))
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
        return await self._judged(Plan(grounded, str(answer.get("refusal", ""))))

    async def _judged(self, plan: Plan) -> Plan:
        """Find what speaks against a plan: unknown names, invented values, a refusal on a copy of the design."""
        if not plan.calls:
            return replace(plan, final=True)
        unknown: list[str] = []
        if self._has("unknown"):
            unknown = unknown_names(self._mentions, self._library, self._about, plan.calls)
            unknown += ruled_out(self._mentions, plan.calls)
            if is_work_of_others(self._request, plan.calls) or self._looks_at_what_nobody_spoke_of(plan):
                unknown.append(NOTHING_TO_DO)
        if unknown:
            return replace(plan, reasons=tuple(unknown), final=True)
        if plan.grounded.invented:
            return replace(plan, reasons=(f"The request does not say {', '.join(plan.grounded.invented)}.",))
        return await tried(plan, self._means.workspace, self._mentions) if self._has("dry-run") else plan
