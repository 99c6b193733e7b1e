"""Holds what a model planned against what was asked: nothing invented, nothing misspelled.

None of this knows a particular request's wording: a value counts as asked for when its own text, or one of the few
words that name its role, stands in the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.assisted.evidence import asks_for, with_numbers_as_digits
from agent.assisted.mentions import VLNV, Mentions
from agent.assisted.notation import contract_call
from agent.assisted.spelling import closest
from agent.assisted.state import names_of
from agent.models.base import ToolCall, ToolSpec
from model.difference import elements_of
from model.errors import DesignError
from model.library import Library
from model.vlnv import Vlnv

# Words that ask for what an optional flag does.
_FLAG_WORDS = {
    "cascade": r"cascad|connect|wire|uses|users|using|depend|everything|along|too\b|even if|anyway|forc",
    "force": r"forc|instan|everywhere|even if|anyway|regardless|everything|uses|used",
    "overwrite": r"overwrit|replac|over the|even if|anyway|forc|again|reload",
}
# Words that justify a value which the request gives in other terms.
_TYPE_WORDS = {
    "bit": r"(?<!\d)(?<!\d[ -])\bbit\b|bool|flag",
    "byte": r"\bbyte\b",
    "shortint": r"shortint|short int",
    "int": r"\bint\b|integer",
    "longint": r"longint|long int",
    "shortreal": r"shortreal|short real",
    "real": r"\breal\b|float|double",
    "string": r"string|text",
}
_BOUNDS = re.compile(r"\b(min|max|between|from|range|limit|least|most|up to|down to|bound)|\d\s*(to|\.\.+|[-–…:])\s*\d")
# What a request speaks in: none of these is the name of a new element unless the request says so.
_TERMS = frozenset(
    {"protocol", "width", "bus_width", "default", "value", "type", "direction", "initiative", "kind", "port", "pin",
     "parameter", "input", "output", "signal", "instance", "connection", "component", "minimum", "maximum", "bits"}
)  # fmt: skip
_END = ("instance", "port")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Grounded:
    """A plan after it was held against the request.

    Attributes:
        calls: with the tools' own arguments.
        corrections: what was changed, for the user ("'perihp' was read as 'periph'").
        left_out: values of calls that were dropped, since nothing in the request, the design or the conversation
            explains them.
        invented: such values where no call is free of them; the calls are then all there.
    """

    calls: tuple[ToolCall, ...]
    corrections: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()


def as_planned(planned: Sequence[Mapping[str, Any]]) -> Grounded:
    """Turn a planned answer into calls without holding it against anything."""
    return Grounded(tuple(contract_call(plan) for plan in planned))


def ground(
    planned: Sequence[Mapping[str, Any]],
    tools: Sequence[ToolSpec],
    library: Library,
    request: str,
    conversation: str = "",
    design: str = "",
) -> Grounded:
    """Turn a planned answer into calls that hold only what was asked for.

    Optional arguments that the request does not ask for are dropped; names that almost match an existing one are
    corrected; element types are set to what the named element is.

    Args:
        conversation: earlier requests and answers, whose names count as known.
        design: a summary of the design; where the request asks for "the same", what stands there and in the
            conversation counts as asked for.
    """
    specs = {tool.name: tool for tool in tools}
    mentions = Mentions.of(request)
    asked = with_numbers_as_digits(request)
    by_pattern = mentions.ask_by_pattern
    spoken = f"{asked}\n{conversation}\n{design if by_pattern else ''}".casefold()
    calls: list[ToolCall] = []
    unexplained: list[tuple[str, ...]] = []
    corrections: list[str] = []
    made = _Made()
    for plan in planned:
        spec = specs[plan["tool"]]
        arguments = dict(contract_call(plan).arguments)
        arguments = _with_parameter_for_its_value(arguments, _parameters(arguments, library, made), mentions)
        arguments = _with_the_named_type(arguments, asked)
        arguments = _without_unasked(spec, arguments, asked, spoken if by_pattern else "")
        call = _with_corrected_names(ToolCall(spec.name, arguments), library, mentions, made, corrections)
        call = ToolCall(call.name, _with_true_element_type(dict(call.arguments), library))
        call = _read_whole_when_nothing_is_named(call, mentions)
        made.add(call)
        if call not in calls:
            calls.append(call)
            # A new name from the conversation is one that the request asks for; the model likes to carry on.
            known = spoken if by_pattern or asks_for(call.name, request) else asked.casefold()
            unexplained.append((*_inventions(call, library, known), *_invented_ends(call, library, known, made)))
    for call in _elsewhere(calls, library):
        unexplained[calls.index(call)] = (f"connection in {call.arguments['component']}",)
    explained = tuple(call for call, values in zip(calls, unexplained, strict=True) if not values)
    invented = tuple(dict.fromkeys(value for values in unexplained for value in values))
    told = tuple(dict.fromkeys(corrections))
    if explained:
        return Grounded(explained, told, left_out=invented)
    return Grounded(tuple(calls), told, invented=invented)


def _with_the_named_type(arguments: dict[str, Any], request: str) -> dict[str, Any]:
    """Where the request names one type and the model took another, take the one that is named."""
    if "type" in arguments:
        named = [kind for kind, words in _TYPE_WORDS.items() if re.search(words, request.casefold())]
        if len(named) == 1:
            arguments["type"] = named[0]
    return arguments


def _with_parameter_for_its_value(
    arguments: dict[str, Any], parameters: Mapping[str, str], mentions: Mentions
) -> dict[str, Any]:
    """Where the request names a parameter and the model put in its present value, put the name back.

    A width that should follow a parameter is otherwise frozen at what the parameter happens to be now.

    Args:
        parameters: of the component and those that the calls so far would make, with their values.
    """
    for argument in ("width", "left", "right", "bus_width"):
        value = str(arguments.get(argument, ""))
        for name, present in parameters.items():
            named = value != "" and value == present and mentions.has(name)
            if named and (not mentions.has(value) or _is_a_width(name, value, mentions.text)):
                arguments[argument] = name
    return arguments


def _is_a_width(name: str, value: str, request: str) -> bool:
    """Whether a request gives a parameter as a width ("WIDTH bits", "as wide as WIDTH") and never its value."""
    word = rf"\b{re.escape(name)}\b"
    said = rf"{word}[\s-]*(bits?\b|wide\b)|\b(wide|widths?)\b[^.,;\n]*{word}|\[\s*{word}"
    return re.search(said, request) is not None and not re.search(rf"\b{value}[\s-]*bits?\b", request, re.IGNORECASE)


def _without_unasked(spec: ToolSpec, arguments: Mapping[str, Any], request: str, pattern: str) -> dict[str, Any]:
    """Drop optional arguments for which neither the request nor the pattern that it points at has the value."""
    required = set(spec.parameters.get("required", ()))
    properties = spec.parameters["properties"]
    kept = {
        name: value
        for name, value in arguments.items()
        if name in required
        or name in {"source_instance", "target_instance"}
        or _is_asked_for(name, value, properties[name], request)
        or (name not in _FLAG_WORDS and _is_in_pattern(name, value, pattern))
    }
    if "left" in kept and "right" in kept:
        kept.pop("width", None)
    elif "left" in kept or "right" in kept:
        kept.pop("left", None)
        kept.pop("right", None)
    return {name: value for name, value in kept.items() if value != ""}


def _is_asked_for(name: str, value: Any, declared: Mapping[str, Any], request: str) -> bool:
    text = request.casefold()
    if name in _FLAG_WORDS:
        return value is True and re.search(_FLAG_WORDS[name], text) is not None
    if name == "type":
        return re.search(_TYPE_WORDS[value], text) is not None
    if name in {"minimum", "maximum"} and not _BOUNDS.search(text):
        return False
    if "enum" in declared:
        words = str(value).replace("_", "[ _-]?")
        return value != declared.get("default") and re.search(words, text) is not None
    if value == declared.get("default"):
        return False
    return _stands_in(str(value), text)


def _is_in_pattern(name: str, value: Any, pattern: str) -> bool:
    """Whether what the request points at has this value: for this argument, or as the width of something."""
    if f'"{name}": "{value}"'.casefold() in pattern:
        return True
    return name in {"width", "bus_width"} and value != "1" and _stands_in(str(value), pattern)


def _stands_in(value: str, text: str) -> bool:
    """Whether a value's own text is a word or phrase of ``text``, white space aside and VLNVs left out."""
    wanted = r"\s*".join(re.escape(letter) for letter in "".join(value.casefold().split()))
    return re.search(rf"(?<!\w)(?<!\w\.){wanted}(?!\w)(?!\.\w)", VLNV.sub(" ", text)) is not None


