"""Files of a workspace: open a folder or a file, load one component, save what was edited."""

from __future__ import annotations

from model.loading import load_component
from model.opening import Bodies, Opened, Progress, Stage, open_heads, open_workspace
from model.saving import Saved, save_all, save_component

__all__ = [
    "Bodies",
    "Opened",
    "Progress",
    "Saved",
    "Stage",
    "load_component",
    "open_heads",
    "open_workspace",
    "save_all",
    "save_component",
]
