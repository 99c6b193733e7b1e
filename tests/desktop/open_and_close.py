"""A program of its own: opens the window with the server on, lets a client call it, closes it; again and again.

Prints as JSON what there is more of after the last time than after the third: by then everything that is made once is
there. Arguments: how often, the workspace folder.
"""

import asyncio
import gc
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from PySide6.QtCore import QEvent, QEventLoop, QSettings
from PySide6.QtWidgets import QApplication

from desktop.application import create_application
from desktop.window import MainWindow
from model.storage import open_workspace
from server.desktop_service import find_desktop

_SETTLED = 3


def main(times: int, folder: Path) -> None:
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    application = create_application()
    application.setQuitOnLastWindowClosed(False)
    QSettings().setValue("mcp/on", True)
    settled: dict[str, list[str]] = {}
    began = time.perf_counter()
    for number in range(times):
        open_call_and_close(folder)
        application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        if number + 1 == _SETTLED:
            settled = census()
    more = {kind: added for kind, now in census().items() if (added := surplus(now, settled[kind]))}
    print(json.dumps({"times": times, "seconds": round(time.perf_counter() - began, 1), "more": more}))


def open_call_and_close(folder: Path) -> None:
    window = MainWindow(open_workspace(folder))
    loop = QEventLoop()
    window.mcp.changed.connect(lambda: window.mcp.is_on and loop.quit())
    window.show()
    loop.exec()
    answers: list[bool] = []

    def call() -> None:
        try:
            answers.append(asyncio.run(one_call()))
        finally:
            window.bridge.post(loop.quit)

    thread = threading.Thread(target=call, name="client")
    thread.start()
    loop.exec()
    thread.join()
    assert answers == [True]
    assert window.close()
    window.deleteLater()


async def one_call() -> bool:
    desktop = find_desktop()
    headers = {"Authorization": f"Bearer {desktop.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(desktop.url, http_client=http)) as client,
    ):
        return not (await client.call_tool("list_components", {})).is_error


def census() -> dict[str, list[str]]:
    """What could be left over, each kind as a sorted list of names."""
    state = Path(os.environ["XDG_STATE_HOME"])
    temporary = Path(tempfile.gettempdir())
    return {
        "threads": sorted(thread.name for thread in threading.enumerate()),
        "descriptors": sorted(descriptors()),
        "files": sorted(str(path) for folder in (state, temporary) for path in folder.rglob("*")),
        "top-level widgets": sorted(type(widget).__name__ for widget in QApplication.topLevelWidgets()),
    }


def descriptors() -> list[str]:
    """What each open descriptor is: a file's name, or that it is a socket, a pipe, an event counter."""
    found = []
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(descriptor.readlink()).partition(":[")[0])
        except FileNotFoundError:  # that of the listing itself
            continue
    return found


def surplus(now: list[str], before: list[str]) -> list[str]:
    rest = list(now)
    for name in before:
        if name in rest:
            rest.remove(name)
    return rest


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
