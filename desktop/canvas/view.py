"""The canvas widget: shows a component's inside, follows its changes, and arranges it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from desktop.canvas.editing_view import EditingView
from desktop.canvas.layout import Point
from desktop.canvas.picture import SeedsOf
from desktop.canvas.style import style_of
from desktop.theme.tokens import LIGHT, Tokens
from model.change import Change
from model.library import Library
from model.vlnv import Vlnv


class DesignView(EditingView):
    """Block diagram of one component.

    Signals:
        rearranged: a :class:`Rearrangement`: blocks or notes were moved, laid out, routed or written.
        component_wanted: the :class:`Vlnv` of a component whose rearrangement was taken back unseen.
    """

    rearranged = Signal(object)
    component_wanted = Signal(object)

    def __init__(self, tokens: Tokens = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(tokens, parent)
        self.setAccessibleName("Block diagram")
        self._picture.rearranged.connect(self.rearranged)
        self._picture.wanted.connect(self.component_wanted)

    # What is shown

    @property
    def component(self) -> Vlnv | None:
        """The component that is shown."""
        return self._picture.vlnv

    @property
    def block_count(self) -> int:
        """How many instances are shown."""
        diagram = self._picture.diagram
        return 0 if diagram is None or diagram.is_symbol else len(diagram.blocks)

    @property
    def net_count(self) -> int:
        """How many nets are shown."""
        diagram = self._picture.diagram
        return 0 if diagram is None else len(diagram.nets)

    @property
    def notice(self) -> str:
        """What people should know about the layout, or ""."""
        return self._picture.notice

    @property
    def layout_is_there(self) -> bool:
        """Whether the shown component has its places."""
        return not self._picture.busy

    def set_tokens(self, tokens: Tokens) -> None:
        """Take other colours and fonts."""
        self._tokens = tokens
        self._style = style_of(tokens)
        self._minimap.set_tokens(tokens)
        middle, chosen = self.mapToScene(self.viewport().rect().center()), self.selected()
        self._picture.set_style(self._style)
        self._picture.scene.set_findings(self._findings)
        self.centerOn(middle)
        self.select(chosen)
        self.viewport().update()

    def show_component(self, library: Library, vlnv: Vlnv) -> None:
        """Show a component; :attr:`layout_finished` tells when it has its layout.

        Raises:
            DesignError: ``component-not-found``.
        """
        self._fitted = True
        if not (self._picture.busy and self._picture.library is library and self._picture.vlnv == vlnv):
            self._picture.show(library, vlnv)  # else its blocks are being arranged already
        self.setInteractive(True)
        self.selection_changed.emit(())

    def apply_change(self, library: Library, change: Change) -> None:
        """Follow an edit of the library: what stood stays, what changed is highlighted for a while."""
        self._picture.apply(library, change)
        self.setInteractive(True)
        self.viewport().update()

    def show_proposal(self, library: Library | None, vlnv: Vlnv | None = None) -> None:
        """Draw what another library would add, change and remove over the present design; None ends it.

        A change of the design or another component ends it too. Nothing is drawn before :attr:`layout_finished`.

        Args:
            library: the design as it would be.
            vlnv: a component that only ``library`` has; by default what is shown.
        """
        before = self._picture.vlnv
        self._picture.show_proposal(library, vlnv)
        if self._picture.vlnv != before:
            self._fitted = True
            self.fit()
        self.setInteractive(not self._picture.previews)
        self.viewport().update()

    @property
    def shows_proposal(self) -> bool:
        """Whether a proposal is drawn."""
        return self._picture.proposal is not None

    def clear_highlights(self) -> None:
        """End the highlighting of changes now."""
        self._picture.clear_highlights()

    # Arranging

    def relayout(self) -> None:
        """Lay the whole picture out anew."""
        self._fitted = True
        self._picture.relayout()

    def reroute(self) -> None:
        """Route all wires anew; blocks stay."""
        self._picture.reroute_all()

    def expect(self, places: Mapping[str, Point]) -> None:
        """Say where the instances of these names are to stand once an edit has made them."""
        self._picture.expect(places)

    def place_of(self, instance: str) -> Point | None:
        """Where the block of an instance stands."""
        node = self._picture.scene.nodes.get(instance)
        return Point(node.x(), node.y()) if node is not None else None

    def load_positions(self, folder: Path) -> None:
        """Take the places that are stored with a workspace, for components that are shown from now on."""
        self._picture.load_positions(folder)

    def save_positions(self, folder: Path) -> None:
        """Store the places of the components that a person has arranged.

        Raises:
            OSError: the folder cannot be written.
        """
        self._picture.saving_positions(folder)()

    def saving_positions(self, folder: Path) -> Callable[[], None]:
        """What :meth:`save_positions` does, to be done on another thread; the places are those of now."""
        return self._picture.saving_positions(folder)

    def seed_from(self, seeds: SeedsOf) -> None:
        """Ask ``seeds`` what a design's own file says of its picture."""
        self._picture.seed_from(seeds)

    def moved_seeds(self, vlnv: Vlnv) -> dict[str, Point]:
        """The places, for the design's own file, of the nodes that were moved since it was read, by key."""
        return self._picture.moved_seeds(vlnv)

    def seeds_written(self, vlnv: Vlnv, written: Mapping[str, Point]) -> None:
        """Take note that the design's own file has these places now."""
        self._picture.seeds_written(vlnv, written)

    def export(self, path: Path) -> None:
        """Write the whole picture as SVG, PDF or PNG, as the file's suffix says.

        Raises:
            ValueError: the suffix is another one, or nothing is shown.
            OSError: the file cannot be written.
        """
        from desktop.canvas.export import export  # noqa: PLC0415  # few sessions need it

        export(self._picture.scene, path)

    # Reactions

    def drawForeground(self, painter: QPainter, rect: QRectF | object) -> None:
        """What there is to say: an empty design, a layout in the making, one that failed."""
        text = self._picture.notice
        diagram = self._picture.diagram
        if self._picture.busy:
            text = "Arranging blocks and wires…"
        elif diagram is None:
            text = "Nothing is open. Choose a component in the library."
        if not text:
            return
        painter.save()
        painter.resetTransform()
        painter.setFont(self._style.title_font)
        painter.setPen(QColor(self._tokens.warning if self._picture.notice else self._tokens.text_muted))
        room = QRectF(self.viewport().rect()).adjusted(20, 16, -20, -16)
        place = Qt.AlignmentFlag.AlignTop if self._picture.notice else Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, place | Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap, text)
        painter.restore()
