"""Whether there is a screen."""

from __future__ import annotations

import os
import sys


def has_display() -> bool:
    """Whether a window could be seen."""
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
