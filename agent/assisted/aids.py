"""The aids of assisted mode by name, so that each can be switched off and its worth measured."""

from __future__ import annotations

from typing import Literal, get_args

Aid = Literal[
    "spelling",
    "references",
    "ends",
    "memory",
    "examples",
    "evidence",
    "names",
    "attributes",
    "grounding",
    "creation",
    "unknown",
    "dry-run",
    "second-opinion",
    "coverage",
]

AIDS: tuple[Aid, ...] = get_args(Aid)
"""In the order in which they come into play.

``spelling``: slips of the pen in the prose are put right. ``references``: "the first
block" is named. ``ends``: "its clk" reads ``u_uart.clk``. ``memory``: earlier
requests stand in the prompt. ``examples``: so do worked examples. ``evidence``: tools that the request's words speak
against are withheld. ``names``: decoding is held to names that exist or are being made. ``attributes``: what stands
beside a name and the plan forgot is filled in. ``grounding``: what the request does not say is dropped or gives way to
what it does say, and misspelled names are corrected. ``creation``: a component that the request introduces is made, and
a file that it names is loaded, before they are used. ``unknown``:
names that nobody knows refuse the request. ``dry-run``: a plan is tried on a copy of the design, and corrected with the
server's reason. ``second-opinion``: a refusal is asked again. ``coverage``: names of the request that no call uses are
asked about.
"""
