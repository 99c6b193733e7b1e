"""Gives modules to the tools that people will give them to."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from model.systemverilog.exporting import Module

needs_tools = pytest.mark.skipif(
    not (shutil.which("iverilog") and shutil.which("verilator")), reason="iverilog and verilator are not installed"
)


def accept(modules: Sequence[Module], folder: Path, *, strict: bool = True) -> None:
    """Fail where Icarus Verilog or Verilator's lint, warnings included, refuses the modules; the first is the top.

    Args:
        strict: whether constants must have the width of what they are for, and names be none of C++.
    """
    folder.mkdir(exist_ok=True)
    paths = [folder / module.file_name for module in modules]
    for path, module in zip(paths, modules, strict=True):
        path.write_text(module.text, encoding="utf-8")
    files = [str(path) for path in paths]
    # A module whose name is escaped cannot be named on Verilator's command line.
    top = ["--top-module", modules[0].name] if modules[0].name.isidentifier() else []
    quiet = [] if strict else ["-Wno-WIDTH", "-Wno-SYMRSVDWORD"]
    for command in (
        ["iverilog", "-g2012", "-t", "null", *files],
        # Ranges that count upwards are legal, and taken over from the component.
        ["verilator", "--lint-only", "-Wno-MULTITOP", "-Wno-LITENDIAN", *quiet, *top, *files],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        texts = "\n".join(module.text for module in modules)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}\n{texts}"
