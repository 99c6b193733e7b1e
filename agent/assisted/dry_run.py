"""Tries a plan on a copy of the design before anything is edited."""

from __future__ import annotations

from dataclasses import replace

from agent.assisted.inventions import is_read
from agent.assisted.mentions import Mentions
from agent.assisted.plan import Plan
from agent.assisted.surplus import has_a_better_sibling, is_of_what_is_deleted, is_surplus, is_there_already
from agent.design_tools import design_tools
from agent.models.base import ToolCall
from agent.toolbox import Toolbox
from model.library import Library
from model.workspace import Workspace

_UNKNOWN = "element-not-found"
_DONE = "already-connected"
_MAKE_IT = " If the request wants it made, add it."
_FAULT = "internal-error"  # of the program: no other answer of the model helps


async def tried(plan: Plan, workspace: Workspace, mentions: Mentions) -> Plan:
    """Make the calls on a copy of the design; the first refusal speaks against them, unless its call is surplus.

    Saving is left out: a dry run must not write.
    """
    fork = workspace.fork()
    fork.folder = workspace.folder  # files are loaded from there
    surplus: list[ToolCall] = []
    reasons: tuple[str, ...] = ()
    accepted = 0
    async with Toolbox.connected({"design": design_tools(fork)}) as copy:
        for call in plan.calls:
            result = await copy.call(call) if call.name != "save_component" else None
            if result is None or result.ok:
                accepted += 1
            elif _may_go(call, result.text, plan, mentions, fork.library):
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
    return plan.without(surplus)


def _may_go(call: ToolCall, refusal: str, plan: Plan, mentions: Mentions, library: Library) -> bool:
    """Whether the plan does what is asked without this call, which was refused."""
    return len(plan.calls) > 1 and (
        _DONE in refusal
        or is_surplus(call, plan.calls, mentions)
        or is_there_already(call, plan.calls, library)
        or is_of_what_is_deleted(call, plan.calls)
        or has_a_better_sibling(call, plan.calls, mentions)
    )
