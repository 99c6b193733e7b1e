"""The JSON schema that decoding is held to: the tools' own arguments, and the names that exist or are being made.

Calls are written in the model's notation (:mod:`agent.assisted.notation`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.assisted.ends import instance_names, placed_instances
from agent.assisted.evidence import may_make_a_component, speaks_of_insides
from agent.assisted.mentions import VLNV, Mentions, looks_like_a_name
from agent.assisted.vlnv_fields import fields_in_order
from agent.models.base import ToolSpec
from model.elements import Component
from model.library import Library

MOST_CALLS = 20
MOST_ENDPOINTS = 160

Schema = dict[str, Any]

_ANYTHING: Schema = {"type": "string", "minLength": 1, "maxLength": 120}
_END: Schema = {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_]*)?$"}
_VERSION = re.compile(r"[vr]?\d+(?:(?:[.p_]\w+)+(?:-\w+)*)?")  # 2, r0p3, 1.0-rc1; not 32-bit
_PROSE = frozenset(
    {
        "a", "an", "the", "and", "or", "of", "on", "in", "to", "from", "into", "with", "without", "for", "as",
        "it", "its", "is", "are", "be", "we", "i", "you", "our", "your", "me", "my", "this", "that", "new",
        "another", "one", "component", "components", "block", "name", "named", "called", "vendor", "library",
        "version", "vlnv", "create", "make", "add", "give", "need", "needs", "want", "please", "later", "tell",
        "same", "like", "again", "under",
    }
)  # fmt: skip
_FIELD = re.compile(r"[A-Za-z_][\w.\-]*")
_ALIASES = {"library": "lib(?:rary)?", "version": "(?:version|rev(?:ision)?)"}
_LABELLED = {
    label: re.compile(
        rf"\b{_ALIASES.get(label, label)}(?:\s+(?:is|called|named)|\s*[:=])?\s+[`'\"“]?({value})", re.IGNORECASE
    )
    for label, value in (
        ("vendor", r"[A-Za-z_][\w.\-]*\w"),
        ("library", r"[A-Za-z_][\w.\-]*\w"),
        ("version", _VERSION.pattern),
    )
}


def answer_schema(
    tools: Sequence[ToolSpec],
    library: Library,
    about: Sequence[Component],
    mentions: Mentions,
    *,
    may_refuse: bool = True,
    held_to_names: bool = True,
    least_calls: int = 0,
    most_calls: int = MOST_CALLS,
) -> Schema:
    """The schema of one answer: ``calls`` and, where none is right, ``refusal``.

    Args:
        about: the components that the request is about; ends of connections come from these.
        may_refuse: False when the answer is to correct calls that were planned before: a small model would rather
            give up than correct.
        held_to_names: False leaves names to the model.
        most_calls: a small model that has lost its thread repeats itself for minutes unless it is stopped.
    """
    components = _component_schema(library, about, mentions) if held_to_names else _ANYTHING
    branches: list[Schema] = []
    for tool in tools:
        if tool.name == "add_subcomponent_connection":
            branches.extend(
                _connection_branches(library, about, mentions) if held_to_names else [_connection_branch(_ANYTHING, ())]
            )
        elif tool.name == "create_component":
            new = _new_component_schema(library, about, mentions) if held_to_names else _ANYTHING
            branches.extend([_creation_branch(new)] if new else [])
        else:
            branches.append(_branch(tool, components))
    calls: Schema = {
        "type": "array",
        "items": {"anyOf": branches},
        "minItems": least_calls,
        "maxItems": min(most_calls, MOST_CALLS),
    }
    properties = {"calls": calls}
    if may_refuse:
        properties["refusal"] = {"type": "string", "maxLength": 160}
    return {
        "type": "object",
        "properties": properties,
        "required": ["calls"],
        "additionalProperties": False,
    }


def _component_schema(library: Library, about: Sequence[Component], mentions: Mentions) -> Schema:
    """VLNVs that may be named: known ones, those written in the request, and those whose fields it gives apart."""
    known = [str(component.vlnv) for component in library]
    names = list(dict.fromkeys([*(str(component.vlnv) for component in about), *mentions.vlnvs, *known]))
    new = _new_component_schema(library, about, mentions)
    if names:
        return {"enum": names} if new is None or "enum" in new else {"anyOf": [{"enum": names}, new]}
    return new or _ANYTHING


def _new_component_schema(library: Library, about: Sequence[Component], mentions: Mentions) -> Schema | None:
    """The VLNVs that the request writes out and that do not exist yet; else those whose fields it gives apart.

    None where it gives no name or nobody knows a version, or where it speaks of nothing new.
    """
    known = {str(component.vlnv) for component in library}
    coming = [text for text in mentions.vlnvs if text not in known]
    if coming:
        return {"enum": coming}
    if library and not may_make_a_component(mentions.text):
        return None
    fields = _fields_given(library, about, mentions)
    parts = (fields.vendors, fields.libraries, fields.names, fields.versions)
    if not all(parts):
        return None
    return {"type": "string", "pattern": "^" + ":".join(f"({_either(part)})" for part in parts) + "$"}


@dataclass(frozen=True)
class _Fields:
    """What may be the fields of a new component's VLNV."""

    vendors: list[str]
    libraries: list[str]
    names: list[str]
    versions: list[str]


