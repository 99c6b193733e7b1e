"""A few lines that tell a model what the components in question hold now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz

from agent.assisted.mentions import Mentions
from model.elements import Component, Connection, Parameter, Port, SignalPort, StructuredPort
from model.library import Library
from model.widths import width_text

MOST_NAMES = 24
MOST_CONNECTIONS = 6  # beside those that the request mentions: one costs as many tokens as three ports
MOST_ENDS = 4
NEAR = 80  # likeness, of 100, at which a word of the request may mean a component


def state_summary(library: Library, components: Sequence[Component], mentions: Mentions, *, whole: bool = False) -> str:
    """Describe components, those they instantiate included, in one line for each kind of element.

    Long lists are cut to :data:`MOST_NAMES`, and connections further unless the request asks for what stands elsewhere;
    names that the request mentions always stay. Of the other components only
    those whose name looks like a word of the request are listed, or some of all when no component is described.

    Args:
        whole: list some of the others in any case, since the request may mean them without naming them.
    """
    shown = {component.vlnv: component for component in components}
    for component in components:
        for instance in component.design.instances.values():
            inside = library.find(instance.component)
            if inside is not None and mentions.has(instance.name):
                shown.setdefault(inside.vlnv, inside)
    lines: list[str] = []
    most_connections = MOST_NAMES if whole or mentions.ask_by_pattern else MOST_CONNECTIONS
    for component in shown.values():
        lines.extend(_component_lines(component, mentions, most_connections))
    others = [component for component in library if component.vlnv not in shown]
    near = [component for component in others if is_near(component.vlnv.name, mentions)]
    listed = near[:MOST_NAMES] if shown and not whole else [*near, *(c for c in others if c not in near)][:MOST_NAMES]
    if listed:
        lines.append("also in the library: " + ", ".join(str(component.vlnv) for component in listed))
    return "\n".join(lines) or "The library is empty."


def is_near(name: str, mentions: Mentions) -> bool:
    """Whether a component's name, or a part of it, looks like a word of the request."""
    parts = [part for part in (name, *name.split("_")) if len(part) > 2]
    words = [word for word in mentions.words if len(word) > 2]
    return any(fuzz.ratio(part.casefold(), word.casefold()) >= NEAR for part in parts for word in words)


def _component_lines(component: Component, mentions: Mentions, most_connections: int) -> list[str]:
    lines = [f"component {component.vlnv}"]
    design = component.design
    if component.ports:
        lines.append("  ports: " + _cut([port_text(port) for port in component.ports.values()], mentions))
    if component.parameters:
        lines.append("  parameters: " + _cut([_parameter_text(p) for p in component.parameters.values()], mentions))
    if design.instances:
        lines.append("  instances: " + _cut([f"{i.name} = {i.component}" for i in design.instances.values()], mentions))
    if design.connections:
        texts = [_connection_text(connection, mentions) for connection in design.connections.values()]
        lines.append("  connections: " + _cut(texts, mentions, most_connections))
    return lines


def _connection_text(connection: Connection, mentions: Mentions) -> str:
    ends = sorted(connection.ends, key=lambda end: not mentions.has(str(end)))
    texts = [str(end) for end in ends[: max(MOST_ENDS, sum(mentions.has(str(end)) for end in ends))]]
    more = f" and {len(ends) - len(texts)} more" if len(texts) < len(ends) else ""
    return f"{connection.name} ({' - '.join(texts)}{more})"


def port_text(port: Port) -> str:
    """A port in a few words: ``clk in 1``, ``bus requires tlm_socket AXI4 128 (transactional)``."""
    if isinstance(port, SignalPort):
        return f"{port.name} {port.direction} {width_text(port)}"
    if isinstance(port, StructuredPort):
        return f"{port.name} {port.direction} {port.form} (structured)"
    words = (port.name, port.initiative, port.kind, port.protocol, port.bus_width, "(transactional)")
    return " ".join(filter(None, words))


def _parameter_text(parameter: Parameter) -> str:
    type_ = f", {parameter.type}" if parameter.type != "string" else ""
    bounds = f", {parameter.minimum} to {parameter.maximum}" if parameter.minimum or parameter.maximum else ""
    return f"{parameter.name}={parameter.value} ({parameter.kind}{type_}{bounds})"


def _cut(texts: Sequence[str], mentions: Mentions, most: int = MOST_NAMES) -> str:
    if len(texts) <= most:
        return ", ".join(texts)
    first = [text for text in texts if mentions.has(text.split()[0])]
    rest = [text for text in texts if text not in first]
    kept = [*first, *rest][: max(most, len(first))]
    return ", ".join(kept) + f", and {len(texts) - len(kept)} more"


def names_of(component: Component) -> Iterable[str]:
    """Names of everything in a component."""
    yield from component.ports
    yield from component.parameters
    yield from component.design.instances
    yield from component.design.connections
