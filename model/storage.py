"""Files of a workspace: open a folder or a file, load one component, save what was edited, follow others' edits."""

from __future__ import annotations

from model.loading import load_component
from model.opening import Bodies, Opened, Progress, Stage, open_heads, open_workspace
from model.reloading import reload_files
from model.saving import NotAllSavedError, Saved, save_all, save_component
from model.watching import DiskChanges, Watch, components_of

__all__ = [
    "Bodies",
    "DiskChanges",
    "NotAllSavedError",
    "Opened",
    "Progress",
    "Saved",
    "Stage",
    "Watch",
    "components_of",
    "load_component",
    "open_heads",
    "open_workspace",
    "reload_files",
    "save_all",
    "save_component",
]
