from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.assisted.answers import until_it_repeats
from agent.models.base import Delta, Turn, Usage

UART = "acme:periph:uart:1.0"


def port(name: str, direction: str = "in") -> dict[str, Any]:
    return {"tool": "add_signal_port", "component": UART, "name": name, "direction": direction}


def received(answer: str, piece: int) -> tuple[Turn, bool]:
    """The turn that comes of an answer streamed in pieces, and whether the model was stopped."""
    stopped = False

    async def model() -> AsyncGenerator[Delta | Turn, None]:
        nonlocal stopped
        try:
            for start in range(0, len(answer), piece):
                yield Delta(answer[start : start + piece])
        except GeneratorExit:
            stopped = True
            raise
        yield Turn(answer, usage=Usage(completion_tokens=-1))

    async def read() -> list[Delta | Turn]:
        return [part async for part in until_it_repeats(model())]

    last = anyio.run(read)[-1]
    assert isinstance(last, Turn)
    return last, stopped


@pytest.mark.parametrize("piece", [1, 3, 40])
def test_a_model_that_has_lost_its_thread_is_stopped(piece: int) -> None:
    sound = [port("s"), port("m0"), port("m1")]
    looped = [*sound, port("m0", "out"), port("m1", "out")] + [port("m0", "out")] * 12
    turn, stopped = received(json.dumps({"calls": looped}), piece)
    assert json.loads(turn.text) == {"calls": sound}
    assert stopped
    assert turn.usage.completion_tokens > 0


def test_one_slip_is_left_for_the_checks_to_find() -> None:
    answer = json.dumps({"calls": [port("a"), port("a"), port("b"), port("b"), port("c")]})
    assert received(answer, 4) == (Turn(answer, usage=Usage(completion_tokens=-1)), False)


@given(st.lists(st.text(max_size=6), unique=True, max_size=8), st.integers(1, 30))
def test_an_answer_without_repeats_passes_unchanged(names: list[str], piece: int) -> None:
    questions = [{"tool": "list_components", "vendor": name} for name in names]
    answer = json.dumps({"calls": [*map(port, names), *questions], "refusal": "{} [{"})
    assert received(answer, piece)[0].text == answer
