"""Tries a plan on a copy of the design before anything is edited."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.assisted.asked_for import is_flagged
from agent.assisted.inventions import is_read
from agent.assisted.mentions import Mentions
from agent.assisted.plan import Plan
from agent.assisted.surplus import (
    CONNECTS,
    ends,
    has_a_better_sibling,
    is_of_what_is_deleted,
    is_surplus,
    is_there_already,
)
from agent.design_tools import design_tools
from agent.models.base import ToolCall
from agent.toolbox import Toolbox
from model.confinement import place_inside
from model.errors import DesignError
from model.library import Library
from model.workspace import Workspace

_END = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*")
_UNKNOWN = "element-not-found"
_NOTHING_TO_JOIN = ("already-connected", "same-endpoint")
_MAKE_IT = " If the request wants it made, add it."
_RULES_BROKEN = ("directions-clash", "initiatives-clash", "port-kinds-differ", "structures-differ", "second-driver")
_FAULT = "internal-error"  # of the program: no other answer of the model helps


async def tried(plan: Plan, workspace: Workspace, mentions: Mentions) -> Plan:
    """Make the calls on a copy of the design; the first refusal speaks against them, unless its call is surplus.

    Saving is left out, except for where to: a dry run must not write.
    """
    fork = workspace.fork()
    fork.folder = workspace.folder  # files are loaded from there
    surplus: list[ToolCall] = []
    reasons: tuple[str, ...] = ()
    accepted = 0
    async with Toolbox.connected({"design": design_tools(fork)}) as copy:
        for call in plan.calls:
            if call.name == "save_component":
                if outside := _outside(call, workspace):
                    return replace(plan, reasons=(f"{call.name}: {outside}",), final=True)
                accepted += 1
                continue
            result = await copy.call(call)
            if result.ok:
                accepted += 1
            elif _may_go(call, result.text, plan, mentions, fork.library):
                surplus.append(call)
                reasons = (*reasons, f"{call.name}: {result.text}")
            else:
                hint = _MAKE_IT if call.name == "get_element" and _UNKNOWN in result.text else ""
                reason = f"{call.name}: {result.text}{hint}"
                final = _FAULT in result.text or _is_ruled_out_as_said(call, result.text, plan, mentions)
                plan = replace(plan, reasons=(reason,), final=final, refused=call.name, accepted=accepted)
                break
    rest = [call for call in plan.calls if call not in surplus]
    if reasons and not plan.reasons and all(is_read(call) for call in rest):
        return replace(plan, reasons=reasons[:1], accepted=0)  # what is left would not do anything
    return plan.without(surplus)


def _may_go(call: ToolCall, refusal: str, plan: Plan, mentions: Mentions, library: Library) -> bool:
    """Whether the plan does what is asked without this call, which was refused."""
    return len(plan.calls) > 1 and (
        any(code in refusal for code in _NOTHING_TO_JOIN)
        or is_surplus(call, plan.calls, mentions)
        or is_there_already(call, plan.calls, library)
        or is_of_what_is_deleted(call, plan.calls)
        or has_a_better_sibling(call, plan.calls, mentions)
    )


def _outside(saving: ToolCall, workspace: Workspace) -> str:
    """Why a component cannot be saved where a call says; "" where it can."""
    path = str(saving.arguments.get("path", ""))
    try:
        place_inside(workspace.folder, path or "default.xml")
    except DesignError as error:
        return str(error)
    return ""


def _is_ruled_out_as_said(call: ToolCall, refusal: str, plan: Plan, mentions: Mentions) -> bool:
    """Whether a call breaks a rule with just what the request gives: two ends, or a component that is in use.

    A model that is asked for another answer joins or deletes something else then, which nobody asked for.
    """
    if call.name == "delete_component":
        return "in-use" in refusal and not is_flagged("force", mentions.text)
    connections = [other for other in plan.calls if other.name == CONNECTS]
    if connections != [call] or not any(code in refusal for code in _RULES_BROKEN):
        return False
    joined = {f"{instance}.{port}".lstrip(".") for instance, port in ends(call)}
    written_out = {word for word in mentions.words if _END.fullmatch(word)}
    return joined <= set(mentions.words) and written_out <= joined
