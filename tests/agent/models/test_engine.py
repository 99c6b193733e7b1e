"""The embedded engine: its process, and the real model."""

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from agent.models import engine, weights
from agent.models.base import ChatOptions, Delta, Message, ModelError, ToolCall, ToolSpec, Turn
from agent.models.catalog import open_model
from agent.models.embedded import EmbeddedModel
from agent.models.engine import Engine, EngineSettings

pytestmark = pytest.mark.anyio

NUM_CTX = 2048
SHORT = ChatOptions(temperature=0.0, seed=1, max_tokens=60)
LONG = ChatOptions(temperature=0.0, seed=1, max_tokens=1500)
TOOL = ToolSpec(
    "add_signal_port",
    "Add a signal port to a component.",
    {
        "type": "object",
        "properties": {
            "component": {"type": "string", "description": "VLNV vendor:library:name:version"},
            "name": {"type": "string"},
            "direction": {"type": "string", "enum": ["in", "out", "inout"]},
        },
        "required": ["component", "name", "direction"],
    },
)
SYSTEM = Message("system", "You edit hardware designs by calling tools.")
STORY = (Message("user", "Count from 1 to 900 in words, one number a line."),)


def settings(path: Path, folder: Path) -> EngineSettings:
    return EngineSettings("embedded:test", path, 512, folder / "prefixes")


