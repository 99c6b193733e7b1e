"""What the tasks of a suite work on: the design and its folder, and in the noise suites a repository and a debugger."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from mcp.server import MCPServer

from agent.evaluation import git_server
from agent.evaluation.canonical import State, capture, restore
from agent.evaluation.debugger import Debugger
from agent.evaluation.firmware import compiler, make_firmware
from agent.evaluation.folder_state import KeptFolder
from agent.evaluation.suites import ServerName
from agent.server_process import ServerProcess
from agent.servers import DESIGN, ServerError
from agent.toolbox import Endpoint, Toolbox
from model.errors import DesignError
from model.workspace import Workspace
from server.descriptions import DescriptionSet
from server.design_server import build_server
from server.gdb.process import gdb_command

Tell = Callable[[str], None]
"""Is given a line where something takes a while."""


def provide(server: ServerName, tell: Tell = lambda text: None) -> None:
    """Make sure that a server can be opened; what it needs is installed once where that can be done.

    Args:
        tell: is given a line where something takes a while.

    Raises:
        ServerError: it cannot be opened on this machine; the text says what to do.
    """
    if server == "git":
        git_server.provide_git_server(tell)
    elif server == "gdb":
        try:
            gdb_command()
        except DesignError as error:
            raise ServerError(str(error)) from error
        compiler()


def missing(servers: Collection[ServerName], tell: Tell = lambda text: None) -> dict[ServerName, str]:
    """Which of these servers cannot be opened here, and why."""
    reasons: dict[ServerName, str] = {}
    for server in servers:
        try:
            provide(server, tell)
        except ServerError as error:
            reasons[server] = str(error)
    return reasons


@dataclass
class Surroundings:
    """Everything that a session's calls can reach; open one with :meth:`opened`.

    Attributes:
        workspace: the design and its folder.
        tools: of all servers, the design's first.
        servers: which are there.
    """

    workspace: Workspace
    tools: Toolbox
    servers: frozenset[ServerName]
    _repository: KeptFolder | None = None
    _debugger: Debugger | None = None

    @classmethod
    @asynccontextmanager
    async def opened(
        cls, servers: Collection[ServerName], folder: Path, descriptions: DescriptionSet = "comprehensive"
    ) -> AsyncIterator[Surroundings]:
        """Make everything in an empty folder and connect the servers; they end with the context.

        Raises:
            ServerError: a server cannot be opened; :func:`missing` tells so before.
        """
        design = folder / "design"
        design.mkdir()
        workspace = Workspace(folder=design)
        endpoints: dict[str, MCPServer | Endpoint] = {DESIGN: build_server(workspace, descriptions=descriptions)}
        repository: KeptFolder | None = None
        debugger: Debugger | None = None
        async with AsyncExitStack() as stack:
            if others := set(servers) - {DESIGN}:
                outside = folder / "work"
                made = await asyncio.to_thread(
                    make_firmware, outside, repository="git" in others, program="gdb" in others
                )
                if "git" in others:
                    repository = KeptFolder(made)
                    endpoints["git"] = git = ServerProcess(git_server.git_server(outside, made.name))
                    stack.push_async_callback(git.aclose)
                    await git.start()
                if "gdb" in others:
                    debugger = await stack.enter_async_context(Debugger.opened(outside))
                    endpoints["gdb"] = debugger
            tools = await stack.enter_async_context(Toolbox.connected(endpoints))
            yield cls(workspace, tools, frozenset(servers) | {"design"}, repository, debugger)

    async def capture(self) -> State:
        """Return the present state of everything.

        Raises:
            OSError: a file cannot be read.
        """
        state = capture(self.workspace)
        if self._repository is None and self._debugger is None:
            return state
        return replace(
            state,
            repository=self._repository.capture() if self._repository else None,
            debugger=self._debugger.steps if self._debugger else (),
        )

    async def restore(self, state: State) -> None:
        """Bring everything back to ``state``.

        Raises:
            OSError: a file cannot be written or removed.
            ServerError: the debugger cannot be brought back.
        """
        restore(self.workspace, state)
        if self._repository is not None and state.repository is not None:
            self._repository.restore(state.repository)
        if self._debugger is not None:
            await self._debugger.restore(state.debugger)


def tool_versions(servers: Collection[ServerName]) -> dict[str, str]:
    """Versions of the programs behind the other servers, for a run's records."""
    found: dict[str, str] = {}
    if "git" in servers:
        found |= {"mcp-server-git": git_server.VERSION, "git": _version("git")}
    if "gdb" in servers:
        found["gdb"] = _version("gdb")
    return found


def _version(command: str) -> str:
    if shutil.which(command) is None:
        return "unknown"
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=False, timeout=10).stdout
    numbers = re.findall(r"\d+\.\d+(?:\.\d+)*", said.partition("\n")[0])
    return numbers[-1] if numbers else "unknown"
