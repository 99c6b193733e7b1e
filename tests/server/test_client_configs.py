import json
import os
import shlex
from pathlib import Path

import pytest

from server.client_configs import client_configurations


def by_client(folder: Path | None, **more: object) -> dict[str, str]:
    return {found.client: found.text for found in client_configurations(folder, **more)}  # type: ignore[arg-type]


def test_the_texts_start_the_installed_command() -> None:
    texts = by_client(None)
    launched = json.loads(texts["Claude Desktop"])["mcpServers"]["blockwright"]
    assert launched["args"] == ["serve", "--attach"]
    assert os.access(launched["command"], os.X_OK)
    assert json.loads(texts["VS Code"])["servers"]["blockwright"] == {"type": "stdio", **launched}
    assert texts["MCP Inspector"].endswith(texts["Others, over standard input and output"])


def test_a_folder_with_odd_letters_survives() -> None:
    folder = Path('/data/it\'s "my" design')
    texts = by_client(folder)
    assert json.loads(texts["Claude Desktop"])["mcpServers"]["blockwright"]["args"][-1] == str(folder)
    assert shlex.split(texts["MCP Inspector"])[-1] == str(folder)


def test_over_http_the_token_itself_is_not_written_down(tmp_path: Path) -> None:
    token_file = tmp_path / "http-1.token"
    token_file.write_text("secret")
    texts = by_client(None, url="http://127.0.0.1:1/mcp", token_file=token_file)
    assert json.loads(texts["VS Code, over HTTP"])["servers"]["blockwright"]["url"] == "http://127.0.0.1:1/mcp"
    assert "secret" not in "".join(texts.values())
    assert all(str(token_file) in text for client, text in texts.items() if "HTTP" in client)


@pytest.mark.parametrize("where", ["claude_desktop_config.json", ".vscode/mcp.json"])
def test_it_is_said_where_a_text_belongs(where: str) -> None:
    assert any(where in found.where for found in client_configurations())
