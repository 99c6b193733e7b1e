"""What the score panel asks for: a missing call, a task in a suite file, the session in a file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop.document import Document
from desktop.marking import Marking
from desktop.panels.forms import FormDialog, FormField
from desktop.panels.missing_call import MissingCallDialog
from desktop.panels.scores import ScorePanel
from desktop.session_export import session_csv, session_json
from desktop.state_check import state_change
from model.change import Change
from model.errors import DesignError
from model.ipxact.atomic import write_files


class ScoreDesk(QObject):
    """Asks the user what a score needs, and writes what comes of it.

    Signals:
        told: something for the user to read.
    """

    told = Signal(str)

    def __init__(
        self, document: Document, scores: ScorePanel, model_name: Callable[[], str | None], window: QWidget
    ) -> None:
        super().__init__(window)
        self._document = document
        self._scores = scores
        self._model_name = model_name
        self._window = window
        self._suite = ""  # the file that the last task went to
        scores.missing_requested.connect(self.add_missing)
        scores.task_save_requested.connect(self.save_task)
        scores.export_requested.connect(self.export)
        scores.state_wanted.connect(self.check_state)

    def check_state(self, position: int) -> None:
        """Find out whether a request left the design as it should be."""
        row = self._scores.rows[position]
        if row.designs is None:
            return

        def show(state: Change | None) -> None:
            if state is not None:
                self._scores.show_state(position, row, state)

        self._document.bridge.run(state_change(*row.designs, row.answers), show)

    def add_missing(self, position: int) -> None:
        """Ask for a call that a request should have made."""
        shown = self._document.component
        dialog = MissingCallDialog(self._window, str(shown) if shown is not None else "")
        dialog.exec()
        if dialog.call is not None:
            marking = self._scores.rows[position].marking or Marking()
            self._scores.change(position, marking.add_missing(dialog.call))
        dialog.deleteLater()

    def save_task(self, position: int) -> None:
        """Ask for a suite file, then for the task's id, and append the request to it."""
        from agent.evaluation.suites import SuiteError  # noqa: PLC0415  # suites take a while to load
        from desktop.task_file import save_task  # noqa: PLC0415

        start = self._suite or str((self._document.workspace.folder or Path.home()) / "session.yaml")
        chosen, _filter = QFileDialog.getSaveFileName(
            self._window,
            "Save as a task of a suite file",
            start,
            "Task suite (*.yaml *.yml)",
            options=QFileDialog.Option.DontConfirmOverwrite,  # an existing suite is added to
        )
        if not chosen:
            return
        path = Path(chosen) if Path(chosen).suffix else Path(f"{chosen}.yaml")
        row = self._scores.rows[position]
        expected = row.marking.expected() if row.marking is not None else ()

        def submit(values: dict[str, str]) -> None:
            try:
                task_id = save_task(path, values["prompt"], expected, values["id"])
            except (SuiteError, OSError, UnicodeDecodeError) as error:
                raise DesignError("not-saved", str(error)) from error
            self._suite = str(path)
            self.told.emit(f"Saved as task {task_id} in {path}. Describe the starting design under its setup.")

        fields = [FormField("id", "Id", hint="the next free one"), FormField("prompt", "Request", row.text, mono=False)]
        FormDialog(self._window, f"Task in {path.name}", fields, submit, "Save").exec()  # type: ignore[arg-type]

    def export(self) -> None:
        """Ask for a file and write the session to it: JSON, or CSV where its name ends so."""
        start = str((self._document.workspace.folder or Path.home()) / "session.json")
        chosen, _filter = QFileDialog.getSaveFileName(
            self._window, "Export the session", start, "JSON, with all calls (*.json);;CSV, one line each (*.csv)"
        )
        if not chosen:
            return
        path = Path(chosen)
        if not path.suffix:
            path = path.with_suffix(".csv" if "csv" in _filter else ".json")
        rows = self._scores.rows
        as_table = path.suffix == ".csv"
        text = session_csv(rows) if as_table else session_json(rows, self._model_name(), datetime.now().astimezone())
        done = f"Exported {len(rows)} request{'s' if len(rows) != 1 else ''} to {path}."
        write = partial(write_files, [(path, text.encode("utf-8"))])
        self._document.bridge.run_blocking(write, lambda _none: self.told.emit(done))
