"""The MCP server over one workspace: publishes its tools, checks every call and answers it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, cast

import anyio.to_thread
from mcp.server import MCPServer
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context
from mcp.types import (
    CallToolResult,
    Completion,
    CompletionArgument,
    EmptyResult,
    GetPromptResult,
    Prompt,
    PromptReference,
    Resource,
    ResourceTemplate,
    ResourceTemplateReference,
    SubscribeRequestParams,
    Tool,
    ToolAnnotations,
    UnsubscribeRequestParams,
)
from pydantic import AnyUrl

from model.errors import DesignError
from model.workspace import Transaction, Workspace
from server import prompts, tools_check, tools_files, tools_read, tools_write
from server.arguments import contract_of, read_arguments
from server.contract import TOOLS, ToolContract
from server.contract_extended import ALL_TOOLS
from server.descriptions import Description, DescriptionSet, load_descriptions
from server.editor import Editor, OutsideCall
from server.resources import (
    DesignEvents,
    SessionSubscriptions,
    complete_vlnv,
    read_resource,
    resource_templates,
    resources_of,
)
from server.results import refused
from server.standard_streams import standard_streams

_log = logging.getLogger(__name__)

_SUBSCRIPTIONS = "blockwright.subscriptions"

_INSTRUCTIONS = (
    "Edits a hardware block design: components with ports, parameters, subcomponents and connections. A component is "
    "always named by its full VLNV, vendor:library:name:version. A refused call changes nothing; its text says what "
    "was wrong and what to do next."
)
_READS: dict[str, Callable[..., CallToolResult]] = {
    "get_component_details": tools_read.get_component_details,
    "get_element": tools_read.get_element,
    "list_components": tools_read.list_components,
    "check_design": tools_check.check_design,
}
# Answered on the event loop, which saves two changes of thread: milliseconds also in a design of 10,000 instances.
_QUICK = frozenset(name for name in TOOLS if name.startswith(("add_", "create_", "get_", "list_")))


class DesignServer(MCPServer[Any]):
    """An MCP server whose tools, schemas and refusals are those of :mod:`server.contract`.

    The SDK derives tools from Python signatures, drops misspelled arguments and answers a bad call with pydantic's
    text; here the listing and the calling of tools are replaced, and the SDK keeps protocol and transports.
    """

    def __init__(self, workspace: Workspace, editor: Editor, descriptions: DescriptionSet, *, extended: bool) -> None:
        self._events = DesignEvents(workspace)
        super().__init__(
            "blockwright",
            title="Blockwright",
            version=version("blockwright"),
            instructions=_INSTRUCTIONS,
            log_level="WARNING",
            subscriptions=self._events,
        )
        self.workspace = workspace
        self.editor = editor
        described = load_descriptions(descriptions, extended=extended)
        self._contracts: Mapping[str, ToolContract] = ALL_TOOLS if extended else TOOLS
        self._tools = [_published(contract, described[name]) for name, contract in self._contracts.items()]
        self.completion()(self._complete)  # type: ignore[no-untyped-call]  # the SDK left it so
        # The SDK serves subscriptions of 2026-07-28 itself; those of earlier versions are left to the low-level server,
        # which it says is the way, and which it has no public name for.
        low_level = self._lowlevel_server
        low_level.add_request_handler("resources/subscribe", SubscribeRequestParams, self._subscribe)
        low_level.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, self._unsubscribe)

    def show(self, workspace: Workspace) -> None:
        """Work on another workspace from the next call on; a call that is under way ends where it began."""
        self.workspace = workspace
        self._events.show(workspace)

    async def run_stdio_async(self) -> None:
        """Serve one client over standard input and output until it closes the connection."""
        async with standard_streams() as (from_client, to_client):
            low_level = self._lowlevel_server
            await low_level.run(from_client, to_client, low_level.create_initialization_options())

    async def list_tools(self) -> list[Tool]:
        """List the 14 tools and, where this server has it, the extended set."""
        return self._tools

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult:
        """Call a tool; every failure comes back as an error result that says what to do next."""
        try:
            contract = contract_of(name, self._contracts)
            checked = read_arguments(contract, arguments)
            return await self._make(contract, checked)
        except DesignError as error:
            return refused(error)
        except Exception:
            _log.exception("%s failed", name)
            return refused(
                DesignError(
                    "internal-error",
                    f"{name} failed inside Blockwright; the design is unchanged.",
                    "This is a fault of the program, not of the call: its log has the details.",
                )
            )

    async def _make(self, contract: ToolContract, arguments: dict[str, Any]) -> CallToolResult:
        workspace, transaction = self.workspace, OutsideCall() if self.editor.is_outside else self.editor.transaction
        if contract.name in _QUICK:
            if contract.effect == "read":
                return _call(workspace, contract, arguments, transaction)
            # Only where no other editor holds the lock: the event loop must never wait for it.
            if workspace.lock.acquire(blocking=False):
                try:
                    return _call(workspace, contract, arguments, transaction)
                finally:
                    workspace.lock.release()
        given_up = threading.Event()

        def work() -> CallToolResult:
            if contract.effect != "write":
                return _call(workspace, contract, arguments, transaction)
            with workspace.lock:
                if given_up.is_set():
                    raise DesignError("cancelled", f"The call of {contract.name} was cancelled; nothing has changed.")
                return _call(workspace, contract, arguments, transaction)

        try:
            # A call that is cancelled ends at once. An edit that waited for its turn is then not made; what had begun
            # is finished, for no edit and no file is left half done.
            return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
        finally:
            given_up.set()

    async def list_resources(self) -> list[Resource]:
        """List the library and its components."""
        return resources_of(self.workspace.library)

    async def list_resource_templates(self) -> list[ResourceTemplate]:
        """List how a component's URI is made."""
        return resource_templates()

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[Any, Any] | None = None
    ) -> list[ReadResourceContents]:
        """Read the library or a component as JSON, or a component's diagram as SVG."""
        text, mime_type = await anyio.to_thread.run_sync(read_resource, self.workspace.library, str(uri))
        return [ReadResourceContents(text, mime_type)]

    async def list_prompts(self) -> list[Prompt]:
        """List the prompts for the common jobs."""
        return prompts.list_prompts()

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult:
        """Give a prompt with its arguments filled in."""
        return prompts.get_prompt(name, arguments)

    async def _complete(
        self, ref: PromptReference | ResourceTemplateReference, argument: CompletionArgument, context: object
    ) -> Completion | None:
        """Complete VLNVs: of resources, and in the arguments of prompts that take one."""
        is_vlnv = isinstance(ref, ResourceTemplateReference) or argument.name in ("component", "replacement")
        return complete_vlnv(self.workspace.library, argument.value) if is_vlnv else None

    def _session_subscriptions(self, context: ServerRequestContext[Any, Any]) -> SessionSubscriptions:
        # The SDK says that handlers are to put such things on the connection, and gives them no public way to it yet.
        connection = context.session._connection
        known = connection.state.get(_SUBSCRIPTIONS)
        if known is None:
            known = SessionSubscriptions(self._events, context.session.send_resource_updated)
            connection.state[_SUBSCRIPTIONS] = known
            connection.exit_stack.callback(known.close)
        return cast(SessionSubscriptions, known)

    async def _subscribe(self, context: ServerRequestContext[Any, Any], params: SubscribeRequestParams) -> EmptyResult:
        self._session_subscriptions(context).add(params.uri)
        return EmptyResult()

    async def _unsubscribe(
        self, context: ServerRequestContext[Any, Any], params: UnsubscribeRequestParams
    ) -> EmptyResult:
        self._session_subscriptions(context).remove(params.uri)
        return EmptyResult()


