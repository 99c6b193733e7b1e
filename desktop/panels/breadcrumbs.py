"""The bar over the canvas: where in the hierarchy, how much there is, how large it is drawn."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.call_text import short_name
from desktop.document import Document
from desktop.panels.widgets import clear_layout, make_button, make_label, row
from model.nets import netlist
from model.vlnv import Vlnv


class Breadcrumbs(QWidget):
    """The way to the shown component; each station can be clicked.

    Signals:
        station_chosen: the :class:`Vlnv` to go back to.
        fit_requested: the zoom was clicked.

    Attributes:
        before, after: go to what was shown before and after; whoever makes the bar enables them.
    """

    station_chosen = Signal(object)
    fit_requested = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("PanelHeader")
        self.setFixedHeight(30)
        self._document = document
        self.before = make_button("←", "flat")
        self.after = make_button("→", "flat")
        for button, name in ((self.before, "Back"), (self.after, "Forward")):
            button.setAccessibleName(name)
            button.setToolTip(f"{name} (Alt+{'Left' if name == 'Back' else 'Right'})")
            button.setEnabled(False)
        self._stations = row(spacing=2)
        self.blocks = make_label("", "chip")
        self.nets = make_label("", "chip")
        self.zoom = make_button("100 %", "chip", tip="Fit everything into the view")
        self.zoom.clicked.connect(self.fit_requested)
        layout = row(self.before, self.after, spacing=2, margins=(6, 0, 10, 0))
        layout.addSpacing(4)
        layout.addLayout(self._stations, 1)
        for widget in (self.blocks, self.nets, self.zoom):
            layout.addSpacing(6)
            layout.addWidget(widget)
        self.setLayout(layout)
        document.component_shown.connect(self.refresh)
        document.library_changed.connect(lambda _change, _library: self._show_counts())
        self.refresh()

    def refresh(self) -> None:
        """Show the way anew."""
        clear_layout(self._stations)
        path = self._document.path
        if path:
            first = path[0]
            self._stations.addWidget(make_label(f"{first.vendor}:{first.library}", "mono-muted"))
            self._stations.addWidget(make_label("›", "muted"))
        for vlnv in path[:-1]:
            self._stations.addWidget(self._station(vlnv))
            self._stations.addWidget(make_label("›", "muted"))
        if path:
            here = make_label(short_name(path[-1]), "mono-strong", selectable=True)
            here.setToolTip(str(path[-1]))
            self._stations.addWidget(here)
        else:
            self._stations.addWidget(make_label("No component is shown", "muted"))
        self._stations.addStretch(1)
        self._show_counts()

    def _station(self, vlnv: Vlnv) -> QWidget:
        button = make_button(short_name(vlnv), "flat", tip=f"Back to {vlnv}")
        button.clicked.connect(lambda: self.station_chosen.emit(vlnv))
        return button

    def _show_counts(self) -> None:
        vlnv = self._document.component
        component = self._document.library.find(vlnv) if vlnv is not None else None
        self.blocks.setVisible(component is not None)
        self.nets.setVisible(component is not None)
        if component is None:
            return
        design = component.design
        if design.is_empty:
            self.blocks.setText(_count(len(component.ports), "port"))
            self.nets.setText(_count(len(component.parameters), "parameter"))
        else:
            self.blocks.setText(_count(len(design.instances), "block"))
            self.nets.setText(_count(len(netlist(design).wires()) + len(design.interconnections), "net"))

    def show_zoom(self, factor: float) -> None:
        """Show how large the canvas is drawn."""
        self.zoom.setText(f"{factor * 100:.0f} %")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
