"""A small suite, and what a stand-in for Ollama answers to its tasks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from stand_in_server import Request

UART = "acme:periph:uart:1.0"
MODEL = "ollama:qwen3:4b"

SUITE = f"""
suite: small
setup:
  - {{tool: create_component, args: {{vendor: acme, library: periph, name: uart, version: "1.0"}}}}
tasks:
  - id: clk
    prompt: Add the input clk to {UART}.
    expected: [{{tool: add_signal_port, args: {{component: "{UART}", name: clk, direction: in}}}}]
  - id: rx
    prompt: Add the input rx to it, too.
    expected: [{{tool: add_signal_port, args: {{component: "{UART}", name: rx, direction: in}}}}]
  - id: rename
    prompt: Rename rx to rxd.
    expected: []
    reason: no tool renames
  - id: look
    prompt: Which ports does {UART} have?
    expected: [{{tool: get_component_details, args: {{component: "{UART}"}}}}]
"""

ModelTurn = tuple[str, dict[str, Any]] | str


def add(name: str, **more: str) -> ModelTurn:
    return ("add_signal_port", {"component": UART, "name": name, "direction": "in"} | more)


LOOK: ModelTurn = ("get_component_details", {"component": UART})
PERFECT: list[ModelTurn] = [add("clk"), "Added clk.", add("rx"), "Added rx.", "No tool renames.", LOOK, "clk and rx."]


def by_task(request: Request) -> None:
    """Do every task of the suite perfectly, whoever asks and in whatever order."""
    messages = request.body["messages"]
    after = messages[max(index for index, one in enumerate(messages) if one["role"] == "user") :]
    task = after[0]["content"]
    done = len(after) > 1
    turns = {"clk": (add("clk"), "Added."), "rx": (add("rx"), "Added."), "Which": (LOOK, "Those.")}
    turn = next((said[done] for word, said in turns.items() if f"input {word}" in task or word in task), "No.")
    saying("No tool renames." if "Rename" in task else turn)(request)


def saying(*turns: ModelTurn, unavailable: Iterable[int] = ()) -> Callable[[Request], None]:
    """Answer chat after chat with these; the chats numbered in ``unavailable`` find the server busy first."""
    left = iter(turns)
    chats = iter(range(1_000_000))
    busy = set(unavailable)

    def answer(request: Request) -> None:
        if next(chats) in busy:
            request.send(503, b'{"error": "server busy, please try again"}')
            return
        turn = next(left)
        message: dict[str, Any] = {"role": "assistant", "content": turn if isinstance(turn, str) else ""}
        if not isinstance(turn, str):
            message["tool_calls"] = [{"function": {"name": turn[0], "arguments": turn[1]}}]
        last = {"message": {"role": "assistant", "content": ""}}
        facts = {"done": True, "done_reason": "stop", "prompt_eval_count": 40, "eval_count": 5}
        request.send(200)
        request.send_lines(
            json.dumps({"message": message, "done": False}),
            json.dumps(last | facts),
        )

    return answer
