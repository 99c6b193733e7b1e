"""Checks of the inside of a component: instances, connections, nets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from model.change import ElementKind
from model.checks.declarations import check_case, finding
from model.elements import Component, Connection, Design, Endpoint, Instance, Interconnection, SignalPort
from model.ends import Ends, Resolved
from model.errors import DesignError
from model.findings import Finding, Severity
from model.joining import pair_problem, width_problem
from model.library import Library
from model.nets import Wire, contentions, end_of, netlist, node_of
from model.parameters import Values, check_value
from model.usage import containment
from model.vlnv import Vlnv
from model.widths import end_indices, port_shape, port_width, slice_bounds, width_label
from model.wiring import OWN


def check_design(library: Library, component: Component, design: Design) -> Iterator[Finding]:
    """Everything that is wrong with one design of a component."""
    return Inside(library, component, design).findings()


class Inside:
    """Judges the elements of one design, each when it is asked for."""

    def __init__(self, library: Library, component: Component, design: Design) -> None:
        self._library = library
        self._component = component
        self._design = design
        self._ends = Ends(library, component, design)
        self._contains: dict[Vlnv, bool] = {}

    def findings(self) -> Iterator[Finding]:
        """Everything that is wrong with the design."""
        for instance in self._design.instances.values():
            yield from self._instance(instance)
        for connection in self._design.connections.values():
            yield from self.connection(connection)
        for interconnection in self._design.interconnections.values():
            yield from self._interconnection(interconnection)
        for wire in netlist(self._design).wires():
            yield from self._wire(wire)
        if not self._design.is_empty:
            yield from self._own_outputs()
        yield from check_case(self._component, "subcomponent", self._design.instances)

    def _found(self, severity: Severity, code: str, message: str, kind: ElementKind, name: str) -> Finding:
        return finding(severity, code, message, self._component, kind, name)

    def _instance(self, instance: Instance) -> Iterator[Finding]:
        owner = self._library.find(instance.component)
        if owner is None:
            message = f"The component {instance.component} of subcomponent {instance.name} is not in the library."
            yield self._found("error", "component-missing", message, "subcomponent", instance.name)
            return
        if self._contains_component(instance.component):
            message = f"Subcomponent {instance.name} ({instance.component}) contains {self._component.vlnv} itself."
            yield self._found("error", "contains-itself", message, "subcomponent", instance.name)
        yield from self.overrides(instance)
        yield from self._inputs(instance, owner)

    def _contains_component(self, vlnv: Vlnv) -> bool:
        if vlnv not in self._contains:
            self._contains[vlnv] = bool(containment(self._library, vlnv, self._component.vlnv))
        return self._contains[vlnv]

    def overrides(self, instance: Instance) -> Iterator[Finding]:
        """What is wrong with the parameters that an instance sets."""
        owner = self._library.find(instance.component)
        if owner is None or not instance.parameters:
            return
        overrides = self._ends.overrides(instance)
        values = Values(owner.parameters, overrides)
        for name in instance.parameters:
            parameter = owner.parameters.get(name)
            if parameter is None:
                message = f"Subcomponent {instance.name} sets a parameter {name}, which {owner.vlnv} does not have."
                yield self._found("warning", "unknown-parameter", message, "subcomponent", instance.name)
                continue
            try:
                check_value(parameter.model_copy(update={"value": overrides[name]}), values)
            except DesignError as problem:
                message = f"Subcomponent {instance.name}: {problem.message}"
                yield self._found("error", problem.code, message, "subcomponent", instance.name)
        for port in owner.ports.values():
            if isinstance(port, SignalPort) and port_width(owner, port, overrides) is None and port_width(owner, port):
                message = f"With the parameters of subcomponent {instance.name}, its port {port.name} has no width."
                yield self._found("warning", "bad-width", message, "subcomponent", instance.name)

    def _inputs(self, instance: Instance, owner: Component) -> Iterator[Finding]:
        wires = netlist(self._design)
        for port in owner.ports.values():
            if not isinstance(port, SignalPort) or port.direction != "in" or port.default_value:
                continue
            if wires.wires_at(instance.name, port.name) or (instance.name, port.name) in self._mapped:
                continue
            message = f"Input {instance.name}.{port.name} is not connected and has no default value."
            yield self._found("warning", "unconnected-input", message, "subcomponent", instance.name)

    def _own_outputs(self) -> Iterator[Finding]:
        wires = netlist(self._design)
        for port in self._component.ports.values():
            if not isinstance(port, SignalPort) or port.direction != "out" or ("", port.name) in self._mapped:
                continue
            if not wires.wires_at("", port.name):
                message = f"Output {port.name} of {self._component.vlnv} is not driven from the inside."
                yield self._found("warning", "undriven-output", message, "signal_port", port.name)

    def connection(self, connection: Connection) -> Iterator[Finding]:
        """What is wrong with a connection by itself."""
        found = [self._ends.resolve(end) for end in connection.ends]
        for end in found:
            if problem := self._dangling(end):
                yield self._found("error", *problem, "connection", connection.name)
            elif end.port is not None and (message := self._slice_problem(end)):
                yield self._found("error", "bad-slice", message, "connection", connection.name)
        whole = [end for end in found if end.port is not None]
        if len(whole) == 2 and (problem_pair := pair_problem(self._ends, *whole)):
            yield self._found("error", problem_pair.code, problem_pair.message, "connection", connection.name)
        for end in whole[1:]:
            if differs := width_problem(self._ends, whole[0], end):
                yield self._found("warning", differs.code, differs.message, "connection", connection.name)

    def _dangling(self, found: Resolved) -> tuple[str, str] | None:
        end = found.end
        if end.instance and found.instance is None:
            return "instance-not-found", f"A connection ends at {end}, but there is no subcomponent {end.instance}."
        if found.owner is not None and found.port is None:
            port = end.port if end.port not in found.owner.ports else str(end)
            return "port-not-found", f"A connection ends at {end}, but {found.owner.vlnv} has no port {port}."
        return None

    def _slice_problem(self, found: Resolved) -> str:
        end = found.end
        if not (end.left or end.path) or found.owner is None or not isinstance(found.port, SignalPort):
            return ""
        if end.path and (problem := self._index_problem(found, found.owner, found.port)):
            return problem
        if not end.left:
            return ""
        part = slice_bounds(end.left, end.right or end.left, self._component)
        whole = self._ends.whole(found)
        if part is None or whole is None or (min(part) >= min(whole) and max(part) <= max(whole)):
            return ""
        return f"{end} lies outside the port, which has the bits {whole[0]}:{whole[1]}."

    def _index_problem(self, found: Resolved, owner: Component, port: SignalPort) -> str:
        shape = port_shape(owner, port, self._ends.overrides(found.instance))
        picks = [slice_bounds(step, step, self._component) for step in end_indices(found.end)]
        if shape is None or any(pick is None for pick in picks):
            return ""
        if len(picks) + bool(found.end.left) > len(shape):
            return f"{found.end} picks from more dimensions than the port has: {width_label(port)}."
        for pick, (left, right) in zip(picks, shape, strict=False):
            if pick is not None and not min(left, right) <= pick[0] <= max(left, right):
                return f"{found.end} lies outside the port, where the index goes from {left} to {right}."
        return ""

    def _interconnection(self, interconnection: Interconnection) -> Iterator[Finding]:
        for end in interconnection.all_ends:
            if end.instance and end.instance not in self._design.instances:
                message = f"An interconnection ends at {end}, but there is no subcomponent {end.instance}."
                code = "instance-not-found"
            else:
                owner = self._ends.resolve(Endpoint(instance=end.instance, port="")).owner
                if owner is None or end.interface in owner.bus_interfaces:
                    continue
                message = f"An interconnection ends at {end}, but {owner.vlnv} has no bus interface {end.interface}."
                code = "interface-not-found"
            yield self._found("error", code, message, "interconnection", interconnection.name)

    def _wire(self, wire: Wire) -> Iterator[Finding]:
        yield from self.contentions(wire)
        if self._is_undriven(wire):
            first = wire.first
            message = f"The net of {end_of(node_of(first.ends[0]))} has no driver."
            yield self._found("warning", "undriven-net", message, "connection", first.name)

    def contentions(self, wire: Wire) -> Iterator[Finding]:
        """The groups of drivers that drive the same bits of a wire."""
        for group in contentions(self._ends, wire):
            first = wire.first
            message = f"The net of {end_of(node_of(first.ends[0]))} has more than one driver: {' and '.join(group)}."
            yield self._found("error", "second-driver", message, "connection", first.name)

    def _is_undriven(self, wire: Wire) -> bool:
        """Whether only inputs of instances and own outputs are on it, and all of them are known."""
        if wire.tie_count or any(
            self._ends.direction_of(kind) != ("out" if kind[0] == OWN else "in") for kind, _count in wire.kinds
        ):
            return False
        return not self._mapped or all(
            (instance, port) not in self._mapped for instance, port, _left, _right, _path in wire.nodes
        )

    @cached_property
    def _mapped(self) -> set[tuple[str, str]]:
        """The ports that interconnections of bus interfaces join."""
        mapped: set[tuple[str, str]] = set()
        for interconnection in self._design.interconnections.values():
            for end in interconnection.ends:
                owner = self._ends.resolve(Endpoint(instance=end.instance, port="")).owner
                interface = owner.bus_interfaces.get(end.interface) if owner else None
                mapped.update((end.instance, row.physical) for row in (interface.port_maps if interface else ()))
        return mapped
