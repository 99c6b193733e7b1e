"""Saving a marked request as a task of a suite file, leaving all else in the file as it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from agent.evaluation.scoring import ExpectedCall
from agent.evaluation.suites import Suite, SuiteError, parse_suite
from model.ipxact.atomic import write_files

_DESCRIPTION = (
    "Requests of a session in the desktop, with the calls that a person marked as right. The design that was open is "
    "not part of this file: describe it under setup before these tasks are run."
)
_NO_CALL = "A person marked that no call answers it."


def save_task(path: Path, prompt: str, expected: Sequence[ExpectedCall], task_id: str = "") -> str:
    """Append a task to a suite file, or begin the file with it; return the task's id.

    Comments, order and everything else in the file stay as they are.

    Args:
        expected: the canonical calls; none where the right answer is no call.
        task_id: "" for the next free one (``t1``, ``t2``, …).

    Raises:
        SuiteError: the file is no suite, its tasks are not a plain list, or the id is taken. Nothing was written.
        OSError: the file cannot be read.
        DesignError: the file cannot be written.
    """
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    suite = parse_suite(text, path.name) if text.strip() else None
    taken = {task.id for task in suite.tasks} if suite is not None else set[str]()
    chosen = task_id or next(
        name for name in (f"t{number}" for number in range(1, len(taken) + 2)) if name not in taken
    )
    if chosen in taken:
        raise SuiteError(f"{path.name} already has a task {chosen}. Choose another id.")
    task: dict[str, Any] = {
        "id": chosen,
        "prompt": prompt,
        "expected": [{"tool": call.tool, "args": dict(call.args)} for call in expected],
    }
    if not expected:
        task["reason"] = _NO_CALL
    if suite is None:
        whole = _yaml({"suite": path.stem, "description": _DESCRIPTION, "tasks": [task]})
    else:
        whole = _with_task(text, suite, task, path.name)
    added = parse_suite(whole, path.name).tasks[-1]
    if added.id != chosen or added.prompt != prompt or len(added.expected) != len(expected):
        raise SuiteError(f"{path.name} cannot be added to: its tasks are written in a form that is not understood.")
    write_files([(path, whole.encode("utf-8"))])
    return chosen


def _with_task(text: str, suite: Suite, task: dict[str, Any], name: str) -> str:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    tasks = _value(root, "tasks")
    if not isinstance(tasks, yaml.SequenceNode) or tasks.flow_style:
        raise SuiteError(f"{name}: the tasks stand in brackets. Write them as a list of lines that begin with a dash.")
    lines = text.splitlines(keepends=True)
    # The list's own end lies behind the comments that follow it; what belongs to its last task ends before them.
    last = tasks.end_mark.line if tasks.end_mark.column == 0 else tasks.end_mark.line + 1
    last = min(last, len(lines))
    while not lines[last - 1].strip() or lines[last - 1].lstrip().startswith("#"):
        last -= 1
    if not lines[last - 1].endswith("\n"):
        lines[last - 1] += "\n"
    indent = " " * tasks.start_mark.column
    fresh = "".join(indent + line for line in _yaml([task]).splitlines(keepends=True))
    gap = "\n" if len(suite.tasks) > 1 and any(not line.strip() for line in lines[tasks.start_mark.line : last]) else ""
    return "".join(lines[:last]) + gap + fresh + "".join(lines[last:])


def _value(root: yaml.Node | None, key: str) -> yaml.Node | None:
    if not isinstance(root, yaml.MappingNode):
        return None
    return next((value for name, value in root.value if name.value == key), None)


class _Dumper(yaml.SafeDumper):
    """Quotes every text value: a version 1.0, or a name ``on``, must stay text."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent lists, too."""
        super().increase_indent(flow, False)


def _represent(dumper: yaml.SafeDumper, data: dict[str, Any]) -> yaml.MappingNode:
    pairs = [(dumper.represent_scalar("tag:yaml.org,2002:str", key), dumper.represent_data(data[key])) for key in data]
    flat = bool(data) and not any(isinstance(value, dict | list) for value in data.values()) and "id" not in data
    return yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=flat and "suite" not in data)


def _represent_text(dumper: yaml.SafeDumper, data: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style='"')


_Dumper.add_representer(dict, _represent)
_Dumper.add_representer(str, _represent_text)


def _yaml(value: object) -> str:
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000, default_flow_style=False)
