"""What a run holds fixed: the model, how it is prompted, and the agent around it."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from agent.assisted.aids import Aid
from agent.memory import HistoryScope

Prompt = Literal["none", "basic", "md", "fewshot"]
Stage = Literal["basic", "structured"]

PROMPTS: tuple[Prompt, ...] = ("none", "basic", "md", "fewshot")
_SHORT_PROMPTS = {"fewshot": "fs", "md": "MD"}


class ConfigurationError(Exception):
    """A configuration that cannot be run; the text says what is wrong and what there is to choose from."""


class Configuration(BaseModel):
    """One way to run a benchmark; two runs with the same key may be continued and compared task by task.

    Attributes:
        model: ``ollama:NAME`` or ``embedded:NAME``; with Plan-and-Act the worker's.
        prompt: the system prompt of ReAct; the assisted mode has its own.
        tools: which tool descriptions the server publishes.
        history: ``run``, ``task``, ``window:N`` or ``summary``; see :class:`agent.memory.HistoryScope`.
        mode: ``faithful`` adds nothing to the paper's agents; ``assisted`` is the product's agent.
        without: aids of the assisted mode that are switched off, see :mod:`agent.assisted.aids`.
        planner_model: plans and validates for Plan-and-Act; "" is the worker's model.
        max_turns: calls a task.
        temperature: None is the model's own default.
        seed: of the first repeat; each further one adds 1. None leaves sampling to chance.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    prompt: Prompt = "basic"
    tools: Literal["comprehensive", "minimal"] = "comprehensive"
    history: str = "run"
    agent: Literal["react", "plan-and-act"] = "react"
    mode: Literal["faithful", "assisted"] = "faithful"
    without: tuple[Aid, ...] = ()
    planner_model: str = ""
    planner_prompt: Stage = "basic"
    validator_prompt: Stage = "basic"
    max_turns: int = 12
    num_ctx: int = 8192
    temperature: float | None = None
    seed: int | None = None

    @classmethod
    def of(cls, **values: Any) -> Configuration:
        """Check values and make a configuration of them.

        Raises:
            ConfigurationError: a value is not among the choices, or two do not go together.
        """
        try:
            made = cls(**values)
        except ValidationError as error:
            raise ConfigurationError("\n".join(_fault(fault) for fault in error.errors())) from error
        made._check()
        return made

    def _check(self) -> None:
        try:
            scope = HistoryScope.parse(self.history)
        except ValueError as error:
            raise ConfigurationError(str(error)) from error
        if self.max_turns < 1 or self.num_ctx < 1024:
            raise ConfigurationError("max_turns must be at least 1 and num_ctx at least 1024.")
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise ConfigurationError(f"The temperature {self.temperature:g} is not between 0 and 2.")
        if self.without and self.mode != "assisted":
            raise ConfigurationError("Only the assisted mode has aids to leave out: add --mode assisted.")
        if self.mode == "assisted":
            if self.agent != "react":
                raise ConfigurationError("The assisted mode is an agent of its own: leave out --agent plan-and-act.")
            if scope.kind not in {"run", "task"}:
                raise ConfigurationError("The assisted mode keeps its own memory: its history is run or task.")
            if self.prompt != "basic" or self.tools != "comprehensive":
                raise ConfigurationError("The assisted mode has its own prompt: leave out --prompt and --tools.")

    @property
    def key(self) -> str:
        """Identifies the configuration, prompt texts included: what differs in it is another run."""
        values = self.model_dump(mode="json")
        if not self.without:
            del values["without"]  # the keys of older runs stay valid
        content = json.dumps([values, self._prompt_texts()], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    @property
    def label(self) -> str:
        """Short name in the paper's notation: history / prompt / tools, where R = run, T = task, C = comprehensive."""
        history = {"run": "R", "task": "T", "summary": "S"}.get(self.history, self.history.replace("window:", "W"))
        warmth = "" if self.temperature is None else f" T={self.temperature:g}"
        if self.mode == "assisted":
            return f"{history}/assisted{''.join(f' -{aid}' for aid in self.without)}{warmth}"
        prompt = _SHORT_PROMPTS.get(self.prompt, self.prompt)
        if self.agent == "plan-and-act":
            prompt = f"P&A {self.planner_prompt}+{self.validator_prompt}"
        return f"{history}/{prompt}/{self.tools[0].upper()}{warmth}"

    @property
    def system_prompt(self) -> str:
        """ReAct's system prompt; "" for *none*."""
        return "" if self.prompt == "none" else _resource(f"react-{self.prompt}.md")

    def _prompt_texts(self) -> list[str]:
        if self.mode == "assisted":
            return [_resource("assisted.md"), _resource("assisted-examples.yaml")]
        if self.agent == "plan-and-act":
            names = ("planner-" + self.planner_prompt, "validator-" + self.validator_prompt, "worker", "synthesis")
            return [_resource(f"{name}.md") for name in names]
        return [self.system_prompt]


def _resource(name: str) -> str:
    return (files("resources") / "prompts" / name).read_text("utf-8")


def _fault(fault: Any) -> str:
    name = ".".join(str(step) for step in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return f"'{name}' is not part of a configuration; there are {', '.join(Configuration.model_fields)}."
    if fault["type"] == "literal_error":
        return f"{name}: '{fault['input']}' is not among {fault['ctx']['expected']}."
    return f"{name}: {fault['msg']}."
