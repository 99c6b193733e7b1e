"""``blockwright ask``: one request to the agent without a window."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from agent.approvals import Approval
from agent.calibrated import Mode
from agent.events import AgentEvent, Outcome, RequestFinished
from agent.request_host import Emit
from agent.servers import ServerCommand, ServerError
from agent.session import AgentSession
from desktop.commands.event_printer import print_event
from desktop.commands.opening import open_with_progress, tell_of_lost_work
from model.change import Change
from model.difference import change_between
from model.errors import DesignError
from model.storage import Opened, save_component
from model.workspace import Workspace

EXIT_STATUS: dict[Outcome, int] = {
    "done": 0,
    "refused": 1,
    "failed": 1,
    "no-model": 3,
    "stopped": 4,
    "turn-limit": 4,
    "needs-approval": 5,
}


def ask(
    request: Annotated[str, typer.Argument(help="What to do, in plain words.")],
    workspace: Annotated[Path, typer.Option(help="Folder of IP-XACT files, or one file.")],
    model: Annotated[
        str | None, typer.Option(help="ollama:NAME or embedded:NAME; chosen by itself if left out.")
    ] = None,
    mode: Annotated[
        str, typer.Option(help="assisted (checked and tried on a copy first) or faithful (the paper's plain agent).")
    ] = "assisted",
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change and save nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Agree to deletes, overwriting and loading files.")] = False,
    server: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=COMMAND", help="Another MCP server whose tools may be used, over stdio; may be repeated."
        ),
    ] = None,
) -> None:
    """Let the agent carry out one request and save what changed.

    Exit status: 0 done, 1 refused or failed, 2 bad usage, 3 no model can be reached, 4 stopped half-way,
    5 a delete, overwrite or load needs --yes.
    """
    if not request.strip():
        raise typer.BadParameter("say what to do, for example: 'Add a 1-bit input clk to acme:periph:uart:1.0'")
    if mode not in {"assisted", "faithful"}:
        raise typer.BadParameter(f"'{mode}' is not a mode: use assisted or faithful")
    if not workspace.exists():
        raise typer.BadParameter(f"there is no file or folder {workspace}")
    if dry_run and server:
        raise typer.BadParameter("a dry run works on a copy, and there is none of what other servers work on")
    try:
        servers = [ServerCommand.parse(text) for text in server or ()]
    except ServerError as error:
        raise typer.BadParameter(str(error)) from error
    try:
        opened = open_with_progress(workspace)
    except DesignError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    tell_of_lost_work(opened.workspace)
    chosen: Mode = "faithful" if mode == "faithful" else "assisted"
    emit = _discard if json_output else print_event
    before = opened.workspace.library
    # A dry run works on a copy without a folder, so that not even the agent's own save can write a file.
    edited = opened.workspace.fork() if dry_run else opened.workspace
    finished = asyncio.run(_ask(edited, opened, request, model, chosen, yes, servers, emit))
    change = change_between(before, edited.library)
    status = EXIT_STATUS[finished.outcome]
    saved: list[str] = []
    problem = ""
    if status == 0 and not dry_run:
        saved, problem = _save(edited, change)
        status = 1 if problem else 0
    if json_output:
        typer.echo(json.dumps(_as_data(finished, change, saved, problem, dry_run), indent=2))
    else:
        _print_summary(finished, change, saved, problem, dry_run)
    raise typer.Exit(status)


async def _ask(
    edited: Workspace,
    opened: Opened,
    request: str,
    model: str | None,
    mode: Mode,
    yes: bool,
    servers: Sequence[ServerCommand],
    emit: Emit,
) -> RequestFinished:
    approval: Approval = "apply" if yes else "deny"
    session = AgentSession(edited, model, approval=approval, focus=opened.active, mode=mode, servers=servers)
    with suppress(NotImplementedError):  # Windows has no signal handlers on event loops
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, session.stop)
    try:
        return await session.ask(request, emit)
    finally:
        await session.aclose()


def _discard(_event: AgentEvent) -> None:
    """Show nothing: the JSON object at the end holds everything."""


def _save(workspace: Workspace, change: Change) -> tuple[list[str], str]:
    """Save the components that the request touched; return the paths written, and what went wrong."""
    paths: list[str] = []
    touched = dict.fromkeys(element.component for element in change.touched)
    for vlnv in touched:
        if vlnv not in workspace.library:
            continue
        try:
            saved = save_component(workspace, str(vlnv))
        except DesignError as error:
            return paths, str(error)
        paths.extend(str(path) for path in saved.paths)
    return paths, ""


def _print_summary(finished: RequestFinished, change: Change, saved: list[str], problem: str, dry_run: bool) -> None:
    if finished.answer:
        typer.echo(finished.answer, err=finished.outcome == "no-model")
    for sign, elements in (("+", change.added), ("~", change.changed), ("-", change.removed)):
        for element in elements:
            typer.echo(f"{sign} {element}")
    for path in saved:
        typer.echo(f"Saved {path}")
    if problem:
        typer.echo(problem, err=True)
    elif finished.outcome == "needs-approval":
        typer.echo("Nothing was saved. Repeat the command with --yes to agree.", err=True)
    elif not change.is_empty and not saved:
        typer.echo("Nothing was saved (dry run)." if dry_run else "Nothing was saved.")
    usage = finished.usage
    typer.echo(
        f"{finished.outcome}: {len(finished.calls)} calls, {finished.seconds:.1f} s, "
        f"{usage.prompt_tokens} tokens read ({usage.cached_tokens} of them cached), {usage.completion_tokens} written"
    )


def _as_data(
    finished: RequestFinished, change: Change, saved: list[str], problem: str, dry_run: bool
) -> dict[str, Any]:
    return {
        "outcome": finished.outcome,
        "answer": finished.answer,
        "calls": [
            {
                "tool": call.tool,
                "arguments": dict(call.arguments),
                "ok": call.ok,
                "result": call.text,
                "seconds": round(call.seconds, 4),
            }
            for call in finished.calls
        ],
        "change": {
            "added": [str(element) for element in change.added],
            "changed": [str(element) for element in change.changed],
            "removed": [str(element) for element in change.removed],
        },
        "saved": saved,
        "problem": problem,
        "dry_run": dry_run,
        "seconds": round(finished.seconds, 2),
        "tokens": {
            "prompt": finished.usage.prompt_tokens,
            "cached": finished.usage.cached_tokens,
            "completion": finished.usage.completion_tokens,
        },
    }
