"""Widths that a request gives by others: "as wide as the delay line's echo", "one bit wider than those"."""

from __future__ import annotations

import re

_RELATED = re.compile(
    r"\b(?:as\s+wide\s+as|as\s+many\s+bits\s+as|widths?\s+(?:of|from|as|like|to\s+match)|wider|narrower|match(?:es|ing)?|"
    r"fits?|fitting|twice|doubled?|half|halved|bits?\s+(?:more|less|fewer)|same\s+(?:size|widths?))\b",
    re.IGNORECASE,
)
_PORT = re.compile(r"\b(?:in|out|inout) ([A-Za-z_]\w*|\d+)\b")  # as the summary of the design writes ports
_PARAMETER = re.compile(r"\b([A-Za-z_]\w*)=\d+ \(")
# "Use these two parameters as the widths."
_THESE = re.compile(r"\b(?:these|those|that|this|both|its)\s+(?:\w+\s+)?parameters?\b", re.IGNORECASE)
_WIDTH = re.compile(r"\b(?:wide|widths?)\b", re.IGNORECASE)
MOST_APART = 8  # bits by which one width is more than another


def is_given_by_another(width: str, request: str, design: str) -> bool:
    """Whether a request relates widths, and this one follows from one that the design has.

    Args:
        design: a summary of the design, see :mod:`agent.assisted.state`.
    """
    if points_at_parameters(request) and width in _PARAMETER.findall(design):
        return True
    if not _RELATED.search(request):
        return False
    known = set(_PORT.findall(design))
    if width in known or not width.isdecimal():
        return width in known
    sizes = [int(size) for size in known if size.isdecimal()]
    wanted = int(width)
    return any(abs(wanted - size) <= MOST_APART or wanted in {2 * size, size // 2} for size in sizes)


def points_at_parameters(request: str) -> bool:
    """Whether a request wants widths to follow parameters that it does not name again."""
    return _THESE.search(request) is not None and _WIDTH.search(request) is not None
