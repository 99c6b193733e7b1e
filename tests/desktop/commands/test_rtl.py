"""``blockwright import-rtl`` and ``export-rtl`` on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from desktop.cli import app
from model.storage import open_workspace
from model.vlnv import Vlnv
from resources import __file__ as resources

EXAMPLE = Path(resources).parent / "examples" / "tiny_soc"
SOC = "blockwright.org:soc:tiny_soc:1.0"
SOURCE = """
typedef struct packed { logic [3:0] x; } bus_t;
module fifo #(parameter int DEPTH = 4) (input clk, input [DEPTH-1:0] d, output bus_t q);
endmodule
module other(input a);
endmodule
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "fifo.sv"
    path.write_text(SOURCE)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "library"
    place.mkdir()
    return place


def import_(source: Path, folder: Path, *more: object) -> Result:
    return run("import-rtl", source, "--workspace", folder, "--vendor", "acme", "--library", "mem", *more)


def test_modules_become_saved_components(source: Path, folder: Path) -> None:
    result = import_(source, folder, "--version", "2.1")
    assert result.exit_code == 0, result.output
    assert "Imported acme:mem:fifo:2.1 (ports: 3, parameters: 1)." in result.stdout
    assert f"{source}:3: warning type-changed: Port q has the type bus_t" in result.stderr
    library = open_workspace(folder).workspace.library
    assert [str(component.vlnv) for component in library] == ["acme:mem:fifo:2.1", "acme:mem:other:2.1"]
    assert list(library.get(Vlnv.parse("acme:mem:fifo:2.1")).ports) == ["clk", "d", "q"]
    assert run("check", folder).exit_code == 0


def test_one_module_can_be_chosen(source: Path, folder: Path) -> None:
    assert import_(source, folder, "--module", "other").exit_code == 0
    assert len(open_workspace(folder).workspace.library) == 1
    result = import_(source, folder, "--module", "fifa")
    assert result.exit_code == 2
    assert "Did you mean fifo?" in result.stderr


def test_components_that_exist_stay_as_they_are(source: Path, folder: Path) -> None:
    import_(source, folder)
    files = {path: path.read_bytes() for path in folder.rglob("*.xml")}
    result = import_(source, folder)
    assert result.exit_code == 1
    assert "error component-exists: There is already a component acme:mem:fifo:1.0." in result.stderr
    assert {path: path.read_bytes() for path in folder.rglob("*.xml")} == files


def test_macros_and_include_folders_are_passed_on(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "w.svh").write_text("`define W `HALF*2\n")
    path = tmp_path / "m.sv"
    path.write_text('`include "w.svh"\nmodule m(input [`W-1:0] a); endmodule\n')
    assert import_(path, folder).exit_code == 1
    result = import_(path, folder, "-D", "HALF=4", "-I", tmp_path / "headers")
    assert result.exit_code == 0, result.output
    port = open_workspace(folder).workspace.library.get(Vlnv.parse("acme:mem:m:1.0")).ports["a"]
    assert port.left == "4*2-1"  # type: ignore[union-attr]


def test_bad_usage_of_import(source: Path, folder: Path, tmp_path: Path) -> None:
    assert import_(tmp_path / "none.sv", folder).exit_code == 2
    assert import_(source, tmp_path / "nowhere").exit_code == 2
    assert run("import-rtl", source, "--workspace", folder).exit_code == 2
    result = run("import-rtl", source, "--workspace", folder, "--vendor", "a b", "--library", "c")
    assert result.exit_code == 2
    assert "'a b' is not a legal vendor" in result.stderr
    empty = tmp_path / "empty.sv"
    empty.write_text("// nothing\n")
    assert import_(empty, folder).exit_code == 2


def test_a_hierarchy_is_written_one_file_per_module(tmp_path: Path) -> None:
    result = run("export-rtl", SOC, "--workspace", EXAMPLE, "--output", tmp_path / "rtl", "--recursive")
    assert result.exit_code == 0, result.output
    assert len(list((tmp_path / "rtl").glob("*.sv"))) == 11
    assert "warning port-left-out: Port trace is transactional" in result.stderr
    single = run("export-rtl", SOC, "--workspace", EXAMPLE)
    assert single.stdout == (tmp_path / "rtl" / "tiny_soc.sv").read_text()


def test_files_of_others_are_not_replaced_unasked(tmp_path: Path) -> None:
    place = tmp_path / "uart.sv"
    place.write_text("module uart; /* by hand */ endmodule\n")
    arguments = ("export-rtl", "blockwright.org:peripheral:uart:1.0", "-w", EXAMPLE, "-o", tmp_path)
    result = run(*arguments)
    assert result.exit_code == 1
    assert "by hand" in place.read_text()
    assert run(*arguments, "--overwrite").exit_code == 0
    assert "by hand" not in place.read_text()
    assert run(*arguments).exit_code == 0


def test_a_netlist_as_json(tmp_path: Path) -> None:
    result = run("export-rtl", SOC, "-w", EXAMPLE, "-r", "--format", "json", "-o", tmp_path)
    assert result.exit_code == 0, result.output
    modules = json.loads((tmp_path / "tiny_soc.json").read_text())["modules"]
    assert len(modules) == 11
    assert modules[SOC]["cells"]["u_mem"]["parameters"] == {"ADDR_WIDTH": "16"}


def test_a_missing_component_is_an_error_but_the_rest_is_written(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "soc")
    shutil.rmtree(tmp_path / "soc" / "blockwright.org" / "memory")
    result = run("export-rtl", SOC, "-w", tmp_path / "soc", "-o", tmp_path / "rtl")
    assert result.exit_code == 1
    assert "error component-missing" in result.stderr
    assert "sram u_mem (" in (tmp_path / "rtl" / "tiny_soc.sv").read_text()


def test_bad_usage_of_export(tmp_path: Path) -> None:
    assert run("export-rtl", SOC, "-w", tmp_path / "nowhere").exit_code == 2
    assert run("export-rtl", "tiny_soc", "-w", EXAMPLE).exit_code == 2
    result = run("export-rtl", "blockwright.org:soc:tiny_sok:1.0", "-w", EXAMPLE)
    assert result.exit_code == 2
    assert f"Did you mean {SOC}" in result.stderr
