"""What people do to the picture of a component: move, lay out anew, write notes; and proposals drawn over it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from desktop.canvas.arrange import carry_over, crossing, touching
from desktop.canvas.build import BlockCache, build_diagram
from desktop.canvas.diagram import PinRef, Stand
from desktop.canvas.fitting import fitted_courses
from desktop.canvas.layout import BlockLayout, Layout, Point
from desktop.canvas.live_picture import LivePicture
from desktop.canvas.positions import Note, Placement
from desktop.canvas.seeding import Scale, moved_seeds, scale_of, seeded_layout
from desktop.canvas.seeds import Seeds
from desktop.canvas.style import Style
from desktop.history import Rearrangement
from model.change import Change
from model.difference import change_between
from model.library import Library
from model.vlnv import Vlnv

SeedsOf = Callable[[Vlnv], Seeds]
_PROPOSED = {"added": "proposed", "changed": "to be changed", "removed": "to be removed"}
_NO_NOTES: Mapping[str, Note] = {}


class _Covered(NamedTuple):
    """What a proposal is drawn over."""

    library: Library
    layout: Layout
    vlnv: Vlnv | None


class _Seeded(NamedTuple):
    """How the places of the design's file became places here."""

    seeds: Seeds
    scale: Scale
    layout: Layout


