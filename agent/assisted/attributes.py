"""Reads attributes that a request spells out and that a plan leaves out.

A small model plans the right calls and forgets what stands beside their names: "loopback (1 bit, default value 0)",
"protocol APB for all three", "the latter is [31:16]". Such phrases are terms of the field. One whose value no call has
belongs to the name before it, or to all that it says it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.assisted.inventions import CASCADE

_IS = r"(?:\s*(?:=|:|of|is|to|at|value|being)\s*)*\s*"
_NUMBER = r"[`'\"]?(?P<value>'?[hdbo]?\d[\w.']*|[A-Z][A-Z0-9_]+)[`'\"]?"
_QUOTED = r"[\s:=,]*(?:(?:is|as)\s+)?[\"“](?P<value>[^\"”]+)[\"”]"
_COMPONENT = "create_component"
_SIGNAL, _TRANSACTIONAL = "add_signal_port", "add_transactional_port"
_PARAMETERS = ("add_user_parameter", "add_generator_parameter")
_ALL = re.compile(r"\b(?:al+|both|each|every)\b", re.IGNORECASE)
_FOR_ALL = re.compile(r"\s*,?\s*(?:fo?r|on|in|at|of)?\s*(?:al+|both|each|every)\b", re.IGNORECASE)
_LISTED = re.compile(r"[`'\"”]?\s*(?:\([^)]*\))?\s*(?:,|and|&|,\s*and)\s*[`'\"“]?")
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n")

# The bus and link protocols of the field; in capitals, so that "wishbone_top" or a block's name is none.
_PROTOCOLS = (
    r"AXI\d?(?:[- ]?(?:Lite|Stream|S))?|ACE\d?(?:-Lite)?|AHB\d?(?:-Lite)?|APB\d?|ASB|CHI|TileLink|TL-U[LH]|TL-C|"
    r"Wishbone|Avalon(?:-MM|-ST)?|OCP|OBI|PCIe|CXL|UCIe|DFI"
)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """How a request gives an attribute.

    Attributes:
        pattern: with a group for each of ``arguments``, or one called ``value``.
        rivals: arguments that a call does not have beside these.
    """

    tools: tuple[str, ...]
    arguments: tuple[str, ...]
    pattern: re.Pattern[str]
    rivals: tuple[str, ...] = ()


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_PHRASES = (
    _Phrase((_SIGNAL,), ("left", "right"), re.compile(r"\[\s*(?P<left>\w+)\s*:\s*(?P<right>\w+)\s*\]"), ("width",)),
    _Phrase((_SIGNAL,), ("left", "right"), _pattern(r"\b(?P<left>\w+)\s+downto\s+(?P<right>\w+)"), ("width",)),
    _Phrase(
        (_SIGNAL,),
        ("left", "right"),
        _pattern(r"\bbits\s+(?P<left>\d+)\s*(?:to|through|\.\.+|:|-|–|…)\s*(?P<right>\d+)\b"),
        ("width",),
    ),
    # A slip of the pen between the two ("defaulting ot 0") is no reason not to hear it.
    _Phrase((_SIGNAL,), ("default_value",), re.compile(rf"(?i:\bdefault(?:s|ing)?\b)(?: [a-z]{{2}}\b)?{_IS}{_NUMBER}")),
    _Phrase((_COMPONENT,), ("description",), _pattern(rf"\bdescri(?:ption|bed)\b{_QUOTED}")),
    _Phrase((_TRANSACTIONAL,), ("protocol",), _pattern(rf"\bprotocol\b{_IS}(?P<value>[A-Za-z][\w\-]*\w)")),
    _Phrase((_TRANSACTIONAL,), ("protocol",), re.compile(rf"(?<![\w.:])(?P<value>{_PROTOCOLS})(?![\w.:])")),
    _Phrase((_TRANSACTIONAL,), ("bus_width",), re.compile(rf"(?i:\bbuss?[\s_-]*width\b){_IS}{_NUMBER}")),
    _Phrase(
        _PARAMETERS,
        ("minimum", "maximum"),
        _pattern(r"\b(?:between|from|range(?:s|\s+of|\s+is)?(?:\s+from)?)\s+(?P<minimum>-?\d[\w.]*)\s*"
                 r"(?:and|to+|up\s+to|through|\.\.+|-|–|…)\s*(?P<maximum>-?\d[\w.]*\w|\d)"),
    ),
    _Phrase(_PARAMETERS, ("type",), re.compile(r"\b(?P<value>(?:short|long)?int)\b")),
    _Phrase(_PARAMETERS, ("type",), re.compile(r"\btypes?\s+(?:(?:is|of)\s+)?(?P<value>bit|byte|real|string)\b")),
    _Phrase(_PARAMETERS, ("minimum",), _pattern(rf"\b(?:min(?:imum)?|at\s+least)\b{_IS}(?P<value>-?\d[\w.]*\w|\d)")),
    _Phrase(_PARAMETERS, ("maximum",), _pattern(rf"\b(?:max(?:imum)?|at\s+most)\b{_IS}(?P<value>-?\d[\w.]*\w|\d)")),
)  # fmt: skip
# "Protocol and width as for cfg", "the same protocol": said of all ports that the request makes.
_AS_OTHERS = re.compile(r"\bprotocol\b[^.;:]*\b(?:as|like)\b|\bsame\b[^.;:]*\bprotocol\b", re.IGNORECASE)
_KIND = re.compile(r"\b(tlm_port|tlm_socket|(?:simple|multi)[ _]socket)s?\b", re.IGNORECASE)
_TYPES = "bit|byte|shortint|int|longint|shortreal|real|string"
_SAME_FOLDER = re.compile(
    r"\bsame\s+(?:folder|directory|dir|place)\b|\b(?:beside|next to) (?:it|that)\b", re.IGNORECASE
)
_DIRECTIONS = "input|output|inout"
_TYPED = r"(?:(?:wire|reg|logic|signed|unsigned)\s+)*(?:\[[^\]]*\]\s*)?"
_SIZE = r"[\w'/*+-]+[\s-]*bits?"
_EXPRESSION = re.compile(r"(?<![\w/*+-])([A-Za-z_]\w*\s*[-+*/]\s*\w+|\d+\s*[-+*/]\s*[A-Z]\w*)[\s-]*bits?\b")
_WIDTH = r"(?:\d+|[A-Z]\w*)(?:\s*[-+*/]\s*\w+)?"
# As Verilog declares it: "input [7:0] trim".
_DECLARED = re.compile(
    r"\b(?:input|output|inout)\s+(?:(?:wire|reg|logic|signed|unsigned)\s+)*"
    r"\[\s*(?P<left>\w+)\s*:\s*(?P<right>\w+)\s*\]\s*(?P<name>[A-Za-z_]\w*)"
)
_NET_NAMES = re.compile(
    r"\b(?:name|call)\s+(?:(?:the|this|that|these|those|both|them|new|two)\s+)*(?:nets?|connections?|wires?)\s+"
    r"(?P<names>[A-Za-z_]\w*(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)[A-Za-z_]\w*)*)",
    re.IGNORECASE,
)
_NO_VALUES = frozenset({"for", "on", "in", "and", "the", "is", "of", "with", "should", "as", "both", "all", "each"})


def with_said_attributes(plans: Sequence[Mapping[str, Any]], request: str) -> list[dict[str, Any]]:
    """Return the planned calls, completed with what the request says beside their names."""
    completed = [dict(plan) for plan in plans]
    for phrase in _PHRASES:
        takers = [plan for plan in completed if plan["tool"] in phrase.tools]
        said: dict[tuple[str, ...], list[re.Match[str]]] = {}
        for match in phrase.pattern.finditer(request):
            groups = match.groupdict()
            values = tuple(groups.get(argument) or groups["value"] for argument in phrase.arguments)
            if values[0].casefold() not in _NO_VALUES:
                said.setdefault(values, []).append(match)
        for values, matches in said.items():
            meant_for = _Takers(takers, [str(plan.get("name", "")) for plan in completed if plan not in takers])
            _complete(meant_for, phrase, dict(zip(phrase.arguments, values, strict=True)), matches, request)
    if CASCADE.search(request):
        for plan in completed:
            if plan["tool"] == "delete_element":
                plan["cascade"] = True
    if _AS_OTHERS.search(request):
        _share(completed)
    if _SAME_FOLDER.search(request):
        _share_folder(completed)
    _declare(completed, request)
    completed = _with_named_nets(completed, request)
    for plan in completed:
        plan.update(_as_written(plan, request))
        plan.update(_said_beside_its_name(plan, request))
    return completed


def _as_written(plan: Mapping[str, Any], request: str) -> dict[str, str]:
    """Names and protocols in the letter case that the request has for them."""
    found: dict[str, str] = {}
    for argument in ("name", "instance_name", "protocol"):
        value = str(plan.get(argument, ""))
        if value and plan["tool"].startswith("add_"):
            spellings = set(re.findall(rf"(?<![\w.:]){re.escape(value)}(?![\w:])", request, re.IGNORECASE))
            if len(spellings) == 1:
                found[argument] = spellings.pop()
    return found


def _said_beside_its_name(plan: Mapping[str, Any], request: str) -> dict[str, str]:
    """What a request says right beside a name, whatever the model took for it."""
    name = str(plan.get("name", ""))
    if plan["tool"] == _TRANSACTIONAL:
        return _said_kind(name, request) | _said_initiative(str(plan.get("initiative", "")), request)
    if plan["tool"] in _PARAMETERS:
        return _said_type(name, request)
    if plan["tool"] == _SIGNAL:
        said = _said_direction(name, request) if "direction" in plan else {}
        said |= _whole_width(str(plan.get("width", "")), request)
        return said | ({} if {"width", "left"} & {*plan, *said} else _said_width(name, request))
    return {}


def _declare(plans: Sequence[dict[str, Any]], request: str) -> None:
    """Give ports the bounds that a declaration has before their names, and take them from the others."""
    declared = {match["name"]: (match["left"], match["right"]) for match in _DECLARED.finditer(request)}
    for plan in plans:
        if plan["tool"] == _SIGNAL and declared:
            own = declared.get(str(plan.get("name", "")))
            if own is not None:
                plan.update(left=own[0], right=own[1])
                plan.pop("width", None)
            elif (plan.get("left"), plan.get("right")) in declared.values():
                plan.pop("left")
                plan.pop("right")


def _with_named_nets(plans: Sequence[dict[str, Any]], request: str) -> list[dict[str, Any]]:
    """Name the connections as the request lists it ("name the nets n_a and n_b"); no port has such a name."""
    nets = [plan for plan in plans if plan["tool"] == "add_subcomponent_connection"]
    names = [name for match in _NET_NAMES.finditer(request) for name in re.split(r"\W+(?:and\W+)?", match["names"])]
    if len(names) != len(nets):
        return list(plans)
    for plan, name in zip(nets, names, strict=True):
        plan["name"] = name
    return [plan for plan in plans if plan["tool"] not in (_SIGNAL, _TRANSACTIONAL) or plan.get("name") not in names]


def _share_folder(plans: Sequence[dict[str, Any]]) -> None:
    """Put files without a folder into that of the others."""
    paths = [str(plan["path"]) for plan in plans if plan.get("path")]
    folders = {path.rpartition("/")[0] for path in paths if "/" in path}
    for plan in plans:
        if plan.get("path") and "/" not in str(plan["path"]) and len(folders) == 1:
            plan["path"] = f"{min(folders)}/{plan['path']}"


def _share(plans: Sequence[dict[str, Any]]) -> None:
    """Give the protocol and the width of one new transactional port to those of the same component without any."""
    sockets = [plan for plan in plans if plan["tool"] == _TRANSACTIONAL]
    for argument in ("protocol", "bus_width"):
        values = {plan["component"]: plan[argument] for plan in sockets if plan.get(argument)}
        for plan in sockets:
            if plan["component"] in values:
                plan.setdefault(argument, values[plan["component"]])


def _said_direction(name: str, request: str) -> dict[str, str]:
    """The direction of a port where the request gives it right beside the name: "parity, output", "input clk"."""
    word = rf"[`'\"“]?{re.escape(name)}[`'\"”]?"
    before = rf"\b({_DIRECTIONS})s?\s+{_TYPED}(?:(?:port|signal|pin)s?\s+)?(?:(?:called|named)\s+)?{word}(?!\w|[.:]\w)"
    behind = rf"(?<![\w.:]){word}\s*(?:[,(:–-]\s*|\s(?:is|as)\s+)(?:an?\s+)?(?:{_SIZE}\s+)?({_DIRECTIONS})\b"
    # "Input wire [10:0] cmd, output wire pwm": what stands behind is the next port's.
    listed = rf"{before}(?=\s*,\s*(?:{_DIRECTIONS})\b)"
    said = {match.group(1).casefold() for match in re.finditer(listed, request, re.I)}
    if not said:
        said = {match.group(1).casefold() for text in (before, behind) for match in re.finditer(text, request, re.I)}
    return {"direction": said.pop().removesuffix("put")} if name and len(said) == 1 else {}


def _said_width(name: str, request: str) -> dict[str, str]:
    """The width that a request gives right behind a name, for a plan without any: "be_i of FLIT_W/8 bits"."""
    behind = rf"(?<![\w.:])[`'\"“]?{re.escape(name)}[`'\"”]?\s*(?:[,(\[]|\sof|\swith|\sis)?\s*({_WIDTH})[\s-]*bits?\b"
    said = {"".join(width.split()) for width in re.findall(behind, request)} - {"1"} if name else set()
    return {"width": said.pop()} if len(said) == 1 else {}


def _said_kind(name: str, request: str) -> dict[str, str]:
    """The kind of a transactional port: that right before its name, or the only one that the request has."""
    beside = re.findall(rf"{_KIND.pattern}\s+(?:called\s+|named\s+)?[`'\"“]?{re.escape(name)}(?!\w)", request, re.I)
    said = {match.casefold().replace(" ", "_") for match in beside or _KIND.findall(request)}
    return {"kind": said.pop()} if len(said) == 1 else {}


def _said_type(name: str, request: str) -> dict[str, str]:
    """The type of a parameter where the request gives it right behind the name: "CLK_HZ, longint, 50000000"."""
    behind = rf"(?<![\w.:])[`'\"“]?{re.escape(name)}[`'\"”]?\s*[,(:–-]\s*(?:an?\s+)?({_TYPES})\b"
    said = set(re.findall(behind, request)) if name else set()
    return {"type": said.pop()} if len(said) == 1 else {}


def _said_initiative(planned: str, request: str) -> dict[str, str]:
    """The one initiative that the request names, where the model took ``both`` and nobody said that."""
    said = {word for word in ("requires", "provides") if re.search(rf"\b{word}\b", request, re.IGNORECASE)}
    is_unsaid = planned == "both" and re.search(r"\bboth\b", request, re.IGNORECASE) is None
    return {"initiative": said.pop()} if is_unsaid and len(said) == 1 else {}


def _whole_width(width: str, request: str) -> dict[str, str]:
    """The width as an expression ("DW/8 bits") where the request says it so and the plan has one operand of it."""
    expressions = {"".join(text.split()) for text in _EXPRESSION.findall(request)}
    if len(expressions) != 1:
        return {}
    expression = expressions.pop()
    is_said_alone = re.search(
        rf"\b{re.escape(width)}[\s-]*(?:bits?|wide)\b", _EXPRESSION.sub(" ", request), re.IGNORECASE
    )
    is_operand = width in re.findall(r"\w+", expression)
    return {"width": expression} if is_operand and not is_said_alone else {}


@dataclass(frozen=True, slots=True)
class _Takers:
    """The calls that may have an attribute, and the names of those that may not."""

    plans: Sequence[dict[str, Any]]
    others: Sequence[str]


def _complete(
    takers: _Takers,
    phrase: _Phrase,
    said: Mapping[str, str],
    matches: Sequence[re.Match[str]],
    request: str,
) -> None:
    """Give a value that stands in a request, perhaps several times, to the calls it is meant for."""
    having = [plan for plan in takers.plans if all(str(plan.get(name)) == value for name, value in said.items())]
    for match in matches:
        meant = _meant(takers, request, match)
        if len(meant) == 1 and len(having) >= len(matches):
            continue  # the model has given it to another call, which may know better
        for plan in meant:
            if not any(plan.get(argument) for argument in said):
                plan.update(said)
                for rival in phrase.rivals:
                    plan.pop(rival, None)


def _meant(takers: _Takers, request: str, match: re.Match[str]) -> Sequence[dict[str, Any]]:
    """The calls that a phrase is about: all where it says so, else that of the name that stands before it."""
    before = request[: match.start()]
    places = [(_place(str(plan.get("name", "")), before), plan) for plan in takers.plans]
    place, nearest = max(places, key=lambda entry: entry[0], default=(-1, {}))
    clause = _SENTENCE.split(before[max(place, 0) :])[-1]
    if _FOR_ALL.match(request, match.end()) or _ALL.search(clause):
        return takers.plans
    if place < 0:
        is_of_another = any(_place(name, before) >= 0 for name in takers.others)
        return takers.plans if len(takers.plans) == 1 and not is_of_another else ()
    named = [plan for at, plan in sorted(places, key=lambda entry: entry[0]) if at >= 0]
    return _listed_with(named, before) if nearest["tool"] == _TRANSACTIONAL else [nearest]


def _listed_with(named: Sequence[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    """The last of some calls in the order of their names, and those listed with it: "s2 (provides) and m2"."""
    *others, last = named
    found = [last]
    for plan in reversed(others):
        start = _place(str(plan["name"]), text) + len(str(plan["name"]))
        if not _LISTED.fullmatch(text[start : _place(str(found[-1]["name"]), text)]):
            break
        found.append(plan)
    return found


def _place(name: str, text: str) -> int:
    found = list(re.finditer(rf"(?<![\w.:]){re.escape(name)}(?![\w:])", text)) if name else []
    return found[-1].start() if found else -1
