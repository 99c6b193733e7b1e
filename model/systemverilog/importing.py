"""Turns the header of a module into a component, through the operations that every other edit goes through."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from model.change import Change, ElementId
from model.difference import elements_of
from model.elements import Component
from model.errors import DesignError
from model.findings import Finding
from model.library import Library
from model.systemverilog.draft import Draft
from model.systemverilog.elaboration import Elaboration
from model.systemverilog.headers import RtlModule
from model.systemverilog.importing_parameters import import_parameters
from model.systemverilog.importing_ports import import_port


@dataclass(frozen=True, slots=True)
class Imported:
    """A module as a component.

    Attributes:
        findings: everything that the component says otherwise than the module, or not at all.
    """

    component: Component
    findings: tuple[Finding, ...]


def component_of(
    module: RtlModule, elaboration: Elaboration, path: Path, vendor: str, library: str, version: str
) -> Imported:
    """Make a component of a module.

    Args:
        elaboration: of the module, for what its text alone does not say.
        path: of the file, for findings.

    Raises:
        DesignError: ``bad-vlnv``.
    """
    draft = Draft(module, elaboration, path, vendor, library, version)
    import_parameters(draft, module)
    for port in module.ports:
        import_port(draft, port)
    return Imported(draft.component, tuple(draft.findings))


def add_component(current: Library, /, component: Component) -> tuple[Library, Change]:
    """Put a component that was made elsewhere into the library.

    Raises:
        DesignError: ``component-exists``.
    """
    vlnv = component.vlnv
    if vlnv in current:
        raise DesignError(
            "component-exists",
            f"There is already a component {vlnv}.",
            "Delete it first, or import under another library or version.",
        )
    added = (ElementId(vlnv, "component"), *(element for element, _value in elements_of(component)))
    return current.put(component), Change(f"Imported component {vlnv}.", added=added)
