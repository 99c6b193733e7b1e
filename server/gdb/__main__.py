"""``python -m server.gdb [--folder FOLDER]``: the debugger's tools over standard input and output."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from server.gdb.gdb_server import build_gdb_server


def main() -> int:
    """Serve one client until it closes the connection; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m server.gdb", description="An MCP server that drives gdb.")
    parser.add_argument("--folder", type=Path, default=Path(), help="where the programs lie; the present folder")
    folder: Path = parser.parse_args().folder
    if not folder.is_dir():
        print(f"There is no folder {folder}.", file=sys.stderr)
        return 2
    asyncio.run(build_gdb_server(folder).run_stdio_async())
    return 0


if __name__ == "__main__":
    sys.exit(main())
