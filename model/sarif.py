"""Findings as SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format), which code hosts and editors read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from model.findings import Finding

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "WORKSPACE"


def sarif(findings: Sequence[Finding], folder: Path, version: str) -> dict[str, Any]:
    """Return a SARIF log with one run.

    Args:
        folder: paths below it are written relative to it.
        version: of Blockwright.
    """
    rules = list(dict.fromkeys(finding.code for finding in findings))
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Blockwright",
                        "version": version,
                        "rules": [{"id": code, "name": _pascal(code)} for code in rules],
                    }
                },
                "originalUriBaseIds": {_BASE: {"uri": f"{folder.resolve().as_uri().rstrip('/')}/"}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, rules.index(finding.code), folder.resolve()) for finding in findings],
            }
        ],
    }


def _result(finding: Finding, rule: int, folder: Path) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": finding.message},
    }
    location: dict[str, Any] = {}
    if finding.path is not None:
        place: dict[str, Any] = {"artifactLocation": _artifact(finding.path, folder)}
        if finding.line:
            place["region"] = {"startLine": finding.line}
        location["physicalLocation"] = place
    if finding.where is not None:
        name = finding.where.name or str(finding.where.component)
        location["logicalLocations"] = [
            {"name": name, "kind": finding.where.kind, "fullyQualifiedName": str(finding.where)}
        ]
    if location:
        result["locations"] = [location]
    return result


def _artifact(path: Path, folder: Path) -> dict[str, str]:
    if path.is_relative_to(folder):
        return {"uri": quote(path.relative_to(folder).as_posix()), "uriBaseId": _BASE}
    return {"uri": path.absolute().as_uri()}


def _pascal(code: str) -> str:
    return "".join(word.capitalize() for word in code.split("-"))