def _fields_given(library: Library, about: Sequence[Component], mentions: Mentions) -> _Fields:
    """The fields that a request may give apart ("vendor acme, library periph …"), and those that the library has.

    "The same vendor" is that of the component that the request is about most.
    """
    if listed := fields_in_order(mentions.text):
        return _Fields(*([field] for field in listed))
    words = [word for word in mentions.words if _FIELD.fullmatch(word) and word.casefold() not in _PROSE]
    versions = [word for word in mentions.words if _VERSION.fullmatch(word)]
    like = about[0].vlnv if about else None
    vendors, libraries, labelled_versions = (
        [getattr(like, label)] if like and _is_the_same(label, mentions.text) else _labelled(label, mentions.text)
        for label in _LABELLED
    )
    return _Fields(
        vendors or list(dict.fromkeys([*(component.vlnv.vendor for component in library), *words])),
        libraries or list(dict.fromkeys([*(component.vlnv.library for component in library), *words])),
        _new_names(words, library, mentions, {*vendors, *libraries}),
        # A version may also stand in the conversation ("one more like it"), so the library's are possible.
        labelled_versions or list(dict.fromkeys([*versions, *(component.vlnv.version for component in library)])),
    )


def _new_names(words: Sequence[str], library: Library, mentions: Mentions, others: Collection[str]) -> list[str]:
    """The words that may be a new component's name; that of another only where there is to be another version."""
    names = [word for word in words if word not in others] or list(words)
    taken = {component.vlnv.name for component in library}
    if re.search(r"\b(?:version|vendor|library|copy|clone|duplicate)\b", mentions.text, re.IGNORECASE):
        return names
    return [word for word in names if word not in taken] or names


def _is_the_same(label: str, request: str) -> bool:
    return re.search(rf"\bsame\b[^.;]*\b{label}\b|\brest\s+of\s+(?:the\s+|its\s+)?vlnv\b", request, re.I) is not None


def _labelled(label: str, request: str) -> list[str]:
    """What a request says a field is: ``acme`` and ``kestrel`` in "vendor acme, … the other of vendor kestrel"."""
    values = (match.group(1) for match in _LABELLED[label].finditer(VLNV.sub(" ", request)))
    return list(dict.fromkeys(value for value in values if value.casefold() not in _PROSE))


def _either(words: Sequence[str]) -> str:
    return "|".join(word.replace(".", "[.]") for word in words)


def _branch(tool: ToolSpec, components: Schema) -> Schema:
    properties: Schema = {"tool": {"const": tool.name}}
    required = ["tool", *tool.parameters.get("required", ())]
    for name, declared in tool.parameters["properties"].items():
        if name in {"component", "subcomponent"}:
            properties[name] = components
        elif declared.get("type") == "boolean":
            properties[name] = {"const": True}
        elif "enum" in declared:
            properties[name] = {"enum": declared["enum"]}
        else:
            properties[name] = _ANYTHING
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _creation_branch(new: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {"tool": {"const": "create_component"}, "component": new, "description": _ANYTHING},
        "required": ["tool", "component"],
        "additionalProperties": False,
    }


def _connection_branches(library: Library, about: Sequence[Component], mentions: Mentions) -> list[Schema]:
    placed = {component.vlnv for _name, component in placed_instances(mentions.text, library)}
    may_become_parents = len(about) > 1 and speaks_of_insides(mentions.text)
    branches = [
        _connection_branch({"enum": [str(parent.vlnv)]}, _endpoints(library, parent, about, mentions))
        for parent in about
        if parent.design.instances or (may_become_parents and parent.vlnv not in placed)
    ]
    new = _new_component_schema(library, about, mentions)
    if new is not None:
        branches.append(_connection_branch(new, ()))
    return branches


def _connection_branch(component: Schema, endpoints: Iterable[str]) -> Schema:
    names = list(endpoints)
    end: Mapping[str, Any] = {"enum": names} if names else _END
    return {
        "type": "object",
        "properties": {
            "tool": {"const": "add_subcomponent_connection"},
            "component": component,
            "source": end,
            "target": end,
            "name": _ANYTHING,
        },
        "required": ["tool", "component", "source", "target"],
        "additionalProperties": False,
    }


def _usual_ports(library: Library, mentions: Mentions) -> list[str]:
    """The words of a request that are names of ports in this library."""
    ports = {name for component in library for name in component.ports}
    return [word for word in mentions.words if word in ports]


def _endpoints(library: Library, parent: Component, about: Sequence[Component], mentions: Mentions) -> list[str]:
    """Ends that a connection inside ``parent`` may have, those that the request mentions first.

    Instances and ports that the request is about to make count too: any of its words may become one.
    """
    ends: dict[str, None] = {word: None for word in mentions.words if "." in word}
    ends.update(dict.fromkeys(parent.ports))
    instances = list(parent.design.instances.values())
    mentioned = [instance for instance in instances if mentions.has(instance.name)]
    for instance in [*mentioned, *(i for i in instances if i not in mentioned)]:
        inside = library.find(instance.component)
        if inside is not None:
            ends.update(dict.fromkeys(f"{instance.name}.{port}" for port in inside.ports))
        if len(ends) > MOST_ENDPOINTS:
            break
    new = [word for word in mentions.words if "." not in word and word not in parent.design.instances]
    names = [word for word in new if looks_like_a_name(word) or word in mentions.ports]
    placed = instance_names(mentions.text)
    for name in names:
        if name not in placed:  # an instance alone is no end
            ends.setdefault(name)
        else:  # its component may be made or loaded by the same request
            ends.update(dict.fromkeys(f"{name}.{port}" for port in (*mentions.ports, *_usual_ports(library, mentions))))
        for inside in about:
            if inside.vlnv != parent.vlnv:
                ends.update(dict.fromkeys(f"{name}.{port}" for port in inside.ports))
        if len(ends) > 2 * MOST_ENDPOINTS:
            break
    return list(ends)
