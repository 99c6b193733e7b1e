"""Every place in a component where an expression may refer to one of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from model.difference import element_kind
from model.elements import (
    BusInterface,
    Component,
    Connection,
    Design,
    Dimension,
    Endpoint,
    Instance,
    Parameter,
    Port,
    SignalPort,
    TransactionalPort,
    Value,
)
from model.expressions import ExpressionError, names_in
from model.nets import with_connections
from model.operations.cascade import Edit, with_designs
from model.parameters import references, text_references

V = TypeVar("V", bound=Value)
Rewrite = Callable[[str], str]


def rewrite_uses(component: Component, parameter: str, rewrite: Rewrite, edit: Edit) -> Component:
    """Return the component with every expression that refers to a parameter rewritten.

    Args:
        component: whose expressions they are.
        parameter: the name that is looked for.
        rewrite: what becomes of an expression that refers to it.
        edit: notes the elements that change.
    """
    return _Rewriter(component, parameter, rewrite, edit).rewritten()


class _Rewriter:
    """One run of :func:`rewrite_uses`."""

    def __init__(self, component: Component, parameter: str, rewrite: Rewrite, edit: Edit) -> None:
        self._component = component
        self._name = parameter
        self._rewrite = rewrite
        self._edit = edit

    def rewritten(self) -> Component:
        component = self._component
        ports, parameters, interfaces = component.ports, component.parameters, component.bus_interfaces
        for port in ports.values():
            changed = self._port(port)
            if changed is not port:
                ports = ports.set(port.name, changed)
                self._edit.change_of(component, element_kind(port, "signal_port"), port.name)
        for parameter in parameters.values():
            changed_parameter = self._parameter(parameter)
            if changed_parameter is not parameter:
                parameters = parameters.set(parameter.name, changed_parameter)
                self._edit.change_of(component, element_kind(parameter, "user_parameter"), parameter.name)
        for interface in interfaces.values():
            changed_interface = self._interface(interface)
            if changed_interface is not interface:
                interfaces = interfaces.set(interface.name, changed_interface)
                self._edit.change_of(component, "bus_interface", interface.name)
        component = component.model_copy(
            update={"ports": ports, "parameters": parameters, "bus_interfaces": interfaces}
        )
        return with_designs(component, self._design)

    def _expression(self, text: str) -> str:
        """Rewrite an expression, if it is one and refers to the parameter."""
        if self._name not in text:  # the quick way past nearly all of them
            return text
        try:
            refers = self._name in names_in(text)
        except ExpressionError:
            return text
        return self._rewrite(text) if refers else text

    def _text(self, text: str) -> str:
        """Rewrite what may be text or an expression."""
        if self._name not in text or self._name not in text_references(text, self._component.parameters):
            return text
        return self._rewrite(text)

    def _port(self, port: Port) -> Port:
        if isinstance(port, SignalPort):
            return self._signal(port)
        new: dict[str, object] = {"arrays": self._dimensions(port.arrays)}
        if isinstance(port, TransactionalPort):
            new |= {field: self._expression(getattr(port, field)) for field in ("bus_width", "least", "most")}
        else:
            new["vectors"] = self._dimensions(port.vectors)
            subs = port.sub_ports
            for name, value in subs.items():
                changed = self._port(value)
                if changed is not value and not isinstance(changed, TransactionalPort):
                    subs = subs.set(name, changed)
            new["sub_ports"] = subs
        return _updated(port, new)

    def _signal(self, port: SignalPort) -> SignalPort:
        if not (port.left or port.default_value or port.arrays):
            return port
        new: dict[str, object] = {
            field: self._expression(getattr(port, field)) for field in ("left", "right", "default_value")
        }
        if port.vectors or port.arrays:
            new |= {"vectors": self._dimensions(port.vectors), "arrays": self._dimensions(port.arrays)}
        return _updated(port, new)

    def _dimensions(self, dimensions: tuple[Dimension, ...]) -> tuple[Dimension, ...]:
        return tuple(
            Dimension(left=self._expression(each.left), right=self._expression(each.right)) for each in dimensions
        )

    def _parameter(self, parameter: Parameter) -> Parameter:
        refers = self._name in parameter.value and self._name in references(parameter, self._component.parameters)
        return _updated(
            parameter,
            {
                "value": self._rewrite(parameter.value) if refers else parameter.value,
                "minimum": self._expression(parameter.minimum),
                "maximum": self._expression(parameter.maximum),
                "vectors": self._dimensions(parameter.vectors),
                "arrays": self._dimensions(parameter.arrays),
            },
        )

    def _interface(self, interface: BusInterface) -> BusInterface:
        fields = ("left", "right", "logical_left", "logical_right", "tie_off")
        maps = tuple(
            _updated(row, {field: self._expression(getattr(row, field)) for field in fields})
            for row in interface.port_maps
        )
        return interface if maps == interface.port_maps else interface.model_copy(update={"port_maps": maps})

    def _design(self, design: Design, view: str) -> Design:
        connections, instances = design.connections, design.instances
        for connection in connections.values():
            changed = self._connection(connection)
            if changed is not connection:
                connections = connections.set(connection.name, changed)
                self._edit.change_of(self._component, "connection", connection.name, view)
        for instance in instances.values():
            changed_instance = self._instance(instance)
            if changed_instance is not instance:
                instances = instances.set(instance.name, changed_instance)
                self._edit.change_of(self._component, "subcomponent", instance.name, view)
        design = with_connections(design, connections)
        return design if instances is design.instances else design.model_copy(update={"instances": instances})

    def _connection(self, connection: Connection) -> Connection:
        if not connection.tied_value and not any(end.left or end.path for end in connection.ends):
            return connection
        ends = tuple(self._end(end) if end.left or end.path else end for end in connection.ends)
        tied = self._expression(connection.tied_value)
        if ends == connection.ends and tied == connection.tied_value:
            return connection
        return connection.model_copy(update={"ends": ends, "tied_value": tied})

    def _end(self, end: Endpoint) -> Endpoint:
        path = tuple(step if step.startswith(".") else self._expression(step) for step in end.path)
        return _updated(end, {"left": self._expression(end.left), "right": self._expression(end.right), "path": path})

    def _instance(self, instance: Instance) -> Instance:
        overrides = instance.parameters
        for name, text in overrides.items() if overrides else ():
            changed = self._text(text)
            if changed != text:
                overrides = overrides.set(name, changed)
        if overrides is instance.parameters:
            return instance
        return instance.model_copy(update={"parameters": overrides})


def _updated(value: V, new: Mapping[str, object]) -> V:
    """The value with other fields; itself where none differs."""
    if all(getattr(value, field) == content for field, content in new.items()):
        return value
    return value.model_copy(update=new)
