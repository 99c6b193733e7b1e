"""The MCP server: 14 tools over one workspace."""
