"""Benchmarks: not part of ``make test``; see README.md beside this file."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
