"""An MCP server that drives the GNU debugger; it knows nothing of designs and runs alone: ``python -m server.gdb``."""
