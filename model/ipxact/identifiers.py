"""What a file calls the parameters of a component: their parameterIds by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from model.elements import Component, Parameter
from model.frozen_map import FrozenMap
from model.ipxact.document import Document
from model.ipxact.pairing import pairs
from model.ipxact.read_component import parameter_names
from model.ipxact.references import inliner, mentioned, new_parameter_id, translator
from model.ipxact.scaled import then
from model.vlnv import Vlnv


def parameter_ids(
    owner: Vlnv, document: Document | None, old: FrozenMap[str, Parameter], new: FrozenMap[str, Parameter]
) -> dict[str, str]:
    """The parameterId of every parameter in ``new``.

    One that stands in the file, also under the name it had in ``old``, keeps its id, so that the designs which
    override it still mean it.
    """
    in_file: dict[str, str] = {}
    if document is not None:
        for key, name in parameter_names(document).items():
            in_file.setdefault(name, key)
    before = pairs(old, new)
    # A name that another parameter bore before has no claim to that one's id.
    known = {name: before.get(name, "" if name in old else name) for name in new}
    ids = {name: in_file.get(other, "") for name, other in known.items()}
    taken = {*in_file.values(), *ids.values()}
    for name in [name for name, key in ids.items() if not key]:
        key, attempt = new_parameter_id(owner, name), 2
        while key in taken:
            key, attempt = new_parameter_id(owner, f"{name} {attempt}"), attempt + 1
        ids[name] = key
        taken.add(key)
    return ids


class Encoder:
    """Writes expressions for a component file, reads them back, and remembers the parameters they refer to.

    Args:
        ids: parameterIds by name.
        plain: leave names as they are; before 2014 no expression refers to an id.
    """

    def __init__(self, ids: dict[str, str], plain: bool = False) -> None:
        self._ids = {} if plain else ids
        self._to_ids = translator(self._ids)
        decode = translator({key: name for name, key in ids.items()})
        self.decode = then(decode) if plain else decode
        self.used: set[str] = set()

    def __call__(self, expression: str) -> str:
        """Replace names by ids."""
        self.used |= mentioned(expression, self._ids)
        return self._to_ids(expression)


class DesignEncoder:
    """Writes expressions for a design file.

    A design sees its own parameters only, which the component's reference to it sets. One that an expression newly
    needs is added to the design and set by the component to its own parameter.

    Args:
        owner: VLNV of the design document.
        component: whose parameters the expressions are over.
        effective: what each parameter of the design stands for, by parameterId.
        taken: names of the parameters that the design has.
    """

    def __init__(self, owner: Vlnv, component: Component, effective: Mapping[str, str], taken: Iterable[str]) -> None:
        self._owner = owner
        self._parameters = component.parameters
        self._ids: dict[str, str] = {}
        for key, value in effective.items():
            if value in component.parameters:
                self._ids.setdefault(value, key)
        self._taken = set(taken)
        self.decode = inliner(effective)
        self.added: dict[str, Parameter] = {}
        """New parameters of the design by the name of the component's parameter."""

    def __call__(self, expression: str) -> str:
        """Replace names of the component's parameters by ids of the design's."""
        for name in sorted(mentioned(expression, dict.fromkeys(self._parameters, ""))):
            if name not in self._ids:
                self._add(name)
        return translator(self._ids)(expression)

    def id_of(self, name: str) -> str:
        """The design's parameterId for a parameter of the component."""
        return self._ids[name]

    def _add(self, name: str) -> None:
        own = name
        while own in self._taken:
            own += "_"
        self._taken.add(own)
        self._ids[name] = new_parameter_id(self._owner, own)
        original = self._parameters[name]
        self.added[name] = Parameter(name=own, kind="user", value=self(original.value), type=original.type)
