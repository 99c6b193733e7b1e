"""What the benchmark window says: before there is a run, and while there is one."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from agent.evaluation.run import Progress
from desktop.panels.cards import format_seconds
from desktop.panels.widgets import column, make_label, row


def nothing_yet() -> QWidget:
    """What stands in the place of the heat map before there is a run."""
    steps = column(
        make_label("Measure how well a model works with the tools", "brand"),
        make_label(
            "Choose suites and a configuration on the left, then Start. Every task becomes a cell whose colour and "
            "figure tell how well it went; the design is shown while the agent edits it.",
            "muted",
            wrap=True,
        ),
        make_label(
            "A run can be stopped at any time, even by a power cut: Resume goes on from there. Logs of earlier runs "
            "open with Open…, or when their folder is dropped here.",
            "muted",
            wrap=True,
        ),
        spacing=10,
    )
    page = QWidget()
    page.setLayout(steps)
    page.setFixedWidth(460)
    holder = QWidget()
    layout = column(None, spacing=0, margins=(24, 24, 24, 24))
    layout.addLayout(row(None, page, None))
    layout.addStretch(2)
    holder.setLayout(layout)
    return holder


def status_words(progress: Progress, busy: bool, done: int, total: int, read_only: bool) -> str:
    """The line at the foot of the window: how far it is, and how long the rest will take."""
    if not total and not busy:
        return "Choose suites and a configuration, then Start. Or open a run's folder, or drop one here."
    parts = [f"{done} of {total} tasks"]
    if busy:
        parts.append({"stopping": "stopping…"}.get(progress.state, "running"))
        if progress.seconds:
            parts.append(format_seconds(progress.seconds))
        if progress.left is not None and progress.state == "running":
            parts.append(f"about {format_seconds(progress.left)} left")
        elif progress.state == "running":
            parts.append("the model starts, and reads its instructions")
    elif progress.state == "failed" and progress.message:
        parts.append(progress.message.splitlines()[0])
    elif read_only:
        parts.append("read only")
    elif done < total:
        parts.append("stopped; Resume goes on")
    else:
        parts.append("done")
    return " · ".join(parts)
