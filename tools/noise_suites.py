"""Bring the noise suites up to date after an edit of easy.yaml or hard.yaml.

A noise suite is its base suite, unchanged, with one Git or GDB task after every two tasks. The format of suites has no
references, so the files hold everything; this script takes the setup and the tasks of the base suite, and the Git and
GDB tasks, in their order, of the noise suite as it is.
"""

from __future__ import annotations

import re
from pathlib import Path

SUITES = Path(__file__).parent.parent / "resources" / "suites"


def parts(text: str) -> tuple[str, str, list[str]]:
    """Split a suite's text into what stands before the setup, the setup, and one text for each task."""
    head, _word, rest = text.partition("\nsetup:\n")
    setup, _word, tasks = rest.partition("\ntasks:\n")
    blocks: list[list[str]] = []
    between: list[str] = []  # comments belong to the task that follows them
    for line in tasks.splitlines():
        if line.startswith("  - id:"):
            blocks.append([*between, line])
            between = []
        elif re.fullmatch(r" {2}#.*|", line):
            between.append(line)
        else:
            blocks[-1].append(line)
    return head, setup, ["\n".join(block).strip("\n") for block in blocks]


def refresh(base: str, noise: str) -> None:
    """Write a noise suite anew."""
    _head, setup, tasks = parts((SUITES / f"{base}.yaml").read_text("utf-8"))
    path = SUITES / f"{noise}.yaml"
    head, _setup, mixed = parts(path.read_text("utf-8"))
    others = [block for block in mixed if re.search(r"(?m)^ {4}server: (git|gdb)$", block)]
    if len(tasks) != 2 * len(others):
        raise SystemExit(f"{noise}: {len(others)} Git and GDB tasks do not fit {len(tasks)} design tasks")
    together: list[str] = []
    for index, other in enumerate(others):
        together += [*tasks[2 * index : 2 * index + 2], other]
    path.write_text(f"{head}\nsetup:\n{setup}\ntasks:\n" + "\n\n".join(together) + "\n", "utf-8")


if __name__ == "__main__":
    refresh("easy", "easy-noise")
    refresh("hard", "hard-noise")
