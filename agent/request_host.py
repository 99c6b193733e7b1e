"""The host of one request: makes its calls, asks a person where that is needed, and tells what happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from agent.approvals import Approval, Waiting, needs_approval
from agent.events import AgentEvent, ApprovalRequested, CallFinished, CallStarted, Notice, ProposalMade, TextStreamed
from agent.host import ApprovalRefused
from agent.models.base import Delta, ToolCall, ToolSpec, Usage
from agent.rehearsal import rehearse
from agent.servers import DESIGN
from agent.toolbox import Toolbox, ToolResult
from model.workspace import Workspace

Emit = Callable[[AgentEvent], None]


@dataclass
class RequestHost:
    """The host of one request: makes its calls and tells what happens."""

    workspace: Workspace
    approval: Callable[[], Approval]
    waiting: Waiting
    request_id: int
    emit: Emit
    toolbox: Toolbox | None = None
    calls: list[CallFinished] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    agreed: frozenset[int] = frozenset()  # identities of the calls that a person has seen in a plan

    @property
    def tools(self) -> Sequence[ToolSpec]:
        """The tools of all servers."""
        return self._connected.specs

    @property
    def _connected(self) -> Toolbox:
        if self.toolbox is None:
            raise RuntimeError("an agent was run before its tools were connected")
        return self.toolbox

    async def propose(self, calls: Sequence[ToolCall]) -> Sequence[ToolCall]:
        """Show a plan that should be agreed to, and return the calls that may be made."""
        approval = self.approval()
        reasons = [reason for call in calls if (reason := self._why_ask(call))]
        if not reasons or approval in {"apply", "deny"}:
            return calls
        decision = self.waiting.for_plan(self.request_id, calls)
        rehearsal = await rehearse(self.workspace, calls)
        self.emit(ProposalMade(self.request_id, rehearsal, " ".join(dict.fromkeys(reasons))))
        chosen = await decision
        self.waiting.end()
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
        if not reason and self.approval() == "propose" and not self._connected.is_read_only(call.name):
            return "You want to see changes before they are made."
        return reason

    async def call(self, call: ToolCall) -> ToolResult:
        """Make a call, once it is approved where that is needed."""
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
        if not reason or self.approval() == "apply" or id(call) in self.agreed:
            return
        if self.approval() == "deny":
            raise ApprovalRefused(call, asked=False, reason=reason)
        decision = self.waiting.for_call(self.request_id, index)
        self.emit(ApprovalRequested(self.request_id, index, call.name, call.arguments, reason))
        if not await decision:
            raise ApprovalRefused(call, asked=True, reason=reason)

    def stream(self, delta: Delta) -> None:
        """Tell what the model is writing."""
        self.emit(TextStreamed(self.request_id, delta.text, delta.thinking, delta.prompt_read))

    def notice(self, text: str) -> None:
        """Tell the user something that is not part of the answer."""
        self.emit(Notice(self.request_id, text))
