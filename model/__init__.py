"""The design as an immutable value, the rules that guard it, undo, and IP-XACT files. No Qt, no MCP, no asyncio."""
