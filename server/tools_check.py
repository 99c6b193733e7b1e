"""The tool that reports what is wrong with a design."""

from __future__ import annotations

from mcp.types import CallToolResult

from model.checks import check_component, check_library
from model.findings import Finding
from model.library import Library
from model.operations.arguments import find
from server.results import answered

MAX_FINDINGS = 60
"""How many findings check_design lists, the worst first."""

_ORDER = {"error": 0, "warning": 1, "note": 2}


def check_design(library: Library, /, *, component: str) -> CallToolResult:
    """Report the findings about a component, or about all where ``component`` is "".

    Raises:
        DesignError: ``bad-vlnv`` or ``component-not-found``.
    """
    if component:
        vlnv = find(library, component).vlnv
        findings, about = check_component(library, vlnv), str(vlnv)
    else:
        findings, about = check_library(library), f"{len(library)} components"
    ordered = sorted(findings, key=lambda finding: _ORDER[finding.severity])
    counts = {severity: sum(found.severity == severity for found in ordered) for severity in _ORDER}
    said = ", ".join(f"{count} {severity}{'s' if count > 1 else ''}" for severity, count in counts.items() if count)
    shown, rest = ordered[:MAX_FINDINGS], len(ordered) - MAX_FINDINGS
    lines = [_line(finding, everywhere=not component) for finding in shown]
    if rest > 0:
        lines.append(f"… {rest} left out: check one component to see the rest, or mend the first ones.")
    return answered(
        f"Checked {about}: {said or 'nothing is wrong'}.",
        lines,
        errors=counts["error"],
        findings=[_facts(finding) for finding in shown],
        **({"left_out": rest} if rest > 0 else {}),
    )


def _line(finding: Finding, *, everywhere: bool) -> str:
    where = f" ({finding.where.component})" if everywhere and finding.where else ""
    return f"{finding.severity} ({finding.code}): {finding.message}{where}"


def _facts(finding: Finding) -> dict[str, str]:
    facts = {"severity": finding.severity, "code": finding.code, "message": finding.message}
    return facts | ({"element": str(finding.where)} if finding.where else {})