def _call(
    workspace: Workspace, contract: ToolContract, arguments: dict[str, Any], transaction: Transaction | None
) -> CallToolResult:
    if contract.effect == "read":
        return _READS[contract.name](workspace.library, **arguments)
    if contract.effect == "write":
        return tools_write.write(workspace, contract.name, arguments, transaction)
    if contract.name == "save_component":
        return tools_files.save_component(workspace, **arguments)
    return tools_files.load_component(workspace, transaction, **arguments)


def _published(contract: ToolContract, description: Description) -> Tool:
    return Tool(
        name=contract.name,
        title=contract.title,
        description=description.text,
        input_schema=contract.input_schema(description.arguments),
        annotations=ToolAnnotations(
            title=contract.title,
            read_only_hint=contract.effect == "read",
            destructive_hint=contract.destructive,
            idempotent_hint=contract.idempotent,
            open_world_hint=False,
        ),
    )


def build_server(
    workspace: Workspace,
    *,
    editor: Editor | None = None,
    descriptions: DescriptionSet = "comprehensive",
    extended: bool = False,
) -> MCPServer[Any]:
    """Return a server with the 14 tools over ``workspace``, ready for any transport.

    Args:
        editor: whose transaction the calls join; without one every call is an undo step of its own.
        descriptions: which set of tool descriptions is published.
        extended: whether the extended set is there, too; never in a benchmark.
    """
    return DesignServer(workspace, editor or Editor(), descriptions, extended=extended)
