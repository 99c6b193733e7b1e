"""What the inspector shows of an element, as values: lines with a name, a text and, where allowed, how to change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import get_args

from desktop.call_text import short_name
from desktop.document import Document
from model import operations
from model.change import ElementId
from model.difference import element_kind
from model.elements import (
    BusInterface,
    Component,
    Connection,
    Direction,
    Initiative,
    Instance,
    Interconnection,
    Parameter,
    ParameterType,
    Port,
    SignalPort,
    StructuredPort,
    TransactionalKind,
    TransactionalPort,
)
from model.vlnv import Vlnv
from model.widths import port_width, width_text

_MANY = 500


@dataclass(frozen=True, slots=True)
class Property:
    """A named value.

    Attributes:
        apply: makes a new text the value, or raises a :class:`DesignError`; None where it cannot be changed here.
    """

    label: str
    value: str
    apply: Callable[[str], object] | None = field(default=None, compare=False)
    choices: Sequence[str] = ()
    mono: bool = True
    mono_label: bool = False
    placeholder: str = ""
    tip: str = ""

    def with_value(self, value: str) -> Property:
        """The property after it was changed."""
        return replace(self, value=value)


@dataclass(frozen=True, slots=True)
class Link:
    """Leads to another element, or opens a component."""

    text: str
    detail: str = ""
    elements: tuple[ElementId, ...] = ()
    component: Vlnv | None = None
    tip: str = ""


Line = Property | Link


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading.

    Attributes:
        action: a button's text and the id of the action that it starts.
        headline: a name in large and what stands below it, instead of a title.
    """

    title: str = ""
    lines: Sequence[Line] = field(default_factory=tuple)
    action: tuple[str, str] | None = None
    note: str = ""
    headline: tuple[str, str] | None = None


def describe(document: Document, element: ElementId) -> list[Section]:
    """The sections for an element; one that says so where it is not there."""
    component = document.library.find(element.component)
    if component is None:
        return [Section("", (Property("VLNV", str(element.component)),), note="Not in the library.")]
    editor = _Editor(document, component)
    if element.kind == "component":
        return editor.component_sections()
    if element.kind in {"signal_port", "transactional_port", "structured_port"}:
        port = component.ports.get(element.name)
        return editor.port_sections(port) if port is not None else _GONE
    if element.kind.endswith("_parameter"):
        parameter = component.parameters.get(element.name)
        return editor.parameter_sections(parameter) if parameter is not None else _GONE
    if element.kind == "subcomponent":
        instance = component.design.instances.get(element.name)
        return editor.instance_sections(instance) if instance is not None else _GONE
    if element.kind == "connection":
        connection = component.design.connections.get(element.name)
        return editor.connection_sections(connection) if connection is not None else _GONE
    if element.kind == "interconnection":
        joined = component.design.interconnections.get(element.name)
        return editor.interconnection_sections(joined) if joined is not None else _GONE
    interface = component.bus_interfaces.get(element.name)
    return editor.interface_sections(interface) if interface is not None else _GONE


_GONE = [Section(note="It is not there any more.")]


