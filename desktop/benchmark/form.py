"""What is to be run: the form of the benchmark window."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from agent.evaluation.configuration import PROMPTS, Configuration, ConfigurationError
from agent.evaluation.runner import Plan, parse_tasks
from agent.evaluation.suites import bundled_suites
from agent.models.catalog import ModelInfo
from desktop.benchmark.plans import tasks_text
from desktop.panels.widgets import column, make_button, make_label, make_scroll_area, row

_HISTORIES = ("run", "task", "window:4", "summary")
_AGENTS = {"ReAct": "react", "Plan-and-Act": "plan-and-act"}
_MODES = {"faithful: the paper's agent": "faithful", "assisted: the product's agent": "assisted"}


class RunForm(QWidget):
    """Model, suites, prompt, descriptions, history, agent, mode, repeats, tasks, and the folder for the logs.

    Signals:
        edited: something was changed.
    """

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._base: Configuration | None = None
        self.model = QComboBox()
        self.model.setEditable(True)
        self.model.setProperty("role", "mono")
        self.suites = QListWidget()
        self.suites.setObjectName("Suites")
        self.suites.setAccessibleName("Suites")
        self.suites.setFixedHeight(8 * 22 + 6)
        self.suites.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.add_suite = make_button("Add a suite's file…", "link")
        self.prompt = _choice(PROMPTS)
        self.tools = _choice(("comprehensive", "minimal"))
        self.history = _choice(_HISTORIES)
        self.history.setEditable(True)
        self.history.setToolTip("run, task, window:N or summary: what a task sees of earlier ones")
        self.agent = _choice(_AGENTS)
        self.mode = _choice(_MODES)
        self.repeats = QSpinBox()
        self.repeats.setRange(1, 50)
        self.prompt.setCurrentText("basic")
        self.tasks = QLineEdit()
        self.tasks.setPlaceholderText("all, or positions such as 1-10")
        self.temperature = QLineEdit()
        self.temperature.setPlaceholderText("the model's own")
        self.seed = QLineEdit()
        self.seed.setPlaceholderText("left to chance")
        self.workers = QSpinBox()
        self.workers.setRange(1, 32)
        self.workers.setToolTip("Processes on this machine; the design is shown live with one")
        self.folder = QLineEdit(str(default_folder()))
        self.folder.setProperty("role", "mono")
        self.choose = make_button("…", tip="Choose a folder")
        self.choose.setAccessibleName("Choose the folder for the logs")
        self.error = make_label("", "danger", wrap=True)
        self.error.hide()
        self._lay_out()
        self.check_suites(["first-ten"])
        self._connect()
        self._fit_mode()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for number, (text, widget) in enumerate(
            (
                ("Model", self.model),
                ("Mode", self.mode),
                ("Agent", self.agent),
                ("Prompt", self.prompt),
                ("Tools", self.tools),
                ("History", self.history),
                ("Tasks", self.tasks),
                ("Repeats", self.repeats),
                ("Temperature", self.temperature),
                ("Seed", self.seed),
                ("Workers", self.workers),
            )
        ):
            label = make_label(text, "muted")
            label.setBuddy(widget)
            widget.setAccessibleName(text)
            if isinstance(widget, QComboBox):
                widget.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
                widget.setMinimumContentsLength(8)
            elif isinstance(widget, QSpinBox):
                widget.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
            grid.addWidget(label, number, 0)
            grid.addWidget(widget, number, 1)
        folder = row(spacing=6)
        folder.addWidget(self.folder, 1)
        folder.addWidget(self.choose)
        self.folder.setAccessibleName("Folder for the logs")
        inner = column(make_label("Suites", "heading"), self.suites, spacing=6, margins=(12, 10, 12, 12))
        inner.addLayout(row(self.add_suite, None))
        inner.addSpacing(8)
        inner.addWidget(make_label("Configuration", "heading"))
        inner.addLayout(grid)
        inner.addSpacing(8)
        inner.addWidget(make_label("Folder for the logs", "heading"))
        inner.addLayout(folder)
        inner.addWidget(self.error)
        inner.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.area: QScrollArea = make_scroll_area(inner)
        layout.addWidget(self.area)

    def _connect(self) -> None:
        self.add_suite.clicked.connect(self._add_file)
        self.choose.clicked.connect(self._choose_folder)
        self.mode.currentIndexChanged.connect(self._fit_mode)
        for box in (self.model, self.prompt, self.tools, self.history, self.agent, self.mode):
            box.currentTextChanged.connect(self._touched)
        for line in (self.tasks, self.temperature, self.seed, self.folder):
            line.textChanged.connect(self._touched)
        for number in (self.repeats, self.workers):
            number.valueChanged.connect(self._touched)
        self.suites.itemChanged.connect(self._touched)

    def _touched(self, *_values: object) -> None:
        self.complain("")
        self.edited.emit()

    def _fit_mode(self) -> None:
        """The assisted agent has its own prompt."""
        faithful = self.mode.currentData() == "faithful"
        for box in (self.agent, self.prompt, self.tools):
            box.setEnabled(faithful)

    def set_models(self, models: Sequence[ModelInfo]) -> None:
        """Offer models; what was chosen or typed stays."""
        before = self.model.currentText()
        self.model.blockSignals(True)
        self.model.clear()
        self.model.addItems([info.name for info in models if info.present and info.supports_tools])
        self.model.blockSignals(False)
        if before:
            self.model.setCurrentText(before)

    def set_default_model(self, name: str | None) -> None:
        """Choose a model where nobody has."""
        if name and self._base is None:
            self.model.setCurrentText(name)

    def check_suites(self, sources: Sequence[str]) -> None:
        """Check these suites, adding those that are files."""
        self.suites.blockSignals(True)
        self.suites.clear()
        names = bundled_suites()
        for source in [*names, *(each for each in sources if each not in names)]:
            item = QListWidgetItem(source if source in names else Path(source).name)
            item.setData(Qt.ItemDataRole.UserRole, source)
            item.setToolTip(source)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            checked = source in sources
            item.setCheckState(Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked)
            self.suites.addItem(item)
        self.suites.blockSignals(False)

    @property
    def sources(self) -> tuple[str, ...]:
        """The suites that are checked."""
        items = [self.suites.item(position) for position in range(self.suites.count())]
        return tuple(
            item.data(Qt.ItemDataRole.UserRole) for item in items if item.checkState() == Qt.CheckState.Checked
        )

    def _add_file(self) -> None:
        chosen, _filter = QFileDialog.getOpenFileName(self, "Add a suite", str(Path.home()), "Suites (*.yaml *.yml)")
        if chosen:
            self.check_suites([*self.sources, chosen])
            self._touched()

    def _choose_folder(self) -> None:
        start = self.folder.text() or str(Path.home())
        chosen = QFileDialog.getExistingDirectory(self, "Folder for the logs", start)
        if chosen:
            self.folder.setText(chosen)

    def show_plan(self, plan: Plan, folder: Path) -> None:
        """Fill in a run that exists."""
        fixed = self._base = plan.configuration
        self.model.setCurrentText(fixed.model)
        self.check_suites(plan.suites)
        _select(self.mode, fixed.mode)
        _select(self.agent, fixed.agent)
        self.prompt.setCurrentText(fixed.prompt)
        self.tools.setCurrentText(fixed.tools)
        self.history.setCurrentText(fixed.history)
        self.repeats.setValue(max(plan.repeats))
        self.tasks.setText(tasks_text(plan.tasks))
        self.temperature.setText("" if fixed.temperature is None else f"{fixed.temperature:g}")
        self.seed.setText("" if fixed.seed is None else str(fixed.seed))
        self.folder.setText(str(folder))

    def forget_run(self) -> None:
        """Prepare another run: the same choices, a fresh folder."""
        self._base = None
        self.folder.setText(str(default_folder()))

    def plan(self) -> tuple[Plan, Path]:
        """What the form says.

        Raises:
            ConfigurationError: it does not make a run; the text says why.
        """
        if not self.sources:
            raise ConfigurationError("Check at least one suite.")
        if not self.model.currentText().strip():
            raise ConfigurationError("Name a model: ollama:NAME or embedded:NAME.")
        if not self.folder.text().strip():
            raise ConfigurationError("Name a folder for the logs.")
        values: dict[str, object] = self._base.model_dump() if self._base is not None else {}
        faithful = self.mode.currentData() == "faithful"
        values |= {
            "model": self.model.currentText().strip(),
            "mode": self.mode.currentData(),
            "agent": self.agent.currentData() if faithful else "react",
            "prompt": self.prompt.currentText() if faithful else "basic",
            "tools": self.tools.currentText() if faithful else "comprehensive",
            "history": self.history.currentText().strip(),
            "temperature": _number(self.temperature, "Temperature"),
            "seed": _whole(self.seed, "Seed"),
        }
        configuration = Configuration.of(**values)
        tasks = self.tasks.text().strip()
        plan = Plan(
            configuration,
            self.sources,
            tuple(range(1, self.repeats.value() + 1)),
            parse_tasks(tasks) if tasks else None,
        )
        return plan, Path(self.folder.text().strip()).expanduser()

    def complain(self, text: str) -> None:
        """Say what is wrong with the form, or nothing."""
        self.error.setText(text)
        self.error.setVisible(bool(text))
        if text:
            self.area.ensureWidgetVisible(self.error)


def default_folder() -> Path:
    """A folder that is not there yet."""
    return Path.home() / "blockwright-runs" / datetime.now().strftime("%Y-%m-%d-%H%M%S")


def _choice(values: object) -> QComboBox:
    box = QComboBox()
    if isinstance(values, dict):
        for text, value in values.items():
            box.addItem(text, value)
    elif isinstance(values, tuple):
        for text in values:
            box.addItem(text, text)
    return box


def _select(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(max(0, box.findData(value)))


def _number(line: QLineEdit, name: str) -> float | None:
    text = line.text().strip()
    try:
        return float(text) if text else None
    except ValueError as error:
        raise ConfigurationError(f"{name}: '{text}' is not a number.") from error


def _whole(line: QLineEdit, name: str) -> int | None:
    text = line.text().strip()
    try:
        return int(text) if text else None
    except ValueError as error:
        raise ConfigurationError(f"{name}: '{text}' is not a whole number.") from error
