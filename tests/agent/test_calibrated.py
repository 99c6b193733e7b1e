"""Calibrations in the user's configuration folder, and a session that uses them."""

from __future__ import annotations

from pathlib import Path

import pytest
from stand_in_ollama import MODEL, calling, offer_model, plan, saying
from stand_in_server import StandIn

from agent import calibrated
from agent.calibrated import Calibrated, CalibrationError, Mode
from agent.events import AgentEvent, Notice
from agent.session import AgentSession
from model.workspace import Workspace
from server.descriptions import load_descriptions

MINE = Calibrated(
    prompt="md",
    tools="minimal",
    history="task",
    label="T/MD/M",
    score=0.8,
    low=0.6,
    high=0.9,
    tasks=30,
    digest="abc",
    made="2026-01-02T03:04:05+00:00",
)


def test_what_is_kept_is_found_by_model_mode_and_weights() -> None:
    file = calibrated.keep(MODEL, "faithful", MINE)
    assert file == calibrated.calibration_file()
    calibrated.keep("ollama:other", "assisted", MINE)
    assert calibrated.find(MODEL, "faithful", "abc") == MINE
    assert calibrated.find(MODEL, "assisted", "abc") is None
    assert calibrated.find(MODEL, "faithful", "other weights") is None


def test_a_damaged_file_is_named() -> None:
    file = calibrated.calibration_file()
    file.parent.mkdir(parents=True)
    file.write_text("{")
    with pytest.raises(CalibrationError, match=r"calibration\.json"):
        calibrated.find(MODEL, "faithful", "abc")
    with pytest.raises(CalibrationError, match=r"calibration\.json"):
        calibrated.keep(MODEL, "faithful", MINE)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    with pytest.raises(CalibrationError, match="Not a directory"):
        calibrated.keep(MODEL, "faithful", MINE)


@pytest.fixture
def ollama(stand_in: StandIn, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    monkeypatch.setenv("OLLAMA_HOST", stand_in.url)
    offer_model(stand_in)
    return stand_in


async def ask_twice(mode: Mode) -> list[AgentEvent]:
    session = AgentSession(Workspace(), MODEL, mode=mode)
    events: list[AgentEvent] = []
    try:
        await session.ask("What components are there?", events.append)
        await session.ask("And which others, again?", events.append)
    finally:
        await session.aclose()
    return events


def notices(events: list[AgentEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, Notice)]


@pytest.mark.anyio
async def test_the_faithful_agent_uses_its_calibration_and_says_so_once(ollama: StandIn) -> None:
    calibrated.keep(MODEL, "faithful", MINE)
    ollama.answers["/api/chat"] = calling("There are none.", "None.")
    assert notices(await ask_twice("faithful")) == [
        f"{MODEL} is used as calibration recommends, T/MD/M: 0.80 of the work done on 30 tasks (95 % 0.60–0.90), "
        "calibrated 2026-01-02."
    ]
    first, second = ollama.bodies("/api/chat")
    assert "# Role" in first["messages"][0]["content"]
    assert [message["role"] for message in second["messages"]] == ["system", "user"]
    told = {tool["function"]["name"]: tool["function"]["description"] for tool in first["tools"]}
    assert told["create_component"] == load_descriptions("minimal")["create_component"].text


@pytest.mark.anyio
async def test_without_a_calibration_nothing_is_said(ollama: StandIn) -> None:
    ollama.answers["/api/chat"] = calling("There are none.", "None.")
    assert notices(await ask_twice("faithful")) == []
    assert len(ollama.bodies("/api/chat")[1]["messages"]) == 4


@pytest.mark.anyio
async def test_the_assisted_agent_takes_over_how_much_it_remembers(ollama: StandIn) -> None:
    calibrated.keep(MODEL, "assisted", MINE.model_copy(update={"label": "T/assisted"}))
    ollama.answers["/api/chat"] = saying(plan(), plan(), plan(), plan())
    assert len(notices(await ask_twice("assisted"))) == 1
    assert "What components are there?" not in str(ollama.bodies("/api/chat")[-1]["messages"])


@pytest.mark.anyio
async def test_a_damaged_file_does_not_keep_anybody_from_working(ollama: StandIn) -> None:
    calibrated.keep(MODEL, "faithful", MINE)
    calibrated.calibration_file().write_text("{")
    ollama.answers["/api/chat"] = calling("There are none.", "None.")
    said = notices(await ask_twice("faithful"))
    assert len(said) == 1
    assert "so none is used" in said[0]
