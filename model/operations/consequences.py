"""What an edit of an existing element does to the rules elsewhere: it must not add a breach."""

from __future__ import annotations

from model.checks.affected import added_findings
from model.errors import DesignError, Warning
from model.library import Library
from model.usage import users_of
from model.vlnv import Vlnv


def check_consequences(before: Library, after: Library, vlnv: Vlnv) -> tuple[Warning, ...]:
    """Compare the findings about a component, and about those that instantiate it, before and after an edit.

    Returns:
        a warning for each pair of ends whose widths now differ and did not, or differ otherwise than before.

    Raises:
        DesignError: the edit adds a breach; with the code of the rule that is broken.
    """
    warnings: list[Warning] = []
    for parent in sorted({vlnv, *users_of(after, vlnv)}, key=after.components.place):
        added = added_findings(before, after, parent, vlnv)
        breach = added.breach
        if breach is not None:
            where = f" ({breach.where.component})" if breach.where and breach.where.component != vlnv else ""
            raise DesignError(
                breach.code,
                f"This would break a rule{where}: {breach.message}",
                "Change what depends on it first.",
            )
        warnings.extend(
            Warning(finding.code, f"{finding.message} ({parent})" if parent != vlnv else finding.message)
            for finding in added.widths
        )
    return tuple(warnings)
