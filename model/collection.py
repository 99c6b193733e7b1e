"""Keeps the garbage collector from walking large designs and all modules again and again while they come into being."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause the cyclic collector: values hold no cycles, and it doubles the time for a hundred thousand of them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def loading() -> Iterator[None]:
    """Load modules without a search for garbage among them, now or later: they stay, and it would stop a window."""
    before = len(sys.modules)
    with collection_paused():
        yield
        if len(sys.modules) > before:
            gc.freeze()
