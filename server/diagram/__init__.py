"""A component as a picture (SVG) for MCP clients, without a window: blocks, ports and wires in layers."""

from server.diagram.svg import diagram_svg

__all__ = ["diagram_svg"]
