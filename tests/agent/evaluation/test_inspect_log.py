"""Logs of inspect_ai, read back by that package where it is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from small_suite import LOOK, add, saying
from stand_in_server import StandIn

from agent.evaluation.configuration import Configuration
from agent.evaluation.report.inspect_log import write_inspect_logs
from agent.evaluation.results import LoadedRun, load_run
from agent.evaluation.run_folder import RecordError, RunFolder
from agent.evaluation.runner import Plan, run

pytestmark = pytest.mark.anyio
INSTALLED = importlib.util.find_spec("inspect_ai") is not None


@pytest.fixture
async def loaded(ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration) -> LoadedRun:
    ollama.answers["/api/chat"] = saying(LOOK, add("clk"), "Added.", add("clk"), "It is there.", "No.", "Two.")
    await run(Plan(configuration, (str(suite_file),)), tmp_path / "run")
    return load_run(RunFolder(tmp_path / "run"))


@pytest.mark.skipif(not INSTALLED, reason="inspect_ai is not installed")
@pytest.mark.filterwarnings("default")
async def test_inspect_reads_what_was_run(loaded: LoadedRun, tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log  # noqa: PLC0415

    (path,) = write_inspect_logs([loaded], tmp_path / "logs")
    log = read_eval_log(str(path))
    assert (log.status, log.eval.task, log.eval.model) == ("success", "small", "ollama/qwen3:4b")
    samples = {sample.id: sample for sample in log.samples}
    assert samples.keys() == {"clk", "rx", "rename", "look"}
    first, second = samples["clk"], samples["rx"]
    assert [message.role for message in first.messages] == [
        *("system", "user", "assistant", "tool", "assistant", "tool", "assistant")
    ]
    assert first.scores["ecc"].value == 1.0
    assert first.scores["evcr"].value == 0.5
    assert "nca" not in first.scores
    call, result = second.messages[2:4]
    assert call.tool_calls[0].arguments["name"] == "clk"
    assert result.tool_call_id == call.tool_calls[0].id
    assert result.error is not None
    means = {score.name: score.metrics["mean"].value for score in log.results.scores}
    figures = loaded.result.suites[0].figures
    assert means["ecc"] == pytest.approx(figures.ecc)
    assert means["nca"] == figures.nca == 1.0


@pytest.mark.skipif(INSTALLED, reason="inspect_ai is installed")
async def test_without_the_package_it_is_said(loaded: LoadedRun, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="inspect_ai is not installed here"):
        write_inspect_logs([loaded], tmp_path / "logs")
