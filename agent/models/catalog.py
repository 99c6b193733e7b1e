"""Which language models there are, which one to take, and how to open one by name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent.models import weights
from agent.models.base import LanguageModel, ModelError
from agent.models.limits import Limits
from model.collection import loading

if TYPE_CHECKING:  # what the clients need takes half a second to load: the desktop shows its window before
    from agent.models.ollama_client import OllamaInfo

NO_MODEL = (
    f"No language model was found: run `blockwright models pull {weights.DEFAULT.name}` (1.1 GB, once), "
    "or start Ollama with a model that can call tools."
)
QUICK = Limits(connect=1.0, idle=3.0, total=6.0)  # for asking whether an Ollama server is there
ENOUGH = 1_000_000_000  # bytes: of the models that can call tools, smaller ones rarely call the right one


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that can be used, now or after a pull.

    Attributes:
        name: ``ollama:NAME`` or ``embedded:NAME``.
        size: bytes of the weights.
        context_length: tokens it was made for; 0 if unknown.
        source: where it runs, for people.
        present: its weights are here; otherwise ``blockwright models pull`` fetches them.
    """

    name: str
    size: int
    context_length: int
    supports_tools: bool
    source: str
    present: bool


async def list_models() -> list[ModelInfo]:
    """All models: those of the Ollama server, if one answers, then the embedded engine's."""
    server_models = [
        ModelInfo(f"ollama:{info.name}", info.size, info.context_length, info.supports_tools, "Ollama", present=True)
        for info in await _ollama_models()
    ]
    embedded = [
        ModelInfo(f"embedded:{known.name}", known.size, known.context_length, True, "embedded", known.present)
        for known in weights.KNOWN
    ]
    return server_models + embedded


async def default_model_name() -> str | None:
    """The model to take when nobody chose: a small one of Ollama's that calls tools, else the embedded engine's.

    None if there is neither; ``NO_MODEL`` then tells people what to do.
    """
    suitable = sorted((info for info in await _ollama_models() if info.supports_tools), key=lambda info: info.size)
    if suitable:
        best = next((info for info in suitable if info.size >= ENOUGH), suitable[-1])
        return f"ollama:{best.name}"
    present = next((known for known in weights.KNOWN if known.present), None)
    return f"embedded:{present.name}" if present else None


async def open_model(
    name: str, num_ctx: int = 8192, report: Callable[[str], None] = lambda text: None
) -> LanguageModel:
    """Make a model ready to chat: ``ollama:NAME``, ``embedded:NAME`` or ``embedded:/path/to/file.gguf``.

    The embedded engine is started, which takes some seconds; ``report`` is told of it, from another thread.

    Raises:
        ModelError: there is no such model, or it cannot be reached or started.
    """
    kind, _, rest = name.partition(":")
    if kind == "ollama" and rest:
        return await _open_ollama(rest)
    if kind == "embedded" and rest:
        return await _open_embedded(rest, num_ctx, report)
    raise ModelError(
        "missing",
        f"{name!r} is not a model's name: write ollama:NAME or embedded:NAME. `blockwright models list` shows them.",
    )


async def _ollama_models() -> list[OllamaInfo]:
    """Chat models that run on the server's own machine; none if no server answers quickly."""
    with loading():
        from agent.models.ollama_client import OllamaServer  # noqa: PLC0415

    server = OllamaServer(QUICK)
    try:
        async with asyncio.timeout(QUICK.total):
            models = await server.models()
    except (ModelError, TimeoutError):
        return []
    finally:
        await server.aclose()
    return [info for info in models if info.supports_chat and not info.remote]


async def _open_ollama(name: str) -> LanguageModel:
    from agent.models.ollama_client import OllamaModel, OllamaServer  # noqa: PLC0415

    server = OllamaServer()
    try:
        return OllamaModel(server, await server.info(name))
    except BaseException:
        await server.aclose()
        raise


async def _open_embedded(name: str, num_ctx: int, report: Callable[[str], None]) -> LanguageModel:
    from agent.models.embedded import EmbeddedModel  # noqa: PLC0415

    path, digest, length = await asyncio.to_thread(_weights_of, name)
    model = EmbeddedModel(f"embedded:{name}", path, digest, min(num_ctx, length or num_ctx), report=report)
    try:
        await model.start()
    except BaseException:
        await model.aclose()
        raise
    return model


def _weights_of(name: str) -> tuple[Path, str, int]:
    """File, SHA-256 and context length (0: unknown) of an embedded model."""
    if known := weights.find(name):
        if not known.present:
            raise ModelError(
                "missing",
                f"The weights of {known.name} are not here. Fetch them with `blockwright models pull {known.name}` "
                f"({known.size / 1e9:.1f} GB).",
            )
        return known.path, known.sha256, known.context_length
    path = Path(name).expanduser().absolute()
    if not path.is_file():
        names = " or ".join(f"embedded:{known.name}" for known in weights.KNOWN)
        raise ModelError(
            "missing", f"There is no embedded model or file {name}. Choose {names}, or a path to a GGUF file."
        )
    return path, weights.sha256_of(path), 0
