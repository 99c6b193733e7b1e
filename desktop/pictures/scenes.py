"""What the pictures show; each scene is a real window in a state that its user would bring about."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from agent.evaluation.suites import load_suite
from desktop.application import open_window
from desktop.benchmark.window import BenchmarkWindow
from desktop.first_start import take_tour
from desktop.pictures.many_blocks import TOP, many_blocks
from desktop.pictures.studio import NothingCame, Studio
from desktop.window import MainWindow
from model.elements import Endpoint
from model.storage import Opened, open_workspace
from model.vlnv import Vlnv
from model.workspace import Workspace

_TINY_SOC = Vlnv("blockwright.org", "soc", "tiny_soc", "1.0")
_PERIPHERALS = Vlnv("blockwright.org", "soc", "periph_ss", "1.0")
_REFUSED = Endpoint(instance="u_spi", port="irq"), Endpoint(instance="u_intc", port="src0")  # which has a driver
_CHAIN = 1  # of the demonstration's tasks: an instance and two connections


@dataclass(frozen=True, slots=True)
class Sources:
    """Where scenes find what they show.

    Attributes:
        ipxact: Kactus2's example library; None leaves its pictures out.
        logs: of a benchmark run; None leaves the benchmark's picture out.
        model: which one is asked; None is the default.
    """

    ipxact: Path | None
    logs: Path | None
    model: str | None


def first_start(studio: Studio, sources: Sources) -> None:
    """The bundled example as it comes, with the tour at the agent."""
    with _example(studio, sources.model) as window:
        tour = take_tour(window)
        for _station in range(2):
            tour.next.click()
        studio.shoot(window, "first-start", _arranger(window))
        tour.end()


def core_example(studio: Studio, sources: Sources) -> None:
    """A CPU of Kactus2's example library."""
    _kactus2(studio, sources, "core_example")


def wb_example(studio: Studio, sources: Sources) -> None:
    """A Wishbone system of Kactus2's example library."""
    _kactus2(studio, sources, "wb_example")


def _kactus2(studio: Studio, sources: Sources, name: str) -> None:
    if sources.ipxact is None or not sources.ipxact.is_dir():
        raise NothingCame("Kactus2's example library is not here.")
    with tempfile.TemporaryDirectory(prefix="blockwright-pictures-") as folder:
        copy = shutil.copytree(
            sources.ipxact, Path(folder) / sources.ipxact.name
        )  # the places of blocks are kept there
        with _window(studio, open_workspace(copy), sources.model) as window:
            vlnv = next((each.vlnv for each in window.document.library if each.vlnv.name == name), None)
            if vlnv is None:
                raise NothingCame(f"There is no {name} in {sources.ipxact}.")
            _show(studio, window, vlnv)
            studio.shoot(window, f"kactus2-{name.replace('_', '-')}", _arranger(window))


def large_design(studio: Studio, sources: Sources) -> None:
    """A design of 300 blocks."""
    opened = Opened(Workspace(library=many_blocks()), (), TOP)
    with _window(studio, opened, sources.model) as window:
        _show(studio, window, TOP)
        studio.shoot(window, "300-blocks", _arranger(window))


def proposal_and_score(studio: Studio, sources: Sources) -> None:
    """A plan that waits for approval, and the scored request that it becomes; the model is really asked."""
    with _example(studio, sources.model) as window, as_file(files("resources") / "examples") as examples:
        window.conversation.set_approval("propose")
        window.chat.set_approval("propose")
        window.tasks.choose(load_suite(examples / "demonstration.yaml"), _CHAIN)
        window.chat.send()
        studio.until(lambda: window.proposals.waits or bool(window.scores.rows), "The model's plan")
        if not window.proposals.waits:
            raise NothingCame(f"The model proposed nothing: {window.scores.rows[0].finished.answer}")
        studio.shoot(window, "proposal", _arranger(window))
        card = next(view.proposal for view in window.chat.requests.values() if view.proposal is not None)
        card.apply.click()
        studio.until(lambda: bool(window.scores.rows), "The score")
        studio.until(lambda: window.scores.rows[0].state is not None, "The state score")
        studio.shoot(window, "scored-request", _arranger(window))


