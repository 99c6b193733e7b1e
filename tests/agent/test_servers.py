"""Where other servers are named: the command line's NAME=COMMAND, and files in the mcpServers format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.servers import ServerCommand, ServerError, read_servers


def test_a_command_is_split_as_a_shell_would() -> None:
    server = ServerCommand.parse("git=python -m mcp_server_git --repository '/tmp/my repo'")
    assert (server.name, server.command) == ("git", "python")
    assert server.args == ("-m", "mcp_server_git", "--repository", "/tmp/my repo")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("git", "is not NAME=COMMAND"),
        ("git=", "is not NAME=COMMAND"),
        ("git='x", "No closing quotation"),
        ("design=x", "choose another name"),
        ("my git=x", "cannot name a server"),
        ("=x", "cannot name a server"),
    ],
)
def test_what_is_no_command_is_explained(text: str, told: str) -> None:
    with pytest.raises(ServerError, match=told):
        ServerCommand.parse(text)


def test_the_common_file_format(tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    entries = {
        "git": {"command": "uvx", "args": ["mcp-server-git"], "env": {"TZ": "UTC"}, "type": "stdio"},
        "gdb": {"command": "gdb-server", "cwd": "~/work"},
        "old": {"command": "x", "disabled": True},
    }
    file.write_text(json.dumps({"mcpServers": entries, "theme": "dark"}))
    git, gdb = read_servers(file)
    assert git == ServerCommand("git", "uvx", ("mcp-server-git",), {"TZ": "UTC"})
    assert gdb.cwd == Path.home() / "work"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "is not JSON"),
        ("[]", 'no object "mcpServers"'),
        ('{"mcpServers": {"git": {"command": "x", "args": "y"}}}', "git.args: Input should be a valid list"),
        ('{"mcpServers": {"git": {}}}', "git has no command"),
        ('{"mcpServers": {"web": {"url": "http://localhost/mcp"}}}', "web is a server at an address"),
    ],
)
def test_a_file_that_is_wrong_is_explained(tmp_path: Path, content: str, told: str) -> None:
    file = tmp_path / "servers.json"
    file.write_text(content)
    with pytest.raises(ServerError, match=told):
        read_servers(file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match=r"servers\.json cannot be read"):
        read_servers(tmp_path / "servers.json")
