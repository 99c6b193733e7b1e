"""A matrix of configurations as a YAML file.

::

    fixed: {model: "embedded:qwen2.5-coder:1.5b", mode: faithful}
    matrix:
      prompt: [none, basic, md, fewshot]
      tools: [comprehensive, minimal]
      history: [run, task]
    suites: [easy, medium]
    tasks: 1-10
    repeats: 1

Every combination of the matrix's values, together with what is fixed, is one configuration.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.evaluation.configuration import Configuration, ConfigurationError
from agent.evaluation.runner import Plan, parse_tasks


class _Sweep(BaseModel):
    model_config = ConfigDict(extra="forbid")

    fixed: dict[str, Any] = Field(default_factory=dict)
    matrix: dict[str, list[Any]] = Field(default_factory=dict)
    suites: list[str] = Field(min_length=1)
    tasks: str | int | None = None
    repeats: int = Field(default=1, ge=1)


def load_sweep(path: Path, model: str = "") -> list[tuple[Plan, str]]:
    """Read a sweep file: a plan and a folder name for each configuration.

    Args:
        model: for configurations that name none.

    Raises:
        ConfigurationError: the file cannot be read, or describes something that cannot be run.
    """
    try:
        content = yaml.safe_load(path.read_text("utf-8"))
        sweep = _Sweep.model_validate(content)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise ConfigurationError(f"{path} is not a sweep ({faults}).") from error
    if twice := sorted(sweep.fixed.keys() & sweep.matrix.keys()):
        raise ConfigurationError(f"{path}: {', '.join(twice)} cannot be both fixed and in the matrix.")
    tasks = parse_tasks(str(sweep.tasks)) if sweep.tasks is not None else None
    plans: list[tuple[Plan, str]] = []
    for values in itertools.product(*sweep.matrix.values()):
        chosen = sweep.fixed | dict(zip(sweep.matrix, values, strict=True))
        if model:
            chosen.setdefault("model", model)
        try:
            configuration = Configuration.of(**chosen)
        except ConfigurationError as error:
            raise ConfigurationError(f"{path}: {error}") from error
        plan = Plan(configuration, tuple(sweep.suites), tuple(range(1, sweep.repeats + 1)), tasks)
        plans.append((plan, folder_name(configuration)))
    return plans


def folder_name(configuration: Configuration) -> str:
    """A folder's name that people can read and that no other configuration has."""
    words = f"{configuration.model.partition(':')[2]} {configuration.label}"
    return f"{re.sub(r'[^A-Za-z0-9.]+', '-', words).strip('-')}-{configuration.key[:8]}"
