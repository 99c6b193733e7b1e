"""Every place in a component where an expression may refer to one of its parameters."""

from __future__ import annotations

from collections.abc import Callable

from model.difference import element_kind
from model.elements import BusInterface, Component, Connection, Design, Instance, Parameter, Port, SignalPort
from model.expressions import ExpressionError, names_in
from model.nets import with_connections
from model.operations.cascade import Edit, with_designs
from model.parameters import references, text_references

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
            if not (port.left or port.default_value):
                return port
            left, right = self._expression(port.left), self._expression(port.right)
            default = self._expression(port.default_value)
            if (left, right, default) == (port.left, port.right, port.default_value):
                return port
            return port.model_copy(update={"left": left, "right": right, "default_value": default})
        width = self._expression(port.bus_width)
        return port if width == port.bus_width else port.model_copy(update={"bus_width": width})

    def _parameter(self, parameter: Parameter) -> Parameter:
        refers = self._name in parameter.value and self._name in references(parameter, self._component.parameters)
        new = {
            "value": self._rewrite(parameter.value) if refers else parameter.value,
            "minimum": self._expression(parameter.minimum),
            "maximum": self._expression(parameter.maximum),
        }
        if all(getattr(parameter, field) == value for field, value in new.items()):
            return parameter
        return parameter.model_copy(update=new)

    def _interface(self, interface: BusInterface) -> BusInterface:
        maps = tuple(
            row.model_copy(update={"left": self._expression(row.left), "right": self._expression(row.right)})
            for row in interface.port_maps
        )
        return interface if maps == interface.port_maps else interface.model_copy(update={"port_maps": maps})

    def _design(self, design: Design) -> Design:
        connections, instances = design.connections, design.instances
        rewritten = []
        for connection in connections.values():
            changed = self._connection(connection)
            if changed is not connection:
                connections = connections.set(connection.name, changed)
                rewritten.append(changed)
                self._edit.change_of(self._component, "connection", connection.name)
        for instance in instances.values():
            changed_instance = self._instance(instance)
            if changed_instance is not instance:
                instances = instances.set(instance.name, changed_instance)
                self._edit.change_of(self._component, "subcomponent", instance.name)
        design = with_connections(design, connections, [changed.name for changed in rewritten], rewritten)
        return design if instances is design.instances else design.model_copy(update={"instances": instances})

    def _connection(self, connection: Connection) -> Connection:
        if not connection.tied_value and not any(end.left for end in connection.ends):
            return connection
        ends = tuple(
            end.model_copy(update={"left": self._expression(end.left), "right": self._expression(end.right)})
            if end.left
            else end
            for end in connection.ends
        )
        tied = self._expression(connection.tied_value)
        if ends == connection.ends and tied == connection.tied_value:
            return connection
        return connection.model_copy(update={"ends": ends, "tied_value": tied})

    def _instance(self, instance: Instance) -> Instance:
        overrides = instance.parameters
        for name, text in overrides.items() if overrides else ():
            changed = self._text(text)
            if changed != text:
                overrides = overrides.set(name, changed)
        if overrides is instance.parameters:
            return instance
        return instance.model_copy(update={"parameters": overrides})
