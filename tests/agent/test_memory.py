from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.memory import HistoryScope, Memory
from agent.models.base import Message, ToolCall, ToolSpec, Turn, Usage

OPENING = [Message("system", "Be brief.")]
TOOLS = [ToolSpec("look", "Look.", {"type": "object", "properties": {}})]


def tell(memory: Memory, request: str, calls: int = 1, size: int = 10) -> None:
    memory.begin(request)
    for number in range(calls):
        call = ToolCall("look", {"at": str(number)})
        memory.add(Message("assistant", "", (call,)))
        memory.add_result(call, "x" * size, ok=number % 2 == 0)
    memory.add(Message("assistant", "Done."))


def requests(memory: Memory) -> list[str]:
    return [message.content for message in memory.conversation() if message.role == "user"]


@pytest.mark.parametrize("text", ["run", "task", "summary", "window:1", "window:40"])
def test_a_scope_is_written_as_it_is_read(text: str) -> None:
    assert str(HistoryScope.parse(text)) == text


@pytest.mark.parametrize("text", ["", "window", "window:0", "window:-1", "window:x", "session"])
def test_what_is_no_scope(text: str) -> None:
    with pytest.raises(ValueError, match="window:N"):
        HistoryScope.parse(text)


@given(st.integers(1, 5), st.integers(1, 8))
def test_a_window_holds_the_last_requests_and_the_present_one(length: int, asked: int) -> None:
    memory = Memory(OPENING, HistoryScope("window", length), 100_000)
    for number in range(asked):
        tell(memory, f"r{number}")
    assert requests(memory) == [f"r{number}" for number in range(asked)][-length - 1 :]


def test_a_summary_names_the_calls_that_were_accepted() -> None:
    memory = Memory(OPENING, HistoryScope("summary"), 100_000)
    tell(memory, "First\n  request", calls=2)
    memory.begin("Second")
    opening, told = memory.conversation()
    assert opening == OPENING[0]
    assert told.content == ("Earlier in this session:\n- First request -> look(at=0)\n\nRequest: Second")


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.integers(300, 3000))
def test_what_does_not_fit_goes_oldest_first_and_never_the_present_request(calls: list[int], room: int) -> None:
    memory = Memory(OPENING, HistoryScope("run"), room)
    for number, count in enumerate(calls):
        tell(memory, f"r{number}", count, size=200)
        memory.make_room(TOOLS)
    asked = [f"r{number}" for number in range(len(calls))]
    kept = requests(memory)
    assert kept == asked[-len(kept) :]
    assert memory.forgotten == len(asked) - len(kept)
    assert memory.conversation()[0] == OPENING[0]
    # Nothing else goes as long as there is room, and what is left fits, or is one request with one call.
    assert not memory.make_room(TOOLS) or len(kept) == 1
    for message, answer in zip(memory.conversation(), memory.conversation()[1:], strict=False):
        assert bool(message.tool_calls) == (answer.role == "tool")


def test_forgetting_leaves_room_for_several_requests() -> None:
    memory = Memory(OPENING, HistoryScope("run"), 1000)
    forgot: list[int] = []
    for number in range(40):
        tell(memory, f"r{number}", size=400)
        if memory.make_room(TOOLS):
            forgot.append(number)
    gaps = [after - before for before, after in itertools.pairwise(forgot)]
    assert min(gaps) >= 3


def test_a_dense_prompt_is_measured_by_what_the_engine_counted() -> None:
    memory = Memory([], HistoryScope("run"), 100)
    tell(memory, "r0", size=100)
    memory.begin("r1")
    assert not memory.make_room([])
    memory.measure(Turn("", usage=Usage(prompt_tokens=200)), [])
    assert memory.make_room([])
    assert requests(memory) == ["r1"]
