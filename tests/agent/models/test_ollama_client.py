"""The Ollama client against a stand-in that speaks Ollama's protocol, failures included."""

import asyncio
from contextlib import aclosing

import pytest
from stand_in_server import StandIn, endless, reply, silent, stream

from agent.models.base import ChatOptions, Delta, Message, ModelError, ToolCall, ToolSpec, Turn
from agent.models.downloads import Progress
from agent.models.limits import Limits
from agent.models.ollama_client import OllamaModel, OllamaServer

pytestmark = pytest.mark.anyio

CHAT = "/api/chat"
TOOL = ToolSpec(
    "add_port",
    "Add a port.",
    {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
)
HELLO = (Message("user", "Hello"),)
DONE = {"done": True, "done_reason": "stop", "prompt_eval_count": 40, "eval_count": 5}


@pytest.fixture
def ollama(stand_in, monkeypatch) -> StandIn:
    monkeypatch.setenv("OLLAMA_HOST", stand_in.url)
    offer(stand_in, ["completion", "tools", "thinking"])
    return stand_in


def offer(server: StandIn, capabilities: list[str] | None, name: str = "qwen3:4b") -> None:
    server.answers["/api/tags"] = reply({"models": [{"model": name, "size": 2_600_000_000, "digest": "abc"}]})
    server.answers["/api/show"] = reply(
        {"capabilities": capabilities, "model_info": {"qwen3.context_length": 40960}, "template": "{{ .Tools }}"}
    )


def piece(content: str = "", **more: object) -> dict[str, object]:
    return {"message": {"role": "assistant", "content": content, **more}, "done": False}


def last(**more: object) -> dict[str, object]:
    return piece() | DONE | more


def call(name: str, arguments: object) -> dict[str, object]:
    return piece(tool_calls=[{"function": {"name": name, "arguments": arguments}}])


async def ask(messages=HELLO, tools=(), options=None, limits=None) -> tuple[list[Delta], Turn]:
    server = OllamaServer(limits)
    try:
        model = OllamaModel(server, await server.info("qwen3:4b"))
        items = [item async for item in model.chat(messages, tools, options or ChatOptions())]
    finally:
        await server.aclose()
    assert isinstance(items[-1], Turn)
    return items[:-1], items[-1]


async def test_an_answer_streams_with_thinking_apart(ollama):
    second = 1_000_000_000
    ollama.answers[CHAT] = stream(
        piece(thinking="Hm. "),
        piece("Good "),
        piece("day"),
        last(load_duration=2 * second, prompt_eval_duration=second, eval_duration=second // 2),
    )
    deltas, turn = await ask()
    assert deltas == [Delta(thinking="Hm. "), Delta("Good "), Delta("day")]
    assert (turn.text, turn.thinking, turn.calls) == ("Good day", "Hm. ", ())
    assert (turn.usage.prompt_tokens, turn.usage.completion_tokens) == (40, 5)
    assert (turn.usage.load_seconds, turn.usage.prompt_seconds, turn.usage.generation_seconds) == (2, 1, 0.5)
    assert (turn.truncated, turn.lost_call, turn.context_overflow) == (False, False, False)


async def test_several_calls_come_in_order(ollama):
    ollama.answers[CHAT] = stream(call("add_port", {"name": "clk"}), call("add_port", {"name": "rst"}), last())
    _, turn = await ask(tools=[TOOL])
    assert turn.calls == (ToolCall("add_port", {"name": "clk"}), ToolCall("add_port", {"name": "rst"}))
    assert not turn.lost_call


async def test_what_is_sent(ollama):
    ollama.answers[CHAT] = stream(last())
    messages = (
        Message("user", "Add clk"),
        Message("assistant", "", tool_calls=(ToolCall("add_port", {"name": "clk"}),)),
        Message("tool", "added", tool_name="add_port"),
    )
    await ask(messages, [TOOL], ChatOptions(temperature=0.0, seed=7, num_ctx=4096, max_tokens=99, stop=("END",)))
    sent = ollama.bodies(CHAT)[0]
    assert sent["options"] == {"num_ctx": 4096, "num_predict": 99, "temperature": 0.0, "seed": 7, "stop": ["END"]}
    assert sent["messages"][1]["tool_calls"] == [{"function": {"name": "add_port", "arguments": {"name": "clk"}}}]
    assert sent["messages"][2] == {"role": "tool", "content": "added", "tool_name": "add_port"}
    assert sent["tools"][0]["function"]["parameters"]["required"] == ["name"]
    assert "think" not in sent


async def test_a_schema_replaces_the_tools(ollama):
    ollama.answers[CHAT] = stream(last())
    await ask(tools=[TOOL], options=ChatOptions(response_schema={"type": "object"}))
    sent = ollama.bodies(CHAT)[0]
    assert not sent.get("tools")
    assert sent["format"] == {"type": "object"}
    assert sent["options"]["num_ctx"] == 8192


@pytest.mark.parametrize(
    "pieces",
    [
        [last()],  # Gemma: an empty 200
        [piece('{"name": "add_prot", "parameters": {}}'), last()],  # Llama: an unknown tool as plain text
        [call("add_port", '{"name": "clk"'), last()],  # arguments that are no object
        [piece("Let me"), {"error": "error parsing tool call: raw='{\"name\"', err=unexpected end"}],  # gpt-oss
    ],
)
async def test_a_lost_call_is_noticed(ollama, pieces):
    ollama.answers[CHAT] = stream(*pieces)
    _, turn = await ask(tools=[TOOL])
    assert (turn.calls, turn.lost_call) == ((), True)


async def test_a_call_that_the_server_cannot_parse_is_lost_whatever_the_status(ollama):
    ollama.answers[CHAT] = reply({"error": "error parsing tool call: raw='{'"}, 500)
    assert (await ask(tools=[TOOL]))[1].lost_call


@pytest.mark.parametrize("read", [8192, 8000])
async def test_a_full_context_is_an_overflow(ollama, read):
    ollama.answers[CHAT] = stream(piece("ok"), last(prompt_eval_count=read))
    assert (await ask())[1].context_overflow


async def test_a_prompt_that_cannot_have_fit_is_an_overflow_whatever_was_read(ollama):
    ollama.answers[CHAT] = stream(piece("ok"), last(prompt_eval_count=300))
    assert (await ask((Message("user", "signal " * 10_000),)))[1].context_overflow


async def test_an_answer_that_ran_out_of_tokens_is_truncated(ollama):
    ollama.answers[CHAT] = stream(piece("and so"), last(done_reason="length"))
    assert (await ask())[1].truncated


@pytest.mark.parametrize(
    ("status", "message", "code", "advice"),
    [
        (404, "model 'qwen3:4b' not found", "missing", "blockwright models pull ollama:qwen3:4b"),
        (400, "qwen3:4b does not support tools", "no-tools", "models list"),
        (503, "server busy, please try again. maximum pending requests exceeded", "busy", "Wait"),
        (500, "model requires more system memory (9.1 GiB) than is available", "out-of-memory", "smaller"),
        (500, "llama runner process has terminated: exit status 2", "broken-off", "again"),
        (500, "unexpected template", "bad-answer", "reword"),
    ],
)
async def test_each_failure_has_its_own_error(ollama, status, message, code, advice):
    ollama.answers[CHAT] = reply({"error": message}, status)
    with pytest.raises(ModelError) as caught:
        await ask()
    assert caught.value.code == code
    assert advice in caught.value.message


async def test_a_model_without_tools_is_not_even_asked(ollama):
    offer(ollama, ["completion"])
    with pytest.raises(ModelError, match="cannot call tools") as caught:
        await ask(tools=[TOOL])
    assert caught.value.code == "no-tools"
    assert ollama.bodies(CHAT) == []


async def test_a_model_that_is_not_there(ollama):
    server = OllamaServer()
    with pytest.raises(ModelError, match="models pull ollama:llama3") as caught:
        await server.info("llama3")
    await server.aclose()
    assert caught.value.code == "missing"


@pytest.mark.parametrize(
    ("name", "capabilities", "chat", "tools", "remote"),
    [
        ("qwen3:4b", ["completion", "tools"], True, True, False),
        ("gemma3:1b", ["completion"], True, False, False),
        ("nomic-embed:latest", ["embedding"], False, False, False),
        ("old:latest", None, True, True, False),
        ("gpt-oss:120b-cloud", ["completion", "tools"], True, True, True),
    ],
)
async def test_what_a_model_can_do(ollama, name, capabilities, chat, tools, remote):
    offer(ollama, capabilities, name)
    server = OllamaServer()
    (info,) = await server.models()
    assert (info.name, info.size, info.context_length) == (name, 2_600_000_000, 40960)
    assert (info.supports_chat, info.supports_tools, info.remote) == (chat, tools, remote)
    assert (await server.info(name.removesuffix(":latest"))).name == name
    await server.aclose()


async def test_no_server(monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    server = OllamaServer()
    with pytest.raises(ModelError, match="ollama serve") as caught:
        await server.models()
    await server.aclose()
    assert caught.value.code == "unreachable"


async def test_a_server_that_goes_away_between_two_requests(ollama):
    server = OllamaServer()
    model = OllamaModel(server, await server.info("qwen3:4b"))
    await asyncio.to_thread(ollama.shutdown)
    ollama.server_close()
    with pytest.raises(ModelError) as caught:
        await anext(model.chat(HELLO, (), ChatOptions()))
    await model.aclose()
    assert caught.value.code == "unreachable"


async def test_an_answer_without_an_end(ollama):
    ollama.answers[CHAT] = stream(piece("Good"))
    with pytest.raises(ModelError, match="half-way") as caught:
        await ask()
    assert caught.value.code == "broken-off"


async def test_another_program_at_that_address(ollama):
    ollama.answers[CHAT] = lambda request: request.send(200, b"<html>\n")
    with pytest.raises(ModelError, match="another program") as caught:
        await ask()
    assert caught.value.code == "bad-answer"


async def test_a_silent_server_meets_the_idle_limit(ollama):
    ollama.answers[CHAT] = silent
    with pytest.raises(ModelError) as caught:
        await ask(limits=Limits(idle=0.2))
    assert caught.value.code == "timeout"


async def test_an_endless_answer_meets_the_total_limit(ollama):
    ollama.answers[CHAT] = endless(piece("and "))
    with pytest.raises(ModelError, match="did not finish") as caught:
        await ask(limits=Limits(total=0.3))
    assert caught.value.code == "timeout"
    assert await asyncio.to_thread(ollama.client_left.wait, 10)


async def test_closing_the_iterator_closes_the_connection(ollama):
    ollama.answers[CHAT] = endless(piece("and "))
    server = OllamaServer()
    model = OllamaModel(server, await server.info("qwen3:4b"))
    async with aclosing(model.chat(HELLO, (), ChatOptions())) as answer:
        assert await anext(answer) == Delta("and ")
    assert await asyncio.to_thread(ollama.client_left.wait, 10)
    await model.aclose()


async def test_a_pull_tells_how_far_it_is(ollama):
    ollama.answers["/api/pull"] = stream(
        {"status": "pulling manifest"}, {"status": "pulling abc", "total": 10, "completed": 4}, {"status": "success"}
    )
    server = OllamaServer()
    seen = [part async for part in server.pull("qwen3:4b")]
    await server.aclose()
    assert seen == [Progress("pulling manifest", 0, 0), Progress("pulling abc", 4, 10), Progress("success", 0, 0)]


async def test_a_pull_of_something_unknown(ollama):
    ollama.answers["/api/pull"] = stream({"error": "pull model manifest: file does not exist"})
    server = OllamaServer()
    with pytest.raises(ModelError, match="file does not exist"):
        _ = [part async for part in server.pull("nope")]
    await server.aclose()
