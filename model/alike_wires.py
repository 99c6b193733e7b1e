"""The wires of a design by what is on them: as many nodes of the same ports of the same components are alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import immutables

from model.elements import Design
from model.frozen_map import Difference, Fact, FrozenMap
from model.netlist import netlist
from model.wiring import Owner, Strand

Signature = tuple[Any, ...]
"""What is on a wire; one with parts of ports is like no other, since it is judged bit by bit."""

Numbers = Mapping[int, None]
"""Numbers of wires in the wiring, without order."""

_NONE: immutables.Map[Any, Any] = immutables.Map()


@dataclass(frozen=True, slots=True)
class AlikeWires:
    """The wires of a design by signature.

    Attributes:
        alike: numbers of the wires by signature.
        signatures: by component and port the signatures of the wires that it is on.
    """

    alike: immutables.Map[Signature, immutables.Map[int, None]] = _NONE
    signatures: immutables.Map[Owner, immutables.Map[str, immutables.Map[Signature, None]]] = _NONE

    def on(self, owner: Owner, ports: Iterable[str] | None = None) -> list[Numbers]:
        """The groups of wires on some ports of a component, or on any."""
        known = self.signatures.get(owner, _NONE)
        names = known if ports is None else [port for port in ports if port in known]
        return [self.alike[signature] for signature in dict.fromkeys(each for port in names for each in known[port])]

    def sliced(self, owner: Owner | None = None) -> list[Numbers]:
        """The wires that join parts of ports, of a component or of any."""
        known: Iterable[Signature] = self.alike
        if owner is not None:
            known = dict.fromkeys(each for shapes in self.signatures.get(owner, _NONE).values() for each in shapes)
        return [self.alike[signature] for signature in known if len(signature) == 1]

    def followed(self, _strands: FrozenMap[int, Strand], differences: Sequence[Difference[int, Strand]]) -> AlikeWires:
        """The same for other wires, given where they differ from these."""
        alike, signatures = self.alike.mutate(), self.signatures.mutate()
        for old, _new in differences:
            if old is None:
                continue
            signature = _signature(old[1], old[2])
            rest = alike[signature].delete(old[1])
            if rest:
                alike[signature] = rest
                continue
            del alike[signature]
            for owner, port in old[2].kinds:
                ports = signatures[owner]
                known = ports[port].delete(signature)
                ports = ports.set(port, known) if known else ports.delete(port)
                if ports:
                    signatures[owner] = ports
                else:
                    del signatures[owner]
        for _old, new in differences:
            if new is None:
                continue
            signature = _signature(new[1], new[2])
            group = alike.get(signature, _NONE)
            alike[signature] = group.set(new[1], None)
            for owner, port in () if group else new[2].kinds:
                ports = signatures.get(owner, _NONE)
                signatures[owner] = ports.set(port, ports.get(port, _NONE).set(signature, None))
        return AlikeWires(alike.finish(), signatures.finish())


def _signature(number: int, strand: Strand) -> Signature:
    return (number,) if strand.sliced else (strand.kinds, len(strand.tied))


_ALIKE: Fact[int, Strand, AlikeWires] = Fact(AlikeWires.followed)


def alike_wires(design: Design) -> AlikeWires:
    """The wires of a design by what is on them."""
    strands = netlist(design).wiring.strands
    return _ALIKE.of(strands, lambda: AlikeWires().followed(strands, [(None, each) for each in strands.entries()]))
