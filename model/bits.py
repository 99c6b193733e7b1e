"""The nets of a design bit by bit, for what needs every slice resolved: netlists, text that joins parts of ports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from model.change import ElementId
from model.elements import Connection, Endpoint, SignalPort
from model.ends import Ends, Resolved
from model.expressions import ExpressionError, evaluate
from model.findings import Finding
from model.netlist import bit_port
from model.parameters import Values

Bit = tuple[str, str, int]
"""Instance ("" for the component itself), port, index as the port counts."""


@dataclass(frozen=True, slots=True)
class BitNet:
    """Bits that are one wire.

    Attributes:
        tied: the value it is tied to, or None.
    """

    bits: tuple[Bit, ...]
    tied: int | None = None


class BitNets:
    """The nets that some connections of a design make, with present values of all parameters.

    Attributes:
        nets: in the order in which the connections name them.
        findings: connections that could not be resolved.
    """

    def __init__(self, ends: Ends, connections: Iterable[Connection]) -> None:
        self._ends = ends
        self._parent: dict[Bit, Bit] = {}
        self._tied: dict[Bit, int] = {}
        self.findings: list[Finding] = []
        for connection in connections:
            self._add(connection)
        groups: dict[Bit, list[Bit]] = {}
        for bit in self._parent:
            groups.setdefault(self._find(bit), []).append(bit)
        self.nets = [self._net(group) for group in groups.values()]
        self._of = {bit: net for net in self.nets for bit in net.bits}

    def at(self, bit: Bit) -> BitNet | None:
        """The net that a bit is on."""
        return self._of.get(bit)

    def _net(self, group: list[Bit]) -> BitNet:
        return BitNet(tuple(group), next((self._tied[bit] for bit in group if bit in self._tied), None))

    def _find(self, bit: Bit) -> Bit:
        self._parent.setdefault(bit, bit)
        while self._parent[bit] != bit:
            self._parent[bit] = self._parent[self._parent[bit]]
            bit = self._parent[bit]
        return bit

    def _add(self, connection: Connection) -> None:
        columns: list[list[Bit | None]] = []
        for end in connection.ends:
            column = self._column(end)
            if column is None:
                self._report(connection, f"{end} cannot be joined: its bits are not known.")
            else:
                columns.append(column)
        for column in columns:
            for bit, first in zip(column, columns[0], strict=False):
                if bit is not None and first is not None:
                    self._parent[self._find(bit)] = self._find(first)
        if connection.tied_value == "default":
            for end, column in zip(connection.ends, columns, strict=False):
                self._tie(column, default_value(self._ends, self._ends.resolve(end)), self._shift(end))
        elif connection.tied_value not in {"", "open"} and columns:
            value = number(connection.tied_value, Values(self._ends.component.parameters), len(columns[0]))
            if value is None:
                self._report(connection, f"its value {connection.tied_value} is no whole number.")
            self._tie(columns[0], value, 0)

    def _column(self, end: Endpoint) -> list[Bit | None] | None:
        """The bits that an end joins, the rightmost first; None in the place of one that the port does not have."""
        indices = self._ends.bits(end)
        own = self._ends.bits(_all_of(end)) if end.left or end.path else indices
        if indices is None or own is None:
            return None
        known, port = set(own), bit_port(end)
        return [(end.instance, port, index) if index in known else None for index in indices]

    def _shift(self, end: Endpoint) -> int:
        """How many bits of the port lie to the right of a slice."""
        own = self._ends.bits(_all_of(end))
        indices = self._ends.bits(end)
        return own.index(indices[0]) if own and indices and indices[0] in own else 0

    def _tie(self, column: list[Bit | None], value: int | None, shift: int) -> None:
        if value is None:
            return
        for place, bit in enumerate(column):
            if bit is not None:
                self._tied[bit] = value >> (place + shift) & 1

    def _report(self, connection: Connection, message: str) -> None:
        where = ElementId(self._ends.component.vlnv, "connection", connection.name)
        self.findings.append(Finding("warning", "not-joined", f"Connection {connection.name}: {message}", where))


def _all_of(end: Endpoint) -> Endpoint:
    """The whole port that an end means a part of."""
    inside = tuple(step for step in end.path if step.startswith("."))
    return Endpoint(instance=end.instance, port=end.port, path=inside)


def default_value(ends: Ends, found: Resolved) -> int | None:
    """The default value of a port as a number, or None where it has none."""
    if found.owner is None or not isinstance(found.port, SignalPort) or not found.port.default_value:
        return None
    values = Values(found.owner.parameters, ends.overrides(found.instance))
    whole = ends.width(ends.resolve(_all_of(found.end)))
    return number(found.port.default_value, values, whole or 0)


def number(text: str, values: Values, width: int) -> int | None:
    """The value of an expression for a port of some width where that is a whole number, else None."""
    try:
        value = evaluate(text, values, width)
    except ExpressionError:
        return None
    return value if isinstance(value, int) else None
