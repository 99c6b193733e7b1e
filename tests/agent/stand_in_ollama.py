"""Answers of a stand-in that speaks Ollama's protocol: plans as JSON, native tool calls, text."""

from __future__ import annotations

import json
from typing import Any

from stand_in_server import Answer, Request, StandIn, reply

MODEL = "ollama:qwen3:4b"


def offer_model(stand_in: StandIn) -> None:
    """Let the stand-in have one model that can call tools."""
    stand_in.answers["/api/tags"] = reply({"models": [{"model": "qwen3:4b", "size": 2_600_000_000, "digest": "abc"}]})
    stand_in.answers["/api/show"] = reply(
        {"capabilities": ["completion", "tools"], "model_info": {"qwen3.context_length": 40960}}
    )


def reads_ahead(request: Request) -> bool:
    """Whether a chat only lets the model read: nothing of it is used, so it takes none of the answers."""
    return bool(request.body["options"]["num_predict"] == 1)


def saying(*contents: str | dict[str, Any]) -> Answer:
    """Answer chat after chat with these: text, or plans as JSON."""
    texts = iter([content if isinstance(content, str) else json.dumps(content) for content in contents])

    def answer(request: Request) -> None:
        request.send(200)
        message = {"role": "assistant", "content": "{" if reads_ahead(request) else next(texts)}
        done = {"done": True, "done_reason": "stop", "prompt_eval_count": 40, "eval_count": 5}
        request.send_lines(json.dumps({"message": message, "done": False}), json.dumps({"message": {}} | done))

    return answer


def calling(*calls: tuple[str, dict[str, Any]] | str) -> Answer:
    """Answer chat after chat with one native tool call each, or with text."""
    turns = iter(calls)

    def answer(request: Request) -> None:
        request.send(200)
        turn = "{" if reads_ahead(request) else next(turns)
        message: dict[str, Any] = {"role": "assistant", "content": turn if isinstance(turn, str) else ""}
        if not isinstance(turn, str):
            message["tool_calls"] = [{"function": {"name": turn[0], "arguments": turn[1]}}]
        done = {"done": True, "done_reason": "stop", "prompt_eval_count": 40, "eval_count": 5}
        request.send_lines(json.dumps({"message": message, "done": False}), json.dumps({"message": {}} | done))

    return answer


def plan(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"calls": list(calls)}
