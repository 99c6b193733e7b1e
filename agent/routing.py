"""Assisted mode with several servers: each request goes to the one whose tools it speaks of.

The words of a request are held against those that only one server's tools are described with. A request that speaks of
no other server is the design's, at no cost; only where the words do not tell, the model is asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.assisted.agent import AssistedAgent
from agent.assisted.mentions import Mentions, is_about
from agent.assisted.other_servers import ForeignExchange, carry_out, opening
from agent.assisted.prompts import Exchange, fixed_prefix
from agent.host import Answer, Host, Proposes
from agent.models.base import Delta, Message, ModelError, Prepares, ToolCall, ToolSpec, Usage
from agent.react import last_turn
from agent.servers import DESIGN
from agent.toolbox import ToolResult

_NAMED = 3  # what naming a server, or a thing of the design, counts beside a word
_CLEAR = 2  # by how much one server must lead
_WORD = re.compile(r"[A-Za-z]{3,}")
_COMMON = frozenset(
    _WORD.findall(
        "the and for with from that this into not its are was has have can all any one two new old what which when "
        "where who how why only also than then them they there here about after before over under out off such other "
        "others given give gives name names named example must may first last next more most each every whole own "
        "path file files add make set show list text type value values number"
    )
)


@dataclass
class RoutingAgent:
    """The assisted agent for the design, and a plainer one for the tools of every other server.

    Attributes:
        design: works on what is for the design; the only one asked where no other server is connected.
        remembered: earlier requests for the same server that stand in the prompt.
    """

    design: AssistedAgent
    remembered: int = 4
    _written: list[tuple[str, str, str]] = field(default_factory=list, init=False)  # server, request, answer
    _begun: list[tuple[str, int]] = field(
        default_factory=list, init=False
    )  # of each request: whose, and what was there
    _prepared: str = field(default=DESIGN, init=False)  # whose prompt the engine knows

    @property
    def history(self) -> Sequence[tuple[str, str]]:
        """The requests so far with the calls that were made for them, as text, which :meth:`recall` reads."""
        return [
            (request, answer if server == DESIGN else json.dumps({"server": server} | json.loads(answer)))
            for server, request, answer in self._written
        ]

    @property
    def latest(self) -> Sequence[tuple[str, str]]:
        """What the last request added to :attr:`history`: edits by hand before it count to it."""
        return self.history[self._begun[-1][1] :] if self._begun else ()

    def recall(self, history: Sequence[tuple[str, str]]) -> None:
        """Take over the memory of another agent."""
        self._written.clear()
        self.design.history = []
        for request, answer in history:
            server = json.loads(answer).get("server", DESIGN)
            self._written.append((server, request, answer))
            if server == DESIGN:
                self.design.history.append(Exchange.of(request, answer))

    async def run(self, request: str, host: Host) -> Answer:
        """Work on one request; see :class:`agent.host.Agent`."""
        server, usage = await self._server_for(request, host)
        self._begun.append((server, len(self._written)))
        await self._prepare(server, host)
        if server == DESIGN:
            known = len(self.design.history)
            try:
                answer = await self.design.run(request, _Scoped(host, DESIGN))
            finally:
                written = [(DESIGN, exchange.request, exchange.answer) for exchange in self.design.history[known:]]
                self._written += written
        else:
            earlier = [ForeignExchange.of(said, calls) for whose, said, calls in self._written if whose == server]
            tools = [tool for tool in host.tools if tool.server == server]
            design = self.design
            answer, made = await carry_out(
                request, earlier[-self.remembered :], tools, design.model, design.options, _Scoped(host, server)
            )
            self._written.append((server, request, ForeignExchange(request, made).answer))
        return replace(answer, usage=usage + answer.usage)

    async def read_ahead(self, draft: str) -> None:
        """Read ahead as if the request were for the design, which most are; see :class:`agent.host.ReadsAhead`."""
        if self._prepared == DESIGN:
            await self.design.read_ahead(draft)

    def retract(self, requests: int) -> None:
        """Forget requests; see :class:`agent.host.Agent`."""
        gone = self._begun[max(len(self._begun) - requests, 0) :]
        if gone:
            del self._begun[-len(gone) :]
            del self._written[gone[0][1] :]
            self.design.retract(sum(server == DESIGN for server, _known in gone))

    async def _server_for(self, request: str, host: Host) -> tuple[str, Usage]:
        scores = {DESIGN: 0} | evidence(request, host.tools)
        others = {server: score for server, score in scores.items() if server != DESIGN and score}
        if not others:
            return DESIGN, Usage()
        mentions = Mentions.of(request)
        if mentions.vlnvs or is_about(self.design.workspace.library, mentions):
            scores[DESIGN] += _NAMED
        first, second = sorted([*scores.values(), 0, 0], reverse=True)[:2]
        if scores[DESIGN] and max(others.values()) < _CLEAR:
            return DESIGN, Usage()  # one word alone can mean anything
        if first >= second + _CLEAR or second == 0:
            return max(scores, key=lambda server: scores[server]), Usage()
        likely = [server for server in scores if scores[server] and scores[server] > first - _CLEAR]
        return await self._asked(request, likely, host)

    async def _asked(self, request: str, servers: Sequence[str], host: Host) -> tuple[str, Usage]:
        """Let the model decide between servers."""
        lines = []
        for server in servers:
            tools = ", ".join(tool.name for tool in host.tools if tool.server == server)
            lines.append(f"{server}: {tools}")
        told = "\n".join(["Which program is the request for? Their tools are:", *lines, "", f"Request: {request}"])
        schema = {
            "type": "object",
            "properties": {"program": {"enum": list(servers)}},
            "required": ["program"],
            "additionalProperties": False,
        }
        options = replace(self.design.options, response_schema=schema, max_tokens=30)
        self._prepared = ""
        turn = await last_turn(self.design.model.chat([Message("user", told)], (), options), host, as_thinking=True)
        try:
            chosen = str(json.loads(turn.text)["program"])
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError("bad-answer", "The model's answer broke off. Name the program in the request.") from error
        return chosen if chosen in servers else servers[0], turn.usage

    async def _prepare(self, server: str, host: Host) -> None:
        """Have the engine know the beginning of the prompt that comes now: it keeps just one in memory."""
        if server == self._prepared or not isinstance(self.design.model, Prepares):
            return
        if server == DESIGN:
            await self.design.model.prepare(fixed_prefix(with_examples="examples" in self.design.aids), ())
        else:
            await self.design.model.prepare([opening([tool for tool in host.tools if tool.server == server])], ())
        self._prepared = server


@dataclass
class _Scoped:
    """A host that offers one server's tools."""

    host: Host
    server: str

    @property
    def tools(self) -> Sequence[ToolSpec]:
        return [tool for tool in self.host.tools if tool.server == self.server]

    async def call(self, call: ToolCall) -> ToolResult:
        return await self.host.call(call)

    async def propose(self, calls: Sequence[ToolCall]) -> Sequence[ToolCall]:
        return await self.host.propose(calls) if isinstance(self.host, Proposes) else calls

    def stream(self, delta: Delta) -> None:
        self.host.stream(delta)

    def notice(self, text: str) -> None:
        self.host.notice(text)


def evidence(request: str, tools: Sequence[ToolSpec]) -> dict[str, int]:
    """How much of a request speaks of each server: words that only its tools use, and its name."""
    vocabulary: dict[str, set[str]] = {}
    for tool in tools:
        text = f"{tool.name} {tool.description}".replace("_", " ")
        vocabulary.setdefault(tool.server, set()).update(_words(text))
    said = _words(request)
    found: dict[str, int] = {}
    for server, words in vocabulary.items():
        elsewhere: set[str] = set().union(*(other for name, other in vocabulary.items() if name != server))
        named = bool(_words(server) & said)
        found[server] = len(said & (words - elsewhere)) + _NAMED * named
    return found


def _words(text: str) -> set[str]:
    """The words of a text that say something, in a form that forgives endings."""
    return {_stem(word) for word in _WORD.findall(text.casefold()) if word not in _COMMON}


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
