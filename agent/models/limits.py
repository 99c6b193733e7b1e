"""How long to wait for a model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeVar

from agent.models.base import ModelError

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits in seconds.

    Attributes:
        connect: until the server accepts a connection.
        idle: between two pieces of an answer; reading a long prompt on a slow machine falls into it.
        total: for one whole answer.
    """

    connect: float = 3.0
    idle: float = 300.0
    total: float = 1200.0


async def within(stream: AsyncGenerator[Item, None], limits: Limits, name: str) -> AsyncGenerator[Item, None]:
    """Pass ``stream`` on as long as it keeps the limits.

    Raises:
        ModelError: ``timeout``; ``name`` says which model was too slow.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + limits.total
    async with aclosing(stream):
        while True:
            wait = min(limits.idle, deadline - clock())
            try:
                async with asyncio.timeout(wait):
                    item = await anext(stream)
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise ModelError("timeout", _too_slow(name, limits, idle=wait == limits.idle)) from None
            yield item


def _too_slow(name: str, limits: Limits, *, idle: bool) -> str:
    what = f"sent nothing for {limits.idle:g} s" if idle else f"did not finish within {limits.total:g} s"
    return f"{name} {what}, so the request was stopped. Try a shorter request or a smaller model."
