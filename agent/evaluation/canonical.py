"""The canonical state between tasks: the design and the files as the expected calls leave them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agent.evaluation.debugger import Step
from agent.evaluation.folder_state import FolderState
from model.files import Source
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace


@dataclass(frozen=True, slots=True)
class State:
    """Everything that a task can change, as it was at one moment.

    Attributes:
        sources: which files the components came from.
        files: contents of the workspace folder by path relative to it.
        repository: the Git repository of the noise suites, if there is one.
        debugger: what has been done in the debugging sessions.
    """

    library: Library
    sources: Mapping[Vlnv, Source]
    files: Mapping[str, bytes]
    repository: FolderState | None = None
    debugger: tuple[Step, ...] = ()


def capture(workspace: Workspace) -> State:
    """Return the workspace's present state.

    Raises:
        OSError: a file in the workspace folder cannot be read.
    """
    with workspace.lock:
        files = {name: path.read_bytes() for name, path in _files(workspace).items()}
        return State(workspace.library, dict(workspace.sources), files)


def restore(workspace: Workspace, state: State) -> None:
    """Bring the workspace back to ``state``: design, undo list and files.

    The folder must be the evaluation's own: files that ``state`` does not know are removed.

    Raises:
        OSError: a file cannot be written or removed.
    """
    with workspace.lock:
        workspace.restore(state.library)
        workspace.sources.clear()
        workspace.sources.update(state.sources)
        present = _files(workspace)
        for name, path in present.items():
            if name not in state.files:
                path.unlink()
        for name, content in state.files.items():
            path = present.get(name) or _folder(workspace) / name
            if name not in present or path.read_bytes() != content:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)


def _files(workspace: Workspace) -> dict[str, Path]:
    if workspace.folder is None:
        return {}
    return {
        path.relative_to(workspace.folder).as_posix(): path
        for path in sorted(workspace.folder.rglob("*"))
        if path.is_file()
    }


def _folder(workspace: Workspace) -> Path:
    if workspace.folder is None:
        raise FileNotFoundError("The state holds files, but the workspace has no folder.")
    return workspace.folder
