"""What the tests of whole runs share."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_suite import MODEL, SUITE
from stand_in_server import StandIn, reply

from agent.evaluation.configuration import Configuration


@pytest.fixture
def suite_file(tmp_path: Path) -> Path:
    file = tmp_path / "small.yaml"
    file.write_text(SUITE)
    return file


@pytest.fixture
def configuration() -> Configuration:
    return Configuration.of(model=MODEL)


@pytest.fixture
def ollama(stand_in: StandIn, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    monkeypatch.setenv("OLLAMA_HOST", stand_in.url)
    stand_in.answers["/api/version"] = reply({"version": "0.99.0"})
    stand_in.answers["/api/tags"] = reply({"models": [{"model": "qwen3:4b", "size": 2_600_000_000, "digest": "abc"}]})
    stand_in.answers["/api/show"] = reply(
        {"capabilities": ["completion", "tools"], "model_info": {"qwen3.context_length": 40960}}
    )
    return stand_in
