"""Sessions' files: compressed ones, full disks, kills between two writes."""

from __future__ import annotations

import asyncio
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from small_suite import PERFECT, by_task, saying
from stand_in_server import StandIn

from agent.evaluation.configuration import Configuration
from agent.evaluation.records import Interruption
from agent.evaluation.rescoring import rescore
from agent.evaluation.results import load_run
from agent.evaluation.run_folder import RecordError, RunFolder, Session
from agent.evaluation.runner import Plan, run

pytestmark = pytest.mark.anyio


@pytest.fixture
async def finished(ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration) -> RunFolder:
    ollama.answers["/api/chat"] = saying(*PERFECT)
    await run(Plan(configuration, (str(suite_file),), tasks=frozenset({1, 2})), tmp_path / "run")
    return RunFolder(tmp_path / "run")


def pack(folder: RunFolder) -> Path:
    for session in folder.sessions():
        session.pack()
    (path,) = folder.path.glob("*.gz")
    return path


async def test_a_compressed_session_is_read_like_any_other(finished: RunFolder) -> None:
    before = load_run(finished).result
    size = sum(file.stat().st_size for file in finished.path.glob("*.jsonl"))
    packed = pack(finished)
    assert packed.name == "small-1.jsonl.gz"
    assert packed.stat().st_size < size / 2
    assert not list(finished.path.glob("*.jsonl"))
    assert load_run(finished).result == before
    assert finished.session("small", 1).packed


async def test_packing_gives_the_same_bytes_again(finished: RunFolder, tmp_path: Path) -> None:
    shutil.copytree(finished.path, tmp_path / "copy")
    copied = pack(RunFolder(tmp_path / "copy")).read_bytes()
    packed = pack(finished)
    pack(finished)
    assert packed.read_bytes() == copied


async def test_a_compressed_session_is_graded_anew_where_it_is(finished: RunFolder) -> None:
    (session,) = finished.sessions()
    wrong = session.tasks[0].grade.model_copy(update={"ecc": 0.25})
    session.rewrite([session.tasks[0].model_copy(update={"grade": wrong}), *session.tasks[1:]])
    packed = pack(finished)
    graded, changed = rescore(finished)
    assert (graded, [one.after.grade.ecc for one in changed]) == (2, [1.0])
    assert packed.exists()
    assert [record.grade.ecc for record in Session(packed).tasks] == [1.0, 1.0]


async def test_a_compressed_session_is_unpacked_to_be_continued(
    finished: RunFolder, ollama: StandIn, suite_file: Path, configuration: Configuration
) -> None:
    pack(finished)
    ollama.answers["/api/chat"] = by_task
    await run(Plan(configuration, (str(suite_file),)), finished.path)
    assert [file.name for file in finished.path.glob("small-*")] == ["small-1.jsonl"]
    assert [record.task.id for record in finished.session("small", 1).tasks] == ["clk", "rx", "rename", "look"]


async def test_a_kill_while_packing_leaves_one_session(finished: RunFolder) -> None:
    shutil.copy(finished.path / "small-1.jsonl", finished.path / "kept")
    pack(finished)
    (finished.path / "kept").rename(finished.path / "small-1.jsonl")
    assert [session.path.name for session in finished.sessions()] == ["small-1.jsonl"]
    assert finished.session("small", 1).path.name == "small-1.jsonl"


async def test_a_damaged_compressed_file_is_named(finished: RunFolder) -> None:
    packed = pack(finished)
    content = await asyncio.to_thread(packed.read_bytes)
    await asyncio.to_thread(packed.write_bytes, content[: len(content) // 2])
    with pytest.raises(RecordError, match=r"small-1\.jsonl\.gz cannot be read"):
        load_run(finished)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """What a full disk does, done by the operating system: a write ends half-way, the next fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_record_that_does_not_fit_leaves_the_file_as_it_was(finished: RunFolder) -> None:
    session = finished.session("small", 1)
    before = await asyncio.to_thread(session.path.read_bytes)
    with (
        largest_file(len(before) + 100),
        pytest.raises(RecordError, match=r"small-1\.jsonl cannot be written: File too large.*the same command goes on"),
    ):
        session.append(Interruption(task="x", code="busy", message="y" * 4000, at=""))
    assert await asyncio.to_thread(session.path.read_bytes) == before


async def test_a_run_on_a_full_disk_goes_on_when_there_is_room(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    ollama.answers["/api/chat"] = by_task
    plan = Plan(configuration, (str(suite_file),))
    await run(Plan(configuration, (str(suite_file),), tasks=frozenset({1})), tmp_path / "run")
    size = (await asyncio.to_thread((tmp_path / "run" / "small-1.jsonl").stat)).st_size
    with largest_file(size + 500), pytest.raises(RecordError, match="cannot be written"):
        await run(plan, tmp_path / "run")
    assert len(RunFolder(tmp_path / "run").session("small", 1).tasks) == 1
    await run(plan, tmp_path / "run")
    assert len(RunFolder(tmp_path / "run").session("small", 1).tasks) == 4
