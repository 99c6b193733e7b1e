"""What an edit of an existing element does to the rules elsewhere: it must not add a breach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from model.change import ElementId
from model.checks import check_component
from model.errors import DesignError, Warning
from model.findings import Finding
from model.graph import used_by
from model.library import Library
from model.vlnv import Vlnv


def check_consequences(before: Library, after: Library, vlnv: Vlnv) -> tuple[Warning, ...]:
    """Compare the findings about a component, and about those that instantiate it, before and after an edit.

    Returns:
        a warning for each pair of ends whose widths now differ and did not, or differ otherwise than before.

    Raises:
        DesignError: the edit adds a breach; with the code of the rule that is broken.
    """
    warnings: list[Warning] = []
    for parent in after:
        if parent.vlnv != vlnv and vlnv not in used_by(parent):
            continue
        old = check_component(before, parent.vlnv) if parent.vlnv in before else ()
        new = check_component(after, parent.vlnv)
        breach = _added(old, new)
        if breach is not None:
            where = f" ({breach.where.component})" if breach.where and breach.where.component != vlnv else ""
            raise DesignError(
                breach.code,
                f"This would break a rule{where}: {breach.message}",
                "Change what depends on it first.",
            )
        known = {finding.message for finding in old}
        warnings.extend(
            Warning(finding.code, f"{finding.message} ({parent.vlnv})" if parent.vlnv != vlnv else finding.message)
            for finding in new
            if finding.code == "widths-differ" and finding.message not in known
        )
    return tuple(warnings)


def _added(old: Iterable[Finding], new: Iterable[Finding]) -> Finding | None:
    counts: Counter[tuple[str, ElementId | None]] = Counter(_key(found) for found in old if _is_breach(found))
    for found in new:
        if _is_breach(found):
            counts[_key(found)] -= 1
            if counts[_key(found)] < 0:
                return found
    return None


def _is_breach(finding: Finding) -> bool:
    """An error, or a port that an instance's parameters leave without a width."""
    return finding.severity == "error" or finding.code == "bad-width"


def _key(finding: Finding) -> tuple[str, ElementId | None]:
    return finding.code, finding.where
