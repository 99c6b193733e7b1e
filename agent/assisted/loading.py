"""Looks into the files that a request wants loaded, so that it can go on with what is in them."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent.assisted.coverage import named_paths
from agent.assisted.evidence import asks_for
from agent.models.base import ToolCall
from model import storage
from model.errors import DesignError
from model.library import Library
from model.workspace import Workspace

_LOADS = "load_component"


@dataclass(frozen=True, slots=True)
class Outlook:
    """The library as it will be when the files of a request are loaded.

    Attributes:
        files: the path of each component that comes from one, by VLNV.
    """

    library: Library
    files: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, request: str, workspace: Workspace) -> Outlook:
        """Load the files that a request names on a copy of the workspace; what cannot be loaded is left to the tool."""
        paths = named_paths(request) if asks_for(_LOADS, request) else []
        if not paths:
            return cls(workspace.library)
        fork = workspace.fork()
        fork.folder = workspace.folder
        files: dict[str, str] = {}
        for path in paths:
            before = {str(component.vlnv) for component in fork.library}
            with contextlib.suppress(DesignError):
                storage.load_component(fork, path)
            files |= {str(each.vlnv): path for each in fork.library if str(each.vlnv) not in before}
        return cls(fork.library, files)

    def with_loads(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        """Return the calls behind those that load the components which they use and no call loads."""
        loaded = {call.arguments["path"] for call in calls if call.name == _LOADS}
        used = {str(call.arguments.get(name, "")) for call in calls for name in ("component", "subcomponent")}
        missing = [path for vlnv, path in self.files.items() if vlnv in used and path not in loaded]
        loads = [ToolCall(_LOADS, {"path": path}) for path in dict.fromkeys(missing)]
        first = [call for call in calls if call.name == _LOADS]
        return (*loads, *first, *(call for call in calls if call.name != _LOADS)) if self.files else tuple(calls)
