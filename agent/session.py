"""One conversation about one workspace: requests go in, events come out."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from agent import calibrated
from agent.assisted import prose
from agent.assisted.agent import AssistedAgent
from agent.assisted.prompts import fixed_prefix
from agent.calibrated import Calibrated, CalibrationError, Mode
from agent.design_tools import design_tools, load
from agent.events import (
    AgentEvent,
    ApprovalRequested,
    CallFinished,
    CallStarted,
    Notice,
    ProposalMade,
    RequestFinished,
    RequestStarted,
    TextStreamed,
)
from agent.host import Agent, Answer, ApprovalRefused, ReadsAhead
from agent.models.base import Delta, LanguageModel, ModelError, Prepares, ToolCall, ToolSpec, Usage
from agent.models.catalog import NO_MODEL, default_model_name, open_model
from agent.product import product_agent
from agent.rehearsal import Rehearsal, rehearse
from agent.routing import RoutingAgent
from agent.servers import DESIGN, ServerCommand, ServerError, read_servers
from agent.toolbox import Endpoint, Toolbox, ToolResult
from model.vlnv import Vlnv
from model.workspace import Transaction, Workspace
from server.editor import Editor

if TYPE_CHECKING:
    from agent.server_process import ServerProcess

Approval = Literal["apply", "ask", "propose", "deny"]
Emit = Callable[[AgentEvent], None]


def needs_approval(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return why a person should agree to this call first, or "" where it may just be made.

    Deleting, overwriting a file and loading one are what undo cannot fully take back, or what a model should not
    decide alone.
    """
    if tool in {"delete_element", "delete_component"}:
        return "It deletes something."
    if tool == "load_component":
        return "It loads a file into the library."
    if tool == "save_component" and str(arguments.get("overwrite", "")).lower() == "true":
        return "It may overwrite a file."
    return ""


