"""``blockwright import-rtl`` and ``export-rtl``: between SystemVerilog and components."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal

import typer

from desktop.commands.opening import open_with_progress
from model.change import ElementId
from model.errors import DesignError, nearest
from model.findings import Finding
from model.netlist_json import netlist_json
from model.storage import save_component
from model.systemverilog.elaboration import Elaboration
from model.systemverilog.exporting import export_modules
from model.systemverilog.headers import RtlModule
from model.systemverilog.importing import Imported, add_component, component_of
from model.systemverilog.reading import RtlFile, read_file
from model.vlnv import Vlnv
from model.workspace import Transaction, Workspace

_FAILED = 1
_BAD_USAGE = 2

WorkspaceFolder = Annotated[Path, typer.Option("--workspace", "-w", help="Folder of IP-XACT files.")]


def export_rtl(
    component: Annotated[str, typer.Argument(metavar="VLNV", help="The component: vendor:library:name:version.")],
    workspace: WorkspaceFolder,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="Write one file per module into this folder.")
    ] = None,
    recursive: Annotated[
        bool, typer.Option("--recursive", "-r", help="With everything that the component instantiates.")
    ] = False,
    format_: Annotated[
        Literal["sv", "json"], typer.Option("--format", help="sv: SystemVerilog; json: a netlist as Yosys writes it.")
    ] = "sv",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files that hold something else.")] = False,
) -> None:
    """Write a component as SystemVerilog; one without an inside becomes an empty module."""
    opened = open_folder(workspace)
    try:
        vlnv = Vlnv.parse(component)
        modules = export_modules(opened.library, vlnv, recursive=recursive)
    except DesignError as problem:
        typer.echo(str(problem), err=True)
        raise typer.Exit(_BAD_USAGE) from problem
    if format_ == "json":
        netlist = netlist_json(opened.library, [module.vlnv for module in modules], version("blockwright"))
        files = [(f"{modules[0].file_name.removesuffix('.sv')}.json", f"{json.dumps(netlist.data, indent=2)}\n")]
        findings: Sequence[Finding] = netlist.findings
    else:
        files = [(module.file_name, module.text) for module in modules]
        findings = [finding for module in modules for finding in module.findings]
    if output is None:
        typer.echo("\n".join(text for _name, text in files), nl=False)
    else:
        _write(output, files, overwrite)
    report(findings)


def import_rtl(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A SystemVerilog or Verilog file.")],
    workspace: WorkspaceFolder,
    vendor: Annotated[str, typer.Option(help="Vendor of the new components.")],
    library: Annotated[str, typer.Option(help="Library of the new components.")],
    component_version: Annotated[str, typer.Option("--version", help="Version of the new components.")] = "1.0",
    module: Annotated[str | None, typer.Option(help="Import only this module of the file.")] = None,
    define: Annotated[
        list[str] | None, typer.Option("--define", "-D", metavar="NAME[=VALUE]", help="Define a macro.")
    ] = None,
    include: Annotated[
        list[Path] | None, typer.Option("--include", "-I", metavar="DIR", help="Look for included files here too.")
    ] = None,
) -> None:
    """Make components of the modules in a file, ports and parameters with their ranges, and save them."""
    opened = open_folder(workspace)
    try:
        rtl = read_file(file, define or (), include or ())
        wanted = _wanted(rtl, module)
        imported = [
            component_of(each, Elaboration(rtl, each), file, vendor, library, component_version) for each in wanted
        ]
    except DesignError as problem:
        typer.echo(str(problem), err=True)
        raise typer.Exit(_BAD_USAGE) from problem
    findings = list(rtl.findings)
    step = Transaction(f"Import {file.name}")
    for each in imported:
        findings.extend(each.findings)
        findings.extend(_add(opened, each, step, file))
    report(findings)


def _wanted(rtl: RtlFile, name: str | None) -> Sequence[RtlModule]:
    if name is None:
        if not rtl.modules and not rtl.findings:
            raise DesignError("no-module", f"{rtl.path} has no module.", "Give a SystemVerilog or Verilog file.")
        return rtl.modules
    found = [module for module in rtl.modules if module.name == name]
    if not found and not any(f"Module {name} is not imported" in finding.message for finding in rtl.findings):
        names = [module.name for module in rtl.modules]
        listed = f"It has {', '.join(names)}." if names else "It has none."
        raise DesignError("module-not-found", f"{rtl.path} has no module {name}.", listed, nearest(name, names))
    return found


def _add(workspace: Workspace, imported: Imported, step: Transaction, file: Path) -> list[Finding]:
    """Put one component into the workspace and save it; what prevents that is returned."""
    component = imported.component
    try:
        workspace.apply(add_component, transaction=step, component=component)
        saved = save_component(workspace, str(component.vlnv))
    except DesignError as problem:
        return [Finding("error", problem.code, str(problem), ElementId(component.vlnv, "component"), file)]
    counts = f"ports: {len(component.ports)}, parameters: {len(component.parameters)}"
    typer.echo(f"Imported {component.vlnv} ({counts}). {saved.message}")
    return []


def open_folder(folder: Path) -> Workspace:
    """Open a workspace folder, or end with status 2."""
    if not folder.is_dir():
        typer.echo(f"There is no folder {folder}. Give --workspace a folder of IP-XACT files.", err=True)
        raise typer.Exit(_BAD_USAGE)
    return open_with_progress(folder).workspace


def report(findings: Iterable[Finding]) -> None:
    """Print findings to standard error, and end with status 1 where one is an error."""
    failed = False
    for finding in findings:
        line = f":{finding.line}" if finding.line else ""
        place = f"{finding.path}{line}: " if finding.path is not None else ""
        about = f"{finding.where.component}: " if finding.where is not None and not place else ""
        typer.echo(f"{place}{about}{finding.severity} {finding.code}: {finding.message}", err=True)
        failed = failed or finding.severity == "error"
    if failed:
        raise typer.Exit(_FAILED)


def _write(folder: Path, files: Sequence[tuple[str, str]], overwrite: bool) -> None:
    """Write all files or, where one would replace something else, none."""
    taken = [name for name, text in files if (folder / name).exists() and not _holds(folder / name, text)]
    if taken and not overwrite:
        typer.echo(f"{folder} already has other files of these names: {', '.join(taken)}.", err=True)
        typer.echo("Nothing was written. Choose another folder, or repeat with --overwrite.", err=True)
        raise typer.Exit(_FAILED)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files:
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        typer.echo(f"Cannot write to {folder}: {error.strerror or error}.", err=True)
        raise typer.Exit(_BAD_USAGE) from error
    typer.echo(f"Wrote {len(files)} file{'' if len(files) == 1 else 's'} to {folder}.")


def _holds(path: Path, text: str) -> bool:
    try:
        return path.read_bytes() == text.encode()
    except OSError:
        return False
