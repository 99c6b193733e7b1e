"""Task suites as data: YAML files whose format ``resources/contract/suite.schema.json`` fixes."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from model.errors import nearest

ServerName = Literal["design", "git", "gdb"]

_Item = TypeVar("_Item")
_Items = Annotated[tuple[_Item, ...], Field(strict=False)]  # strict would refuse the lists that YAML gives


class SuiteError(Exception):
    """A suite cannot be used; the text names the file, the task and what is wrong with it."""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class SuiteCall(_Strict):
    """One call of a suite."""

    tool: str
    args: dict[str, str | bool]


class Task(_Strict):
    """One request and the calls that answer it.

    Attributes:
        expected: the canonical answer, which is replayed; empty where the right answer is no call.
        alternatives: other sets that are as right.
        reason: why no call is right.
        twin: the clean task that this one misspells, as suite/id.
        server: whose task it is.
    """

    id: str
    prompt: str
    expected: _Items[SuiteCall]
    alternatives: _Items[_Items[SuiteCall]] = ()
    reason: str = ""
    twin: str = ""
    server: ServerName = "design"
    tags: _Items[str] = ()


class Suite(_Strict):
    """A session of tasks.

    Attributes:
        name: the suite's name (``suite`` in the file).
        servers: the servers that the agent is connected to.
        setup: replayed before the first task, never shown to the agent.
    """

    name: str = Field(alias="suite")
    description: str = ""
    servers: _Items[ServerName] = ("design",)
    setup: _Items[SuiteCall] = ()
    tasks: Annotated[tuple[Task, ...], Field(strict=False, min_length=1)]


def bundled_suites() -> list[str]:
    """Names of the suites that come with the product, in the order of a report."""
    found = {
        entry.name.removesuffix(".yaml")
        for entry in files("resources").joinpath("suites").iterdir()
        if entry.name.endswith(".yaml")
    }
    order = ["first-ten", "easy", "medium", "hard", "history", "errors", "cross", "easy-noise", "hard-noise"]
    return [name for name in order if name in found] + sorted(found.difference(order))


def load_suite(name_or_path: str | Path) -> Suite:
    """Read a bundled suite by its name, or any suite file by its path.

    Raises:
        SuiteError: there is no such suite, or the file is not one.
    """
    if str(name_or_path) in (bundled := bundled_suites()):
        text = files("resources").joinpath("suites", f"{name_or_path}.yaml").read_text(encoding="utf-8")
        return parse_suite(text, f"{name_or_path}.yaml")
    path = Path(name_or_path)
    if path.is_file():
        try:
            return parse_suite(path.read_text(encoding="utf-8"), str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise SuiteError(f"{path} cannot be read: {error}") from error
    guesses = nearest(str(name_or_path), bundled)
    question = f" Did you mean {' or '.join(guesses)}?" if guesses else ""
    raise SuiteError(
        f"There is no suite or file '{name_or_path}'.{question} The bundled suites are {', '.join(bundled)}; "
        "anything else is taken as the path of a YAML file."
    )


def parse_suite(text: str, origin: str) -> Suite:
    """Read a suite from YAML text; ``origin`` names the file in errors.

    Raises:
        SuiteError: the text is not YAML or not a suite, or two tasks share an id.
    """
    try:
        document = yaml.load(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError as error:
        raise SuiteError(f"{origin} is not YAML: {error}") from error
    try:
        suite = Suite.model_validate(document)
    except ValidationError as error:
        raise SuiteError("\n".join(_explain(error, document, text, origin))) from error
    twice = [task for task, count in Counter(task.id for task in suite.tasks).items() if count > 1]
    if twice:
        raise SuiteError(f"{origin}: the task id '{twice[0]}' is used twice; results are kept by id.")
    return suite


def _explain(error: ValidationError, document: Any, text: str, origin: str) -> list[str]:
    """One line for each place that is wrong, at most ten."""
    root = yaml.compose(text, Loader=yaml.CSafeLoader)
    lines: dict[str, None] = {}
    for found in error.errors(include_url=False):
        if found["type"] == "too_short" and found["input"]:
            continue  # pydantic counts only the tasks that are right; the wrong ones have lines of their own
        path, node = _follow(found["loc"], root)
        start = f"{origin}, line {node.start_mark.line + 1}" if node is not None else origin
        lines[f"{start}: {_place(path, document)}{_fault(found, path, node)}"] = None
    shown = list(lines)
    return shown[:10] + ([f"… and {len(shown) - 10} more."] if len(shown) > 10 else [])


def _follow(loc: tuple[int | str, ...], root: yaml.Node | None) -> tuple[list[int | str], yaml.Node | None]:
    """The part of an error's location that exists in the file (pydantic adds the names of union members)."""
    node, path = root, list[int | str]()
    for step in loc:
        following: yaml.Node | None = None
        if isinstance(node, yaml.MappingNode):
            following = next((value for key, value in node.value if key.value == str(step)), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            following = node.value[step]
        if following is None:
            break
        node = following
        path.append(step)
    return path, node


def _place(path: list[int | str], document: Any) -> str:
    words: list[str] = []
    for index, step in enumerate(path):
        before = path[index - 1] if index else None
        if step == "tasks" and len(path) > index + 1:
            continue
        if before == "tasks" and isinstance(step, int):
            words.append(f"task {_task_name(document, step)}")
        elif isinstance(step, int):
            words[-1] += f" {step + 1}"
        elif step == "args" and len(path) > index + 1:
            words.append("argument")
        elif before == "args":
            words[-1] += f" '{step}'"
        else:
            words.append(f"{step}")
    return f"{', '.join(words)}: " if words else ""


def _task_name(document: Any, index: int) -> str:
    name = document["tasks"][index].get("id") if isinstance(document["tasks"][index], dict) else None
    return f"'{name}'" if isinstance(name, str) and name else f"number {index + 1}"


def _model_at(path: list[int | str]) -> type[_Strict]:
    """The part of the format that the last step of ``path`` was read as a field of."""
    if len(path) == 1:
        return Suite
    return Task if len(path) == 3 and path[0] == "tasks" else SuiteCall


def _fault(found: ErrorDetails, path: list[int | str], node: yaml.Node | None) -> str:
    kind = found["type"]
    if kind == "missing":
        return f"'{found['loc'][-1]}' is missing."
    if kind == "extra_forbidden":
        guesses = nearest(str(path[-1]), (field.alias or name for name, field in _model_at(path).model_fields.items()))
        return f"'{path[-1]}' is not part of the format." + (f" Did you mean '{guesses[0]}'?" if guesses else "")
    if kind in ("string_type", "bool_type") and isinstance(node, yaml.ScalarNode):
        return f'{node.value or "nothing"} is not text; quote it: "{node.value}".'
    if kind in ("string_type", "bool_type"):
        return "text is wanted here."
    if kind == "tuple_type":
        return "a list is wanted here."
    if kind in ("model_type", "dict_type"):
        return "names with values are wanted here."
    if kind == "too_short":
        return "a suite needs at least one task."
    return f"{found['msg']}."
