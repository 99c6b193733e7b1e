"""Whatever a model plans and a user asks, holding one against the other ends in calls or reasons, never in a crash."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from small_design import LIBRARY, SPECS, TOP, UART

from agent.assisted.attributes import with_said_attributes
from agent.assisted.creation import with_creation
from agent.assisted.grounding import ground
from agent.assisted.mentions import Mentions
from agent.assisted.notation import noted
from agent.assisted.surplus import in_words, is_surplus
from agent.assisted.unknown import unknown_names
from agent.models.base import ToolCall
from server.contract import TOOLS

VLNVS = (str(UART.vlnv), str(TOP.vlnv), "acme:soc:new:0.1")
NAMES = ("clk", "tx", "u_uart", "u_new", "DEPTH", "data")
WORDS = (
    *VLNVS,
    *NAMES,
    *("u_uart.clk", "u_new.tx", "add", "delete", "connect", "instance", "as", "an", "input", "output", "the", "its"),
    *("all", "leave", "open", "cascade", "show", "same", "new", "protocol", "AXI4", "8 bits", "DW/8 bits", ",", "."),
)


@st.composite
def plans(draw: st.DrawFn) -> dict[str, Any]:
    tool = draw(st.sampled_from(sorted(TOOLS)))
    schema = TOOLS[tool].input_schema()
    arguments: dict[str, Any] = {}
    for name, declared in schema["properties"].items():
        if name not in schema.get("required", ()) and not draw(st.booleans()):
            continue
        if name in {"component", "subcomponent"}:
            arguments[name] = draw(st.sampled_from(VLNVS))
        elif declared.get("type") == "boolean":
            arguments[name] = True
        else:
            arguments[name] = draw(st.sampled_from(declared.get("enum") or NAMES))
    return noted(ToolCall(tool, arguments))


@settings(deadline=None)
@given(st.lists(plans(), min_size=1, max_size=5), st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))
def test_any_plan_for_any_request_is_judged(planned: list[dict[str, Any]], request: str) -> None:
    mentions = Mentions.of(request)
    grounded = ground(with_said_attributes(planned, request), SPECS, LIBRARY, request, about=[str(TOP.vlnv)])
    calls = with_creation(grounded.calls, mentions, LIBRARY)
    assert grounded.invented or set(map(str, grounded.calls)) <= set(map(str, calls))
    assert all(unknown_names(mentions, LIBRARY, [TOP], calls))
    for call in calls:
        assert in_words(call)
        assert len(calls) > 1 or not is_surplus(call, calls, mentions)
