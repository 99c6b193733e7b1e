"""``blockwright diff``: what differs between two revisions of a component or of a library."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from desktop.commands.opening import open_with_progress
from model.elements import Component
from model.errors import DesignError
from model.library import Library
from model.revisions import Difference, compare_components, compare_libraries
from model.vlnv import Vlnv

_DIFFERENT = 1
_BAD_USAGE = 2


def diff(
    before: Annotated[Path, typer.Argument(metavar="A", help="The earlier revision: a folder, or a component's file.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="The later revision.")],
    component: Annotated[
        str | None, typer.Option("--component", "-c", metavar="VLNV", help="Compare only this component.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Compare two revisions element by element; exit status 0 when they are equal, 1 when they differ."""
    try:
        differences = _compare(_Side.read(before), _Side.read(after), component)
    except DesignError as problem:
        typer.echo(str(problem), err=True)
        raise typer.Exit(_BAD_USAGE) from problem
    if as_json:
        data = {"equal": not differences, "differences": [difference.data() for difference in differences]}
        typer.echo(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        typer.echo("\n".join(_text(differences)))
    if differences:
        raise typer.Exit(_DIFFERENT)


@dataclass(frozen=True)
class _Side:
    """One revision: a library, and the component that is meant where a file was given."""

    path: Path
    library: Library
    active: Component | None

    @classmethod
    def read(cls, path: Path) -> _Side:
        if not path.exists():
            raise DesignError(
                "file-not-found", f"There is no file or folder {path}.", "Give an IP-XACT file, or a folder of them."
            )
        opened = open_with_progress(path)
        library = opened.workspace.library
        return cls(path, library, library.get(opened.active) if opened.active is not None else None)

    def only(self, vlnv: Vlnv) -> Library:
        """The library with nothing but this component."""
        found = self.library.find(vlnv)
        return Library.of([found] if found is not None else [])


def _compare(one: _Side, other: _Side, component: str | None) -> tuple[Difference, ...]:
    if component is not None:
        vlnv = Vlnv.parse(component)
        if vlnv not in one.library:
            other.library.get(vlnv)
        return compare_libraries(one.only(vlnv), other.only(vlnv))
    if one.active is not None and other.active is not None:
        return compare_components(one.active, other.active)
    active = one.active or other.active
    if active is not None:
        return compare_libraries(one.only(active.vlnv), other.only(active.vlnv))
    return compare_libraries(one.library, other.library)


_MARKS = {"added": "+", "removed": "-", "changed": "~", "reordered": "~"}


def _text(differences: Sequence[Difference]) -> Iterator[str]:
    if not differences:
        yield "No differences."
        return
    heading: Vlnv | None = None
    for difference in differences:
        if difference.element.component != heading:
            if heading is not None:
                yield ""
            heading = difference.element.component
            yield str(heading)
        yield f"  {_MARKS[difference.how]} {difference.text}"
    counts = Counter(difference.how for difference in differences)
    components = len({difference.element.component for difference in differences})
    yield ""
    listed = ", ".join(f"{counts[how]} {how}" for how in ("added", "removed", "changed", "reordered") if counts[how])
    yield f"{listed} in {components} component{'' if components == 1 else 's'}."
