"""Reviews a workspace: everything that was found when it was opened and by the checks, with file and line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from model.checks.buses import check_buses
from model.checks.declarations import check_declarations
from model.checks.inside import check_design
from model.findings import Finding, Severity
from model.locations import Locator
from model.workspace import Workspace

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


def review(workspace: Workspace, opening: Iterable[Finding] = ()) -> tuple[Finding, ...]:
    """Return all findings about a workspace, those of one component together, each with its file and line if known.

    Args:
        opening: what was found when the workspace was opened; where a check says the same, the check counts.
    """
    locator = Locator(workspace)
    checked = list(_checked(workspace, locator))
    said = {(finding.code, finding.where) for finding in checked}
    kept = [
        _located(finding, locator)
        for finding in opening
        if finding.where is None or (finding.code, finding.where) not in said
    ]
    places = {component.vlnv: place for place, component in enumerate(workspace.library, start=1)}

    def group(finding: Finding) -> int:
        return places.get(finding.where.component, 0) if finding.where is not None else 0

    return tuple(sorted((*kept, *checked), key=group))


def _checked(workspace: Workspace, locator: Locator) -> Iterator[Finding]:
    library = workspace.library
    for component in library:
        yield from (_located(finding, locator) for finding in check_declarations(component))
        for view, design in component.designs.items():
            inside = (*check_design(library, component, design), *check_buses(library, component, design))
            yield from (_located(finding, locator, view) for finding in inside)


def count(findings: Sequence[Finding]) -> dict[Severity, int]:
    """Return how many findings of each severity there are."""
    return {severity: sum(finding.severity == severity for finding in findings) for severity in SEVERITIES}


def _located(finding: Finding, locator: Locator, view: str = "") -> Finding:
    if finding.line or finding.where is None:
        return finding
    location = locator.locate(finding.where, view)
    if location is None or (finding.path is not None and not location.line):
        return finding
    return replace(finding, path=location.path, line=location.line)
