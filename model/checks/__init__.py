"""What is wrong with a design, as findings: breaches that loaded files bring along, and what is left unfinished."""

from __future__ import annotations

from model.checks.buses import check_buses
from model.checks.declarations import check_declarations
from model.checks.inside import check_design
from model.findings import Finding
from model.library import Library
from model.vlnv import Vlnv

__all__ = ["check_component", "check_library"]


def check_component(library: Library, vlnv: Vlnv) -> tuple[Finding, ...]:
    """Check a component: its ports, parameters and interfaces, and the inside of each of its views.

    Raises:
        DesignError: ``component-not-found``.
    """
    component = library.get(vlnv)
    findings = list(check_declarations(component))
    for design in component.designs.values():
        findings.extend(check_design(library, component, design))
        findings.extend(check_buses(library, component, design))
    return tuple(findings)


def check_library(library: Library) -> tuple[Finding, ...]:
    """Check every component."""
    return tuple(finding for component in library for finding in check_component(library, component.vlnv))
