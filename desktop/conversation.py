"""The agent as the window sees it: one session at a time, run through the bridge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Signal

from agent.events import RequestFinished
from agent.models import weights
from agent.models.base import ModelError
from agent.models.catalog import ModelInfo, default_model_name, list_models
from agent.models.downloads import Progress
from agent.rehearsal import Rehearsal
from agent.servers import settings_file
from agent.session import AgentSession
from desktop.bridge import Bridge
from model.vlnv import Vlnv
from model.workspace import Workspace

Approval = Literal["apply", "ask", "propose"]


class Conversation(QObject):
    """Owns the :class:`AgentSession`; what it does arrives as the bridge's ``happened``.

    Signals:
        models_listed: the models that can be used, as a list of :class:`ModelInfo`.
        model_changed: the model's name, or None where there is none.
        readiness_changed: one of ``starting``, ``ready``, ``missing``, and a sentence.
        busy_changed: whether a request is running.
    """

    models_listed = Signal(object)
    model_changed = Signal(object)
    readiness_changed = Signal(str, str)
    busy_changed = Signal(bool)

    def __init__(self, workspace: Workspace, model_name: str | None, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._workspace = workspace
        self.model_name = model_name
        self.approval: Approval = "ask"
        self.busy = False
        self._session = self._new_session()

    def _new_session(self) -> AgentSession:
        return AgentSession(self._workspace, self.model_name, approval=self.approval, servers_file=settings_file())

    def start(self) -> None:
        """List the models, choose the default where none was named, and start the model."""
        self.list_models()
        if self.model_name is None:
            self._bridge.run(default_model_name(), self._on_default)
        else:
            self.model_changed.emit(self.model_name)
            self._warm_up()

    def list_models(self) -> None:
        """Ask again which models there are."""
        self._bridge.run(list_models(), self._on_listed)

    def _on_listed(self, models: list[ModelInfo]) -> None:
        self.models_listed.emit(models)

    def _on_default(self, name: str | None) -> None:
        if name is None:
            self.model_changed.emit(None)
            self.readiness_changed.emit("missing", "no model")
        elif self.model_name is None:
            self.use_model(name)

    def _warm_up(self) -> None:
        session = self._session
        self.readiness_changed.emit("starting", "starting")

        def ready(_name: str) -> None:
            if session is self._session:
                self.readiness_changed.emit("ready", "ready")

        def failed(error: Exception) -> None:
            if session is self._session:
                message = error.message if isinstance(error, ModelError) else "the model did not start"
                self.readiness_changed.emit("missing", message)

        self._bridge.run(session.warm_up(), ready, failed)

    def pull(self, name: str) -> None:
        """Fetch a model's weights, tell how far it is, and take the model into use."""
        wanted = weights.find(name)
        if wanted is None:
            return
        last = -1

        def report(progress: Progress) -> None:
            nonlocal last
            if self._bridge.closed:
                raise ModelError("interrupted", "The window was closed; the next pull goes on from here.")
            percent = progress.done * 100 // max(progress.total, 1)
            if percent != last:
                last = percent
                words = f"{progress.phase} {wanted.name}: {percent} %"
                self._bridge.post(lambda: self.readiness_changed.emit("starting", words))

        def done(_path: Path) -> None:
            self.list_models()
            self.use_model(f"embedded:{wanted.name}")

        def failed(error: Exception) -> None:
            message = error.message if isinstance(error, ModelError) else str(error)
            self.readiness_changed.emit("missing", message)
            self._bridge.failed.emit(error)

        self._bridge.run_blocking(lambda: weights.pull(wanted, report), done, failed)

    def use_model(self, name: str) -> None:
        """Change to another model; the conversation starts afresh."""
        self.model_name = name
        self._replace_session()
        self.model_changed.emit(name)
        self._warm_up()

    def use_workspace(self, workspace: Workspace) -> None:
        """Talk about another workspace from now on."""
        self._workspace = workspace
        self._replace_session()
        if self.model_name is not None:
            self._warm_up()

    def restart(self) -> None:
        """Forget what was said."""
        self._replace_session()
        if self.model_name is not None:
            self._warm_up()

    def _replace_session(self) -> None:
        self._bridge.run(self._session.aclose())
        self._session = self._new_session()
        self._set_busy(False)

    def set_approval(self, approval: Approval) -> None:
        """Say what waits for a yes: nothing, deletes with overwrites and loads, or every edit."""
        self.approval = approval
        self._session.approval = approval

    def focus(self, vlnv: Vlnv | None) -> None:
        """Tell the agent what the user is looking at."""
        self._session.focus = vlnv

    def read_ahead(self, draft: str) -> None:
        """Let the model read what the user has typed so far."""
        if not self.busy:
            self._bridge.run(self._session.read_ahead(draft))

    def ask(self, text: str) -> None:
        """Hand a request to the agent; one at a time."""
        if self.busy:
            return
        self._set_busy(True)
        session = self._session

        def over(_finished: RequestFinished | Exception) -> None:
            if session is self._session:
                self._set_busy(False)

        def failed(error: Exception) -> None:
            over(error)
            self._bridge.failed.emit(error)

        self._bridge.run(session.ask(text, self._bridge.emit_event), over, failed)

    def _set_busy(self, busy: bool) -> None:
        if busy != self.busy:
            self.busy = busy
            self.busy_changed.emit(busy)

    def stop(self) -> None:
        """End the running request."""
        self._session.stop()

    def approve(self, request_id: int, index: int, yes: bool) -> None:
        """Answer a call that waits for approval."""
        self._session.approve(request_id, index, yes)

    def rehearse(self, request_id: int, chosen: frozenset[int], done: Callable[[Rehearsal], None]) -> None:
        """Try a part of the plan that waits; ``done`` gets how it went, unless the plan no longer waits."""

        def told(rehearsal: Rehearsal | None) -> None:
            if rehearsal is not None:
                done(rehearsal)

        self._bridge.run(self._session.rehearse(request_id, chosen), told)

    def decide(self, request_id: int, chosen: frozenset[int]) -> None:
        """Say which calls of the plan that waits are to be made."""
        self._session.decide(request_id, chosen)

    def retract(self, requests: int) -> None:
        """Let the agent forget the last requests."""
        self._bridge.run(self._session.retract(requests))

    async def aclose(self) -> None:
        """Stop and let the model go; on the bridge's loop."""
        await self._session.aclose()
