"""Takes back one of PySide6's replacements of ``import``; importing this module does it.

It looks into the source of every module that anybody imports afterwards, hundreds of them, for PySide6's opt-in
``from __feature__ import …``. Nothing here uses that, and the window would wait a tenth of a second for it.
"""

from __future__ import annotations

import builtins

import PySide6.QtCore  # noqa: F401  # replaces it

vars(builtins)["__import__"] = vars(builtins).get("__orig_import__", builtins.__import__)
