"""What a component consists of. Every class here is a frozen value; names and terms are those of IEEE 1685-2022.

Expressions (widths, values, bounds) are SystemVerilog text over parameter *names*; the file layer translates them to
and from the ``parameterId`` references that IP-XACT files hold.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from model.frozen_map import FrozenMap
from model.vlnv import Vlnv

Direction = Literal["in", "out", "inout", "phantom"]
Initiative = Literal["requires", "provides", "both", "phantom"]
TransactionalKind = Literal["tlm_port", "tlm_socket", "simple_socket", "multi_socket", "custom"]
ParameterKind = Literal["user", "generated", "immediate"]
ParameterType = Literal["bit", "byte", "shortint", "int", "longint", "shortreal", "real", "string"]
InterfaceMode = Literal[
    "initiator", "target", "system", "mirroredInitiator", "mirroredTarget", "mirroredSystem", "monitor"
]


class Value(BaseModel):
    """Base of all design values: immutable, compared by content, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class SignalPort(Value):
    """A wire port (clause 6.14).

    Attributes:
        left: left bound of the vector, or "" for a single bit. ``left`` and ``right`` are given together.
        right: right bound; ``left < right`` is legal (little-endian ranges exist).
        default_value: value of an undriven ``in`` or ``inout`` port, or "".
    """

    name: str
    direction: Direction
    left: str = ""
    right: str = ""
    default_value: str = ""
    description: str = ""


class TransactionalPort(Value):
    """A transactional (TLM) port (clause 6.14).

    Attributes:
        protocol: protocol name ("tlm" or a custom one), or "".
        bus_width: width of the data path in bits, an expression, or "".
    """

    name: str
    initiative: Initiative
    kind: TransactionalKind | Literal[""] = "tlm_socket"
    protocol: str = ""
    bus_width: str = ""
    description: str = ""


Port = SignalPort | TransactionalPort


class Parameter(Value):
    """A parameter of a component (clause C.24).

    Attributes:
        kind: who sets it: the user, a generator, or nobody (``immediate``).
        value: an expression, or plain text for type ``string``.
        minimum, maximum: inclusive bounds, or "".
    """

    name: str
    kind: ParameterKind
    value: str
    type: ParameterType = "string"
    minimum: str = ""
    maximum: str = ""
    description: str = ""


class PortMap(Value):
    """One logical-to-physical row of a bus interface. Bounds are "" where the whole port is mapped."""

    logical: str
    physical: str
    left: str = ""
    right: str = ""


class BusInterface(Value):
    """A named group of ports that speaks a bus protocol (clause 6.7).

    Attributes:
        mode: 2009/2014 ``master``/``slave`` are read as ``initiator``/``target``.
        bus_type: VLNV of the bus definition.
    """

    name: str
    mode: InterfaceMode
    bus_type: Vlnv
    port_maps: tuple[PortMap, ...] = ()
    description: str = ""


class Instance(Value):
    """A subcomponent: one use of a component inside a design (clause 7.3).

    Attributes:
        component: VLNV of what is instantiated; it may be missing from the library.
        parameters: overrides by parameter name (``configurableElementValue``).
    """

    name: str
    component: Vlnv
    parameters: FrozenMap[str, str] = FrozenMap()
    description: str = ""


class Endpoint(Value):
    """One end of a connection.

    Attributes:
        instance: instance name, or "" for the component's own port.
        left, right: the slice of the port that is meant, or "" for all of it.
    """

    instance: str
    port: str
    left: str = ""
    right: str = ""

    def __str__(self) -> str:
        name = f"{self.instance}.{self.port}" if self.instance else self.port
        if not self.left:
            return name
        return f"{name}[{self.left}]" if self.left == self.right else f"{name}[{self.left}:{self.right}]"


class Connection(Value):
    """An ad-hoc connection of ports (clause 7.5), of two ends or more, or one end and a tie-off.

    Attributes:
        ends: source first where the editor named one.
        tied_value: expression, ``open`` or ``default`` for a tie-off, or "".
    """

    name: str
    ends: tuple[Endpoint, ...]
    tied_value: str = ""
    description: str = ""


class InterfaceEnd(Value):
    """One end of an interconnection: an instance's bus interface, or the component's own when ``instance`` is ""."""

    instance: str
    interface: str

    def __str__(self) -> str:
        return f"{self.instance}.{self.interface}" if self.instance else self.interface


class Interconnection(Value):
    """A connection of bus interfaces (clause 7.4)."""

    name: str
    ends: tuple[InterfaceEnd, ...]
    description: str = ""


class Design(Value):
    """The inside of a hierarchical component: instances and what joins them (clause 7).

    Attributes:
        vlnv: VLNV of the design document, or None before it is first saved.
    """

    vlnv: Vlnv | None = None
    instances: FrozenMap[str, Instance] = FrozenMap()
    connections: FrozenMap[str, Connection] = FrozenMap()
    interconnections: FrozenMap[str, Interconnection] = FrozenMap()
    description: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is instantiated or joined."""
        return not (self.instances or self.connections or self.interconnections)


EMPTY_DESIGN = Design()


class Component(Value):
    """A component with everything that the tools and the desktop edit (clause 6).

    Attributes:
        ports: signal and transactional ports by name, in file order: one namespace.
        parameters: user, generated and immediate parameters by name: one namespace.
        designs: the inside by view name, several where a component has several design views; the first is the one
            that the tools edit. Empty for a leaf.
    """

    vlnv: Vlnv
    description: str = ""
    ports: FrozenMap[str, Port] = FrozenMap()
    parameters: FrozenMap[str, Parameter] = FrozenMap()
    bus_interfaces: FrozenMap[str, BusInterface] = FrozenMap()
    designs: FrozenMap[str, Design] = FrozenMap()

    @property
    def view(self) -> str:
        """Name of the view whose design the tools edit; ``hierarchical`` before there is one."""
        return next(iter(self.designs), "hierarchical")

    @property
    def design(self) -> Design:
        """The design of the first view, or an empty one."""
        return next(iter(self.designs.values()), EMPTY_DESIGN)

    def with_design(self, design: Design) -> Component:
        """Return a copy whose first design is ``design``."""
        return self.model_copy(update={"designs": self.designs.set(self.view, design)})
