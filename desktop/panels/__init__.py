"""The panels around the canvas; each reads the document and edits through it, none knows MCP or a model server."""
