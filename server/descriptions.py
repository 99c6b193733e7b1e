"""The two sets of tool descriptions, read from the files that people can edit."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from server.contract import TOOLS

DescriptionSet = Literal["comprehensive", "minimal"]


@dataclass(frozen=True)
class Description:
    """What a model is told of one tool; ``arguments`` by name, empty in the minimal set."""

    text: str
    arguments: dict[str, str] = field(default_factory=dict)


@cache
def load_descriptions(name: DescriptionSet) -> dict[str, Description]:
    """Read ``resources/descriptions/<name>.yaml``.

    Raises:
        ValueError: the file names a tool or an argument that does not exist, or leaves a tool out.
    """
    content: dict[str, Any] = yaml.safe_load((files("resources") / "descriptions" / f"{name}.yaml").read_text("utf-8"))
    if set(content) != set(TOOLS):
        raise ValueError(f"{name}.yaml: wrong tools: {sorted(set(content) ^ set(TOOLS))}")
    described: dict[str, Description] = {}
    for tool, entry in content.items():
        arguments = {key: str(text).strip() for key, text in entry.get("arguments", {}).items()}
        if unknown := set(arguments) - set(TOOLS[tool].argument_names):
            raise ValueError(f"{name}.yaml: {tool} has no argument {sorted(unknown)}")
        described[tool] = Description(str(entry["description"]).strip(), arguments)
    return described
