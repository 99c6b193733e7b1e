"""Fixtures of the canvas."""

from __future__ import annotations

import pytest
from canvas_designs import small_system

from model.library import Library


@pytest.fixture
def library() -> Library:
    return small_system()
