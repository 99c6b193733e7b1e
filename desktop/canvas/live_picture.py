"""The picture of one component: its diagram and layout, kept in step with the design, shown by a scene."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import cast

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from desktop.canvas.arrange import around, carry_over, crossing, grid_layout, reroute
from desktop.canvas.build import NO_STANDS, BlockCache, build_diagram
from desktop.canvas.diagram import Diagram, PinRef, Stand, node_of
from desktop.canvas.elk import Elk, LayoutWorker, warm_up
from desktop.canvas.elk_graph import elk_graph, read_elk
from desktop.canvas.item_scene import Touched
from desktop.canvas.layout import BlockLayout, EdgeRoute, Layout, NodeShape, Point, shapes
from desktop.canvas.positions import Placement, Positions
from desktop.canvas.scene import DesignScene
from desktop.canvas.style import State, Style
from model.change import Change, ElementId
from model.collection import collection_paused
from model.library import Library
from model.vlnv import Vlnv

HIGHLIGHT_MS = 8000
LARGEST = 3000  # nodes; above this, a grid instead of ELK


class LivePicture(QObject):
    """What is shown and where. Layouts are made off the Qt thread and come in when they are ready.

    Attributes:
        library: the library that is shown.
        vlnv: the component that is shown, or None.
        busy: whether the first layout of the component is still being made.
        notice: what people should know about the layout, or "".
    """

    scene_changed = Signal(object)
    settled = Signal(bool)  # whether everything got a new place
    noticed = Signal()

    def __init__(self, style: Style, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.library = Library()
        self.vlnv: Vlnv | None = None
        self.scene = DesignScene(style)
        self.busy = False
        self.notice = ""
        self._style = style
        self._diagram: Diagram | None = None
        self._layout = Layout()
        self._shapes: dict[str, NodeShape] = {}
        self._expanded: dict[Vlnv, set[str]] = {}
        self.positions = Positions()
        self._loose: set[str] = set()
        self._places_to_come: dict[str, Point] = {}
        self._cache = BlockCache()
        self._states: dict[ElementId, State] = {}
        self._ticket = -1
        self._routing: frozenset[str] = frozenset()  # wires whose courses are being looked for
        self._worker = LayoutWorker()
        # Always queued: a job that is done before `submit` returns would bring a ticket that is not known yet.
        self._worker.finished.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._worker.failed.connect(self._take_failure, Qt.ConnectionType.QueuedConnection)
        warm_up()
        self._fade = QTimer(self)
        self._fade.setSingleShot(True)
        self._fade.setInterval(HIGHLIGHT_MS)
        self._fade.timeout.connect(self.clear_highlights)

    @property
    def diagram(self) -> Diagram | None:
        """What is shown."""
        return self._diagram

    @property
    def layout(self) -> Layout:
        """Where it is shown."""
        return self._layout

    def set_style(self, style: Style) -> None:
        """Paint with other colours and fonts; everything keeps its place."""
        self._style = style
        words = self.scene.tag_words
        self._replace_scene()
        self.scene.set_tag_words(words)
        if self._diagram is not None and self._layout.nodes:
            self._shapes = shapes(self._diagram, style.text_widths)
            self._put(carry_over(self._layout, self._diagram, self._shapes).layout)
            self.scene.set_states(self._states)

    def show(self, library: Library, vlnv: Vlnv) -> None:
        """Show a component, where it stood before if it was shown before.

        Raises:
            DesignError: ``component-not-found``.
        """
        with collection_paused():
            self._show(library, vlnv)

    def _show(self, library: Library, vlnv: Vlnv) -> None:
        cache = BlockCache(self._stands(vlnv))
        diagram = build_diagram(library, vlnv, self._expanded.get(vlnv, ()), cache)
        self._keep()
        self._change_to(library, vlnv, diagram, cache)

    def _change_to(self, library: Library, vlnv: Vlnv, diagram: Diagram, cache: BlockCache) -> None:
        self._cache = cache
        self.library, self.vlnv, self._diagram = library, vlnv, diagram
        self._loose.clear()
        self._states = {}
        self._routing = frozenset()
        self._fade.stop()
        self._replace_scene()
        self._begin()

    def apply(self, library: Library, change: Change) -> None:
        """Follow an edit: what stood stays, what changed is marked for a while."""
        self._follow_to(library, change)

    def _follow_to(self, library: Library, change: Change) -> None:
        self.library = library
        if self.vlnv is None:
            return
        if self.vlnv not in library:
            self._leave()
            return
        old = self._diagram
        diagram = build_diagram(library, self.vlnv, self._expanded.get(self.vlnv, ()), self._cache)
        self._diagram = diagram
        if old is None or self.busy or diagram.is_symbol != old.is_symbol:
            self._replace_scene()
            self._begin()
        elif diagram.is_symbol or diagram is not old:
            self._follow(old, diagram)
        self._mark(change)

    def toggle_pins(self, key: str) -> None:
        """Show all pins of a block, or fold those away that are not connected."""
        if self._diagram is None or self.vlnv is None:
            return
        self._expanded.setdefault(self.vlnv, set()).symmetric_difference_update({key})
        old = self._diagram
        self._diagram = build_diagram(self.library, self.vlnv, self._expanded[self.vlnv], self._cache)
        self._follow(old, self._diagram)
        self._submit_elk(self._layout)

    def clear_highlights(self) -> None:
        """Let changed elements look like all others, and removed ones vanish."""
        self._fade.stop()
        self._states = {}
        self._loose.clear()
        self.scene.drop_ghosts()
        self.scene.set_states({})

    def _keep(self) -> None:
        """Remember where things stand in the component that is shown."""
        if self.vlnv is not None and self._layout.nodes and not self.busy:
            known = self.positions.placements.get(self.vlnv, Placement())
            self.positions.placements[self.vlnv] = replace(known, layout=self._layout)

    def _leave(self) -> None:
        self._keep()  # the component may come back by undo
        self.vlnv, self._diagram, self._layout = None, None, Layout()
        self._ticket = -1
        self.busy = False
        self._replace_scene()
        self.settled.emit(True)

    def _replace_scene(self) -> None:
        # Emptying a large scene is quadratic, dropping it is not.
        self.scene = DesignScene(self._style)
        self.scene_changed.emit(self.scene)

    def _stands(self, vlnv: Vlnv) -> Mapping[PinRef, Stand]:
        """Where the design's own file has the pins of a component's inside; nowhere, as far as is known here."""
        return NO_STANDS

    def _begin(self) -> None:
        """Find the first layout of a diagram: the kept one, none needed, or ELK's."""
        assert self._diagram is not None
        assert self.vlnv is not None
        diagram = self._diagram
        self._shapes = shapes(diagram, self._style.text_widths)
        self._layout = Layout()
        self._set_notice("")
        self._ticket = -1
        kept = self._first_layout()
        self.busy = False
        if diagram.is_symbol:
            shape = self._shapes[""]
            self._put(Layout({"": BlockLayout(0.0, 0.0, shape.width, shape.height)}))
            self.settled.emit(True)
        elif kept is not None and 2 * len(diagram.blocks.keys() & kept.nodes.keys()) >= len(diagram.blocks):
            arrangement = carry_over(kept, diagram, self._shapes)
            self._put(arrangement.layout)
            self.settled.emit(True)
            if arrangement.stale:
                self._submit_routes(arrangement.stale)
        elif len(self._shapes) > LARGEST:
            self._put(grid_layout(diagram, self._shapes))
            self.settled.emit(True)
        else:
            self.busy = True
            self._submit_elk(None)

    def _first_layout(self) -> Layout | None:
        """The places to begin with, where most blocks have one."""
        assert self.vlnv is not None
        placement = self.positions.placements.get(self.vlnv)
        return placement.layout if placement is not None and placement.layout.nodes else None

    def _follow(self, old: Diagram, diagram: Diagram) -> None:
        self._shapes = shapes(diagram, self._style.text_widths, (old, self._shapes))
        difference = diagram.difference_from(old)
        joined = {
            node_of(ref)
            for key in difference.branches
            if key not in old.branches
            for ref in (diagram.branches[key].source, diagram.branches[key].target)
        }
        expected = self._expected(diagram)
        so_far = Layout({**self._layout.nodes, **expected}, self._layout.edges) if expected else self._layout
        arrangement = carry_over(so_far, diagram, self._shapes, self._loose & joined, old, self.scene)
        self._loose.intersection_update(diagram.blocks)
        self._loose.update(key for key in arrangement.placed if key in diagram.blocks)
        known = self.scene.layout is self._layout  # else places have been set that it has not been shown yet
        self._put(arrangement.layout, Touched.by(difference, arrangement, expected) if known else None)
        moved = {*arrangement.placed, *arrangement.resized, *expected}
        if moved and not expected and len(self._loose) * 2 >= len(diagram.blocks):
            # Most of the picture is new: nobody has got used to it yet.
            firm = {key: place for key, place in arrangement.layout.nodes.items() if key not in self._loose}
            self._submit_elk(arrangement.layout if firm and len(self._loose) < len(diagram.blocks) else None)
            return
        stale = arrangement.stale | crossing(arrangement.layout, moved, self.scene)
        if stale:
            self._submit_routes(stale)
        else:
            self._ticket = -1
            self.settled.emit(False)

    def expect(self, places: Mapping[str, Point]) -> None:
        """Say where blocks are to stand that an edit is about to bring, by the names of their instances."""
        self._places_to_come.update(places)

    def _expected(self, diagram: Diagram) -> dict[str, BlockLayout]:
        found: dict[str, BlockLayout] = {}
        for key in self._places_to_come.keys() & diagram.blocks.keys():
            place, shape = self._places_to_come.pop(key), self._shapes[key]
            if key not in self._layout.nodes:
                found[key] = BlockLayout(place.x, place.y, shape.width, shape.height)
        return found

    def _mark(self, change: Change) -> None:
        states: dict[ElementId, State] = {}
        for elements, state in ((change.changed, "changed"), (change.added, "added")):
            for element in elements:
                states[element] = state  # type: ignore[assignment]
        if not states and not change.removed:
            return
        self._states = {**self._states, **states}
        self.scene.set_states(self._states)
        self._fade.start()

    def _put(self, layout: Layout, touched: Touched | None = None) -> None:
        assert self._diagram is not None
        self._layout = layout
        gone = self.scene.show(self._diagram, self._shapes, layout, touched)
        self.scene.add_ghosts(gone)

    def _submit_elk(self, stable: Layout | None) -> None:
        assert self._diagram is not None
        self._routing = frozenset()
        self._ticket = self._worker.submit(partial(_elk_job, self._diagram, self._shapes, stable))

    def _submit_routes(self, keys: Collection[str]) -> None:
        assert self._diagram is not None
        # Courses that an earlier job was to find are still only provisional: this one takes them over.
        wanted = (self._routing | frozenset(keys)) & self._layout.edges.keys()
        part = self._layout
        if len(wanted) < len(self._layout.edges) / 4:
            part = around(part, self._diagram, self._shapes, wanted, self.scene)
        self._ticket = self._worker.submit(partial(_route_job, self._diagram, self._shapes, part, wanted))
        self._routing = wanted

    def _take(self, ticket: int, result: object) -> None:
        if ticket != self._ticket or self._diagram is None:
            return
        self._ticket = -1
        self._routing = frozenset()
        touched: Touched | None = None
        if isinstance(result, Layout):
            layout = result
        else:
            routes = cast("dict[str, EdgeRoute]", result)
            layout = self._layout.with_edges(routes)
            if self.scene.layout is self._layout:
                touched = Touched((), sorted(routes), ())
        everything = self.busy or layout.nodes is not self._layout.nodes
        self.busy = False
        self._put(layout, touched)
        if everything:
            self.scene.set_states(self._states)
        self.settled.emit(everything)

    def _take_failure(self, ticket: int, reason: str) -> None:
        if ticket != self._ticket or self._diagram is None:
            return
        self._ticket = -1
        self._set_notice(f"Automatic layout failed, so the blocks stand in a grid. {reason}")
        if self.busy:
            self.busy = False
            self._put(grid_layout(self._diagram, self._shapes))
            self.scene.set_states(self._states)
        self.settled.emit(True)

    def _set_notice(self, text: str) -> None:
        if text != self.notice:
            self.notice = text
            self.noticed.emit()


def _elk_job(diagram: Diagram, known: dict[str, NodeShape], stable: Layout | None, elk: Elk) -> Layout:
    layout = read_elk(elk.layout(elk_graph(diagram, known, stable)), diagram, known)
    return carry_over(layout, diagram, known).layout if layout.nodes.keys() != known.keys() else layout


def _route_job(
    diagram: Diagram, known: dict[str, NodeShape], layout: Layout, keys: frozenset[str], elk: Elk
) -> dict[str, EdgeRoute]:
    return reroute(layout, diagram, known, keys)
