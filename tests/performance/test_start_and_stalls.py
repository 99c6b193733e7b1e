"""How soon the window is there, and for how long it stands still while the agent works; see README.md."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from measuring import is_idle
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from desktop.window import MainWindow
from model.collection import loading
from model.storage import open_workspace
from model.vlnv import Vlnv

EXAMPLE = Path(__file__).parents[2] / "resources" / "examples" / "tiny_soc"
TOP = "blockwright.org:soc:tiny_soc:1.0"
MODEL = "embedded:qwen2.5-coder:1.5b"
START_LIMIT_S = 1.5
STALL_LIMIT_MS = 50.0
STARTS = 5
REQUESTS = (
    f"Add a 4-bit output port called led to {TOP}.",
    f"Instantiate blockwright.org:peripheral:gpio:1.0 in {TOP} as u_gpio and connect its clk to clk.",
)
START = """
import os, sys, time
import desktop.cli
import desktop.application
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

def when_painted(window):  # called last, in the place of the tour's offer
    from desktop.first_picture import FirstPicture
    def use():
        assert window.view.layout_is_there
        key = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "a")
        QApplication.sendEvent(window.chat.field, key)
        QApplication.processEvents()
        assert window.chat.field.toPlainText() == "a"
        print(time.time(), flush=True)
        os._exit(0)
    window.findChild(FirstPicture).painted.connect(use)

desktop.application.offer_tour = when_painted
sys.argv = ["blockwright"]
desktop.cli.main()
"""


def test_the_window_is_there_soon(tmp_path: Path) -> None:
    """What ``blockwright`` does, until the arranged design is painted and a key has been answered.

    But for the first of the starts, the modules are compiled and the example is in its place.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CONFIG", "DATA", "STATE")}
    seconds = []
    for _ in range(STARTS):
        before = time.time()
        done = subprocess.run(
            [sys.executable, "-c", START],
            capture_output=True,
            text=True,
            check=True,
            env={**environment, "QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"},  # else it shows what it can do
        )
        seconds.append(float(done.stdout) - before)
    median = sorted(seconds)[STARTS // 2]
    print(f"\nfrom the start of Python to a window that can be used: median {median:.2f} s of {STARTS}, {seconds}")
    if is_idle():
        assert median <= START_LIMIT_S


@pytest.mark.timeout(600)
def test_the_window_moves_while_the_agent_works(qtbot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with loading():  # as the application does
        window = MainWindow(open_workspace(shutil.copytree(EXAMPLE, tmp_path / "tiny_soc")), MODEL)
        window.show()
    window.document.show(Vlnv.parse(TOP))
    with qtbot.waitSignal(
        window.conversation.readiness_changed, timeout=180_000, check_params_cb=lambda state, _words: state == "ready"
    ):
        window.conversation.start()
    stalls: list[float] = []
    last = time.perf_counter()

    def beat() -> None:
        nonlocal last
        now = time.perf_counter()
        stalls.append((now - last) * 1000)
        last = now

    pulse = QTimer()
    pulse.setInterval(5)
    pulse.timeout.connect(beat)
    longest = []
    for request in REQUESTS:
        stalls.clear()
        last = time.perf_counter()
        pulse.start()
        window.conversation.ask(request)
        while window.conversation.busy:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        pulse.stop()
        ordered = sorted(stalls)
        longest.append(ordered[-1])
        late = ordered[int(len(ordered) * 0.99)]
        print(f"\n{request[:40]}…: longest {ordered[-1]:.0f} ms, 99th percentile {late:.0f} ms")
    window.shut_down()
    if is_idle():
        assert max(longest) <= STALL_LIMIT_MS
