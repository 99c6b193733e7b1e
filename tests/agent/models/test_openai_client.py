"""The OpenAI-compatible client against a stand-in server."""

import asyncio
import threading
from contextlib import aclosing

import pytest
from stand_in_server import StandIn, endless, reply, silent, stream

from agent.models.base import ChatOptions, Delta, Message, ModelError, ToolCall, ToolSpec, Turn
from agent.models.limits import Limits
from agent.models.openai_client import OpenAIModel

pytestmark = pytest.mark.anyio

PATH = "/v1/chat/completions"
TOOL = ToolSpec("add_port", "Add a port.", {"type": "object", "properties": {"name": {"type": "string"}}})
HELLO = (Message("user", "Hello"),)


def piece(reason: str | None = None, **delta: object) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def sse(*events: object) -> object:
    return stream(*events, prefix="data: ", end="data: [DONE]")


async def ask(server: StandIn, messages=HELLO, tools=(), options=None, limits=None) -> tuple[list[Delta], Turn]:
    model = OpenAIModel(server.url, "m", api_key="secret", name="embedded:m", limits=limits)
    try:
        items = [item async for item in model.chat(messages, tools, options or ChatOptions())]
    finally:
        await model.aclose()
    assert isinstance(items[-1], Turn)
    return items[:-1], items[-1]


async def test_an_answer_streams_with_its_cost(stand_in):
    usage = {"prompt_tokens": 20, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 15}}
    stand_in.answers[PATH] = sse(
        {"choices": [], "prompt_progress": {"total": 20, "cache": 15, "processed": 18}},
        piece(role="assistant", content=None),
        piece(reasoning_content="Hm. "),
        piece(content="Good "),
        piece(content="day"),
        piece("stop"),
        {"choices": [], "usage": usage, "timings": {"prompt_ms": 1500.0, "predicted_ms": 250.0}},
    )
    deltas, turn = await ask(stand_in)
    assert deltas == [Delta(prompt_read=0.9), Delta(thinking="Hm. "), Delta("Good "), Delta("day")]
    assert (turn.text, turn.thinking, turn.calls) == ("Good day", "Hm. ", ())
    assert (turn.usage.prompt_tokens, turn.usage.cached_tokens, turn.usage.completion_tokens) == (20, 15, 2)
    assert (turn.usage.prompt_seconds, turn.usage.generation_seconds) == (1.5, 0.25)
    assert (turn.truncated, turn.lost_call, turn.context_overflow) == (False, False, False)
    assert stand_in.requests[0].headers["authorization"] == "Bearer secret"


async def test_calls_arrive_in_pieces(stand_in):
    def call(index: int, **function: str) -> dict[str, object]:
        return piece(tool_calls=[{"index": index, "function": function}])

    stand_in.answers[PATH] = sse(
        call(0, name="add_port", arguments=""),
        call(0, arguments='{"name": '),
        call(1, name="list_ports", arguments=""),
        call(0, arguments='"clk"}'),
        piece("tool_calls"),
    )
    _, turn = await ask(stand_in, tools=[TOOL])
    assert turn.calls == (ToolCall("add_port", {"name": "clk"}), ToolCall("list_ports", {}))


async def test_a_call_with_unreadable_arguments_is_lost(stand_in):
    broken = {"index": 0, "function": {"name": "add_port", "arguments": '{"name": '}}
    stand_in.answers[PATH] = sse(piece(tool_calls=[broken]), piece("length"))
    _, turn = await ask(stand_in, tools=[TOOL])
    assert (turn.calls, turn.lost_call, turn.truncated) == ((), True, True)


async def test_an_empty_answer_has_lost_a_call(stand_in):
    stand_in.answers[PATH] = sse(piece("stop"), {"choices": [], "usage": {"completion_tokens": 9}})
    assert (await ask(stand_in, tools=[TOOL]))[1].lost_call
    assert not (await ask(stand_in))[1].lost_call


async def test_what_is_sent(stand_in):
    stand_in.answers[PATH] = sse(piece("stop", content="ok"))
    call = ToolCall("add_port", {"name": "clk"})
    messages = (
        Message("system", "Edit."),
        Message("user", "Add clk twice"),
        Message("assistant", "", tool_calls=(call, call)),
        Message("tool", "added", tool_name="add_port"),
        Message("tool", "refused", tool_name="add_port"),
    )
    await ask(stand_in, messages, [TOOL], ChatOptions(temperature=0.0, seed=7, max_tokens=99, stop=("END",)))
    sent = stand_in.bodies(PATH)[0]
    assert sent["tools"] == [
        {
            "type": "function",
            "function": {"name": "add_port", "description": "Add a port.", "parameters": dict(TOOL.parameters)},
        }
    ]
    assert (sent["temperature"], sent["seed"], sent["max_tokens"], sent["stop"]) == (0.0, 7, 99, ["END"])
    assert [entry["id"] for entry in sent["messages"][2]["tool_calls"]] == ["call_0", "call_1"]
    assert sent["messages"][2]["tool_calls"][0]["function"] == {"name": "add_port", "arguments": '{"name": "clk"}'}
    assert [message.get("tool_call_id") for message in sent["messages"][3:]] == ["call_0", "call_1"]


