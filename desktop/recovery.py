"""Keeps unsaved work where a kill cannot reach it: whole IP-XACT files in the user's state folder. Without Qt.

Each running window has a folder of its own below ``recovery``. A state is written beside the earlier one and counts
from the moment when ``journal.json``, which is replaced in one step, names it; so whenever the process dies, one whole
state is there. A lock on a file of the folder, which the system drops with the process, tells the living from the dead.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from platformdirs import user_state_path

from model.change import Change
from model.difference import change_between
from model.elements import Component
from model.errors import DesignError
from model.ipxact.atomic import write_files
from model.library import Library
from model.locks import hold
from model.storage import open_workspace, save_component
from model.vlnv import Vlnv
from model.workspace import Workspace

_JOURNAL, _LOCK, _STATE = "journal.json", "in-use", "state-"


def recovery_folder() -> Path:
    """Where the journals of all windows are."""
    return user_state_path("blockwright", appauthor=False) / "recovery"


@dataclass(frozen=True, slots=True)
class LostWork:
    """What a process that died left behind.

    Attributes:
        folder: the workspace folder that it worked on.
        written: when.
        components: the VLNVs that were unsaved, each with the VLNVs of its design documents by view: the files here
            have others than those in the workspace.
        unwritable: those that no file could hold; their changes are lost.
    """

    place: Path
    state: Path
    folder: str
    written: datetime
    components: Mapping[Vlnv, Mapping[str, Vlnv | None]]
    unwritable: tuple[str, ...]

    def read(self) -> list[Component]:
        """Read the unsaved components.

        Raises:
            DesignError: the files cannot be read.
        """
        library = open_workspace(self.state).workspace.library
        return [_with_design_vlnvs(library.get(vlnv), vlnvs) for vlnv, vlnvs in self.components.items()]

    def discard(self) -> None:
        """Forget it."""
        shutil.rmtree(self.place, ignore_errors=True)


class Journal:
    """The unsaved work of this process. Any thread may write; the last state that was taken wins."""

    def __init__(self, folder: Path | None = None) -> None:
        """Prepare; nothing is on disk before the first unsaved change.

        Args:
            folder: by default :func:`recovery_folder`.
        """
        self._place = (folder or recovery_folder()) / f"{os.getpid()}-{secrets.token_hex(4)}"
        self._lock: IO[bytes] | None = None
        self._writing = threading.Lock()
        self._number = 0
        self._closed = False

    def write(self, workspace: Workspace) -> None:
        """Write what is unsaved now, or forget the journal where nothing is.

        Raises:
            DesignError: it cannot be written; the state before stays.
            OSError: likewise.
        """
        with self._writing:
            if self._closed:
                return
            with workspace.lock:
                library, unsaved = workspace.library, workspace.unsaved()
            if not unsaved:
                self._forget()
                return
            self._begin()
            self._number += 1
            state = self._place / f"{_STATE}{self._number}"
            unwritable = _write_state(state, library, unsaved)
            journal = {
                "folder": str(workspace.folder or ""),
                "written": datetime.now().astimezone().isoformat(timespec="seconds"),
                "state": state.name,
                "components": {
                    str(vlnv): {view: str(design.vlnv or "") for view, design in library.get(vlnv).designs.items()}
                    for vlnv in unsaved
                    if str(vlnv) not in unwritable
                },
                "unwritable": unwritable,
            }
            write_files([(self._place / _JOURNAL, json.dumps(journal, indent=1).encode())])
            for old in self._place.glob(f"{_STATE}*"):
                if old != state:
                    shutil.rmtree(old, ignore_errors=True)

    def _begin(self) -> None:
        if self._lock is None:
            self._place.mkdir(mode=0o700, parents=True)
            self._lock = (self._place / _LOCK).open("wb")
            hold(self._lock)

    def _forget(self) -> None:
        if self._lock is not None:
            (self._place / _JOURNAL).unlink(missing_ok=True)
            self._lock.close()
            self._lock = None
            shutil.rmtree(self._place, ignore_errors=True)

    def close(self) -> None:
        """Forget everything: the work was saved, or is not wanted."""
        with self._writing:
            self._closed = True
            self._forget()


def _write_state(place: Path, library: Library, unsaved: Iterable[Vlnv]) -> list[str]:
    """Write components, and those that they instantiate, whose parameters' names are needed to read them."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700)
    copy = Workspace(folder=place, library=library)
    unwritable: list[str] = []
    needed: dict[Vlnv, None] = {}
    for vlnv in unsaved:
        try:
            save_component(copy, str(vlnv))
        except DesignError as error:
            if error.code == "cannot-write":
                raise
            unwritable.append(str(vlnv))
        else:
            designs = library.get(vlnv).designs.values()
            needed.update((each.component, None) for design in designs for each in design.instances.values())
    for vlnv in needed:
        if vlnv in library and vlnv not in copy.sources:
            with suppress(DesignError):  # only the names of its parameters would be missing
                save_component(copy, str(vlnv))
    return unwritable


def lost_work(workspace_folder: Path | None, folder: Path | None = None) -> LostWork | None:
    """The latest work on a workspace folder whose process died, if any."""
    found = [lost for lost in _dead(folder or recovery_folder()) if lost.folder == str(workspace_folder or "")]
    return max(found, key=lambda lost: lost.written, default=None)


def _dead(folder: Path) -> Iterator[LostWork]:
    for place in folder.glob("*-*"):
        try:
            with (place / _LOCK).open("r+b") as lock:
                hold(lock)
            journal = json.loads((place / _JOURNAL).read_text(encoding="utf-8"))
            yield LostWork(
                place,
                place / Path(journal["state"]).name,
                journal["folder"],
                datetime.fromisoformat(journal["written"]),
                {Vlnv.parse(text): _vlnvs(designs) for text, designs in journal["components"].items()},
                tuple(journal["unwritable"]),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, DesignError):
            continue  # in use, or it died before it had anything to keep


def _vlnvs(designs: Mapping[str, str]) -> dict[str, Vlnv | None]:
    return {view: Vlnv.parse(text) if text else None for view, text in designs.items()}


def _with_design_vlnvs(component: Component, vlnvs: Mapping[str, Vlnv | None]) -> Component:
    designs = component.designs
    for view, design in component.designs.items():
        designs = designs.set(view, design.model_copy(update={"vlnv": vlnvs.get(view)}))
    return component.model_copy(update={"designs": designs})


def put_back(current: Library, /, components: Iterable[Component]) -> tuple[Library, Change]:
    """The operation that puts recovered components into the library."""
    after = current
    count = 0
    for component in components:
        after = after.put(component)
        count += 1
    return after, change_between(current, after, f"Restored {count} component{'s' if count != 1 else ''}.")
