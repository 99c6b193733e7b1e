"""Reads the JSON of a constrained answer."""

from __future__ import annotations

import json
from typing import Any

from agent.models.base import ModelError


def parsed(text: str) -> dict[str, Any]:
    """Return the answer with its list of ``calls``.

    Raises:
        ModelError: ``bad-answer``: it broke off.
    """
    try:
        answer = json.loads(text)
        if not isinstance(answer["calls"], list):
            raise TypeError(text)
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(
            "bad-answer", "The model's answer broke off. Ask for less at once, or use a larger model."
        ) from error
    return dict(answer)
