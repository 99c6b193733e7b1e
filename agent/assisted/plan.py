"""A plan of calls as a model gave it, and what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.assisted.grounding import Grounded
from agent.assisted.surplus import in_words
from agent.models.base import ToolCall


@dataclass(frozen=True, slots=True)
class Plan:
    """An answer of the model, and what speaks against it.

    Attributes:
        refusal: the model's own reason not to make any call.
        reasons: why the calls cannot be made; none where they can.
        final: asking again is pointless.
        refused: the tool whose call the dry run refused.
        accepted: how many calls it accepted before that.
    """

    grounded: Grounded = Grounded(())
    refusal: str = ""
    reasons: tuple[str, ...] = ()
    final: bool = False
    refused: str = ""
    accepted: int = 0

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """In the order in which they are to be made."""
        return self.grounded.calls

    @property
    def stands(self) -> bool:
        """Whether there are calls and nothing speaks against them."""
        return bool(self.calls) and not self.reasons

    def without(self, surplus: Sequence[ToolCall]) -> Plan:
        """The plan without some of its calls, which it tells as left out."""
        if not surplus:
            return self
        left_out = (*self.grounded.left_out, *map(in_words, surplus))
        calls = tuple(call for call in self.calls if call not in surplus)
        return replace(self, grounded=replace(self.grounded, calls=calls, left_out=left_out))
