"""Which models there are, and which one is taken."""

import pytest
from stand_in_server import StandIn, reply

from agent.models import catalog, weights
from agent.models.base import ModelError

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def bare_machine(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("BLOCKWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")


@pytest.fixture
def ollama(stand_in, monkeypatch) -> StandIn:
    monkeypatch.setenv("OLLAMA_HOST", stand_in.url)
    return stand_in


def offer(server: StandIn, **sizes: float) -> None:
    """Have the server offer models; one whose name starts with ``plain`` cannot call tools."""
    names = {name.replace("__", ":"): int(size * 1e9) for name, size in sizes.items()}
    server.answers["/api/tags"] = reply(
        {"models": [{"model": name, "size": size, "digest": name} for name, size in names.items()]}
    )

    def show(request):
        tools = [] if request.body["model"].startswith("plain") else ["tools"]
        reply({"capabilities": ["completion", *tools], "model_info": {"x.context_length": 4096}})(request)

    server.answers["/api/show"] = show


def put_weights(known: weights.Weights) -> None:
    known.path.parent.mkdir(parents=True, exist_ok=True)
    with known.path.open("wb") as file:
        file.truncate(known.size)  # a sparse file of the right size


async def test_a_bare_machine_lists_what_can_be_pulled():
    models = await catalog.list_models()
    assert [model.name for model in models] == ["embedded:qwen2.5-coder:1.5b", "embedded:qwen2.5-coder:0.5b"]
    assert not any(model.present for model in models)
    assert (models[0].size, models[0].context_length, models[0].supports_tools) == (1_117_320_768, 32768, True)
    assert await catalog.default_model_name() is None
    assert "blockwright models pull qwen2.5-coder:1.5b" in catalog.NO_MODEL


async def test_weights_that_are_here_are_the_default():
    put_weights(weights.KNOWN[1])
    assert await catalog.default_model_name() == "embedded:qwen2.5-coder:0.5b"
    put_weights(weights.DEFAULT)
    assert await catalog.default_model_name() == "embedded:qwen2.5-coder:1.5b"
    assert [model.present for model in await catalog.list_models()] == [True, True]


@pytest.mark.parametrize(
    ("sizes", "default"),
    [
        ({"qwen3__8b": 5.2, "qwen3__4b": 2.6, "plain__2b": 1.5}, "ollama:qwen3:4b"),
        ({"qwen3__8b": 5.2, "qwen3__06b": 0.5}, "ollama:qwen3:8b"),
        ({"qwen3__06b": 0.5, "smol__01b": 0.1}, "ollama:qwen3:06b"),
        ({"plain__2b": 1.5}, "embedded:qwen2.5-coder:1.5b"),
        ({"big__cloud": 0.0}, "embedded:qwen2.5-coder:1.5b"),
    ],
)
async def test_ollama_comes_first_with_a_small_model_that_calls_tools(ollama, sizes, default):
    put_weights(weights.DEFAULT)
    offer(ollama, **sizes)
    assert await catalog.default_model_name() == default


async def test_models_of_ollama_are_listed_first(ollama):
    offer(ollama, qwen3__4b=2.6, plain__2b=1.5, big__cloud=0.0)
    models = await catalog.list_models()
    assert [(model.name, model.supports_tools) for model in models[:2]] == [
        ("ollama:qwen3:4b", True),
        ("ollama:plain:2b", False),
    ]
    assert models[0].context_length == 4096
    assert models[2].name.startswith("embedded:")


async def test_opening_a_model_of_ollama(ollama):
    offer(ollama, qwen3__4b=2.6)
    model = await catalog.open_model("ollama:qwen3:4b", 8192)
    assert (model.name, model.digest) == ("ollama:qwen3:4b", "qwen3:4b")
    await model.aclose()


@pytest.mark.parametrize(
    ("name", "code", "advice"),
    [
        ("qwen", "missing", "ollama:NAME or embedded:NAME"),
        ("ollama:", "missing", "ollama:NAME"),
        ("ollama:qwen3:4b", "unreachable", "ollama serve"),
        ("embedded:qwen2.5-coder:1.5b", "missing", "blockwright models pull qwen2.5-coder:1.5b"),
        ("embedded:/nowhere/x.gguf", "missing", "a path to a GGUF file"),
    ],
)
async def test_a_model_that_cannot_be_opened_says_what_to_do(name, code, advice):
    with pytest.raises(ModelError) as caught:
        await catalog.open_model(name, 8192)
    assert caught.value.code == code
    assert advice in caught.value.message
