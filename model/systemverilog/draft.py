"""A component that is being made of a module, and what there is to say about how it differs."""

from __future__ import annotations

import re
from pathlib import Path

from model import operations
from model.change import ElementId, ElementKind
from model.elements import Component, Dimension
from model.expressions import ExpressionError, rename_names
from model.findings import Finding, Severity
from model.library import Library
from model.systemverilog.elaboration import Elaboration
from model.systemverilog.headers import Range, RtlModule
from model.vlnv import Vlnv, is_nmtoken, is_xml_name


class Draft:
    """A component in the making.

    Args:
        elaboration: of the module, for what its text alone does not say.
        path: of the file, for findings.

    Attributes:
        library: holds nothing but the component.
        findings: everything that the component says otherwise than the module, or not at all.
        renamed: what parameters of the module are called in the component, where that is something else.

    Raises:
        DesignError: ``bad-vlnv``.
    """

    def __init__(
        self, module: RtlModule, elaboration: Elaboration, path: Path, vendor: str, library: str, version: str
    ) -> None:
        self.elaboration = elaboration
        self.findings: list[Finding] = []
        self.renamed: dict[str, str] = {}
        self._path = path
        name = module.name if is_nmtoken(module.name) else re.sub(r"[^\w.-]", "_", module.name)
        self.vlnv = Vlnv.checked(vendor, library, name, version)
        self.library, _change = operations.create_component(
            Library(), vendor=vendor, library=library, name=name, version=version
        )
        if name != module.name:
            self.report("warning", "name-changed", f"Module {module.name} is called {name} here.", module.line)
        for line, text in module.problems:
            self.report("warning", "not-imported", text, line)

    @property
    def component(self) -> Component:
        """The component as it is now."""
        return self.library.get(self.vlnv)

    def put(self, component: Component) -> None:
        """Go on with a changed component."""
        self.library = self.library.put(component)

    def report(
        self, severity: Severity, code: str, message: str, line: int, kind: ElementKind = "component", name: str = ""
    ) -> None:
        """Add a finding."""
        where = ElementId(self.vlnv, kind, name)
        self.findings.append(Finding(severity, code, message, where, self._path, line))

    def legal(self, name: str, is_legal: bool, line: int, kind: ElementKind) -> str:
        """A name that an element can have, the same where it is one."""
        if is_legal:
            return name
        legal = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
        legal = legal if is_xml_name(legal) else f"_{legal}"
        self.report("warning", "name-changed", f"'{name}' is called {legal} here.", line, kind, legal)
        return legal

    def in_own_names(self, text: str) -> str:
        """An expression in which parameters have the names that they have in the component."""
        if not self.renamed:
            return text
        try:
            return rename_names(text, self.renamed)
        except ExpressionError:
            return text

    def dimension(self, range_: Range) -> Dimension:
        """A range in the names of the component; its bounds are "" where it has no fixed size."""
        return Dimension(left=self.in_own_names(range_[0]), right=self.in_own_names(range_[1]))