def _with_corrected_names(
    call: ToolCall, library: Library, mentions: Mentions, made: _Made, corrections: list[str]
) -> ToolCall:
    """Correct the spelling of what the call refers to: components, then what is inside them."""
    arguments = dict(call.arguments)

    def correct(argument: str, candidates: Iterable[str]) -> None:
        text, names = str(arguments.get(argument, "")), list(candidates)
        if text and text not in names and (meant := closest(text, names)) is not None:
            arguments[argument] = meant
            corrections.append(f"'{text}' was read as '{meant}'.")

    components = [*(str(component.vlnv) for component in library), *made.components]
    for argument in ("component", "subcomponent"):
        correct(argument, components)
        if (namesake := _only_namesake(str(arguments.get(argument, "")), components, mentions)) is not None:
            arguments[argument] = namesake
    parent = _find(library, str(arguments.get("component", "")))
    if parent is not None and call.name == "add_subcomponent_connection":
        inside = {name: instance.component for name, instance in parent.design.instances.items()}
        for side in ("source", "target"):
            correct(f"{side}_instance", [*inside, *made.instances])
            instance = str(arguments.get(f"{side}_instance", ""))
            owner = library.find(inside[instance]) if instance in inside else None if instance else parent
            if owner is not None:
                correct(f"{side}_port", [*owner.ports, *made.ports])
    elif parent is not None and "element_type" in arguments:
        correct("name", [*names_of(parent), *made.ports, *made.instances])
    return ToolCall(call.name, arguments)


