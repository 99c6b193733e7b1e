"""What an edit did, as data: for highlights, for lists of what changed, for the cards of the chat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.errors import Warning
from model.vlnv import Vlnv

ElementKind = Literal[
    "component",
    "signal_port",
    "transactional_port",
    "structured_port",
    "user_parameter",
    "generator_parameter",
    "immediate_parameter",
    "bus_interface",
    "subcomponent",
    "connection",
    "interconnection",
]


@dataclass(frozen=True, slots=True, order=True)
class ElementId:
    """Names one element of the library; ``name`` is "" for a component itself.

    Attributes:
        view: of the design that an element of an inside stands in, or "" where that is the component's first.
    """

    component: Vlnv
    kind: ElementKind
    name: str = ""
    view: str = ""

    def __str__(self) -> str:
        where = f" in view {self.view}" if self.view else ""
        return f"{self.kind} {self.name} of {self.component}{where}" if self.name else f"component {self.component}"


@dataclass(frozen=True, slots=True)
class Change:
    """The elements that one edit added, changed and removed, and what it warned of.

    Attributes:
        summary: one sentence in the past tense for people ("Added signal port clk (in, 1 bit) to a:b:c:1.0.").
    """

    summary: str = ""
    added: tuple[ElementId, ...] = ()
    changed: tuple[ElementId, ...] = ()
    removed: tuple[ElementId, ...] = ()
    warnings: tuple[Warning, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether no element is touched."""
        return not (self.added or self.changed or self.removed)

    @property
    def touched(self) -> tuple[ElementId, ...]:
        """Everything added, changed or removed."""
        return self.added + self.changed + self.removed

    def then(self, later: Change) -> Change:
        """Return the net change of this one followed by ``later``."""
        added, changed, removed = dict.fromkeys(self.added), dict.fromkeys(self.changed), dict.fromkeys(self.removed)
        for element in later.added:
            if element in removed:
                del removed[element]
                changed[element] = None
            else:
                added[element] = None
        for element in later.changed:
            if element not in added:
                changed[element] = None
        for element in later.removed:
            changed.pop(element, None)
            if element in added:
                del added[element]
            else:
                removed[element] = None
        summary = " ".join(part for part in (self.summary, later.summary) if part)
        return Change(summary, tuple(added), tuple(changed), tuple(removed), self.warnings + later.warnings)
