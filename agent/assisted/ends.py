"""Writes ends of connections out where a request says them in the words of a sentence.

"Place a gpio as u_gpio and connect its clk" leaves it to the reader whose ``clk`` is meant. A small model takes any
component with a port of that name; ``u_gpio.clk`` leaves no choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from agent.assisted.mentions import VLNV, Mentions, looks_like_a_name
from model.elements import Component
from model.library import Library

_PLACED_OF = re.compile(
    rf"\b(?:instances?|as|called|named)\s+[`'\"“]?([A-Za-z_]\w*)[`'\"”]?\s+off?\s+(?:type\s+|component\s+)?({VLNV.pattern})",
    re.IGNORECASE,
)
_NO_NAME = r"(?!(?:an?|the|of|nam[es]?|label|id)\b)"
# "as u_a", "named r0, r1 and r2"
_NAMES = (
    rf"[`'\"“]?{_NO_NAME}([A-Za-z_]\w*)((?:[`'\"”]?(?:\s*,\s*(?:and\s+)?|\s+and\s+)[`'\"“]?[A-Za-z_]\w*(?![\w.:]))*)"
)
_PLACED = re.compile(rf"\b(?:as|called|named|instance(?:\s+(?:nam[es]?|label|id))?)\s+{_NAMES}", re.IGNORECASE)
_INSTANCE_NAMED = re.compile(
    rf"\b(?:as|instances?(?:\s+(?:nam[es]?|label|id|called|named))?)\s+{_NAMES}", re.IGNORECASE
)
_HOLDS = re.compile(r"\b(?:in|into|inside|within)\s+(?:the\s+)?[`'\"“(]?$", re.IGNORECASE)
_WORD = r"(?<![\w.:/\[\]-])[A-Za-z_]\w*(?!\w|[.:]\w|\[|['’]s\b)"
_AND = r"(?:\s*,\s*(?:and\s+)?|\s+and\s+)"
_LIST = rf"{_WORD}(?:{_AND}{_WORD})*"
_SPLIT = re.compile(rf"({_AND})")
_LEADS_TO = re.compile(r"\b(?:to|with|from|into|by)\s+$", re.IGNORECASE)
_LEADS_ON = re.compile(r"\s+(?:to|with|from|into|by)\b", re.IGNORECASE)
_ASIDE = re.compile(r"\b(?:of|on)\s+$", re.IGNORECASE)
_RANGE = re.compile(r"(?P<stem>\w*?)\d+\s*(?:to|through|until|-|–|…|\.\.)\s*$")


def with_ends_written_out(request: str, library: Library) -> str:
    """Return the request with ``instance.port`` for "its port", "instance's port" and "port of instance".

    Only where the instance exists or is being placed and its component has that port: "its" goes back to the instance
    that was named last.
    """
    instances = _instances(request, library)
    if not instances:
        return request

    def written(match: re.Match[str]) -> str:
        owner = match["owner"] or match["whole"] or _meant(request[: match.start()], match["after"], instances)
        components = instances.get(owner, ())
        if not components:
            return match.group()
        ports = set.intersection(*(set(component.ports) for component in components))
        pieces = _SPLIT.split(match["after"] or match["before"])
        if match["before"]:
            first = len(pieces)
            while first > 0 and pieces[first - 1] in ports:
                first -= 2
            start = max(first + 1, 0)
            if start >= len(pieces) or _is_range(request[: match.start("before")], pieces[start], start):
                return match.group()
            return "".join(pieces[:start]) + _joined(owner, pieces[start:])
        # "rst to its rst_n, clk to its clk": with the last clk another clause begins.
        begins_anew = _LEADS_TO.search(request[: match.start()]) and _LEADS_ON.match(request, match.end())
        end = len(pieces) - 2 if begins_anew and len(pieces) > 1 else len(pieces)
        last = 0
        while last < end and pieces[last] in ports:
            last += 2
        if last == 0:
            return match.group()
        return _joined(owner, pieces[: last - 1]) + "".join(pieces[last - 1 :])

    return _owned(instances).sub(written, request)


def _owned(instances: Iterable[str]) -> re.Pattern[str]:
    """Phrases for ports of ``instances``; of no other owner, so that "a on b of u_c" is "a on (b of u_c)"."""
    names = "|".join(re.escape(name) for name in sorted(instances, key=len, reverse=True))
    whole = rf"(?<![\w.:/\[\]-])(?:{names})(?!\w|[.:]\w|\[)"
    return re.compile(
        rf"(?:(?P<its>\b[Ii]t[sz])|(?P<owner>{whole})['’]s)\s+(?P<after>{_LIST})(?!\s+(?:off?|on)\b)"
        rf"|(?P<before>{_LIST})\s+(?:(?:pin|port|input|output)s?\s+)?(?:off?|on)\s+(?P<whole>{whole})(?!['’]s)"
    )


def _joined(owner: str, pieces: list[str]) -> str:
    return "".join(piece if index % 2 else f"{owner}.{piece}" for index, piece in enumerate(pieces))


def _is_range(before: str, port: str, place: int) -> bool:
    """Whether a port ends a range ("m0 to m2 of u_mux"), which is left as it stands."""
    found = _RANGE.search(before) if place == 0 else None
    return found is not None and port.rstrip("0123456789") == found["stem"]


def _instances(request: str, library: Library) -> Mapping[str, list[Component]]:
    """The instances that a request names, existing ones and those that it places, each with what it may be of."""
    mentions = Mentions.of(request)
    found: dict[str, list[Component]] = {}
    named = [component for component in library if str(component.vlnv) in mentions.vlnvs and component.design.instances]
    for parent in named or library:
        for instance in parent.design.instances.values():
            inside = library.find(instance.component)
            if inside is not None and mentions.has(instance.name):
                found.setdefault(instance.name, []).append(inside)
    for name, component in placed_instances(request, library):
        found.setdefault(name, [component])
    return found


def instance_names(request: str) -> frozenset[str]:
    """The names that a request gives to instances ("as u_x", "instance u_x"), of whatever component."""
    return frozenset(name for match in _INSTANCE_NAMED.finditer(request) for name in _listed(match))


def _listed(match: re.Match[str]) -> Iterator[str]:
    """The names of a match of :data:`_NAMES`; behind the first, a word of the sentence is none ("as u_x and wire")."""
    yield match.group(1)
    yield from (word for word in re.findall(r"[A-Za-z_]\w*", match.group(2)) if looks_like_a_name(word))


def placed_instances(request: str, library: Library) -> Iterator[tuple[str, Component]]:
    """The instances that a request makes: "u_x of X"; or "X as u_x", X without insides and named last before that.

    "Put X into Y as u_x": Y holds the instance, so it is not what u_x is of.
    """
    known = {str(component.vlnv): component for component in library}
    told = {match.group(1): known.get(match.group(2).rstrip(".")) for match in _PLACED_OF.finditer(request)}
    yield from ((name, component) for name, component in told.items() if component is not None)
    written = [
        (match.start(), known[match.group().rstrip(".")])
        for match in VLNV.finditer(request)
        if match.group().rstrip(".") in known and not _HOLDS.search(request[: match.start()])
    ]
    for match in _PLACED.finditer(request):
        before = [component for start, component in written if start < match.start()]
        leaves = [component for component in before if not component.design.instances]
        if leaves:
            yield from ((name, leaves[-1]) for name in _listed(match) if name not in told)


def _meant(text: str, ports: str, instances: Mapping[str, list[Component]]) -> str:
    """The instance that "its" means at the end of a text: the last one named there that has the port, or "".

    One that only says where another end is ("of u_xbar", "u_xbar.s1", "u_xbar's s1") is not meant.
    """
    port = _SPLIT.split(ports)[0]
    last: dict[str, int] = {}
    for name, components in instances.items():
        if all(port in component.ports for component in components):
            named = re.finditer(rf"(?<![\w.]){re.escape(name)}(?!\w|\.\w|['’]s)", text)
            starts = [match.start() for match in named if not _ASIDE.search(text[: match.start()])]
            last.update((name, start) for start in starts[-1:])
    return max(last, key=lambda name: last[name], default="")
