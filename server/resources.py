"""The design as MCP resources: what a client can attach to a conversation, and how it learns that it changed.

``design://library`` lists the components; ``design://component/{vlnv}`` describes one, as JSON with the facts of the
reading tools; ``design://component/{vlnv}/diagram`` draws it, as SVG.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Any
from urllib.parse import unquote

from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.server.subscriptions import InMemorySubscriptionBus, ResourcesListChanged, ResourceUpdated, ServerEvent
from mcp.types import Completion, Resource, ResourceTemplate

from model.change import Change
from model.difference import change_between
from model.errors import DesignError
from model.library import Library
from model.operations.arguments import find
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.diagram import diagram_svg
from server.tools_read import get_component_details

LIBRARY_URI = "design://library"
JSON_TYPE, SVG_TYPE = "application/json", "image/svg+xml"

MAX_LISTED = 500
"""How many components are listed as resources; the templates and ``design://library`` give the others."""

MAX_IN_LIBRARY = 5000
"""How many VLNVs ``design://library`` names; list_components finds the others."""

_COMPONENT_PREFIX = "design://component/"
_DIAGRAM_SUFFIX = "/diagram"
_OF_EDITS = ("ok", "message", "added", "changed", "removed", "warnings")


def component_uri(vlnv: Vlnv) -> str:
    """The URI of a component's resource."""
    return f"{_COMPONENT_PREFIX}{vlnv}"


def diagram_uri(vlnv: Vlnv) -> str:
    """The URI of a component's diagram."""
    return component_uri(vlnv) + _DIAGRAM_SUFFIX


def resources_of(library: Library) -> list[Resource]:
    """The library's own resource, one for each component (the first 500), and a diagram for those with an inside."""
    listed = [
        Resource(
            uri=LIBRARY_URI, name="library", title="Component library", description="All VLNVs.", mime_type=JSON_TYPE
        )
    ]
    for component in library.components.values()[:MAX_LISTED]:
        listed.append(
            Resource(
                uri=component_uri(component.vlnv),
                name=str(component.vlnv),
                title=component.vlnv.name,
                description=component.description or None,
                mime_type=JSON_TYPE,
            )
        )
        if component.design.instances:
            listed.append(
                Resource(
                    uri=diagram_uri(component.vlnv),
                    name=f"{component.vlnv} diagram",
                    title=f"Diagram of {component.vlnv.name}",
                    mime_type=SVG_TYPE,
                )
            )
    return listed


def resource_templates() -> list[ResourceTemplate]:
    """How the URIs of a component are made."""
    return [
        ResourceTemplate(
            uri_template=_COMPONENT_PREFIX + "{vlnv}",
            name="component",
            title="Component",
            description="Ports, parameters and inside of the component vendor:library:name:version.",
            mime_type=JSON_TYPE,
        ),
        ResourceTemplate(
            uri_template=_COMPONENT_PREFIX + "{vlnv}" + _DIAGRAM_SUFFIX,
            name="diagram",
            title="Diagram of a component",
            description="Picture of the component vendor:library:name:version: blocks, ports and wires.",
            mime_type=SVG_TYPE,
        ),
    ]


def read_resource(library: Library, uri: str) -> tuple[str, str]:
    """The text of a resource and its media type.

    Raises:
        ResourceNotFoundError: there is no such resource; the text names the nearest.
    """
    if uri == LIBRARY_URI:
        return json.dumps(_library_facts(library), indent=1), JSON_TYPE
    if not uri.startswith(_COMPONENT_PREFIX):
        raise ResourceNotFoundError(f"There is no such resource. Use {LIBRARY_URI} or {_COMPONENT_PREFIX}VLNV.")
    name = unquote(uri.removeprefix(_COMPONENT_PREFIX))
    try:
        if name.endswith(_DIAGRAM_SUFFIX):
            return diagram_svg(library, find(library, name.removesuffix(_DIAGRAM_SUFFIX))), SVG_TYPE
        result = get_component_details(library, component=name)
    except DesignError as error:
        raise ResourceNotFoundError(str(error)) from error
    facts = {key: value for key, value in result.structured_content.items() if key not in _OF_EDITS}
    return json.dumps(facts, indent=1, ensure_ascii=False), JSON_TYPE


