"""The two sets of tool descriptions, read from the files that people can edit."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from server.contract import TOOLS, ToolContract
from server.contract_extended import EXTENDED_TOOLS

DescriptionSet = Literal["comprehensive", "minimal"]


@dataclass(frozen=True)
class Description:
    """What a model is told of one tool; ``arguments`` by name, empty in the minimal set."""

    text: str
    arguments: dict[str, str] = field(default_factory=dict)


@cache
def load_descriptions(name: DescriptionSet, *, extended: bool = False) -> dict[str, Description]:
    """Read ``resources/descriptions/<name>.yaml`` and, for the extended set, ``extended-<name>.yaml`` too.

    Raises:
        ValueError: a file names a tool or an argument that does not exist, or leaves a tool out.
    """
    described = read_descriptions(f"{name}.yaml", TOOLS)
    return described | read_descriptions(f"extended-{name}.yaml", EXTENDED_TOOLS) if extended else described


def read_descriptions(file: str, tools: dict[str, ToolContract]) -> dict[str, Description]:
    """Read the descriptions of ``tools`` from a file in ``resources/descriptions``.

    Raises:
        ValueError: the file names a tool or an argument that does not exist, or leaves a tool out.
    """
    content: dict[str, Any] = yaml.safe_load((files("resources") / "descriptions" / file).read_text("utf-8"))
    if set(content) != set(tools):
        raise ValueError(f"{file}: wrong tools: {sorted(set(content) ^ set(tools))}")
    described: dict[str, Description] = {}
    for tool, entry in content.items():
        arguments = {key: str(text).strip() for key, text in entry.get("arguments", {}).items()}
        if unknown := set(arguments) - set(tools[tool].argument_names):
            raise ValueError(f"{file}: {tool} has no argument {sorted(unknown)}")
        described[tool] = Description(str(entry["description"]).strip(), arguments)
    return described
