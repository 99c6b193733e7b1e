"""Prints what an agent does, line by line, as it happens."""

from __future__ import annotations

import typer

from agent.events import AgentEvent, CallFinished, CallStarted, Notice


def print_event(event: AgentEvent) -> None:
    """Print a call, its result, or a notice; nothing for other events."""
    if isinstance(event, CallStarted):
        arguments = ", ".join(f"{name}={value!r}" for name, value in event.arguments.items())
        typer.echo(f"→ {event.tool}({arguments})")
    elif isinstance(event, CallFinished):
        typer.echo(f"  {'✓' if event.ok else '✗'} {event.text}")
    elif isinstance(event, Notice):
        typer.echo(f"! {event.text}")
