"""The state score: does the design end up as it should, however it was brought there?

Compared is structure, not text: a scalar is a vector [0:0], which end of a connection comes first does not matter, and
neither do descriptions and connections' names, which a request may leave open.
"""

from __future__ import annotations

from model.change import Change
from model.difference import change_between
from model.elements import Component, Connection, Port, SignalPort
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv


def state_difference(canonical: Library, actual: Library) -> Change:
    """Return what turns the canonical design into the actual one; empty where they are structurally equal.

    Connections appear under their ends, since their names do not count.
    """
    shared = {component.vlnv for component in canonical if actual.find(component.vlnv) is component}
    return change_between(_plain(canonical, shared), _plain(actual, shared))


def _plain(library: Library, shared: set[Vlnv]) -> Library:
    """The library in one notation; components that both sides share as one object need no work."""
    return Library.of(component if component.vlnv in shared else _plain_component(component) for component in library)


def _plain_component(component: Component) -> Component:
    return component.model_copy(
        update={
            "description": "",
            "ports": FrozenMap((name, _plain_port(port)) for name, port in component.ports.items()),
            "parameters": FrozenMap(
                (name, parameter.model_copy(update={"description": ""}))
                for name, parameter in component.parameters.items()
            ),
            "designs": FrozenMap(
                (
                    view,
                    design.model_copy(
                        update={
                            "vlnv": None,
                            "description": "",
                            "instances": FrozenMap(
                                (name, instance.model_copy(update={"description": ""}))
                                for name, instance in design.instances.items()
                            ),
                            "connections": FrozenMap(
                                (plain.name, plain) for plain in map(_plain_connection, design.connections.values())
                            ),
                        }
                    ),
                )
                for view, design in component.designs.items()
                if not design.is_empty
            ),
        }
    )


def _plain_port(port: Port) -> Port:
    update: dict[str, str] = {"description": ""}
    if isinstance(port, SignalPort) and (port.left, port.right) == ("0", "0"):
        update |= {"left": "", "right": ""}
    return port.model_copy(update=update)


def _plain_connection(connection: Connection) -> Connection:
    ends = tuple(sorted(connection.ends, key=str))
    name = " – ".join([*map(str, ends), *([connection.tied_value] if connection.tied_value else [])])
    return Connection(name=name, ends=ends, tied_value=connection.tied_value)
