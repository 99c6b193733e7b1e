"""``blockwright check``: what is wrong with a library or a component, for people and for machines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from desktop.commands.opening import open_with_progress
from model.errors import DesignError
from model.findings import Finding
from model.review import count, review
from model.sarif import sarif

_ERRORS_FOUND = 1
_BAD_USAGE = 2


def check(
    target: Annotated[Path, typer.Argument(metavar="FOLDER|FILE", help="A folder of IP-XACT files, or one file.")],
    format_: Annotated[
        Literal["text", "json", "sarif"], typer.Option("--format", help="text for people, json or sarif for programs.")
    ] = "text",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")] = None,
) -> None:
    """Report what a design review would find; exit status 1 when that includes errors."""
    if not target.exists():
        typer.echo(f"There is no file or folder {target}. Give an IP-XACT file, or a folder that holds some.", err=True)
        raise typer.Exit(_BAD_USAGE)
    folder = (target if target.is_dir() else target.parent).resolve()
    reviewed = _review(target)
    match format_:
        case "text":
            report = "\n".join(_text(reviewed, folder))
        case "json":
            report = json.dumps(_data(reviewed, folder), indent=2, ensure_ascii=False)
        case "sarif":
            report = json.dumps(sarif(reviewed.findings, folder, version("blockwright")), indent=2, ensure_ascii=False)
    if output is None:
        typer.echo(report)
    else:
        try:
            output.write_text(f"{report}\n", encoding="utf-8")
        except OSError as error:
            typer.echo(f"Cannot write {output}: {error.strerror or error}.", err=True)
            raise typer.Exit(_BAD_USAGE) from error
    if any(finding.severity == "error" for finding in reviewed.findings):
        raise typer.Exit(_ERRORS_FOUND)


@dataclass(frozen=True)
class _Reviewed:
    findings: tuple[Finding, ...]
    components: int


def _review(target: Path) -> _Reviewed:
    try:
        opened = open_with_progress(target)
    except DesignError as problem:
        return _Reviewed((Finding("error", problem.code, str(problem), path=target.resolve()),), 0)
    return _Reviewed(review(opened.workspace, opened.findings), len(opened.workspace.library))


def _text(reviewed: _Reviewed, folder: Path) -> Iterator[str]:
    heading = ""
    for finding in reviewed.findings:
        group = str(finding.where.component) if finding.where is not None else "Files"
        if group != heading:
            if heading:
                yield ""
            heading = group
            yield group
        yield f"  {_place(finding, folder)}{finding.severity} {finding.code}{_element(finding)}: {finding.message}"
    if heading:
        yield ""
    found = count(reviewed.findings)
    listed = ", ".join(f"{number} {severity}{'' if number == 1 else 's'}" for severity, number in found.items())
    yield f"{listed} in {reviewed.components} component{'' if reviewed.components == 1 else 's'}."


def _place(finding: Finding, folder: Path) -> str:
    if finding.path is None:
        return ""
    return f"{_shown(finding.path, folder)}:{finding.line}: " if finding.line else f"{_shown(finding.path, folder)}: "


def _element(finding: Finding) -> str:
    if finding.where is None or not finding.where.name:
        return ""
    return f" ({finding.where.kind.replace('_', ' ')} {finding.where.name})"


def _shown(path: Path, folder: Path) -> str:
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else str(path)


def _data(reviewed: _Reviewed, folder: Path) -> dict[str, Any]:
    return {
        "folder": str(folder),
        "components": reviewed.components,
        "counts": count(reviewed.findings),
        "findings": [_entry(finding, folder) for finding in reviewed.findings],
    }


def _entry(finding: Finding, folder: Path) -> dict[str, Any]:
    where = finding.where
    return {
        "severity": finding.severity,
        "code": finding.code,
        "message": finding.message,
        "component": str(where.component) if where is not None else None,
        "element_type": where.kind if where is not None else None,
        "name": where.name if where is not None else None,
        "file": _shown(finding.path, folder) if finding.path is not None else None,
        "line": finding.line or None,
    }
