"""What a server answered, as tests read it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.types import CallToolResult, TextContent

Call = Callable[..., Awaitable[CallToolResult]]


def text_of(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


def code_of(result: CallToolResult) -> Any:
    assert result.is_error
    assert result.structured_content is not None
    return result.structured_content["code"]