class _Editor:
    """Describes the elements of one component."""

    def __init__(self, document: Document, component: Component) -> None:
        self._document = document
        self._component = component
        self._vlnv = component.vlnv

    # --- edits ---

    def _rename(self, element: ElementId, name: str) -> None:
        self._document.apply(
            operations.rename_element,
            component=str(self._vlnv),
            element_type=element.kind,
            name=element.name,
            new_name=name,
        )
        self._document.select((replace(element, name=name),))

    def _update(self, element: ElementId, prop: str, value: str) -> None:
        self._document.apply(
            operations.update_element,
            component=str(self._vlnv),
            element_type=element.kind,
            name=element.name,
            **{prop: value},
        )

    def _override(self, instance: str, parameter: str, value: str) -> None:
        self._document.apply(
            operations.set_instance_parameter,
            component=str(self._vlnv),
            instance_name=instance,
            parameter=parameter,
            value=value,
        )

    def _name(self, element: ElementId) -> Property:
        return Property("Name", element.name, partial(self._rename, element))

    def _text(self, element: ElementId, label: str, prop: str, value: str, placeholder: str = "") -> Property:
        return Property(label, value, partial(self._update, element, prop), placeholder=placeholder)

    def _choice(self, element: ElementId, label: str, prop: str, value: str, choices: Sequence[str]) -> Property:
        return Property(label, value, partial(self._update, element, prop), choices)

    def _description(self, element: ElementId, value: str) -> Property:
        change = partial(self._update, element, "description")
        return Property("Description", value, change, mono=False, placeholder="none", tip=value)

    def _id(self, port: Port | Parameter) -> ElementId:
        return ElementId(self._vlnv, element_kind(port, "signal_port"), port.name)

    # --- descriptions ---

    def component_sections(self) -> list[Section]:
        component = self._component
        source = self._document.workspace.sources.get(self._vlnv)
        head = [
            Property("File", source.path.name if source else "not saved yet", tip=str(source.path) if source else ""),
        ]
        head.append(self._description(ElementId(self._vlnv, "component"), component.description))
        users = self._document.library.users_of(self._vlnv)
        headline = (short_name(self._vlnv), f"{self._vlnv.vendor}:{self._vlnv.library}")
        sections = [
            Section(lines=head, headline=headline),
            Section("Ports", self._ports(), ("+ Port", "add-port"), "" if component.ports else "none"),
            Section(
                "Parameters",
                self._parameters(),
                ("+ Parameter", "add-parameter"),
                "" if component.parameters else "none",
            ),
        ]
        instances = [
            Link(name, short_name(each.component), (ElementId(self._vlnv, "subcomponent", name),))
            for name, each in component.design.instances.items()
        ]
        sections.append(
            Section("Instances", instances[:_MANY], ("+ Instance", "add-instance"), "" if instances else "none")
        )
        if component.bus_interfaces:
            interfaces = [
                Link(each.name, each.mode, (ElementId(self._vlnv, "bus_interface", each.name),), tip=str(each.bus_type))
                for each in component.bus_interfaces.values()
            ]
            sections.append(Section("Bus interfaces", interfaces[:_MANY]))
        if users:
            used = [Link(f"{parent.vlnv.name}.{each.name}", component=parent.vlnv) for parent, _view, each in users]
            sections.append(Section("Used in", used[:_MANY]))
        return sections

    def _ports(self) -> list[Link]:
        return [
            Link(port.name, _port_words(port), (self._id(port),), tip=port.description)
            for port in self._component.ports.values()[:_MANY]
        ]

    def _parameters(self) -> list[Line]:
        return [
            Link(each.name, each.value, (self._id(each),), tip=each.description)
            for each in self._component.parameters.values()[:_MANY]
        ]

    def port_sections(self, port: Port) -> list[Section]:
        element = self._id(port)
        lines = [self._name(element)]
        if isinstance(port, SignalPort):
            lines.append(self._choice(element, "Direction", "direction", port.direction, get_args(Direction)[:3]))
            lines.append(self._text(element, "Width", "width", width_text(port)))
            bits = port_width(self._component, port)
            if bits is not None and str(bits) != width_text(port):
                lines.append(Property("Bits", str(bits), tip="The width with the parameters' present values"))
            if port.direction != "out":
                lines.append(self._text(element, "Default", "default_value", port.default_value, "none"))
        elif isinstance(port, TransactionalPort):
            lines += self._transactional(element, port)
        else:
            lines += self._structured(port)
        lines.append(self._description(element, port.description))
        return [Section("", lines), *self._joined("", port.name)]

    def _structured(self, port: StructuredPort) -> list[Property]:
        facts = [("Form", port.form), ("Type", port.type_name)]
        facts += [] if port.form == "interface" else [("Direction", port.direction)]
        inside = ((name, _port_words(each)) for name, each in port.sub_ports.items())
        return [Property(label, text) for label, text in (*facts, *inside) if text]

    def _transactional(self, element: ElementId, port: TransactionalPort) -> list[Property]:
        kinds = list(get_args(TransactionalKind))
        return [
            self._choice(element, "Initiative", "initiative", port.initiative, get_args(Initiative)[:3]),
            self._choice(element, "Kind", "kind", port.kind, kinds),
            self._text(element, "Protocol", "protocol", port.protocol, "none"),
            self._text(element, "Bus width", "bus_width", port.bus_width, "none"),
        ]

    def _joined(self, instance: str, port: str) -> list[Section]:
        links = [
            Link(_ends(each), elements=(ElementId(self._vlnv, "connection", name),), tip=name)
            for name, each in self._component.design.connections.items()
            if any(end.instance == instance and end.port == port for end in each.ends)
        ]
        return [Section("Connections", links)] if links else []

    def parameter_sections(self, parameter: Parameter) -> list[Section]:
        element = self._id(parameter)
        return [
            Section(
                "",
                (
                    self._name(element),
                    self._text(element, "Value", "value", parameter.value),
                    self._choice(element, "Type", "type", parameter.type, get_args(ParameterType)),
                    self._text(element, "Minimum", "minimum", parameter.minimum, "none"),
                    self._text(element, "Maximum", "maximum", parameter.maximum, "none"),
                    Property(
                        "Set by",
                        {"user": "the user", "generated": "a generator"}.get(parameter.kind, "nobody"),
                        mono=False,
                    ),
                    self._description(element, parameter.description),
                ),
            )
        ]

    def instance_sections(self, instance: Instance) -> list[Section]:
        element = ElementId(self._vlnv, "subcomponent", instance.name)
        definition = self._document.library.find(instance.component)
        head: list[Line] = [self._name(element)]
        head.append(self._description(element, instance.description))
        target = instance.component if definition is not None else None
        sections = [
            Section("", head),
            Section(
                "Component",
                (
                    Link(
                        short_name(instance.component),
                        instance.component.library,
                        component=target,
                        tip=str(instance.component),
                    ),
                ),
                note="" if definition is not None else "It is missing: no file in the workspace holds it.",
            ),
        ]
        if definition is None:
            overrides = [Property(name, value, mono_label=True) for name, value in instance.parameters.items()]
            return [*sections, Section("Parameters", overrides)] if overrides else sections
        if definition.parameters:
            lines = [self._instance_parameter(instance, each) for each in definition.parameters.values()[:_MANY]]
            sections.append(Section("Parameters", lines))
        links = [
            Link(_ends(each), elements=(ElementId(self._vlnv, "connection", name),), tip=name)
            for name, each in self._component.design.connections.items()
            if any(end.instance == instance.name for end in each.ends)
        ]
        if links:
            sections.append(Section("Connections", links[:_MANY]))
        return sections

    def _instance_parameter(self, instance: Instance, parameter: Parameter) -> Property:
        tip = f"{parameter.kind}, {parameter.type}; by default {parameter.value}"
        value = instance.parameters.get(parameter.name, "")
        change = partial(self._override, instance.name, parameter.name) if parameter.kind == "user" else None
        shown = value if change is not None else value or parameter.value
        return Property(parameter.name, shown, change, mono_label=True, placeholder=parameter.value, tip=tip)

    def connection_sections(self, connection: Connection) -> list[Section]:
        element = ElementId(self._vlnv, "connection", connection.name)
        lines = [self._name(element)]
        lines += [Property(f"End {number}", str(end)) for number, end in enumerate(connection.ends, start=1)]
        if connection.tied_value:
            lines.append(Property("Tied to", connection.tied_value))
        lines.append(self._description(element, connection.description))
        return [Section("", lines)]

    def interconnection_sections(self, joined: Interconnection) -> list[Section]:
        lines = [self._name(ElementId(self._vlnv, "interconnection", joined.name))]
        lines += [Property(f"End {number}", str(end)) for number, end in enumerate(joined.ends, start=1)]
        return [Section("", lines)]

    def interface_sections(self, interface: BusInterface) -> list[Section]:
        lines = [
            self._name(ElementId(self._vlnv, "bus_interface", interface.name)),
            Property("Mode", interface.mode),
            Property("Bus type", str(interface.bus_type)),
        ]
        maps = [
            Property(
                each.logical,
                f"{each.physical}[{each.left}:{each.right}]" if each.left else each.physical,
                mono_label=True,
            )
            for each in interface.port_maps[:_MANY]
        ]
        return [Section("", lines), Section("Port maps", maps)]


def _ends(connection: Connection) -> str:
    ends = " – ".join(str(end) for end in connection.ends)
    return f"{ends} = {connection.tied_value}" if connection.tied_value else ends


def _port_words(port: Port) -> str:
    if isinstance(port, SignalPort):
        width = width_text(port)
        return port.direction if width in {"", "1"} else f"{port.direction} {width}"
    if isinstance(port, StructuredPort):
        return f"{port.form} {port.type_name}".rstrip()
    return port.initiative
