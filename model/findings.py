"""What a check, or the reading of a file, has to report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from model.change import ElementId

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One report about a design or a file.

    Attributes:
        code: stable, kebab-case.
        message: one sentence for people.
        where: the element it is about, if there is one.
        path: the file it is about, if there is one.
        line: line in ``path``, from 1, or 0 when unknown.
    """

    severity: Severity
    code: str
    message: str
    where: ElementId | None = None
    path: Path | None = None
    line: int = 0
