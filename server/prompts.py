"""Prompts for the common jobs, read from a file that people can edit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from model.errors import nearest
from server.arguments import MAX_TEXT, shown


@dataclass(frozen=True)
class _Job:
    prompt: Prompt
    text: str


@cache
def _jobs() -> dict[str, _Job]:
    content: dict[str, Any] = yaml.safe_load((files("resources") / "descriptions" / "prompts.yaml").read_text("utf-8"))
    return {
        name: _Job(
            Prompt(
                name=name,
                title=entry["title"],
                description=entry["description"],
                arguments=[
                    PromptArgument(name=argument, description=of["description"], required=of.get("required", True))
                    for argument, of in entry["arguments"].items()
                ],
            ),
            str(entry["text"]).strip(),
        )
        for name, entry in content.items()
    }


def list_prompts() -> list[Prompt]:
    """The prompts, in the order of the file."""
    return [job.prompt for job in _jobs().values()]


def get_prompt(name: str, arguments: Mapping[str, str] | None) -> GetPromptResult:
    """A prompt with its arguments filled in.

    Raises:
        MCPError: there is no such prompt, or an argument is missing, unknown or too long; the text says which.
    """
    job = _jobs().get(name)
    if job is None:
        raise _refused(f"There is no prompt {shown(name)}.", nearest(name[:200], _jobs()) or tuple(_jobs()))
    given = {key: value for key, value in (arguments or {}).items() if value}
    known = job.prompt.arguments or []
    names = [argument.name for argument in known]
    if unknown := [key for key in given if key not in names]:
        raise _refused(f"The prompt {name} has no argument {shown(unknown[0])}.", names)
    if missing := [argument.name for argument in known if argument.required and argument.name not in given]:
        raise _refused(f"The prompt {name} needs {' and '.join(missing)}.", ())
    if any(len(value) > MAX_TEXT for value in given.values()):
        raise _refused(f"An argument of {name} is longer than {MAX_TEXT} characters.", ())
    # In one pass: a value that looks like another argument stays the text it is.
    text = re.sub(r"\{(\w+)\}", lambda found: given.get(found[1], ""), job.text)
    message = PromptMessage(role="user", content=TextContent(type="text", text=text))
    return GetPromptResult(description=job.prompt.description, messages=[message])


def _refused(message: str, legal: tuple[str, ...] | list[str]) -> MCPError:
    hint = f" Use {' or '.join(legal)}." if legal else ""
    return MCPError(code=INVALID_PARAMS, message=message + hint)
