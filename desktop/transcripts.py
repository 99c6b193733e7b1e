"""Conversations as files: written after every request, read again to be looked at. Without Qt."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from platformdirs import user_data_path

from agent.events import AgentEvent, CallFinished, Notice, Outcome, RequestFinished, RequestStarted, TextStreamed
from agent.models.base import Usage
from model.ipxact.atomic import write_files

_FORMAT = 1


class TranscriptError(Exception):
    """A file is no transcript; the text names it."""


def transcripts_folder() -> Path:
    """Where conversations are kept."""
    return user_data_path("blockwright", appauthor=False) / "transcripts"


@dataclass
class Transcript:
    """One conversation, as it grows.

    Attributes:
        requests: the finished ones, as they are written.
    """

    path: Path
    started: datetime
    workspace: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._open: dict[str, Any] | None = None
        self._writing = threading.Lock()
        self._written = 0

    @staticmethod
    def begin(folder: Path, now: datetime, workspace: str) -> Transcript:
        """Begin a conversation; its file comes with its first finished request."""
        name = now.strftime("%Y-%m-%dT%H-%M-%S")
        path = next(
            path for path in (folder / f"{name}{'-' * bool(n)}{n or ''}.json" for n in range(1000)) if not path.exists()
        )
        return Transcript(path, now, workspace)

    def record(self, event: AgentEvent) -> bool:
        """Take an event; True where a request is over, and the file should be written."""
        match event:
            case RequestStarted():
                self._open = {"text": event.text, "model": event.model, "thinking": "", "notices": []}
            case TextStreamed() if self._open is not None:
                self._open["thinking"] += event.thinking
            case Notice() if self._open is not None:
                self._open["notices"].append(event.text)
            case RequestFinished() if self._open is not None:
                finished = asdict(event)
                del finished["request_id"]
                for call in finished["calls"]:
                    del call["request_id"], call["index"]
                self.requests.append({**self._open, **finished})
                self._open = None
                return True
            case _:
                pass
        return False

    def text(self) -> str:
        """The file's content."""
        document = {
            "format": _FORMAT,
            "started": self.started.isoformat(timespec="seconds"),
            "workspace": self.workspace,
            "requests": self.requests,
        }
        return json.dumps(document, indent=1, ensure_ascii=False, default=str) + "\n"

    def write(self, text: str, count: int) -> None:
        """Write a content that holds ``count`` requests, unless a longer one is there already; from any thread.

        Raises:
            DesignError: it cannot be written.
            OSError: the folder cannot be made.
        """
        with self._writing:
            if count <= self._written:
                return
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_files([(self.path, text.encode("utf-8", "backslashreplace"))])
            self._written = count


@dataclass(frozen=True, slots=True)
class SavedTranscript:
    """A conversation read from its file."""

    path: Path
    started: datetime
    workspace: str
    requests: tuple[Mapping[str, Any], ...]

    @property
    def title(self) -> str:
        """The first request."""
        return str(self.requests[0]["text"])

    def events(self) -> list[AgentEvent]:
        """What happened, as the chat shows it."""
        return [event for number, request in enumerate(self.requests) for event in _events(number, request)]


def list_transcripts(folder: Path) -> list[Path]:
    """The conversations in a folder, the latest first."""
    return sorted(folder.glob("*.json"), reverse=True)


def read_transcript(path: Path) -> SavedTranscript:
    """Read a conversation.

    Raises:
        TranscriptError: the file cannot be read or is no transcript.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["format"] != _FORMAT:
            raise TranscriptError(f"{path} was written by another version of Blockwright and cannot be shown.")
        started = datetime.fromisoformat(document["started"])
        saved = SavedTranscript(path, started, str(document["workspace"]), tuple(document["requests"]))
        if not saved.requests:
            raise ValueError("no requests")
        saved.events()  # what cannot be shown is no transcript
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise TranscriptError(f"{path} cannot be read as a conversation ({type(error).__name__}: {error}).") from error
    return saved


def _events(number: int, request: Mapping[str, Any]) -> list[AgentEvent]:
    outcome: Outcome = request["outcome"]
    if outcome not in get_args(Outcome):
        raise ValueError(f"unknown outcome {outcome}")
    calls = tuple(CallFinished(number, index, **call) for index, call in enumerate(request["calls"]))
    finished = RequestFinished(
        number, outcome, str(request["answer"]), float(request["seconds"]), Usage(**request["usage"]), calls
    )
    events: list[AgentEvent] = [RequestStarted(number, str(request["text"]), str(request["model"]))]
    if request["thinking"]:
        events.append(TextStreamed(number, thinking=str(request["thinking"])))
    events += [Notice(number, str(text)) for text in request["notices"]]
    return [*events, *calls, finished]
