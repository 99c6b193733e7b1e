from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import linecache
import desktop.application, desktop.window
print([name for name in linecache.cache if name.endswith("window.py")])
"""


def test_nobody_reads_the_sources_of_what_the_window_imports() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
