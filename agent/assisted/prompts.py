"""The prompt of assisted mode: what never changes comes first, so that an engine reads it once and keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from agent.models.base import Message


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier request of the conversation, and the calls that were made for it in the model's own notation."""

    request: str
    answer: Mapping[str, Any]


@cache
def fixed_prefix() -> tuple[Message, ...]:
    """The system prompt and the worked examples: the same for every request, on every design."""
    folder = files("resources") / "prompts"
    examples = yaml.safe_load((folder / "assisted-examples.yaml").read_text("utf-8"))
    messages = [Message("system", (folder / "assisted.md").read_text("utf-8"))]
    for example in examples:
        messages.append(Message("user", _asked(example["state"], example["request"])))
        messages.append(Message("assistant", json.dumps(example["answer"])))
    return tuple(messages)


def conversation(earlier: Sequence[Exchange], state: str, request: str) -> list[Message]:
    """The whole prompt: the fixed prefix, earlier exchanges without their state, then the design and the request."""
    messages = list(fixed_prefix())
    for exchange in earlier:
        messages.append(Message("user", f"Request: {exchange.request}"))
        messages.append(Message("assistant", json.dumps(exchange.answer)))
    messages.append(Message("user", _asked(state, request)))
    return messages


def objection(reasons: Sequence[str]) -> Message:
    """Tell the model why its answer cannot be carried out."""
    return Message(
        "user",
        "That cannot be carried out as it stands:\n"
        + "\n".join(f"- {reason}" for reason in reasons)
        + "\nGive the whole corrected list of calls for the request, or refuse it.",
    )


def second_opinion() -> Message:
    """Ask for calls after a refusal: a small model refuses what its tools can do about as often as it should."""
    return Message("user", "Look at the tools again: one of them does what is asked. Give the calls.")


def _asked(state: str, request: str) -> str:
    return f"Design now:\n{state}\n\nRequest: {request}"
