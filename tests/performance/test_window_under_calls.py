"""How long the window stands still while another program edits and reads what is shown, 200 calls a second."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

from measuring import is_idle
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from desktop.application import create_application
from desktop.window import MainWindow
from model.collection import loading
from model.storage import Opened, open_workspace
from model.vlnv import Vlnv
from server.desktop_service import DesktopService, find_desktop

TOP = "blockwright.org:soc:tiny_soc:1.0"
RATE, SECONDS = 200, 3
STARTED_MS = 1500  # the first picture, its layout and the first checks are done


def test_two_hundred_calls_a_second(tmp_path: Path) -> None:
    application = QApplication.instance() or create_application()
    assert isinstance(application, QApplication)
    workspace = open_workspace(Path("resources/examples/tiny_soc")).workspace
    with loading():  # as the application does
        window = MainWindow(Opened(workspace, (), Vlnv.parse(TOP)))
        window.show()
    service = DesktopService(folder=tmp_path)
    window.bridge.run(service.start(workspace, port=0)).result(30)
    address = find_desktop(tmp_path)
    loop = QEventLoop()
    QTimer.singleShot(STARTED_MS, loop.quit)
    loop.exec()
    said: list[str] = []
    beats: list[tuple[float, float]] = []
    timer = QTimer(window)
    timer.timeout.connect(lambda: beats.append((time.perf_counter(), time.thread_time())))

    def call() -> None:
        script = str(Path(__file__).with_name("calls_at_a_rate.py"))
        command = [sys.executable, script, address.url, address.token, TOP, str(RATE), str(SECONDS)]
        try:
            said.append(subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout)
        finally:
            window.bridge.post(loop.quit)

    thread = threading.Thread(target=call)
    thread.start()
    timer.start(5)
    loop.exec()
    timer.stop()
    thread.join()
    try:
        client = json.loads(said[0])
        stalls = sorted((later[0] - earlier[0]) * 1000 for earlier, later in pairwise(beats))
        own = sorted((later[1] - earlier[1]) * 1000 for earlier, later in pairwise(beats))
        print(
            f"\ncalls a second {client['rate']:.0f}, of the wanted {RATE}; a call {client['median']:.1f} ms, "
            f"p99 {client['p99']:.1f} ms; the window's longest stall {stalls[-1]:.0f} ms, "
            f"p99 {stalls[int(len(stalls) * 0.99)]:.0f} ms, of its own work {own[-1]:.0f} ms; idle: {is_idle()}"
        )
        assert len(window.document.library.get(Vlnv.parse(TOP)).ports) > RATE * SECONDS / 2
        assert own[-1] < 250
        if is_idle():
            assert stalls[-1] < 50
    finally:
        window.bridge.run(service.stop()).result(30)
        window.shut_down()
        window.deleteLater()
