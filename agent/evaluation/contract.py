"""The 14 tools as the evaluation needs to know them: defaults, required arguments, and what a call does to a design."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Effect = Literal["read", "write", "file"]


@dataclass(frozen=True, slots=True)
class ToolContract:
    """What is fixed about one tool.

    Attributes:
        effect: whether a call reads the design, writes it, or reads or writes a file.
        required: the arguments that every call must give.
        defaults: the values that optional arguments have when left out.
        flags: the arguments that are booleans.
    """

    name: str
    effect: Effect
    required: frozenset[str]
    defaults: Mapping[str, str | bool]
    flags: frozenset[str]


@cache
def tools_contract() -> Mapping[str, ToolContract]:
    """The tools by name, from ``resources/contract/tools.json``."""
    text = files("resources").joinpath("contract", "tools.json").read_text(encoding="utf-8")
    return {name: _read(name, entry) for name, entry in json.loads(text).items()}


def _read(name: str, entry: Mapping[str, Any]) -> ToolContract:
    schema = entry["parameters"]
    properties: Mapping[str, Mapping[str, Any]] = schema["properties"]
    return ToolContract(
        name,
        entry["effect"],
        frozenset(schema["required"]),
        {argument: facts["default"] for argument, facts in properties.items() if "default" in facts},
        frozenset(argument for argument, facts in properties.items() if facts["type"] == "boolean"),
    )
