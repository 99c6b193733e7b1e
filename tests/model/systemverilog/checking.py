"""Gives modules to the tools that people will give them to."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from model.systemverilog.exporting import Module

NO_OVERRIDES: Mapping[str, int] = {}
needs_tools = pytest.mark.skipif(
    not (shutil.which("iverilog") and shutil.which("verilator")), reason="iverilog and verilator are not installed"
)


def accept(
    modules: Sequence[Module],
    folder: Path,
    *,
    strict: bool = True,
    icarus: bool = True,
    overrides: Mapping[str, int] = NO_OVERRIDES,
) -> None:
    """Fail where Icarus Verilog or Verilator's lint, warnings included, refuses the modules; the first is the top.

    Args:
        strict: whether constants must have the width of what they are for, and names be none of C++.
        icarus: whether Icarus Verilog knows what is in the modules.
        overrides: values for parameters of the top.
    """
    folder.mkdir(exist_ok=True)
    paths = [folder / module.file_name for module in modules]
    for path, module in zip(paths, modules, strict=True):
        path.write_text(module.text, encoding="utf-8")
    files = [str(path) for path in paths]
    # A module whose name is escaped cannot be named on Verilator's command line.
    top = ["--top-module", modules[0].name] if modules[0].name.isidentifier() else []
    quiet = [] if strict else ["-Wno-WIDTH", "-Wno-SYMRSVDWORD"]
    set_icarus = [f"-P{modules[0].name}.{name}={value}" for name, value in overrides.items()]
    set_verilator = [f"-G{name}={value}" for name, value in overrides.items()]
    commands = [
        # Ranges that count upwards are legal, and taken over from the component.
        ["verilator", "--lint-only", "-Wno-MULTITOP", "-Wno-LITENDIAN", *set_verilator, *quiet, *top, *files],
    ]
    if icarus:
        commands.append(["iverilog", "-g2012", "-t", "null", *set_icarus, *files])
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        texts = "\n".join(module.text for module in modules)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}\n{texts}"