def benchmark(studio: Studio, sources: Sources) -> None:
    """The benchmark's window: a run, which goes on if it is not done yet, and one of its tasks."""
    if sources.logs is None or not sources.logs.is_dir():
        raise NothingCame("There are no logs of a benchmark run: give some with --logs.")
    window = BenchmarkWindow()
    with tempfile.TemporaryDirectory(prefix="blockwright-pictures-") as folder:
        logs = Path(shutil.copytree(sources.logs, Path(folder) / sources.logs.name))
        try:
            window.show()
            window.open_path(logs)
            studio.until(lambda: bool(window.board.rows), "Reading the logs")
            studio.until(lambda: _has_figures(window), "The intervals")
            if window.start.isEnabled():
                window.start.click()
                studio.until(lambda: window.live.view.component is not None, "The first task")
                studio.until(lambda: window.live.view.layout_is_there, "The layout")

            def arrange() -> None:
                window.show_page(window.RUN)
                window.fit_heat()
                window.live.view.fit()

            studio.shoot(window, "benchmark", arrange)
            window.control.stop()
            studio.until(lambda: not window.control.busy, "Stopping")
            done = [(row, record) for row in window.board.rows for record in row.in_order()]
            flawed = [each for each in done if not each[1].grade.perfect]
            row, record = max(flawed or done, key=lambda each: len(each[1].calls))
            window.open_task(row, record.task.id)
            studio.shoot(window, "benchmark-task")
        finally:
            window.shut_down()
            window.deleteLater()


def _has_figures(window: BenchmarkWindow) -> bool:
    """Whether some figures are there and none is still to come."""
    rows = [row.cells for row in window.figures.table.rows.rows if not row.cells[1].startswith("0/")]
    return bool(rows) and all(cells[2] for cells in rows)


def error(studio: Studio, sources: Sources) -> None:
    """A folder with a broken file, a missing component, and a connection that the rules refuse."""
    with tempfile.TemporaryDirectory(prefix="blockwright-pictures-") as folder:
        copy = _copy_of_example(Path(folder))
        gpio = next(copy.rglob("gpio*.xml"))
        gpio.write_text(gpio.read_text("utf-8").replace("</ipxact:port>", "</ipxact:prt>", 1), encoding="utf-8")
        next(copy.rglob("timer*.xml")).unlink()
        with _window(studio, open_workspace(copy), sources.model) as window:
            _show(studio, window, _PERIPHERALS)
            window.bottom.scope.setChecked(True)
            window.bottom.show_tab(0)
            studio.until(lambda: bool(window.bottom.problems.rows.rows), "The checks")
            arrange = _arranger(window)

            def refuse() -> None:
                arrange()
                window.controller.edits.connect_ends(*_REFUSED)

            studio.shoot(window, "error", refuse)


SCENES: Mapping[str, Callable[[Studio, Sources], None]] = {
    "first-start": first_start,
    "core-example": core_example,
    "wb-example": wb_example,
    "300-blocks": large_design,
    "error": error,
    "benchmark": benchmark,
    "proposal": proposal_and_score,
}


def _arranger(window: MainWindow) -> Callable[[], None]:
    def arrange() -> None:
        window.place_panels()
        window.view.fit()
        window.library.tree.scrollTo(window.library.tree.currentIndex())

    return arrange


def _show(studio: Studio, window: MainWindow, vlnv: Vlnv) -> None:
    if window.document.component != vlnv:
        window.document.show(vlnv)
    studio.until(lambda: window.view.component == vlnv and window.view.layout_is_there, "The layout")


@contextmanager
def _window(studio: Studio, opened: Opened, model: str | None) -> Iterator[MainWindow]:
    window = open_window(opened, model)
    started: list[str] = []
    window.conversation.readiness_changed.connect(lambda state, _words: started.append(state))
    try:
        window.show()
        window.place_panels()
        studio.until(lambda: bool({"ready", "missing"} & set(started)), "The model's start")
        yield window
    finally:
        window.shut_down()
        window.hide()
        window.deleteLater()


def _copy_of_example(folder: Path) -> Path:
    with as_file(files("resources") / "examples" / "tiny_soc") as example:
        return Path(shutil.copytree(example, folder / "tiny_soc"))


@contextmanager
def _example(studio: Studio, model: str | None) -> Iterator[MainWindow]:
    with (
        tempfile.TemporaryDirectory(prefix="blockwright-pictures-") as folder,
        _window(studio, open_workspace(_copy_of_example(Path(folder))), model) as window,
    ):
        _show(studio, window, _TINY_SOC)
        yield window
