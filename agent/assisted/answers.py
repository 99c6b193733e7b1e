"""Reads the JSON of a constrained answer, while it comes and when it is there."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from agent.assisted.notation import contract_call
from agent.models.base import Delta, ModelError, ToolCall, Turn, Usage

REPEATS = 2  # calls in a row that stood before already: one is a slip, two are the beginning of a loop
_DECODER = json.JSONDecoder()
_IDENTITY = (
    *("vendor", "library", "version", "component", "element_type", "name", "instance_name", "path"),
    *("source_instance", "source_port", "target_instance", "target_port"),
)


def parsed(text: str) -> dict[str, Any]:
    """Return the answer with its list of ``calls``.

    Raises:
        ModelError: ``bad-answer``: it broke off.
    """
    try:
        answer = json.loads(text)
        if not isinstance(answer["calls"], list):
            raise TypeError(text)
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(
            "bad-answer", "The model's answer broke off. Ask for less at once, or use a larger model."
        ) from error
    return dict(answer)


async def until_it_repeats(stream: AsyncGenerator[Delta | Turn, None]) -> AsyncGenerator[Delta | Turn, None]:
    """Pass an answer on, and stop the model where its calls begin to repeat those before.

    A small model that has lost its thread writes the same few calls until its answer is full, which takes minutes. The
    turn of a stopped answer ends before the first repeated call; its usage counts what was seen.
    """
    text = ""
    tokens = 0
    calls = _Calls()
    began = time.monotonic()
    async with aclosing(stream) as parts:
        async for part in parts:
            yield part
            if isinstance(part, Turn) or not part.text:
                continue
            if not tokens:
                first = time.monotonic()
            text += part.text
            tokens += 1
            if "}" in part.text and calls.read(text) >= REPEATS:
                seconds = time.monotonic() - first
                usage = Usage(completion_tokens=tokens, prompt_seconds=first - began, generation_seconds=seconds)
                yield Turn(text[: calls.sound] + "]}", usage=usage)
                return


class _Calls:
    """The calls in an answer that is still being written.

    Attributes:
        sound: where the last call ends that did not stand before.
    """

    def __init__(self) -> None:
        self.sound = 0
        self._end = 0
        self._seen: set[str] = set()
        self._repeats = 0

    def read(self, text: str) -> int:
        """Read on, and return how many of the last calls in a row stood before already."""
        while (start := text.find("{", self._end or text.find("[") + 1)) > 0:
            try:
                call, self._end = _DECODER.raw_decode(text, start)
            except ValueError:
                break
            about = identity(contract_call(call)) if "tool" in call else json.dumps(call)
            if about in self._seen:
                self._repeats += 1
            else:
                self._repeats = 0
                self.sound = self._end
            self._seen.add(about)
        return self._repeats


def identity(call: ToolCall) -> str:
    """What no second call of a plan may be about: one element is made or deleted once."""
    edits = call.name.startswith(("add_", "create_", "delete_"))
    told = [call.arguments.get(key) for key in _IDENTITY] if edits else dict(call.arguments)
    return json.dumps([call.name, told])
