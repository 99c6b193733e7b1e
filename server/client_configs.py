"""What to paste into the configuration of common MCP clients."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ClientConfiguration:
    """One client's configuration.

    Attributes:
        client: its name, as people know it.
        where: where the text belongs.
        text: ready to paste.
    """

    client: str
    where: str
    text: str


def client_configurations(
    folder: Path | None = None, *, url: str = "", token_file: Path | None = None
) -> tuple[ClientConfiguration, ...]:
    """Return the texts for Claude Desktop, VS Code, the MCP Inspector and others.

    Args:
        folder: the folder that the client's own server works on; None to attach to the desktop that is open.
        url: where the desktop serves HTTP, or "" while it does not.
        token_file: the file with its token.
    """
    command = _command()
    arguments = ["serve", "--attach"] if folder is None else ["serve", "--workspace", str(folder)]
    launched = {"command": command, "args": arguments}
    line = shlex.join([command, *arguments])
    found = [
        ClientConfiguration(
            "Claude Desktop",
            "Settings, Developer, Edit Config: claude_desktop_config.json. Merge it with what is there and restart.",
            _json({"mcpServers": {"blockwright": launched}}),
        ),
        ClientConfiguration(
            "VS Code",
            ".vscode/mcp.json in your project, or the command MCP: Open User Configuration.",
            _json({"servers": {"blockwright": {"type": "stdio", **launched}}}),
        ),
        ClientConfiguration("MCP Inspector", "A terminal.", f"npx @modelcontextprotocol/inspector {line}"),
        ClientConfiguration("Others, over standard input and output", "The command that the client starts.", line),
    ]
    if url and token_file is not None:
        found += _over_http(url, token_file)
    return tuple(found)


def _over_http(url: str, token_file: Path) -> list[ClientConfiguration]:
    server = {"type": "http", "url": url, "headers": {"Authorization": "Bearer ${input:blockwright-token}"}}
    asked = {
        "type": "promptString",
        "id": "blockwright-token",
        "description": f"Token in {token_file}",
        "password": True,
    }
    read = f'"$(cat {shlex.quote(str(token_file))})"'
    return [
        ClientConfiguration(
            "VS Code, over HTTP",
            ".vscode/mcp.json in your project. VS Code asks for the token; there is a new one at every start.",
            _json({"inputs": [asked], "servers": {"blockwright": server}}),
        ),
        ClientConfiguration(
            "MCP Inspector, over HTTP",
            "A terminal.",
            f"npx @modelcontextprotocol/inspector --cli {url} --transport http"
            f' --header "Authorization: Bearer "{read} --method tools/list',
        ),
        ClientConfiguration(
            "Others, over Streamable HTTP",
            "Address and header. The token is new at every start.",
            f"{url}\nAuthorization: Bearer <the text in {token_file}>",
        ),
    ]


def _command() -> str:
    """The installed console script by its full path: clients do not search the user's virtual environments."""
    name = "blockwright.exe" if sys.platform == "win32" else "blockwright"
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.exists() else shutil.which("blockwright") or "blockwright"


def _json(value: object) -> str:
    return json.dumps(value, indent=2)
