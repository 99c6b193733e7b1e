"""Finds in planned calls what nothing explains: not the request, not the conversation, not the design."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from agent.assisted.asked_for import is_flagged
from agent.assisted.correction import Made, find_component
from agent.assisted.evidence import may_delete, may_delete_a_whole, speaks_of_a_series
from agent.assisted.mentions import Mentions, name_in
from agent.assisted.order import FILLS, vlnv_made
from agent.assisted.purposes import words_for
from agent.assisted.state import is_near, names_of
from agent.models.base import ToolCall
from model.library import Library

# What a request speaks in: none of these is the name of a new element unless the request says so.
_TERMS = frozenset(
    {"protocol", "width", "bus_width", "default", "value", "type", "direction", "initiative", "kind", "port", "pin",
     "parameter", "input", "output", "signal", "instance", "connection", "component", "minimum", "maximum", "bits"}
)  # fmt: skip
_LEAVE = r"\b(?:leave|leaving|keep|keeping|stays?|remains?)\b"
_CLAUSE = r"(?:[^.;:]|\.(?=\w))*?"
_ALL = re.compile(r"\b(?:all|every|each|any|others?|rest|remaining|everything|everywhere)\b", re.IGNORECASE)
_POINTS = re.compile(r"\b(?:latter|former|likewise|same|again|before|previous|earlier)\b", re.IGNORECASE)
_OPEN = r"\b(?:open|unconnected|floating|unwired|dangling|unused)\b"
CASCADE = re.compile(r"\bcascad", re.IGNORECASE)
# "Take that instance out again" deletes no component.
PART = re.compile(
    r"\b(?:instances?|ports?|pins?|parameters?|connections?|wires?|nets?|inputs?|outputs?|sockets?)\b", re.I
)
_WHOLE = re.compile(
    r"\b(?:components?|blocks?|modules?|cores?|cells?|ips?|designs?|wrappers?|versions?|variants?)\b", re.I
)
_THE_ONE = re.compile(
    r"\b(?:the|that|this)\s+(?:\w+\s+)?(?:instance|port|pin|input|output|parameter|connection|wire|net|one)\b|\bit\b",
    re.I,
)
_SEVERAL = re.compile(
    r"\b(?:all|both|each|every|them|those|these|any|whatever|everything|others?|rest|"
    r"(?:instance|port|pin|input|output|parameter|connection|wire|net|one)s)\b",
    re.I,
)
_PLACE = (
    r"\b(?:in|from|inside|on|into|within|at)\s+(?:(?:the|our|my)\s+(?:[a-z-]+\s+){0,3}?)?(?:component\s+|block\s+)?"
)
_END = ("instance", "port")
_DIGITS = re.compile(r"\d+")


def inventions(call: ToolCall, library: Library, request: str, known: str, made: Made) -> Iterable[str]:
    """Names of new things, and values, that neither the request nor the conversation nor the design explains.

    Args:
        known: the request in lower case, with what it points at in the conversation and the design.
    """
    checked = {
        "create_component": ("vendor", "library", "name", "version"),
        "add_signal_port": ("name",),
        "add_transactional_port": ("name",),
        "add_user_parameter": ("name", "value"),
        "add_generator_parameter": ("name", "value"),
        "add_subcomponent": ("instance_name",),
        "load_component": ("path",),
    }.get(call.name, ())
    component = find_component(library, str(call.arguments.get("component", "")))
    vlnv_fields = {field.casefold() for known_component in library for field in str(known_component.vlnv).split(":")}
    for name in checked:
        value = str(call.arguments[name])
        if name == "name" and _is_an_end(value, library, made):
            yield f"name '{value}'"  # the model's way to speak of a port inside; no name of a new one
            continue
        if name == "name" and _is_a_term(value) and not re.search(_as_name(value), known):
            yield f"name '{value}'"
            continue
        if name.endswith("name") and value.casefold() not in known and _is_beside_those_named(value, request):
            yield f"{name.replace('_', ' ')} '{value}'"
            continue
        if _is_explained(value, known) or (call.name == "create_component" and value.casefold() in vlnv_fields):
            continue
        if component is not None and any(_same_stem(value, other) for other in names_of(component)):
            continue
        yield f"{name.replace('_', ' ')} '{value}'"


def invented_ends(call: ToolCall, library: Library, request: str, known: str, made: Made) -> Iterable[str]:
    """Ends of a connection that nothing explains.

    These are ports of the enclosing component that are neither there nor spoken of, and instances beside those that the
    request names one by one.
    """
    if call.name != "add_subcomponent_connection":
        return
    parent = find_component(library, str(call.arguments.get("component", "")))
    there = {*made.ports, *(parent.ports if parent is not None else ())}
    for side in ("source", "target"):
        instance = str(call.arguments.get(f"{side}_instance", ""))
        if instance.casefold() not in known and _is_beside_those_named(instance, request):
            yield f"instance '{instance}'"
        port = str(call.arguments.get(f"{side}_port", ""))
        spoken_of = _is_explained(port, known) and port not in made.instances
        if not call.arguments.get(f"{side}_instance") and port not in there and not spoken_of:
            yield f"port '{port}'"


def ends_left_open(call: ToolCall, request: str) -> Iterable[str]:
    """Ports that a connection joins although the request wants them left open."""
    if call.name != "add_subcomponent_connection":
        return
    for side in ("source", "target"):
        port = str(call.arguments.get(f"{side}_port", ""))
        words = "|".join([re.escape(port), *(rf"{word}\w*" for word in words_for(port))])
        if port and re.search(rf"{_LEAVE}{_CLAUSE}\b(?:{words})\b{_CLAUSE}{_OPEN}", request, re.IGNORECASE):
            yield f"connection of '{port}'"


def is_read(call: ToolCall) -> bool:
    """Whether a call changes nothing."""
    return call.name in {"get_component_details", "get_element", "list_components"}


def edits_elsewhere(
    calls: Sequence[ToolCall], library: Library, mentions: Mentions, about: Collection[str]
) -> list[ToolCall]:
    """Edits of components that neither the request nor the conversation nor what is in view speaks of.

    Where all edits are such, the request may describe a component in words of its own; unless it points at what was
    spoken of before.
    """
    if not about or _ALL.search(mentions.text):
        return []
    made = {vlnv_made(call) for call in calls if call.name == "create_component"}
    edits = [call for call in calls if not is_read(call) and find_component(library, _component(call)) is not None]
    spoken_of = {*about, *made, *mentions.vlnvs}
    others = [call for call in edits if _is_of_another_version(call, mentions)]
    if others and len(others) < len(edits):
        return others
    strays = [call for call in edits if _component(call) not in spoken_of and not _is_named(call, mentions)]
    return strays if len(strays) < len(edits) or _POINTS.search(mentions.text) else []


def _is_of_another_version(call: ToolCall, mentions: Mentions) -> bool:
    """Whether a request writes out a component, and a call is about another version of it that it does not name."""
    vlnv = _component(call)
    name, _colon, version = vlnv.rpartition(":")
    siblings = [text for text in mentions.vlnvs if text.rpartition(":")[0] == name]
    is_said = vlnv in mentions.vlnvs or (version in mentions.words and call.name != "delete_component")
    return bool(siblings) and not is_said


def _is_named(call: ToolCall, mentions: Mentions) -> bool:
    return is_near(_component(call).split(":")[2], mentions)


def _component(call: ToolCall) -> str:
    return str(call.arguments.get("component", ""))


def reads_of_others(calls: Sequence[ToolCall], mentions: Mentions) -> list[ToolCall]:
    """Reads of components that the request does not name, beside one of a component that it does name."""
    reads = [call for call in calls if call.name == "get_component_details"]
    named = [call for call in reads if mentions.has(_component(call).rpartition(":")[0].rpartition(":")[2])]
    return [] if mentions.ask_by_pattern or not named else [call for call in reads if call not in named]


def wholes_may_go(mentions: Mentions, library: Library) -> bool:
    """Whether a request may mean that a whole component is to be deleted, and not a part of one."""
    if not may_delete_a_whole(mentions.text):
        return False
    speaks_of_parts = PART.search(mentions.text) and not _WHOLE.search(mentions.text)
    return not speaks_of_parts or any(_says(str(component.vlnv), mentions) for component in library)


def deletes_unasked(calls: Sequence[ToolCall], mentions: Mentions, library: Library) -> list[ToolCall]:
    """Deletes for which the request has no word.

    These are wholes where it speaks of parts, or in which it only says that something is, instances of a component that
    is deleted beside them, which the tool would refuse then, and wires in a cascade.
    """
    if not may_delete(mentions.text):
        return [call for call in calls if call.name.startswith("delete_")]
    filled = {_component(call) for call in calls if call.name in FILLS}  # such deletes are those of a part
    wholes = [call for call in calls if call.name == "delete_component" and _component(call) not in filled]
    if wholes and not may_delete_a_whole(mentions.text):
        return wholes
    used = {str(value) for call in calls for value in call.arguments.values()}
    free = [text for text in mentions.vlnvs if text not in used and find_component(library, text) is not None]
    if not free and (places := [call for call in wholes if is_a_place(_component(call), mentions)]):
        return places
    if instances := _instances_of_what_is_deleted(calls, mentions, library):
        return instances
    if PART.search(mentions.text) and not _WHOLE.search(mentions.text):
        whole = [call for call in calls if call.name == "delete_component" and not _says(_component(call), mentions)]
        if whole:
            return whole
    if not CASCADE.search(mentions.text):
        return []
    deletes = [
        call for call in calls if call.name == "delete_element" and not mentions.has(str(call.arguments["name"]))
    ]
    wires = [call for call in deletes if call.arguments["element_type"] == "connection"]
    return wires if any(call.name == "delete_element" and call not in wires for call in calls) else []


def _instances_of_what_is_deleted(calls: Sequence[ToolCall], mentions: Mentions, library: Library) -> list[ToolCall]:
    """Deletes of instances that the request does not speak of, beside that of their component."""
    deleted = {_component(call) for call in calls if call.name == "delete_component"}
    if not deleted or is_flagged("force", mentions.text):
        return []

    def is_one(call: ToolCall) -> bool:
        parent = find_component(library, _component(call)) if call.name == "delete_element" else None
        instance = parent.design.instances.get(str(call.arguments["name"])) if parent is not None else None
        return instance is not None and str(instance.component) in deleted and not mentions.has(instance.name)

    return [call for call in calls if is_one(call)]


def deletes_of_others(calls: Sequence[ToolCall], mentions: Mentions, conversation: str) -> list[ToolCall]:
    """Deletes beside that of the one element that a request means without naming it: the one spoken of last.

    "Take the instance out again": a small model takes all of them out.
    """
    deletes = [call for call in calls if call.name == "delete_element"]
    if len(deletes) < 2 or not _THE_ONE.search(mentions.text) or _SEVERAL.search(mentions.text):
        return []
    if any(mentions.has(str(call.arguments["name"])) for call in deletes):
        return []
    places = {call.arguments["name"]: conversation.rfind(f'"{call.arguments["name"]}"') for call in deletes}
    latest = max(places, key=lambda name: places[name])
    return [call for call in deletes if call.arguments["name"] != latest] if places[latest] >= 0 else []


def is_a_place(vlnv: str, mentions: Mentions) -> bool:
    """Whether a request names a component only to say where something is: "still wired up in pmu_top"."""
    name = name_in(vlnv)
    said = rf"(?<![\w.:])(?:{re.escape(vlnv)}|{re.escape(name)})(?![\w:])"
    text = mentions.text
    return len(re.findall(said, text)) == len(re.findall(rf"{_PLACE}{said}", text)) > 0


def _says(vlnv: str, mentions: Mentions) -> bool:
    return vlnv in mentions.vlnvs or mentions.has(name_in(vlnv))


def connections_elsewhere(calls: Sequence[ToolCall], library: Library) -> list[ToolCall]:
    """Connections of instances that their component does not hold, where the plan makes them in one that does."""
    held: dict[str, set[str]] = {}
    for call in calls:
        if call.name == "add_subcomponent":
            held.setdefault(str(call.arguments["component"]), set()).add(str(call.arguments["instance_name"]))
    right: set[tuple[str, ...]] = set()
    wrong: list[tuple[tuple[str, ...], ToolCall]] = []
    for call in calls:
        if call.name != "add_subcomponent_connection":
            continue
        name = str(call.arguments["component"])
        parent = find_component(library, name)
        there = held.get(name, set()) | set(parent.design.instances if parent is not None else ())
        ends = [str(call.arguments.get(f"{side}_{part}", "")) for side in ("source", "target") for part in _END]
        instances = {instance for instance in (ends[0], ends[2]) if instance}
        if instances <= there:
            right.add(tuple(ends))
        else:
            wrong.append((tuple(ends), call))
    return [call for ends, call in wrong if ends in right]


def _is_an_end(name: str, library: Library, made: Made) -> bool:
    """Whether a name is that of a port of an instance, ``instance.port``."""
    instance, dot, _port = name.partition(".")
    return bool(dot) and (
        instance in made.instances or any(instance in component.design.instances for component in library)
    )


def _is_a_term(name: str) -> bool:
    """Whether a name is a term as sentences have it; ``WIDTH`` is a usual name of a parameter."""
    return name in _TERMS or (name.istitle() and name.casefold() in _TERMS)


def _as_name(term: str) -> str:
    """How a request says that a term is a name: in quotes, or called so."""
    return rf"[`'\"“]{term}[`'\"”]|\b(?:call|name)(?:d|s)?\s+(?:it\s+)?{term}\b"


def _is_explained(value: str, known: str) -> bool:
    """Whether the value, or the same name with other digits (``data3`` in "data0 to data7"), is known."""
    text = value.casefold()
    if text in known:
        return True
    stem = _DIGITS.sub("", text).strip("_")
    return stem != text.strip("_") and len(stem) > 1 and stem in known


def _is_beside_those_named(value: str, request: str) -> bool:
    """Whether a name differs from those that a request names one by one ("s2 and m2") in its number only.

    Where it speaks of a series ("s0 to s7", "each", "four more") the model may count on.
    """
    named = re.sub(r"\d+", r"\\d+", re.escape(value))
    if named == value or speaks_of_a_series(request):
        return False
    return re.search(rf"\b{named}\b", request, re.IGNORECASE) is not None


def _same_stem(value: str, other: str) -> bool:
    return _DIGITS.sub("", value.casefold()) == _DIGITS.sub("", other.casefold())
