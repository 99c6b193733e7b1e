"""Locks on files that the system drops with the process that holds them: they tell the living from the dead."""

from __future__ import annotations

import sys
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def hold(file: IO[bytes]) -> None:
        """Lock an open file until it is closed.

        Raises:
            OSError: another process holds it.
        """
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def hold(file: IO[bytes]) -> None:
        """Lock an open file until it is closed.

        Raises:
            OSError: another process holds it.
        """
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