@dataclass
class AgentSession:
    """A conversation: the model, the agent's memory, and the rule for approvals.

    Attributes:
        model_name: ``ollama:NAME`` or ``embedded:NAME``; None picks the default when the first request comes.
        approval: ``apply`` makes every call at once; ``ask`` shows a plan with deletes, overwrites or loads first
            and waits for :meth:`decide` (an agent without plans: before each such call, for :meth:`approve`);
            ``propose`` does so before anything is changed; ``deny`` ends the request there, for callers that have
            nobody to ask.
        focus: the component that the user is looking at, if any: what "it" and "here" mean.
        servers: other MCP servers whose tools may be used; they start with the first request and end with the session.
        servers_file: names more of them, see :func:`agent.servers.read_servers`. It need not exist, and is read with
            every request, so that an edit of it counts at once.
    """

    workspace: Workspace
    model_name: str | None = None
    approval: Approval = "ask"
    focus: Vlnv | None = None
    mode: Mode = "assisted"
    num_ctx: int = 8192
    servers: Sequence[ServerCommand] = ()
    servers_file: Path | None = None
    _processes: dict[str, ServerProcess] = field(default_factory=dict, init=False)
    _editor: Editor = field(default_factory=Editor, init=False)
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1), init=False)
    _model: LanguageModel | None = field(default=None, init=False)
    _agent: Agent | None = field(default=None, init=False)
    _calibrated: Calibrated | None = field(default=None, init=False)
    _said: str = field(default="", init=False)  # about the calibration, with the first request
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _running: asyncio.Task[Answer] | None = field(default=None, init=False)
    _reading: asyncio.Task[None] | None = field(default=None, init=False)
    _loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)
    _approvals: dict[tuple[int, int], asyncio.Future[bool]] = field(default_factory=dict, init=False)
    _proposal: _Proposal | None = field(default=None, init=False)
    _asked: list[bool] = field(default_factory=list, init=False)  # of each request, whether the agent has heard it

    async def ask(self, text: str, emit: Emit) -> RequestFinished:
        """Work on one request and report what happens through ``emit``, on this event loop's thread.

        The request is one transaction of the workspace: one undo takes it back. Failures of the model end the
        request with outcome ``no-model`` or ``failed`` and a message; the design keeps what was done so far.
        """
        request_id = next(self._ids)
        started = time.perf_counter()
        self._loop = asyncio.get_running_loop()
        emit(RequestStarted(request_id, text, self.model_name or ""))
        self._editor.transaction = Transaction(text)
        self._asked.append(False)
        await self._stop_reading()
        run = _Run(self, request_id, emit)
        self._running = asyncio.ensure_future(self._answer(text, run))
        try:
            answer = await self._running
        except asyncio.CancelledError:
            if not self._running.cancelled():
                self._running.cancel()
                raise
            answer = Answer("Stopped. What was done so far stands; undo takes it back.", "stopped")
        except ApprovalRefused as refused:
            answer = self._unapproved(refused)
        except ModelError as error:
            unreachable = error.code in {"unreachable", "missing", "not-installed"}
            answer = Answer(error.message, "no-model" if unreachable else "failed")
        finally:
            self._running = None
            self._editor.transaction = None
            self._approvals.clear()
            self._proposal = None
        finished = RequestFinished(
            request_id,
            answer.outcome,
            answer.text,
            time.perf_counter() - started,
            answer.usage if answer.usage != Usage() else run.usage,
            tuple(run.calls),
        )
        emit(finished)
        return finished

    def _unapproved(self, refused: ApprovalRefused) -> Answer:
        call = refused.call
        arguments = ", ".join(f"{name}={value}" for name, value in call.arguments.items())
        if refused.asked:
            return Answer(f"{call.name} was not approved and not made.", "stopped")
        return Answer(f"{call.name}({arguments}) needs your approval: {refused.reason}", "needs-approval")

    async def _answer(self, text: str, run: _Run) -> Answer:
        agent = await self._ready_agent()
        if self._said:
            run.notice(self._said)
            self._said = ""
        descriptions = self._calibrated.tools if self._calibrated else "comprehensive"
        server = design_tools(self.workspace, self._editor, descriptions)
        async with Toolbox.connected({DESIGN: server, **await self._other_servers(run)}) as toolbox:
            run.toolbox = toolbox
            self._asked[-1] = True
            return await agent.run(text, run)

    async def _other_servers(self, run: _Run) -> dict[str, Endpoint]:
        """The other servers, started; one that does not start is told, and tried again with the next request."""
        wanted = {command.name: command for command in (*self.servers, *self._servers_in_file(run))}
        for name, process in list(self._processes.items()):
            if wanted.get(name) != process.command:
                await self._processes.pop(name).aclose()
        if wanted:
            from agent.server_process import ServerProcess  # noqa: PLC0415  # as the design's tools: with the first use

            for name, command in wanted.items():
                self._processes.setdefault(name, ServerProcess(command))
        started = await asyncio.gather(*(self._started(process, run) for process in self._processes.values()))
        return {process.command.name: process for process in started if process is not None}

    def _servers_in_file(self, run: _Run) -> Sequence[ServerCommand]:
        if self.servers_file is None or not self.servers_file.exists():
            return ()
        try:
            return read_servers(self.servers_file)
        except ServerError as error:
            run.notice(f"{error} This request goes on without its servers.")
            return ()

    async def _started(self, process: ServerProcess, run: _Run) -> ServerProcess | None:
        try:
            await process.start()
        except ServerError as error:
            run.notice(f"{error} This request goes on without its tools.")
            return None
        return process

    async def _ready_agent(self) -> Agent:
        async with self._opening:  # a request may come while the model warms up
            if self._agent is None:
                self._agent = await self._open()
            return self._agent

    async def _open(self) -> Agent:
        if self.model_name is None:
            self.model_name = await default_model_name()
        if self.model_name is None:
            raise ModelError("missing", NO_MODEL)
        self._model = await open_model(self.model_name, self.num_ctx)
        if isinstance(self._model, Prepares) and self.mode == "assisted":
            await self._model.prepare(fixed_prefix(), ())
        self._read_calibration(self._model)
        agent = product_agent(
            self._model, self.workspace, lambda: self.focus, self.num_ctx, self.mode, self._calibrated
        )
        return RoutingAgent(agent) if isinstance(agent, AssistedAgent) else agent

    def _read_calibration(self, model: LanguageModel) -> None:
        try:
            self._calibrated = calibrated.find(model.name, self.mode, model.digest)
        except CalibrationError as error:
            self._said = str(error)
        if self._calibrated is not None:
            self._said = f"{model.name} is used as calibration recommends, {self._calibrated}."

    async def warm_up(self) -> str:
        """Start the model before the first request needs it and return its name.

        Raises:
            ModelError: there is no model, or it does not start.
        """
        self._loop = asyncio.get_running_loop()
        await load()
        await asyncio.to_thread(prose.load)
        async with Toolbox.connected({DESIGN: design_tools(self.workspace)}):
            pass  # the first connection takes a tenth of a second longer, in which the window would not move
        await self._ready_agent()
        return self.model_name or ""

    async def read_ahead(self, draft: str) -> None:
        """Let the model read along while the user types, so that little is left to read when the request is sent.

        A newer draft replaces the one that is being read. Nothing happens while a request runs, before the model is
        ready, or with an agent that cannot; a failure is left for the request to meet.
        """
        await self._stop_reading()
        agent = self._agent
        if self._running is None and isinstance(agent, ReadsAhead):
            self._reading = asyncio.ensure_future(agent.read_ahead(draft))
            await asyncio.wait([self._reading])

    async def _stop_reading(self) -> None:
        reading, self._reading = self._reading, None
        if reading is not None:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    def stop(self) -> None:
        """End the request that is running, if any; from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        if self._running is not None:
            self._running.cancel()

    def approve(self, request_id: int, index: int, yes: bool) -> None:
        """Answer an :class:`~agent.events.ApprovalRequested`; from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._approve, (request_id, index), yes)

    def _approve(self, key: tuple[int, int], yes: bool) -> None:
        waiting = self._approvals.get(key)
        if waiting is not None and not waiting.done():
            waiting.set_result(yes)

    async def rehearse(self, request_id: int, chosen: Collection[int]) -> Rehearsal | None:
        """Try a part of the plan that waits on the design as it is now; None where it no longer waits."""
        waiting = self._proposal
        if waiting is None or waiting.request_id != request_id:
            return None
        return await rehearse(self.workspace, waiting.calls, chosen)

    def decide(self, request_id: int, chosen: Collection[int]) -> None:
        """Say which calls of a plan may be made, by their places in it; none rejects it. From any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._decide, request_id, frozenset(chosen))

    def _decide(self, request_id: int, chosen: frozenset[int]) -> None:
        waiting = self._proposal
        if waiting is not None and waiting.request_id == request_id and not waiting.decision.done():
            waiting.decision.set_result(chosen)

    async def retract(self, requests: int) -> None:
        """Forget the last requests, because the design was taken back to before them."""
        start = max(len(self._asked) - requests, 0)
        heard = sum(self._asked[start:])
        del self._asked[start:]
        if self._agent is not None:
            self._agent.retract(heard)

    async def aclose(self) -> None:
        """Stop what is running and let the model go."""
        await self._stop_reading()
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait([self._running])
        while self._processes:
            _name, process = self._processes.popitem()
            await process.aclose()
        if self._model is not None:
            await self._model.aclose()
            self._model = self._agent = None


@dataclass(frozen=True)
class _Proposal:
    """A plan that waits for a person."""

    request_id: int
    calls: Sequence[ToolCall]
    decision: asyncio.Future[frozenset[int]]


@dataclass
class _Run:
    """The host of one request: makes its calls and tells what happens."""

    session: AgentSession
    request_id: int
    emit: Emit
    toolbox: Toolbox | None = None
    calls: list[CallFinished] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    agreed: frozenset[int] = frozenset()  # identities of the calls that a person has seen in a plan

    @property
    def tools(self) -> Sequence[ToolSpec]:
        return self._connected.specs

    @property
    def _connected(self) -> Toolbox:
        if self.toolbox is None:
            raise RuntimeError("an agent was run before its tools were connected")
        return self.toolbox

    async def propose(self, calls: Sequence[ToolCall]) -> Sequence[ToolCall]:
        session = self.session
        reasons = [reason for call in calls if (reason := self._why_ask(call))]
        if not reasons or session.approval in {"apply", "deny"}:
            return calls
        decision: asyncio.Future[frozenset[int]] = asyncio.get_running_loop().create_future()
        session._proposal = _Proposal(self.request_id, calls, decision)
        rehearsal = await rehearse(session.workspace, calls)
        self.emit(ProposalMade(self.request_id, rehearsal, " ".join(dict.fromkeys(reasons))))
        chosen = await decision
        session._proposal = None
        if not chosen:
            return ()
        reads = self._connected.is_read_only
        wanted = [call for index, call in enumerate(calls) if index in chosen or reads(call.name)]
        self.agreed = frozenset(id(call) for call in wanted)
        return wanted

    def _why_ask(self, call: ToolCall) -> str:
        server = self._connected.server_of(call.name)
        if server == DESIGN:
            reason = needs_approval(call.name, call.arguments)
        elif self._connected.is_destructive(call.name):
            reason = f"{call.name} of the server {server} may change what undo does not bring back."
        else:
            reason = ""
        if not reason and self.session.approval == "propose" and not self._connected.is_read_only(call.name):
            return "You want to see changes before they are made."
        return reason

    async def call(self, call: ToolCall) -> ToolResult:
        index = len(self.calls)
        await self._approved(index, call)
        self.emit(CallStarted(self.request_id, index, call.name, call.arguments))
        result = await self._connected.call(call)
        finished = CallFinished(
            self.request_id, index, call.name, call.arguments, result.ok, result.text, result.data, result.seconds
        )
        self.calls.append(finished)
        self.emit(finished)
        return result

    async def _approved(self, index: int, call: ToolCall) -> None:
        reason = self._why_ask(call)
        if not reason or self.session.approval == "apply" or id(call) in self.agreed:
            return
        if self.session.approval == "deny":
            raise ApprovalRefused(call, asked=False, reason=reason)
        waiting: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.session._approvals[self.request_id, index] = waiting
        self.emit(ApprovalRequested(self.request_id, index, call.name, call.arguments, reason))
        if not await waiting:
            raise ApprovalRefused(call, asked=True, reason=reason)

    def stream(self, delta: Delta) -> None:
        self.emit(TextStreamed(self.request_id, delta.text, delta.thinking, delta.prompt_read))

    def notice(self, text: str) -> None:
        self.emit(Notice(self.request_id, text))
