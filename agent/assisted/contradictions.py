"""What a request rules out in its own words, and what no design tool does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.assisted.evidence import asks_for
from agent.assisted.mentions import VLNV, Mentions, name_in
from agent.assisted.number_words import with_numbers_as_digits
from agent.assisted.order import vlnv_made
from agent.models.base import ToolCall

_NOT = (
    r"(?:\bno\b|\bnot\b|\bnever\b|\bwithout\b|n['’]t\b|\bcannot\b|\brather than\b|\binstead of\b|\bexcept\b|"
    r"\bneither\b|\bnor\b)"
)
_BETWEEN = r"(?:\s+(?:an?|any|the|be|use|have|want|accept|take|need|like|make|it|as))*\s+"
_MAKE_NONE = re.compile(
    _NOT + r"\s+(?:please\s+|just\s+)?(?:create|make|invent|introduce)\s+(?:an?y?\s+|the\s+)?"
    r"(?:(?:new|empty|dummy)\s+)?(?:placeholder|component|block|stub|dummy|one|it)\b",
    re.IGNORECASE,
)
# "Do not delete and re-create it": no tool changes it in place.
_NOT_ANEW = re.compile(
    _NOT + r"(?:\s+(?:to|just|simply|please|want|you|be|by|have|it))*\s+(?:delet|remov)\w*\s+(?:it\s+)?"
    r"(?:and|or|then)\s+(?:re-?[a-z]+|ma[dk]e|add)\w*",
    re.IGNORECASE,
)
_INSTANCES_STAY = re.compile(
    r"\b(?:instances?|uses?|users)\b[^.;,]{0,40}\b(?:stays?|remains?|kept|untouched|survives?)\b|"
    r"\b(?:keep|leave|leaving|keeping)\b[^.;,]{0,30}\binstances?\b",
    re.IGNORECASE,
)
_DENIED = _NOT + r"[^.;!?]{0,70}"
# Work of other tools of the trade, and of none.
_OUT_OF_SCOPE = re.compile(
    r"\b(synthesi[sz]e\w*|simulat\w*|test ?bench\w*|constrained-random|lint\w*|compile\w*|elaborate|place and route|"
    r"lay(ing)? out|layout|floor ?plan\w*|gds(ii)?|tape ?out|bitstream|timing (closure|analysis|report)|closes? timing|"
    r"power (estimate|analysis|report)|waveforms?|formal(ly)? (verif\w*|prove)|e?-?mail(s|ed|ing)?|send|print|undo|"
    r"revert|rename\w*|git|commit|deploy|weather|lunch|book|news)\b",
    re.IGNORECASE,
)
_FILE_WORDS = re.compile(r"\b(sav(e|ing)|store|load|export|import|open|read)\b|\.xml\b", re.IGNORECASE)
FILE_TOOLS = frozenset({"save_component", "load_component"})
_BITS = re.compile(r"(?<![\w.])(\d+)[\s-]*bits?\b", re.IGNORECASE)
_SCALAR = re.compile(r"\b(?:exactly|scalar|only|just)\b", re.IGNORECASE)
_RANGE = re.compile(r"\[\s*(\d+)\s*:\s*(\d+)\s*\]")
_CHOICES = ("direction", "initiative", "type")
_POINTS = re.compile(r"\b(it|that|this|these|those|them|both|all|one|ones|first|last|latter|former)\b", re.IGNORECASE)


def out_of_scope(request: str) -> str:
    """The word by which a request asks for what no design tool does; "" where there is none."""
    found = _OUT_OF_SCOPE.search(VLNV.sub(" ", request))
    return found.group() if found else ""


def is_work_of_others(request: str, calls: Sequence[ToolCall]) -> bool:
    """Whether a request wants the work of another tool, and has no word for what the calls do instead.

    "Generate a testbench and mail me the coverage" sounds like generator parameters to a small model.
    """
    if not out_of_scope(request):
        return False
    if all(call.name in FILE_TOOLS for call in calls):
        return _FILE_WORDS.search(request) is None
    return not any(asks_for(call.name, request) for call in calls)


def _two_widths(request: str, calls: Sequence[ToolCall]) -> list[str]:
    """Say that a request gives its one port two widths: "8 bits wide, range [15:0]"."""
    ports = [call for call in calls if call.name == "add_signal_port"]
    sizes = {int(size) for size in _BITS.findall(with_numbers_as_digits(request))}
    ranges = _RANGE.findall(request)
    is_replaced = any(call.name == "delete_element" for call in calls)  # "went in as 16 bit, make it [19:0]"
    if is_replaced or len(ports) != 1 or len(sizes) != 1 or len(ranges) != 1:
        return []
    left, right = map(int, ranges[0])
    size = sizes.pop()
    width = abs(left - right) + 1
    is_part = size == 1 and not _SCALAR.search(request)  # "[7:0], one bit for each lane"
    return [] if size == width or is_part else [f"[{left}:{right}] is {width} bits wide, not {size}."]


def _made_twice(calls: Sequence[ToolCall]) -> list[str]:
    """Say that a request wants one port in two widths: "12 bits wide, and exactly 8"."""
    widths: dict[tuple[str, str], set[str]] = {}
    for call in calls:
        if call.name == "add_signal_port" and "width" in call.arguments:
            place = str(call.arguments["component"]), str(call.arguments["name"])
            widths.setdefault(place, set()).add(str(call.arguments["width"]))
    return [
        f"{name} cannot be {' and '.join(sorted(sizes))} bits wide at once."
        for (_component, name), sizes in widths.items()
        if len(sizes) > 1
    ]


def ruled_out(mentions: Mentions, calls: Sequence[ToolCall]) -> list[str]:
    """Say, a sentence each, what the calls do against the words of the request."""
    found = [*_two_widths(mentions.text, calls), *_made_twice(calls)]
    if _NOT_ANEW.search(mentions.text) and any(call.name.startswith("delete_") for call in calls):
        found.append("The request rules out deleting and making anew, and no tool changes that in place.")
    if _INSTANCES_STAY.search(mentions.text) and any(call.name == "delete_component" for call in calls):
        found.append("The request wants the instances kept, and a component is deleted only with its instances.")
    for call in calls:
        for argument in _CHOICES:
            value = str(call.arguments.get(argument, ""))
            if value and _only_negated(value, mentions.text):
                found.append(f"The request rules {argument} {value} out.")
        if call.name == "create_component":
            vlnv = vlnv_made(call)
            denied = re.search(_DENIED + re.escape(vlnv), mentions.text, re.IGNORECASE)
            is_refused = _MAKE_NONE.search(mentions.text) is not None
            if is_refused or (denied and not asks_for("create_component", mentions.text)):
                found.append(f"{vlnv} does not exist, and the request does not ask for making it.")
        elif call.name == "delete_component" and not _means(mentions, str(call.arguments.get("component", ""))):
            found.append(f"The request does not name {call.arguments.get('component', '')}.")
    return list(dict.fromkeys(found))


def _only_negated(value: str, text: str) -> bool:
    mentioned = len(re.findall(rf"\b{re.escape(value)}\b", text, re.IGNORECASE))
    negated = len(re.findall(_NOT + _BETWEEN + rf"{re.escape(value)}\b", text, re.IGNORECASE))
    return mentioned > 0 and mentioned == negated


def _means(mentions: Mentions, vlnv: str) -> bool:
    """Whether a request can mean a component: it says a part of its name, or points at something."""
    if vlnv in mentions.vlnvs or _POINTS.search(mentions.text):
        return True
    name = name_in(vlnv).casefold()
    words = [word.casefold() for word in mentions.words if len(word) > 2]
    return any(word in name or name in word for word in words)