def ended(pid: int, limit: float = 15.0) -> bool:
    """Whether a process, child or not, ends within ``limit`` seconds."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], limit)[0])
    finally:
        os.close(watched)


@pytest.mark.parametrize(
    ("content", "reason"), [(b"<html>not found</html>", "not a GGUF file"), (b"GGUF" + bytes(4000), "damaged")]
)
def test_a_damaged_file_is_named(tmp_path, content, reason):
    path = tmp_path / "x.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=reason) as caught:
        Engine(settings(path, tmp_path)).start()
    assert caught.value.code == "damaged"
    assert str(path) in caught.value.message
    assert "blockwright models pull" in caught.value.message


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ModelError, match=r"no file .*x\.gguf") as caught:
        Engine(settings(tmp_path / "x.gguf", tmp_path)).start()
    assert caught.value.code == "missing"


def test_too_little_memory_is_said_before_loading(tmp_path, monkeypatch):
    path = tmp_path / "x.gguf"
    with path.open("wb") as file:
        file.write(b"GGUF")
        file.truncate(10**12)
    with pytest.raises(ModelError, match=r"needs about 1900\.3 GB of memory, and \d+\.\d GB are free") as caught:
        Engine(settings(path, tmp_path)).start()
    assert caught.value.code == "out-of-memory"


def test_an_engine_that_cannot_be_imported_is_said(tmp_path, monkeypatch):
    (tmp_path / "xllamacpp.py").write_text("raise ImportError('libgomp.so.1: cannot open shared object file')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    path = tmp_path / "x.gguf"
    path.write_bytes(b"GGUF")
    with pytest.raises(ModelError, match=r"libgomp\.so\.1.*pip install xllamacpp") as caught:
        Engine(settings(path, tmp_path)).start()
    assert caught.value.code == "not-installed"


def test_users_share_an_engine(tmp_path):
    first = engine.acquire(settings(tmp_path / "x.gguf", tmp_path))
    second = engine.acquire(settings(tmp_path / "x.gguf", tmp_path))
    assert first is second
    engine.release(first)
    engine.release(second)
    third = engine.acquire(settings(tmp_path / "x.gguf", tmp_path))
    assert third is not first
    engine.release(third)


def test_threads_are_the_cores_that_can_be_used():
    assert 1 <= engine.threads() <= len(os.sched_getaffinity(0))


# From here on: the real model.


@pytest.fixture(scope="module")
def known(tmp_path_factory) -> Iterator[weights.Weights]:
    """Weights that are here, in a cache folder that is otherwise the tests' own."""
    present = [known for known in weights.KNOWN if known.present]
    if not present:
        pytest.skip("no weights: run `blockwright models pull qwen2.5-coder:1.5b`")
    cache = tmp_path_factory.mktemp("cache")
    (cache / "models").symlink_to(present[0].path.parent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLOCKWRIGHT_CACHE", str(cache))
        yield present[0]


@pytest.fixture(scope="module")
def shared_engine(known) -> Iterator[Engine]:
    """Keeps the process up between the tests of this module."""
    first = EmbeddedModel("embedded:test", known.path, known.sha256, NUM_CTX)
    asyncio.run(first.start())
    yield first._engine
    asyncio.run(first.aclose())


@pytest.fixture
async def model(known, shared_engine) -> AsyncIterator[EmbeddedModel]:
    model = EmbeddedModel("embedded:test", known.path, known.sha256, NUM_CTX)
    yield model
    await model.aclose()


async def ask(model, messages, tools=(), options=SHORT) -> Turn:
    async with asyncio.timeout(200):
        items = [item async for item in model.chat(messages, tools, options)]
    assert isinstance(items[-1], Turn)
    return items[-1]


@pytest.mark.model
async def test_the_model_calls_a_tool_and_keeps_the_prefix(model, shared_engine):
    messages = (SYSTEM, Message("user", "Add an input port clk to a:b:c:1.0"))
    turn = await ask(model, messages, [TOOL])
    call = ToolCall("add_signal_port", {"component": "a:b:c:1.0", "name": "clk", "direction": "in"})
    assert turn.calls == (call,)
    assert turn.usage.completion_tokens > 10
    assert turn.usage.prompt_seconds > 0
    assert turn.usage.generation_seconds > 0
    assert model.engine_pid == shared_engine.pid

    results = (Message("assistant", "", tool_calls=(call,)), Message("tool", "Added clk.", tool_name=call.name))
    again = await ask(model, (*messages, *results, Message("user", "Thanks. What did you add?")), [TOOL])
    assert again.usage.cached_tokens > 100
    assert again.usage.prompt_tokens > again.usage.cached_tokens


@pytest.mark.model
async def test_a_schema_binds_the_answer(model):
    schema = {
        "type": "object",
        "properties": {"tool": {"enum": ["add_signal_port"]}, "width": {"type": "integer", "maximum": 64}},
        "required": ["tool", "width"],
        "additionalProperties": False,
    }
    options = ChatOptions(temperature=0.0, response_schema=schema, max_tokens=60)
    turn = await ask(model, (Message("user", "Write a poem about an 8-bit port."),), [TOOL], options)
    answer = json.loads(turn.text)
    assert answer["tool"] == "add_signal_port"
    assert isinstance(answer["width"], int)
    assert turn.calls == ()


@pytest.mark.model
async def test_stop_really_stops(model):
    """One slot: a second answer has to wait for the first one, which would take some minutes to the end."""
    async with aclosing(model.chat(STORY, (), LONG)) as answer:
        async for item in answer:
            if isinstance(item, Delta) and item.text:
                break
    turn = await ask(model, (Message("user", "Say yes."),), (), ChatOptions(temperature=0.0, max_tokens=4))
    assert turn.text
    status = await asyncio.to_thread(get, model._engine, "/slots")
    assert [slot["is_processing"] for slot in json.loads(status)] == [False]


@pytest.mark.model
async def test_a_prompt_that_does_not_fit_is_an_overflow(model):
    turn = await ask(model, (Message("user", "signal " * NUM_CTX),))
    assert turn.context_overflow
    assert turn.usage.prompt_tokens > NUM_CTX


@pytest.mark.model
async def test_a_prefix_survives_on_disk(model):
    assert await model.restore_prefix("never saved") is False
    first = await model.prepare((SYSTEM,), [TOOL])
    await ask(model, (Message("user", "Say yes."),), (), ChatOptions(temperature=0.0, max_tokens=2))
    second = await model.prepare((SYSTEM,), [TOOL])
    assert (first, second) == (False, True)
    turn = await ask(model, (SYSTEM, Message("user", "Add an output port q to a:b:d:1.0")), [TOOL])
    assert turn.usage.cached_tokens > 100


@pytest.mark.model
async def test_a_prefix_that_is_cut_short_is_forgotten(model):
    await ask(model, (Message("user", "Say yes."),), (), ChatOptions(temperature=0.0, max_tokens=2))
    assert await model.save_prefix("mine") > 5
    (saved,) = [path for path in model._prefixes.iterdir() if path.stat().st_mtime_ns == newest(model._prefixes)]
    saved.write_bytes(saved.read_bytes()[:100])
    assert await model.restore_prefix("mine") is False
    assert not saved.exists()


def newest(folder: Path) -> int:
    return max(path.stat().st_mtime_ns for path in folder.iterdir())


@pytest.mark.model
def test_the_key_is_needed_and_web_pages_are_kept_out(shared_engine):
    request = urllib.request.Request(f"{shared_engine.url}/slots", headers={"Origin": "http://evil.example"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request)
    with caught.value as refusal:
        assert refusal.status == 401
        assert refusal.headers["Access-Control-Allow-Origin"] != "http://evil.example"
        assert refusal.headers["Access-Control-Allow-Origin"] != "*"
    command = Path(f"/proc/{shared_engine.pid}/cmdline").read_text()
    environment = Path(f"/proc/{shared_engine.pid}/environ").read_text()
    assert shared_engine.key not in command + environment


def get(running: Engine, path: str) -> bytes:
    request = urllib.request.Request(running.url + path, headers={"Authorization": f"Bearer {running.key}"})
    with urllib.request.urlopen(request) as response:
        return bytes(response.read())


async def chat_and_kill(model: EmbeddedModel, pid: int) -> None:
    async with aclosing(model.chat(STORY, (), LONG)) as answer:
        async for _ in answer:
            if model.engine_pid is not None:
                os.kill(pid, signal.SIGKILL)


@pytest.mark.model
async def test_a_crash_is_explained_and_the_next_chat_starts_anew(model, known):
    bystander = EmbeddedModel("embedded:test", known.path, known.sha256, NUM_CTX)
    await bystander.start()
    pid = model.engine_pid
    assert pid is not None
    with pytest.raises(ModelError, match=r"has ended .*starts anew") as caught:
        await chat_and_kill(model, pid)
    assert caught.value.code == "unreachable"
    yes, brief = (Message("user", "Say yes."),), ChatOptions(temperature=0.0, max_tokens=2)
    turn = await ask(model, yes, (), brief)
    assert turn.usage.load_seconds > 0
    assert model.engine_pid not in {None, pid}
    assert (await ask(model, yes, (), brief)).usage.load_seconds == 0
    assert (await ask(bystander, yes, (), brief)).text  # it had been connected to the engine that died
    await bystander.aclose()


OPEN_AND_WAIT = """
import asyncio, sys, threading
from agent.models.catalog import open_model
async def main():
    model = await open_model(f"embedded:{sys.argv[1]}", 512)
    print(model.engine_pid, flush=True)
    threading.Event().wait()
asyncio.run(main())
"""


@pytest.mark.model
def test_the_engine_dies_with_its_parent(known):
    command = [sys.executable, "-c", OPEN_AND_WAIT, known.name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        parent.kill()
    assert ended(pid)


@pytest.mark.model
async def test_closing_ends_the_engine(known):
    said: list[str] = []
    began = time.monotonic()
    model = await open_model(f"embedded:{known.path}", 512, said.append)
    assert isinstance(model, EmbeddedModel)
    assert model.digest == known.sha256
    assert said[0].startswith("Loading embedded:")
    assert "ready" in said[-1]
    assert time.monotonic() - began < 120
    pid = model.engine_pid
    assert pid is not None
    await model.aclose()
    assert ended(pid)
