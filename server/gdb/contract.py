"""The debugger's tools: names, arguments, kinds of effect."""

from __future__ import annotations

from server.contract import Argument, ToolContract

_SESSION = Argument("session", "a session such as gdb1")


def _optional(name: str, form: str, default: str = "", *, counts: bool = False) -> Argument:
    return Argument(name, form, default, counts=counts)


_CONTRACTS = (
    ToolContract("gdb_start", "Start a debugging session", "write", ()),
    ToolContract(
        "gdb_load",
        "Load a program",
        "write",
        (_SESSION, Argument("program", "path of the executable"), _optional("arguments", "the program's arguments")),
    ),
    ToolContract(
        "gdb_break",
        "Set a breakpoint",
        "write",
        (
            _SESSION,
            Argument("location", "a function, or file:line"),
            _optional("condition", "stop only where this expression is true"),
        ),
    ),
    ToolContract(
        "gdb_delete_breakpoint",
        "Delete a breakpoint",
        "write",
        (_SESSION, Argument("number", "number of the breakpoint", counts=True)),
    ),
    ToolContract("gdb_run", "Run the program", "write", (_SESSION,), destructive=True),
    ToolContract("gdb_continue", "Continue the program", "write", (_SESSION,)),
    ToolContract(
        "gdb_step", "Step into", "write", (_SESSION, _optional("count", "how many lines, 1 or more", "1", counts=True))
    ),
    ToolContract(
        "gdb_next", "Step over", "write", (_SESSION, _optional("count", "how many lines, 1 or more", "1", counts=True))
    ),
    ToolContract("gdb_finish", "Run to the end of the function", "write", (_SESSION,)),
    ToolContract("gdb_backtrace", "Show the call stack", "read", (_SESSION,), idempotent=True),
    ToolContract("gdb_locals", "Show arguments and local variables", "read", (_SESSION,), idempotent=True),
    ToolContract("gdb_print", "Evaluate an expression", "write", (_SESSION, Argument("expression", "a C expression"))),
    ToolContract(
        "gdb_memory",
        "Read memory",
        "read",
        (
            _SESSION,
            Argument("address", "an address, or an expression such as &buffer"),
            _optional("count", "bytes, 1 to 1024", "64", counts=True),
        ),
        idempotent=True,
    ),
    ToolContract("gdb_end", "End a session", "write", (_SESSION,), idempotent=True),
)

GDB_TOOLS: dict[str, ToolContract] = {contract.name: contract for contract in _CONTRACTS}
"""The tools by name, in the order in which they are listed."""
