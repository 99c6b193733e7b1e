"""The prompt of assisted mode: what never changes comes first, so that an engine reads it once and keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from agent.assisted.notation import contract_call, noted
from agent.models.base import Message, ToolCall


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier request of the conversation, and the calls that were made for it.

    Attributes:
        subjects: the VLNVs of the components that a request was about for which no call was made.
    """

    request: str
    calls: tuple[ToolCall, ...]
    subjects: tuple[str, ...] = ()

    @property
    def answer(self) -> str:
        """The calls as the model would have written them; for none, what they would have been about stands beside."""
        about = {"subjects": self.subjects} if self.subjects else {}
        return written({"calls": [noted(call) for call in self.calls], **about})

    @property
    def components(self) -> list[str]:
        """The VLNVs of the components that were edited, made or looked at, or were to be, in their order."""
        return [*(call["component"] for call in map(noted, self.calls) if call.get("component")), *self.subjects]

    @classmethod
    def of(cls, request: str, answer: str) -> Exchange:
        """Read an exchange back from its request and its :attr:`answer`."""
        read = json.loads(answer)
        return cls(request, tuple(contract_call(call) for call in read["calls"]), tuple(read.get("subjects", ())))


def written(answer: Mapping[str, Any]) -> str:
    """An answer as the model writes it: a fifth fewer tokens than with blanks, and so a fifth sooner there."""
    return json.dumps(answer, separators=(",", ":"))


@cache
def fixed_prefix(*, with_examples: bool = True) -> tuple[Message, ...]:
    """The system prompt and the worked examples: the same for every request, on every design."""
    folder = files("resources") / "prompts"
    examples = yaml.safe_load((folder / "assisted-examples.yaml").read_text("utf-8")) if with_examples else ()
    messages = [Message("system", (folder / "assisted.md").read_text("utf-8"))]
    for example in examples:
        messages.append(Message("user", _asked(example["state"], example["request"])))
        messages.append(Message("assistant", written(example["answer"])))
    return tuple(messages)


def conversation(earlier: Sequence[Exchange], state: str, request: str, *, with_examples: bool = True) -> list[Message]:
    """The whole prompt: the fixed prefix, earlier exchanges without their state, then the design and the request.

    A request that came to nothing is told with the one after it: an answer without calls is what a small model repeats.
    """
    messages = list(fixed_prefix(with_examples=with_examples))
    undone = ""
    for exchange in earlier:
        if exchange.calls:
            messages.append(Message("user", f"{undone}Request: {exchange.request}"))
            messages.append(Message("assistant", exchange.answer))
            undone = ""
        else:
            undone += f"Earlier request, not carried out: {exchange.request}\n\n"
    messages.append(Message("user", undone + _asked(state, request)))
    return messages


def objection(reasons: Sequence[str]) -> Message:
    """Tell the model why its answer cannot be carried out."""
    return Message(
        "user",
        "That cannot be carried out as it stands:\n"
        + "\n".join(f"- {reason}" for reason in reasons)
        + "\nGive the whole corrected list of calls for the request, or refuse it.",
    )


def untouched(names: Sequence[str]) -> Message:
    """Ask about ends that the planned calls leave out, so that another is wrong."""
    return Message(
        "user",
        f"The request also says {', '.join(names)}. If calls are missing or wrong, give the whole corrected list; "
        "else give the same list again.",
    )


def left_out(names: Sequence[str]) -> Message:
    """Ask for the calls that planned ones lack: less to write than all of them again."""
    return Message(
        "user",
        f"The request also says {', '.join(names)}. Give only the calls that are still missing for that; none if "
        "nothing is missing.",
    )


def second_opinion() -> Message:
    """Ask for calls after a refusal: a small model refuses what its tools can do about as often as it should."""
    return Message("user", "Look at the tools again: one of them does what is asked. Give the calls.")


def _asked(state: str, request: str) -> str:
    return f"Design now:\n{state}\n\nRequest: {request}"
