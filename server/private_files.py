"""Where servers of this machine listen, and the files that tell their addresses and tokens to its owner only."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

HOST = "127.0.0.1"


def write_private(path: Path, text: str) -> Path:
    """Write a secret where only its owner can read it, in place of an older one.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        path.unlink()
    # O_EXCL: never follow a link, never write into a file that somebody else made.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text + "\n")
    return path
