"""Calls that a model writes as text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.base import ToolCall
from agent.models.calls import call_was_lost, find_calls, looks_like_call

CALL = '{"name": "add_signal_port", "arguments": {"component": "a:b:c:1.0", "name": "clk"}}'
WANTED = ToolCall("add_signal_port", {"component": "a:b:c:1.0", "name": "clk"})

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
calls = st.builds(ToolCall, st.text(min_size=1), st.dictionaries(st.text(), json_values, max_size=4))


def as_json(call: ToolCall, indent: int | None = None) -> str:
    return json.dumps({"name": call.name, "arguments": call.arguments}, indent=indent)


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"\n {CALL} \n",
        f"```json\n{CALL}\n```",
        f"```\n{CALL}\n```\n",
        f"```JSON\n{CALL}```",
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"I will add it.\n<tool_call>\n{CALL}\n</tool_call>",
    ],
)
def test_a_call_in_the_models_own_format_is_found(text):
    assert find_calls(text) == (WANTED,)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The port was added.",
        f"Here is the call: {CALL}",
        f"Here is the call:\n```json\n{CALL}\n```",
        f"```json\n{CALL}\n```\n```json\n{CALL}\n```",
        f"[{CALL}]",
        f"<tool_call>\n{CALL}",
        f"<tool_call>\n{CALL[:-1]}\n</tool_call>",
        '{"name": "x", "arguments": "{}"}',
        '{"name": "x", "parameters": {}}',
        '{"name": "x"}',
        '{"name": "", "arguments": {}}',
        '{"name": 3, "arguments": {}}',
        '{"name": "x", "arguments": {"width": NaN}}',
        '{"name": "x", "arguments": {}, "note": "spare"}',
        "[" * 100_000,
    ],
)
def test_anything_more_lenient_is_no_call(text):
    assert find_calls(text) == ()


def test_one_unreadable_block_spoils_the_others():
    assert find_calls(f"<tool_call>{CALL}</tool_call><tool_call>{{</tool_call>") == ()


@given(st.lists(calls, min_size=1, max_size=3), st.booleans())
def test_blocks_come_back_in_order(wanted, spread):
    text = "\n".join(f"<tool_call>\n{as_json(call, indent=2 if spread else None)}\n</tool_call>" for call in wanted)
    assert find_calls(text) == tuple(wanted)


@given(calls, st.sampled_from(["{}", "```json\n{}\n```", "```\n{}\n```"]))
def test_a_message_that_is_one_call_comes_back(call, frame):
    assert find_calls(frame.replace("{}", as_json(call, indent=1), 1)) == (call,)


@given(st.text())
def test_any_text_can_be_looked_at(text):
    assert isinstance(find_calls(text), tuple)


@pytest.mark.parametrize(
    ("text", "calls", "tokens", "lost"),
    [
        ("", (), 12, True),
        ("  \n", (), 12, True),
        (f"Sure: {CALL}", (), 30, True),
        ("<tool_call>{", (), 3, True),
        ("Done.", (), 3, False),
        ("", (), 0, False),
        ("", (WANTED,), 12, False),
    ],
)
def test_a_lost_call_is_noticed(text, calls, tokens, lost):
    assert call_was_lost(text, calls, tokens) is lost


def test_talk_about_names_is_not_a_call():
    assert not looks_like_call('The port is called "name".')
