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
StructForm = Literal["struct", "union", "interface"]
InterfaceMode = Literal[
    "initiator", "target", "system", "mirroredInitiator", "mirroredTarget", "mirroredSystem", "monitor"
]


class Value(BaseModel):
    """Base of all design values: immutable, compared by content, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    def __eq__(self, other: object) -> bool:
        """Same kind and same fields: pydantic's own also looks at what these values never have, for twice the time."""
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__.values()))


class Dimension(Value):
    """The two bounds of a further dimension of a port."""

    left: str
    right: str

    def __str__(self) -> str:
        return f"[{self.left}:{self.right}]"


class SignalPort(Value):
    """A wire port (clause 6.14).

    Attributes:
        left: left bound of the vector, or "" for a single bit. ``left`` and ``right`` are given together.
        right: right bound; ``left < right`` is legal (little-endian ranges exist).
        default_value: value of an undriven ``in`` or ``inout`` port, or "".
        vectors: the vectors behind the first, as in ``[3:0][7:0]``: packed dimensions, the outermost first.
        arrays: dimensions of an array of such ports: unpacked ones.
    """

    name: str
    direction: Direction
    left: str = ""
    right: str = ""
    default_value: str = ""
    description: str = ""
    vectors: tuple[Dimension, ...] = ()
    arrays: tuple[Dimension, ...] = ()


class Payload(Value):
    """What a transactional port transports (clause 6.14).

    Attributes:
        type: ``generic`` or ``specific``.
        extension: name of what extends it, or "".
    """

    name: str = ""
    type: str = "generic"
    extension: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.name, self.type, self.extension)))


class TransactionalPort(Value):
    """A transactional (TLM) port (clause 6.14).

    Attributes:
        protocol: protocol name ("tlm" or a custom one), or "".
        bus_width: width of the data path in bits, an expression, or "".
        custom_kind: what a port of kind ``custom`` calls its kind, or "".
        least, most: how many connections it must and may have, expressions, or "".
        arrays: dimensions of an array of such ports.
    """

    name: str
    initiative: Initiative
    kind: TransactionalKind | Literal[""] = "tlm_socket"
    protocol: str = ""
    bus_width: str = ""
    description: str = ""
    custom_kind: str = ""
    payload: Payload | None = None
    least: str = ""
    most: str = ""
    arrays: tuple[Dimension, ...] = ()


class StructuredPort(Value):
    """A port made of ports (IEEE 1685-2022, clause 6.15.16): read and kept, not edited in its inside.

    Attributes:
        form: ``interface`` is a SystemVerilog interface.
        direction: of a struct or union; "phantom" for an interface, whose sub-ports have their own.
        type_name: name of the type in the language of the implementation, or "".
        sub_ports: by name: signal or structured ports.
    """

    name: str
    form: StructForm
    direction: Direction = "phantom"
    type_name: str = ""
    sub_ports: FrozenMap[str, SignalPort | StructuredPort] = FrozenMap()
    vectors: tuple[Dimension, ...] = ()
    arrays: tuple[Dimension, ...] = ()
    description: str = ""


Port = SignalPort | TransactionalPort | StructuredPort


class Parameter(Value):
    """A parameter of a component (clause C.24).

    Attributes:
        kind: who sets it: the user, a generator, or nobody (``immediate``).
        value: an expression, or plain text for type ``string``.
        minimum, maximum: inclusive bounds, or "".
        sign: ``signed`` or ``unsigned`` where that is stated, else "".
        vectors: packed dimensions of a ``bit`` parameter, as in ``bit [7:0]``.
        arrays: dimensions of an array, whose value is ``{a, b}``.
    """

    name: str
    kind: ParameterKind
    value: str
    type: ParameterType = "string"
    minimum: str = ""
    maximum: str = ""
    description: str = ""
    sign: Literal["signed", "unsigned", ""] = ""
    vectors: tuple[Dimension, ...] = ()
    arrays: tuple[Dimension, ...] = ()


class PortMap(Value):
    """One logical-to-physical row of a bus interface. Bounds are "" where the whole port is mapped.

    Attributes:
        physical: "" where the logical port is tied off instead.
        left, right: of the part of the physical port.
        logical_left, logical_right: of the part of the logical port.
        tie_off: the value that the logical port is tied to, or "".
    """

    logical: str
    physical: str
    left: str = ""
    right: str = ""
    logical_left: str = ""
    logical_right: str = ""
    tie_off: str = ""

    def __str__(self) -> str:
        logical = f"{self.logical}{_part(self.logical_left, self.logical_right)}"
        return f"{logical}={self.physical}{_part(self.left, self.right)}{self.tie_off}"


def _part(left: str, right: str) -> str:
    """The bounds of a part as people write it."""
    if not left:
        return ""
    return f"[{left}]" if left == right or not right else f"[{left}:{right}]"


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
        path: the way into a port of several dimensions or a structured one, in front of the slice: indices, and names
            of sub-ports behind a dot.
    """

    instance: str
    port: str
    left: str = ""
    right: str = ""
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        name = f"{self.instance}.{self.port}" if self.instance else self.port
        way = "".join(step if step.startswith(".") else f"[{step}]" for step in self.path)
        return f"{name}{way}{_part(self.left, self.right)}"


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
    """A connection of bus interfaces (clause 7.4).

    Attributes:
        monitored: the interface that all ``ends`` watch, where they are monitors; else None.
    """

    name: str
    ends: tuple[InterfaceEnd, ...]
    description: str = ""
    monitored: InterfaceEnd | None = None

    @property
    def all_ends(self) -> tuple[InterfaceEnd, ...]:
        """Every interface that it touches, the monitored one first."""
        return self.ends if self.monitored is None else (self.monitored, *self.ends)


class Configuration(Value):
    """How a view configures a design (clause 10): which view of each instance counts.

    Attributes:
        views: by instance.
    """

    views: FrozenMap[str, str] = FrozenMap()


class Design(Value):
    """The inside of a hierarchical component: instances and what joins them (clause 7).

    Attributes:
        vlnv: VLNV of the design document, or None before it is first saved.
        configurations: by the view of the component that reaches the design through one: several views may share a
            design and configure it differently.
    """

    vlnv: Vlnv | None = None
    instances: FrozenMap[str, Instance] = FrozenMap()
    connections: FrozenMap[str, Connection] = FrozenMap()
    interconnections: FrozenMap[str, Interconnection] = FrozenMap()
    description: str = ""
    configurations: FrozenMap[str, Configuration] = FrozenMap()

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