def _only_namesake(text: str, components: Sequence[str], mentions: Mentions) -> str | None:
    """The one component of the same name, where the model made the rest of an unknown VLNV up."""
    if text in components or text in mentions.vlnvs or text.count(":") != 3:
        return None
    namesakes = [component for component in components if component.split(":")[2] == text.split(":")[2]]
    return namesakes[0] if len(namesakes) == 1 else None


@dataclass
class _Made:
    """Names that the calls so far would make."""

    components: set[str] = field(default_factory=set)
    instances: set[str] = field(default_factory=set)
    ports: set[str] = field(default_factory=set)
    parameters: dict[str, str] = field(default_factory=dict)

    def add(self, call: ToolCall) -> None:
        if call.name == "create_component":
            self.components.add(
                ":".join(str(call.arguments[part]) for part in ("vendor", "library", "name", "version"))
            )
        elif call.name == "add_subcomponent":
            self.instances.add(str(call.arguments["instance_name"]))
        elif call.name in {"add_user_parameter", "add_generator_parameter"}:
            self.parameters[str(call.arguments["name"])] = str(call.arguments["value"])
        elif call.name.startswith("add_") and "name" in call.arguments:
            self.ports.add(str(call.arguments["name"]))


def _parameters(arguments: Mapping[str, Any], library: Library, made: _Made) -> dict[str, str]:
    component = _find(library, str(arguments.get("component", "")))
    there = {} if component is None else {name: parameter.value for name, parameter in component.parameters.items()}
    return there | made.parameters


def _find(library: Library, text: str) -> Any:
    try:
        return library.find(Vlnv.parse(text))
    except DesignError:
        return None


def _with_true_element_type(arguments: dict[str, Any], library: Library) -> dict[str, Any]:
    if "element_type" not in arguments:
        return arguments
    component = _find(library, arguments["component"])
    if component is None:
        return arguments
    name = arguments["name"]
    kinds = [element.kind for element, _value in elements_of(component) if element.name == name and not element.view]
    if kinds and arguments["element_type"] not in kinds:
        arguments["element_type"] = kinds[0]
    return arguments


def _read_whole_when_nothing_is_named(call: ToolCall, mentions: Mentions) -> ToolCall:
    if call.name == "get_element" and not mentions.has(str(call.arguments["name"])):
        return ToolCall("get_component_details", {"component": call.arguments["component"]})
    return call


def _inventions(call: ToolCall, library: Library, known: str) -> Iterable[str]:
    """Names of new things, and values, that neither the request nor the conversation nor the design explains."""
    checked = {
        "create_component": ("vendor", "library", "name", "version"),
        "add_signal_port": ("name",),
        "add_transactional_port": ("name",),
        "add_user_parameter": ("name", "value"),
        "add_generator_parameter": ("name", "value"),
        "add_subcomponent": ("instance_name",),
        "load_component": ("path",),
    }.get(call.name, ())
    component = _find(library, str(call.arguments.get("component", "")))
    vlnv_fields = {field.casefold() for known_component in library for field in str(known_component.vlnv).split(":")}
    for name in checked:
        value = str(call.arguments[name])
        if name == "name" and value in _TERMS and not re.search(_as_name(value), known):
            yield f"name '{value}'"
            continue
        if _is_explained(value, known) or (call.name == "create_component" and value.casefold() in vlnv_fields):
            continue
        if component is not None and any(_same_stem(value, other) for other in names_of(component)):
            continue
        yield f"{name.replace('_', ' ')} '{value}'"


def _invented_ends(call: ToolCall, library: Library, known: str, made: _Made) -> Iterable[str]:
    """Ports of the enclosing component that a connection would need, and that are neither there nor spoken of."""
    if call.name != "add_subcomponent_connection":
        return
    parent = _find(library, str(call.arguments.get("component", "")))
    there = {*made.ports, *(parent.ports if parent is not None else ())}
    for side in ("source", "target"):
        port = str(call.arguments.get(f"{side}_port", ""))
        spoken_of = _is_explained(port, known) and port not in made.instances
        if not call.arguments.get(f"{side}_instance") and port not in there and not spoken_of:
            yield f"port '{port}'"


def _elsewhere(calls: Sequence[ToolCall], library: Library) -> list[ToolCall]:
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
        parent = _find(library, name)
        there = held.get(name, set()) | set(parent.design.instances if parent is not None else ())
        ends = [str(call.arguments.get(f"{side}_{part}", "")) for side in ("source", "target") for part in _END]
        instances = {instance for instance in (ends[0], ends[2]) if instance}
        if instances <= there:
            right.add(tuple(ends))
        else:
            wrong.append((tuple(ends), call))
    return [call for ends, call in wrong if ends in right]


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


def _same_stem(value: str, other: str) -> bool:
    return _DIGITS.sub("", value.casefold()) == _DIGITS.sub("", other.casefold())