class Picture(LivePicture):
    """The live picture, as people arrange it.

    Signals:
        rearranged: a :class:`Rearrangement` that undo can take back.
        wanted: the :class:`Vlnv` of a component whose rearrangement was just taken back while another was shown.
    """

    rearranged = Signal(object)
    wanted = Signal(object)

    def __init__(self, style: Style, parent: QObject | None = None) -> None:
        super().__init__(style, parent)
        self._covered: _Covered | None = None
        self._seeds: SeedsOf = lambda _vlnv: Seeds()
        self._read_seeds: dict[Vlnv, Seeds] = {}
        self._seeded: dict[Vlnv, _Seeded] = {}

    # --- what is shown ---

    def show(self, library: Library, vlnv: Vlnv) -> None:
        """Show a component, where it stood before if it was shown before.

        Raises:
            DesignError: ``component-not-found``.
        """
        library.get(vlnv)
        self._uncover()
        super().show(library, vlnv)

    def apply(self, library: Library, change: Change) -> None:
        """Follow an edit: what stood stays, what changed is marked for a while."""
        self._end_proposal()
        super().apply(library, change)

    def _replace_scene(self) -> None:
        super()._replace_scene()
        self.scene.set_notes(self.notes)
        if self._covered is not None:
            self.scene.set_tag_words(_PROPOSED)

    # --- proposals ---

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
        if wanted == self.vlnv and self._would_be_emptied(library):
            self._covered = covered
            self._states = dict.fromkeys(change.removed, "removed")
            self.scene.set_states(self._states)
        elif wanted == self.vlnv:
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
        self.scene.set_tag_words(_PROPOSED)

    def _would_be_emptied(self, library: Library) -> bool:
        """Whether the shown component would have nothing inside, so that only its outside could be drawn."""
        assert self.vlnv is not None
        shown = self._diagram is not None and not self._diagram.is_symbol
        return shown and library.get(self.vlnv).design.is_empty

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

    # --- moving and laying out ---

    def drop(self, moved: Collection[str], notes: Collection[str] = ()) -> None:
        """Take over where a person put nodes and notes, and route what touches or crosses the nodes."""
        if self._diagram is None:
            return
        self._note_move(_moved_words(moved, notes))
        for key in notes:
            item = self.scene.notes[key]
            self._set_note(key, replace(item.note, x=item.x(), y=item.y()))
        if not moved:
            return
        nodes = dict(self._layout.nodes)
        for key in moved:
            item_of_node = self.scene.nodes[key]
            body = item_of_node.body
            nodes[key] = BlockLayout(item_of_node.x(), item_of_node.y(), body.width(), body.height())
        self._loose.difference_update(moved)
        self._layout = Layout(nodes, self._layout.edges)
        provisional = carry_over(self._layout, self._diagram, self._shapes, (), None, self.scene)
        self._layout = provisional.layout
        self._submit_routes(
            touching(self._diagram, moved) | crossing(self._layout, moved, self.scene) | provisional.stale
        )

    def relayout(self) -> None:
        """Lay everything out anew."""
        if self._diagram is not None:
            self._note_move("Re-layout")
            self._loose.clear()
            self._submit_elk(None)

    def reroute_all(self) -> None:
        """Route all wires anew; blocks stay."""
        if self._diagram is not None:
            self._note_move("Re-route wires")
            self._submit_routes(frozenset(self._layout.edges))

    def _note_move(self, label: str) -> None:
        """Remember how it is, before it becomes otherwise."""
        vlnv = self.vlnv
        if vlnv is None or self.previews:
            return
        self.positions.arranged.add(vlnv)
        if vlnv in self._seeded:
            self.positions.seeds[vlnv] = self._seeded[vlnv].seeds.places
        other = self._placement(vlnv)

        def swap() -> None:
            nonlocal other
            other, wanted = self._placement(vlnv), other
            self._put_back(vlnv, wanted)

        self.rearranged.emit(Rearrangement(label, swap, swap))

    def _placement(self, vlnv: Vlnv) -> Placement:
        known = self.positions.placements.get(vlnv, Placement())
        return replace(known, layout=self._layout) if vlnv == self.vlnv and not self.busy else known

    def _put_back(self, vlnv: Vlnv, placement: Placement) -> None:
        """Let a component stand as it stood; nodes that came since stay where they are."""
        if vlnv != self.vlnv:
            self.positions.placements[vlnv] = placement
            self.wanted.emit(vlnv)
            return
        self._end_proposal()
        self.positions.placements[vlnv] = placement
        self.scene.set_notes(placement.notes)
        if self._diagram is None or self.busy:
            return
        present = self._layout.nodes
        nodes = {**present, **{key: node for key, node in placement.layout.nodes.items() if key in present}}
        edges = {**self._layout.edges, **placement.layout.edges}
        arrangement = carry_over(Layout(nodes, edges), self._diagram, self._shapes)
        self._put(arrangement.layout)
        self.scene.set_states(self._states)
        if arrangement.stale:
            self._submit_routes(arrangement.stale)
        else:
            self._ticket = -1
            self._routing = frozenset()
            self.settled.emit(True)

    # --- notes ---

    @property
    def notes(self) -> Mapping[str, Note]:
        """The notes of the component that is shown, by key."""
        placement = self.positions.placements.get(self.vlnv) if self.vlnv is not None else None
        return placement.notes if placement is not None else _NO_NOTES

    def add_note(self, text: str, x: float, y: float) -> str:
        """Put a note onto the canvas; return its key."""
        key = next(name for number in count(1) if (name := f"note{number}") not in self.notes)
        self._note_move("Add note")
        self._set_note(key, Note(text, x, y))
        return key

    def edit_note(self, key: str, text: str) -> None:
        """Write other words into a note; a note without words goes."""
        note = self.notes.get(key)
        if note is not None and note.text != text:
            self._note_move("Edit note" if text else "Delete note")
            self._set_note(key, replace(note, text=text) if text else None)

    def delete_notes(self, keys: Collection[str]) -> None:
        """Take notes away."""
        if keys:
            self._note_move("Delete note" if len(keys) == 1 else f"Delete {len(keys)} notes")
            for key in keys:
                self._set_note(key, None)

    def _set_note(self, key: str, note: Note | None) -> None:
        assert self.vlnv is not None
        notes = {**self.notes, key: note} if note is not None else {k: v for k, v in self.notes.items() if k != key}
        known = self.positions.placements.get(self.vlnv, Placement(self._layout))
        self.positions.placements[self.vlnv] = replace(known, notes=notes)
        self.scene.set_notes(self.notes)

    # --- files ---

    def load_positions(self, folder: Path) -> None:
        """Take the places that are stored with a workspace, for components that are shown from now on."""
        self._read_seeds.clear()
        self._seeded.clear()
        self.positions.load(folder)

    def saving_positions(self, folder: Path) -> Callable[[], None]:
        """What stores the places of the components that a person has arranged, from any thread.

        The function raises ``OSError`` where the folder cannot be written.
        """
        if not self.previews:
            self._keep()
        covered = self._covered.library if self._covered is not None else None
        return partial(self.positions.copy().save, folder, covered if covered is not None else self.library)

    def seed_from(self, seeds: SeedsOf) -> None:
        """Ask ``seeds`` what the design's own file says of the picture of a component."""
        self._seeds = seeds

    def moved_seeds(self, vlnv: Vlnv) -> dict[str, Point]:
        """The places, for the design's own file, of the nodes that were moved since it was read, by key."""
        seeded = self._seeded.get(vlnv)
        if seeded is None or vlnv not in self.positions.arranged:
            return {}
        return moved_seeds(seeded.seeds, seeded.scale, seeded.layout, self._placement(vlnv).layout)

    def seeds_written(self, vlnv: Vlnv, written: Mapping[str, Point]) -> None:
        """Take note that the design's own file has these places now."""
        seeded, present = self._seeded[vlnv], self._placement(vlnv).layout
        nodes = {**seeded.layout.nodes, **{key: present.nodes[key] for key in written if key in present.nodes}}
        seeds = replace(seeded.seeds, places={**seeded.seeds.places, **written})
        self._seeded[vlnv] = _Seeded(seeds, seeded.scale, Layout(nodes))
        self.positions.seeds[vlnv] = seeds.places

    def _stands(self, vlnv: Vlnv) -> Mapping[PinRef, Stand]:
        return self._known_seeds(vlnv).stands

    def _known_seeds(self, vlnv: Vlnv) -> Seeds:
        """What the design's own file says; it is asked again only where it said nothing."""
        known = self._read_seeds.get(vlnv) or self._seeds(vlnv)
        if known.places:
            self._read_seeds[vlnv] = known
        return known

    def _first_layout(self) -> Layout | None:
        """What was arranged here, unless another program has moved the instances since; else what the file says."""
        kept = super()._first_layout()
        vlnv, diagram = self.vlnv, self._diagram
        assert vlnv is not None
        assert diagram is not None
        if diagram.is_symbol or vlnv in self._seeded:
            return kept
        seeds = self._known_seeds(vlnv)
        scale = scale_of(seeds, diagram, self._shapes) if seeds.places else None
        if scale is None:
            return kept
        reference = seeded_layout(seeds, scale, diagram, self._shapes)
        self._seeded[vlnv] = _Seeded(seeds, scale, reference)
        same = vlnv not in self.positions.arranged or self.positions.seeds.get(vlnv) == seeds.places
        layout = kept if kept is not None and same else reference
        courses = fitted_courses(seeds, scale, reference, diagram, self._shapes, layout)
        return layout.with_edges({key: course for key, course in courses.items() if key not in layout.edges})


def _moved_words(moved: Collection[str], notes: Collection[str]) -> str:
    if len(moved) == 1 and not notes:
        return f"Move {next(iter(moved)).rpartition(':')[2]}"
    if notes and not moved:
        return "Move note" if len(notes) == 1 else f"Move {len(notes)} notes"
    return f"Move {len(moved) + len(notes)} elements"
