"""Reads the headers of the modules in a SystemVerilog or Verilog file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyslang import Bag, Diagnostic, DiagnosticEngine, SourceManager
from pyslang.parsing import PreprocessorOptions
from pyslang.syntax import CompilationUnitSyntax, ModuleDeclarationSyntax, SyntaxKind, SyntaxNode, SyntaxTree

from model.errors import DesignError
from model.findings import Finding
from model.systemverilog.declarations import read_header
from model.systemverilog.headers import RtlModule
from model.systemverilog.source_text import line_of

MAX_BYTES = 16 * 1024 * 1024
"""Largest file that is read, in bytes."""

LONGEST_STATEMENT = 8_000
"""Characters between two semicolons; a longer chain of operators could exhaust the elaborator's stack."""

_PART = "A part was not understood: "
_OTHERS = {
    SyntaxKind.InterfaceDeclaration: "interface",
    SyntaxKind.ProgramDeclaration: "program",
    SyntaxKind.UdpDeclaration: "primitive",
}


@dataclass(frozen=True, slots=True)
class RtlFile:
    """The modules of a file.

    Attributes:
        tree: as it was parsed, for what needs more than the text.
        findings: what could not be read; modules whose header is broken are not among ``modules``.
        may_elaborate: whether its statements are short enough for the elaborator, which recurses without limit.
    """

    path: Path
    modules: tuple[RtlModule, ...]
    tree: SyntaxTree
    findings: tuple[Finding, ...]
    may_elaborate: bool


def read_file(path: Path, defines: Sequence[str] = (), include_dirs: Iterable[Path] = ()) -> RtlFile:
    """Read the modules of a file.

    Args:
        defines: macros: ``NAME`` or ``NAME=VALUE``.
        include_dirs: where included files are looked for, besides the file's own folder.

    Raises:
        DesignError: ``file-not-found``, ``cannot-read``, ``too-large``, ``not-text``.
    """
    options = PreprocessorOptions()
    options.predefines = list(defines)
    options.additionalIncludePaths = list(include_dirs)
    manager = SourceManager()
    text = _read(path)
    try:
        tree = SyntaxTree.fromText(text, manager, path.name, str(path.resolve()), Bag([options]))
    except RuntimeError:
        raise DesignError(
            "not-understood", f"{path} is nested too deeply to be read.", "Import a file that people can read."
        ) from None
    declarations: list[ModuleDeclarationSyntax] = []
    findings: list[Finding] = []
    for member in _members(tree.root):
        if manager.isIncludedFileLoc(manager.getFullyExpandedLoc(member.getFirstToken().location)):
            continue
        if member.kind == SyntaxKind.ModuleDeclaration and isinstance(member, ModuleDeclarationSyntax):
            declarations.append(member)
        elif member.kind in _OTHERS:
            message = f"The {_OTHERS[member.kind]} here is no module and is not imported."
            findings.append(Finding("note", "not-a-module", message, None, path, line_of(member, manager)))
    problems = _diagnostics(tree, manager)
    modules: list[RtlModule] = []
    for declaration in declarations:
        header = read_header(declaration, manager)
        lines = range(header.line, _last_line(declaration, manager) + 1)
        broken = [problem for problem in problems if problem.line in lines]
        if not broken:
            modules.append(header)
        for problem in broken:
            problems.remove(problem)
            message = f"Module {header.name} is not imported: {problem.message.removeprefix(_PART)}"
            findings.append(Finding("error", problem.code, message, None, path, problem.line))
    findings.extend(
        Finding(problem.severity, problem.code, problem.message, None, path, problem.line) for problem in problems
    )
    longest = max(len(statement) for statement in text.split(";"))
    findings.sort(key=lambda finding: finding.line)
    return RtlFile(path, tuple(modules), tree, tuple(dict.fromkeys(findings)), longest <= LONGEST_STATEMENT)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise DesignError("file-not-found", f"There is no file {path}.") from None
    except OSError as error:
        raise DesignError("cannot-read", f"{path} cannot be read: {error.strerror or error}.") from error
    if len(content) > MAX_BYTES:
        raise DesignError("too-large", f"{path} is larger than {MAX_BYTES // 2**20} MB.", "Split it.")
    if b"\0" in content:
        raise DesignError("not-text", f"{path} is no SystemVerilog: it holds NUL bytes.", "Give a source file.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")  # only comments and strings can hold such bytes


def _members(root: SyntaxNode) -> list[SyntaxNode]:
    """The top-level elements; a file with just one is parsed to that one."""
    if not isinstance(root, CompilationUnitSyntax):
        return [root]
    members = root.members
    return [members[place] for place in range(len(members))]


def _last_line(declaration: ModuleDeclarationSyntax, manager: SourceManager) -> int:
    """The line on which the ports end."""
    last = line_of(declaration.header.semi, manager)
    members = declaration.members
    for place in range(len(members)):
        member = members[place]
        if isinstance(member, SyntaxNode) and member.kind == SyntaxKind.PortDeclaration:
            last = max(last, line_of(member.getLastToken(), manager))
    return last


def _diagnostics(tree: SyntaxTree, manager: SourceManager) -> list[Finding]:
    engine = DiagnosticEngine(manager)
    found = (_finding(diagnostic, engine, manager) for diagnostic in tree.diagnostics if diagnostic.isError())
    return list(dict.fromkeys(found))


def _finding(diagnostic: Diagnostic, engine: DiagnosticEngine, manager: SourceManager) -> Finding:
    text = engine.formatMessage(diagnostic)
    place = manager.getFullyExpandedLoc(diagnostic.location)
    line = line_of(place, manager)
    if manager.isIncludedFileLoc(place):
        message = f"Included file {manager.getFileName(place)}, line {line}: {_sentence(text)}"
        return Finding("warning", "syntax-error", message, None, None, 0)
    if text.startswith("unknown macro"):
        return Finding("error", "unknown-macro", f"{_sentence(text)} Give it with --define.", None, None, line)
    if "No such file" in text:
        return Finding("error", "file-not-found", f"Include file {_sentence(text)} Give its folder.", None, None, line)
    return Finding("warning", "syntax-error", f"{_PART}{_sentence(text)}", None, None, line)


def _sentence(text: str) -> str:
    return f"{text.rstrip('.')}."