async def test_a_schema_replaces_the_tools(stand_in):
    stand_in.answers[PATH] = sse(piece("stop", content="{}"))
    await ask(stand_in, tools=[TOOL], options=ChatOptions(response_schema={"type": "object"}))
    sent = stand_in.bodies(PATH)[0]
    assert "tools" not in sent
    assert sent["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert "temperature" not in sent


async def test_a_prompt_that_does_not_fit_is_an_overflow(stand_in):
    error = {"code": 400, "type": "exceed_context_size_error", "message": "too long", "n_prompt_tokens": 9194}
    stand_in.answers[PATH] = reply({"error": error}, 400)
    _, turn = await ask(stand_in)
    assert turn.context_overflow
    assert turn.usage.prompt_tokens == 9194


@pytest.mark.parametrize(
    ("status", "message", "code", "advice"),
    [
        (401, "Invalid API Key", "unreachable", "key"),
        (404, "model not found", "missing", "name"),
        (503, "Loading model", "busy", "Wait"),
        (429, "too many requests", "busy", "Wait"),
        (400, "this model does not support tools", "no-tools", "another model"),
        (500, "failed to parse grammar", "bad-answer", "reword"),
    ],
)
@pytest.mark.parametrize("in_stream", [False, True])
async def test_each_failure_has_its_own_error(stand_in, status, message, code, advice, in_stream):
    error = {"error": {"code": status, "message": message}}
    stand_in.answers[PATH] = sse(error) if in_stream else reply(error, status)
    with pytest.raises(ModelError, match=message) as caught:
        await ask(stand_in)
    assert caught.value.code == code
    assert advice in caught.value.message


async def test_nobody_there():
    model = OpenAIModel("http://127.0.0.1:9", "m")
    with pytest.raises(ModelError, match="nothing answers") as caught:
        await anext(model.chat(HELLO, (), ChatOptions()))
    await model.aclose()
    assert caught.value.code == "unreachable"


async def test_a_broken_connection(stand_in):
    def break_off(request):
        request.send(200, b"data: {", Content_Length="100")

    stand_in.answers[PATH] = break_off
    with pytest.raises(ModelError, match="broke off") as caught:
        await ask(stand_in)
    assert caught.value.code == "unreachable"


async def test_an_answer_without_an_end(stand_in):
    stand_in.answers[PATH] = stream(piece(content="Good"), prefix="data: ")
    with pytest.raises(ModelError, match="half-way") as caught:
        await ask(stand_in)
    assert caught.value.code == "broken-off"


async def test_an_unreadable_answer(stand_in):
    stand_in.answers[PATH] = lambda request: request.send(200, b"data: <html>\n\n")
    with pytest.raises(ModelError) as caught:
        await ask(stand_in)
    assert caught.value.code == "bad-answer"


async def test_a_silent_server_meets_the_idle_limit(stand_in):
    stand_in.answers[PATH] = silent
    with pytest.raises(ModelError, match=r"sent nothing for 0\.05 s") as caught:
        await ask(stand_in, limits=Limits(idle=0.05))
    assert caught.value.code == "timeout"
    assert await asyncio.to_thread(stand_in.client_left.wait, 10)


async def test_an_endless_answer_meets_the_total_limit(stand_in):
    stand_in.answers[PATH] = endless(piece(content="and "), prefix="data: ")
    with pytest.raises(ModelError, match=r"did not finish within 0\.3 s") as caught:
        await ask(stand_in, limits=Limits(total=0.3))
    assert caught.value.code == "timeout"
    assert await asyncio.to_thread(stand_in.client_left.wait, 10)


async def test_closing_the_iterator_closes_the_connection(stand_in):
    stand_in.answers[PATH] = endless(piece(content="and "), prefix="data: ")
    model = OpenAIModel(stand_in.url, "m")
    async with aclosing(model.chat(HELLO, (), ChatOptions())) as answer:
        assert await anext(answer) == Delta("and ")
    assert await asyncio.to_thread(stand_in.client_left.wait, 10)
    await model.aclose()


async def test_cancelling_closes_the_connection(stand_in):
    reached = threading.Event()

    def wait(request):
        reached.set()
        silent(request)

    stand_in.answers[PATH] = wait
    task = asyncio.create_task(ask(stand_in))
    assert await asyncio.to_thread(reached.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(stand_in.client_left.wait, 10)
