"""One conversation about one workspace: requests go in, events come out."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from agent.approvals import Approval, Waiting
from agent.design_tools import design_tools, load
from agent.events import (
    RequestFinished,
    RequestStarted,
)
from agent.host import Agent, Answer, ApprovalRefused, ReadsAhead
from agent.models.base import LanguageModel, ModelError, Usage
from agent.models.catalog import NO_MODEL, default_model_name, open_model
from agent.rehearsal import Rehearsal, rehearse
from agent.request_host import Emit, RequestHost
from agent.servers import DESIGN, ServerCommand, ServerError, read_servers
from agent.toolbox import Endpoint, Toolbox
from model.collection import loading
from model.vlnv import Vlnv
from model.workspace import Transaction, Workspace
from server.editor import Editor

if TYPE_CHECKING:
    from agent.calibrated import Calibrated, Mode
    from agent.server_process import ServerProcess


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
    _waiting: Waiting = field(default_factory=Waiting, init=False)
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
        run = RequestHost(self.workspace, lambda: self.approval, self._waiting, request_id, emit)
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
            self._waiting.end()
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

    async def _answer(self, text: str, run: RequestHost) -> Answer:
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

    async def _other_servers(self, run: RequestHost) -> dict[str, Endpoint]:
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

    def _servers_in_file(self, run: RequestHost) -> Sequence[ServerCommand]:
        if self.servers_file is None or not self.servers_file.exists():
            return ()
        try:
            return read_servers(self.servers_file)
        except ServerError as error:
            run.notice(f"{error} This request goes on without its servers.")
            return ()

    async def _started(self, process: ServerProcess, run: RequestHost) -> ServerProcess | None:
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
        from agent import product  # noqa: PLC0415  # with the model, as it takes a fifth of a second to load

        if self.model_name is None:
            self.model_name = await default_model_name()
        if self.model_name is None:
            raise ModelError("missing", NO_MODEL)
        self._model = await open_model(self.model_name, self.num_ctx)
        await product.prepare(self._model, self.mode)
        self._read_calibration(self._model)
        agent = product.product_agent(
            self._model, self.workspace, lambda: self.focus, self.num_ctx, self.mode, self._calibrated
        )
        return product.routed(agent)

    def _read_calibration(self, model: LanguageModel) -> None:
        from agent import calibrated  # noqa: PLC0415  # with the model

        try:
            self._calibrated = calibrated.find(model.name, self.mode, model.digest)
        except calibrated.CalibrationError as error:
            self._said = str(error)
        if self._calibrated is not None:
            self._said = f"{model.name} is used as calibration recommends, {self._calibrated}."

    async def warm_up(self) -> str:
        """Start the model before the first request needs it and return its name.

        Raises:
            ModelError: there is no model, or it does not start.
        """
        self._loop = asyncio.get_running_loop()
        with loading():
            await load()
            await asyncio.to_thread(_load_agents)
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
            self._loop.call_soon_threadsafe(self._waiting.approve, request_id, index, yes)

    async def rehearse(self, request_id: int, chosen: Collection[int]) -> Rehearsal | None:
        """Try a part of the plan that waits on the design as it is now; None where it no longer waits."""
        waiting = self._waiting.proposal(request_id)
        return await rehearse(self.workspace, waiting.calls, chosen) if waiting is not None else None

    def decide(self, request_id: int, chosen: Collection[int]) -> None:
        """Say which calls of a plan may be made, by their places in it; none rejects it. From any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._waiting.decide, request_id, frozenset(chosen))

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


def _load_agents() -> None:
    from agent import product  # noqa: PLC0415

    product.load()