def _library_facts(library: Library) -> dict[str, Any]:
    vlnvs = list(islice(library.components, MAX_IN_LIBRARY))
    facts: dict[str, Any] = {"count": len(library), "components": [str(vlnv) for vlnv in vlnvs]}
    if len(library) > len(vlnvs):
        facts["left_out"] = len(library) - len(vlnvs)
        facts["hint"] = "The tool list_components finds the others, filtered by vendor, library, name or version."
    return facts


def complete_vlnv(library: Library, begun: str) -> Completion:
    """The VLNVs that hold what was typed, those that begin with it first; 100 at most, as the protocol says."""
    wanted = begun.casefold()
    found = [text for vlnv in library.components if wanted in (text := str(vlnv)).casefold()]
    found.sort(key=lambda text: not text.casefold().startswith(wanted))
    return Completion(values=found[:100], total=len(found), has_more=len(found) > 100)


def events_of(change: Change) -> list[ServerEvent]:
    """What clients are told of a change: which resources to read again, and whether there are other ones."""
    events: list[ServerEvent] = [
        ResourceUpdated(uri)
        for vlnv in dict.fromkeys(element.component for element in change.touched)
        for uri in (component_uri(vlnv), diagram_uri(vlnv))
    ]
    if any(element.kind == "component" for element in change.added + change.removed):
        events += [ResourceUpdated(LIBRARY_URI), ResourcesListChanged()]
    return events


class DesignEvents(InMemorySubscriptionBus):
    """Tells open subscriptions of every change of a workspace, whoever made it and on whichever thread."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._forwarders: dict[Callable[[Change], None], Callable[[], None]] = {}

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Call ``listener`` on the running event loop with every event; the returned function ends it."""
        loop = asyncio.get_running_loop()
        leave_bus = super().subscribe(listener)

        def deliver(events: list[ServerEvent]) -> None:
            for event in events:
                listener(event)

        def forward(change: Change) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody is left to be told
                loop.call_soon_threadsafe(deliver, events_of(change))

        self._forwarders[forward] = self._workspace.subscribe(forward)

        def unsubscribe() -> None:
            if leave := self._forwarders.pop(forward, None):
                leave()
            leave_bus()

        return unsubscribe

    def show(self, workspace: Workspace) -> None:
        """Follow another workspace from now on, and tell everybody what differs between the two."""
        before, self._workspace = self._workspace, workspace
        change = change_between(before.library, workspace.library)
        for forward, leave in list(self._forwarders.items()):
            leave()
            self._forwarders[forward] = workspace.subscribe(forward)
            forward(change)


class SessionSubscriptions:
    """``resources/subscribe`` of protocol versions up to 2025-11-25, for one client's session.

    A notification only says "read again", so one that is still being written stands for all that follow it: a client
    that reads slowly costs one waiting message a resource.
    """

    def __init__(self, events: DesignEvents, notify: Callable[[str], Any]) -> None:
        """Prepare for one session; ``notify`` is a coroutine function that sends the URI of what changed."""
        self._events = events
        self._notify = notify
        self._uris: set[str] = set()
        self._sending: dict[str, asyncio.Task[None]] = {}
        self._leave: Callable[[], None] | None = None

    def add(self, uri: str) -> None:
        """Tell the client of changes of a resource from now on."""
        self._uris.add(uri)
        if self._leave is None:
            self._leave = self._events.subscribe(self._hear)

    def remove(self, uri: str) -> None:
        """Tell it no longer."""
        self._uris.discard(uri)

    def close(self) -> None:
        """End with the session."""
        if self._leave is not None:
            self._leave()
            self._leave = None
        for task in self._sending.values():
            task.cancel()

    def _hear(self, event: ServerEvent) -> None:
        if not isinstance(event, ResourceUpdated) or event.uri not in self._uris or event.uri in self._sending:
            return
        task = asyncio.ensure_future(self._notify(event.uri))
        self._sending[event.uri] = task
        task.add_done_callback(lambda _done: self._sending.pop(event.uri, None))
