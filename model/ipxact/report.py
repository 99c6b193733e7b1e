"""Collects what is unusual about a file while it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from model.change import ElementId
from model.findings import Finding, Severity
from model.ipxact.nodes import Node


@dataclass
class Report:
    """The findings of one file."""

    path: Path
    findings: list[Finding] = field(default_factory=list)

    def add(
        self, severity: Severity, code: str, message: str, node: Node | None = None, where: ElementId | None = None
    ) -> None:
        """Note one finding at the line of ``node``."""
        line = cast("int | None", node.sourceline) or 0 if node is not None else 0
        self.findings.append(Finding(severity, code, message, where, self.path, line))

    def keyed(self, nodes: Iterable[Node], key: Callable[[Node], str], what: str) -> list[tuple[str, Node]]:
        """Pair nodes with their names; nameless ones and repetitions are noted and left out."""
        found: dict[str, Node] = {}
        for node in nodes:
            name = key(node)
            if not name:
                self.add("error", "name-missing", f"A {what} has no name; it is kept in the file but not shown.", node)
            elif name in found:
                self.add(
                    "error",
                    "duplicate-name",
                    f"There is more than one {what} named {name}; the first one counts.",
                    node,
                )
            else:
                found[name] = node
        return list(found.items())
