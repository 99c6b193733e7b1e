"""The picture of one component: its diagram and layout, kept in step with the design, shown by a scene."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.canvas.arrange import around, carry_over, crossing, grid_layout, reroute, touching
from desktop.canvas.build import BlockCache, build_diagram
from desktop.canvas.diagram import Diagram, node_of
from desktop.canvas.elk import Elk, LayoutWorker
from desktop.canvas.elk_graph import elk_graph, read_elk
from desktop.canvas.layout import BlockLayout, EdgeRoute, Layout, NodeShape, shapes
from desktop.canvas.positions import Positions
from desktop.canvas.scene import DesignScene
from desktop.canvas.style import State, Style
from model.change import Change, ElementId
from model.difference import change_between
from model.library import Library
from model.vlnv import Vlnv

HIGHLIGHT_MS = 8000
_MOVES_KEPT = 100
LARGEST = 3000  # nodes; above this, a grid instead of ELK


class _Covered(NamedTuple):
    """What a proposal is drawn over."""

    library: Library
    layout: Layout
    vlnv: Vlnv | None


class Picture(QObject):
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
        self._kept: dict[Vlnv, Layout] = {}
        self._moves: dict[Vlnv, list[Layout]] = {}
        self.positions = Positions()
        self._loose: set[str] = set()
        self._cache = BlockCache()
        self._states: dict[ElementId, State] = {}
        self._covered: _Covered | None = None
        self._ticket = -1
        self._routing: frozenset[str] = frozenset()  # wires whose courses are being looked for
        self._worker = LayoutWorker()
        self._worker.finished.connect(self._take)
        self._worker.failed.connect(self._take_failure)
        self._worker.warm_up()
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
        self._replace_scene()
        if self._diagram is not None and self._layout.nodes:
            self._shapes = shapes(self._diagram, style.text_widths)
            self._put(carry_over(self._layout, self._diagram, self._shapes).layout)
            self.scene.set_states(self._states)

    def show(self, library: Library, vlnv: Vlnv) -> None:
        """Show a component, where it stood before if it was shown before.

        Raises:
            DesignError: ``component-not-found``.
        """
        with without_collection():
            self._show(library, vlnv)

    def _show(self, library: Library, vlnv: Vlnv) -> None:
        cache = BlockCache()
        diagram = build_diagram(library, vlnv, self._expanded.get(vlnv, ()), cache)
        self._uncover()
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
        self._end_proposal()
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

    def load_positions(self, folder: Path) -> None:
        """Take the places that are stored with a workspace, for components that are shown from now on."""
        self.positions.load(folder)
        self._kept = {vlnv: Layout(nodes) for vlnv, nodes in self.positions.places.items()}

    def save_positions(self, folder: Path) -> None:
        """Store the places of all components that were shown.

        Raises:
            OSError: the folder cannot be written.
        """
        self._keep()
        self.positions.places = {
            vlnv: dict(layout.nodes) for vlnv, layout in self._kept.items() if vlnv in self.library
        }
        self.positions.save(folder)

    @property
    def can_undo_move(self) -> bool:
        """Whether a move or a new layout can be taken back."""
        return self.vlnv is not None and not self.busy and bool(self._moves.get(self.vlnv))

    def undo_move(self) -> None:
        """Take back the last move or new layout; nodes that came since stay where they are."""
        if self.vlnv is None or self._diagram is None or not self.can_undo_move:
            return
        earlier = self._moves[self.vlnv].pop()
        nodes = {**self._layout.nodes, **{k: v for k, v in earlier.nodes.items() if k in self._layout.nodes}}
        edges = {**self._layout.edges, **earlier.edges}
        arrangement = carry_over(Layout(nodes, edges), self._diagram, self._shapes)
        self._put(arrangement.layout)
        self.scene.set_states(self._states)
        if arrangement.stale:
            self._submit_routes(arrangement.stale)
        else:
            self._ticket = -1
            self.settled.emit(True)

    def _note_move(self) -> None:
        if self.vlnv is not None and self._layout.nodes:
            moves = self._moves.setdefault(self.vlnv, [])
            moves.append(self._layout)
            del moves[:-_MOVES_KEPT]

    @property
    def proposal(self) -> Library | None:
        """The library that is drawn over the present one, if any."""
        return self.library if self._covered is not None else None

    @property
    def previews(self) -> bool:
        """Whether a component is shown that only a proposal has."""
        return self._covered is not None and self._covered.vlnv != self.vlnv

    def show_proposal(self, library: Library | None, vlnv: Vlnv | None = None) -> None:
        """Draw what ``library`` would change over what is shown, or a component that only it has.

        None goes back to the design as it is.
        """
        self._end_proposal()
        wanted = vlnv or self.vlnv
        if library is None or wanted is None or self.busy or wanted not in library:
            return
        covered = _Covered(self.library, self._layout, self.vlnv)
        change = change_between(self.library, library)
        if wanted == self.vlnv:
            self._covered = covered
            self._follow_to(library, change)
        else:
            cache = BlockCache()
            diagram = build_diagram(library, wanted, (), cache)
            self._keep()
            self._covered = covered
            self._change_to(library, wanted, diagram, cache)
            self._mark(change)
        self._fade.stop()  # a proposal stands until somebody decides
        self.scene.set_tag_words({"added": "proposed", "changed": "to be changed", "removed": "to be removed"})

    def _end_proposal(self) -> None:
        covered = self._covered
        if covered is None:
            return
        if self.previews:
            self._covered = None
            self.library = covered.library
            if covered.vlnv is not None and covered.vlnv in covered.library:
                self._show(covered.library, covered.vlnv)
            else:
                self._leave()
            return
        self._covered = None
        self.scene.set_tag_words({})
        self.clear_highlights()
        self._layout = Layout(
            {**self._layout.nodes, **covered.layout.nodes}, {**self._layout.edges, **covered.layout.edges}
        )
        self._follow_to(covered.library, Change())
        self.clear_highlights()

    def _uncover(self) -> None:
        """Forget a proposal that is being left for another component."""
        if self._covered is not None and not self.previews:
            self._layout = self._covered.layout
        self._covered = None

    def relayout(self) -> None:
        """Lay everything out anew."""
        if self._diagram is not None:
            self._note_move()
            self._loose.clear()
            self._submit_elk(None)

    def reroute_all(self) -> None:
        """Route all wires anew; blocks stay."""
        if self._diagram is not None:
            self._note_move()
            self._submit_routes(frozenset(self._layout.edges))

    def drop(self, moved: Collection[str]) -> None:
        """Take over where a person put nodes, and route what touches or crosses them."""
        if self._diagram is None:
            return
        self._note_move()
        nodes = dict(self._layout.nodes)
        for key in moved:
            item = self.scene.nodes[key]
            nodes[key] = BlockLayout(item.x(), item.y(), item.body.width(), item.body.height())
        self._loose.difference_update(moved)
        self._layout = Layout(nodes, self._layout.edges)
        provisional = carry_over(self._layout, self._diagram, self._shapes, (), None, self.scene)
        self._layout = provisional.layout
        self._submit_routes(
            touching(self._diagram, moved) | crossing(self._layout, moved, self.scene) | provisional.stale
        )

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
        if self.vlnv is not None and self._layout.nodes and not self.busy:
            self._kept[self.vlnv] = self._layout

    def _leave(self) -> None:
        if self.vlnv is not None:
            self._kept.pop(self.vlnv, None)
        self.vlnv, self._diagram, self._layout = None, None, Layout()
        self._ticket = -1
        self.busy = False
        self._replace_scene()
        self.settled.emit(True)

    def _replace_scene(self) -> None:
        # Emptying a large scene is quadratic, dropping it is not.
        self.scene = DesignScene(self._style)
        self.scene_changed.emit(self.scene)

    def _begin(self) -> None:
        """Find the first layout of a diagram: the kept one, none needed, or ELK's."""
        assert self._diagram is not None
        assert self.vlnv is not None
        diagram = self._diagram
        self._shapes = shapes(diagram, self._style.text_widths)
        self._layout = Layout()
        self._set_notice("")
        self._ticket = -1
        kept = self._kept.get(self.vlnv)
        self.busy = False
        if diagram.is_symbol:
            shape = self._shapes[""]
            self._put(Layout({"": BlockLayout(0.0, 0.0, shape.width, shape.height)}))
            self.settled.emit(True)
        elif kept is not None and not diagram.blocks.keys() - kept.nodes.keys():
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

    def _follow(self, old: Diagram, diagram: Diagram) -> None:
        self._shapes = shapes(diagram, self._style.text_widths, (old, self._shapes))
        joined = {
            node_of(ref)
            for key, branch in diagram.branches.items()
            if key not in old.branches
            for ref in (branch.source, branch.target)
        }
        arrangement = carry_over(self._layout, diagram, self._shapes, self._loose & joined, old, self.scene)
        self._loose.intersection_update(diagram.blocks)
        self._loose.update(key for key in arrangement.placed if key in diagram.blocks)
        before = self._layout.nodes
        self._put(arrangement.layout)
        resized = [
            key
            for key, place in arrangement.layout.nodes.items()
            if key in before and (before[key].width, before[key].height) != (place.width, place.height)
        ]
        moved = {*arrangement.placed, *resized}
        if moved and len(self._loose) * 2 >= len(diagram.blocks):
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

    def _put(self, layout: Layout) -> None:
        assert self._diagram is not None
        self._layout = layout
        gone = self.scene.show(self._diagram, self._shapes, layout)
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
        layout = result if isinstance(result, Layout) else self._layout.with_edges(result)  # type: ignore[arg-type]
        everything = self.busy or layout.nodes is not self._layout.nodes
        self.busy = False
        self._put(layout)
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


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause the garbage collector: while many objects are made and none dies, it only looks at them again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _elk_job(diagram: Diagram, known: dict[str, NodeShape], stable: Layout | None, elk: Elk) -> Layout:
    layout = read_elk(elk.layout(elk_graph(diagram, known, stable)), diagram, known)
    return carry_over(layout, diagram, known).layout if layout.nodes.keys() != known.keys() else layout


def _route_job(
    diagram: Diagram, known: dict[str, NodeShape], layout: Layout, keys: frozenset[str], elk: Elk
) -> dict[str, EdgeRoute]:
    return reroute(layout, diagram, known, keys)
