"""Corrects the names that a planned call refers to, where it is without doubt what is meant."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.assisted.coverage import named_paths
from agent.assisted.mentions import Mentions
from agent.assisted.order import vlnv_made
from agent.assisted.spelling import closest
from agent.assisted.state import names_of
from agent.models.base import ToolCall
from model.difference import elements_of
from model.elements import Component
from model.errors import DesignError
from model.library import Library
from model.vlnv import Vlnv


@dataclass
class Made:
    """Names that the calls so far would make.

    Attributes:
        instances: each with its component.
        parents: the component that each instance is put into.
    """

    components: set[str] = field(default_factory=set)
    instances: dict[str, str] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    ports: set[str] = field(default_factory=set)
    parameters: dict[str, str] = field(default_factory=dict)

    def add(self, call: ToolCall) -> None:
        """Note what a call would make."""
        if call.name == "create_component":
            self.components.add(vlnv_made(call))
        elif call.name == "add_subcomponent":
            self.instances[str(call.arguments["instance_name"])] = str(call.arguments["subcomponent"])
            self.parents[str(call.arguments["instance_name"])] = str(call.arguments["component"])
        elif call.name in {"add_user_parameter", "add_generator_parameter"}:
            self.parameters[str(call.arguments["name"])] = str(call.arguments["value"])
        elif call.name.startswith("add_") and "name" in call.arguments:
            self.ports.add(str(call.arguments["name"]))


def with_corrected_names(
    call: ToolCall, library: Library, mentions: Mentions, made: Made, corrections: list[str]
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
    if "subcomponent" in arguments and arguments["subcomponent"] not in {*components, *mentions.vlnvs}:
        said = [vlnv for vlnv in mentions.vlnvs if vlnv in components and vlnv != arguments["component"]]
        arguments["subcomponent"] = said[0] if len(said) == 1 else arguments["subcomponent"]
    parent = find_component(library, str(arguments.get("component", "")))
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


def with_two_ends(call: ToolCall, library: Library, made: Made) -> ToolCall:
    """Where a connection has the same end twice, take the port of that name of the enclosing component for one."""
    arguments = call.arguments
    ends = [(arguments.get(f"{side}_instance"), arguments.get(f"{side}_port")) for side in ("source", "target")]
    if call.name != "add_subcomponent_connection" or ends[0] != ends[1] or not ends[0][0]:
        return call
    parent = find_component(library, str(arguments["component"]))
    own = {*made.ports, *(parent.ports if parent is not None else ())}
    if arguments["target_port"] not in own:
        return call
    return ToolCall(call.name, {name: value for name, value in arguments.items() if name != "target_instance"})


def with_true_parent(call: ToolCall, library: Library, made: Made) -> ToolCall:
    """Where a connection stands in a component that lacks its instances, take the one component that has them all.

    A small model likes to take the component that the request named last for the one that holds the wire. What it then
    took for an own port is that of the component's one instance there.
    """
    wrong = find_component(library, str(call.arguments.get("component", "")))
    sides = ("source", "target")
    wanted = {str(name) for side in sides if (name := call.arguments.get(f"{side}_instance"))}
    if call.name != "add_subcomponent_connection" or wrong is None or not wanted:
        return call
    if wanted <= {*wrong.design.instances, *made.instances}:
        parents = {made.parents[name] for name in wanted if name in made.parents and name not in wrong.design.instances}
        if len(parents) == 1 and str(wrong.vlnv) not in parents:
            return ToolCall(call.name, {**call.arguments, "component": parents.pop()})
        return call
    holders = [component for component in library if wanted <= set(component.design.instances)]
    if len(holders) != 1:
        return call
    arguments: dict[str, Any] = {**call.arguments, "component": str(holders[0].vlnv)}
    inside = [name for name, each in holders[0].design.instances.items() if each.component == wrong.vlnv]
    for side in sides:
        if not arguments.get(f"{side}_instance") and arguments.get(f"{side}_port") in wrong.ports and len(inside) == 1:
            arguments[f"{side}_instance"] = inside[0]
    return ToolCall(call.name, arguments)


def with_owners_of_ports(
    call: ToolCall, library: Library, placed: dict[str, str], own_ports: Collection[str]
) -> ToolCall:
    """Where the enclosing component has no port of an end's name, take the instance that is meant by it.

    That is the one that is being placed and has such a port, or the one whose name ends as that of the other end does:
    "sample_a and sample_b to their channel's sample" joins ``sample_a`` to ``u_a.sample``.

    Args:
        placed: the instances that the plan places, each with its component.
        own_ports: those that are being made.
    """
    parent = find_component(library, str(call.arguments.get("component", "")))
    if call.name != "add_subcomponent_connection" or parent is None:
        return call
    arguments = dict(call.arguments)
    for side, other in (("source", "target"), ("target", "source")):
        port = arguments.get(f"{side}_port", "")
        if arguments.get(f"{side}_instance") or port in parent.ports or port in own_ports:
            continue
        there = {name: str(instance.component) for name, instance in parent.design.instances.items()}
        ending = str(arguments.get(f"{other}_port", "")).rpartition("_")[2]
        for instances in (
            placed,
            {name: of for name, of in (there | placed).items() if name.rpartition("_")[2] == ending},
        ):
            components = {name: find_component(library, vlnv) for name, vlnv in instances.items()}
            owners = [name for name, inside in components.items() if inside is not None and port in inside.ports]
            if len(owners) == 1 and arguments.get(f"{other}_instance") != owners[0]:
                arguments[f"{side}_instance"] = owners[0]
                break
    return ToolCall(call.name, arguments)


def with_said_port_names(plans: Sequence[Mapping[str, Any]], mentions: Mentions) -> list[dict[str, Any]]:
    """Give a new port the name that the request has for it, where the model took another word for its name.

    "An input data that goes to u_crc.din" makes no port ``din``: the request says that name only behind an instance.
    "A 48-bit output word" makes no port ``out``, a name that it does not say at all.
    "Write data wd is an input" makes no port ``data``: that word only says what ``wd`` is.
    """
    planned = [str(plan.get("name", "")) for plan in plans if plan["tool"] == "add_signal_port"]
    unused = [name for name in mentions.ports if not any(name in plan.values() for plan in plans)]
    right: dict[str, str] = {}
    for name in planned:
        said = [port for port in unused if re.search(rf"\b{re.escape(name)}\s+{port}\b", mentions.text)]
        if len(said) == 1:
            right[name] = said[0]
    alone = {word for word in mentions.words if "." not in word}
    behind = {word.rpartition(".")[2] for word in mentions.words if "." in word} - alone
    bare = [str(plan[side]) for plan in plans for side in ("source", "target") if "." not in str(plan.get(side, "."))]
    misnamed = [name for name in planned if name in behind or not mentions.has(name)]
    misnamed += [name for name in dict.fromkeys(bare) if name in behind and name not in misnamed]
    if len(unused) == len(misnamed) == 1:
        right[misnamed[0]] = unused[0]
    return [
        {
            key: right[value] if key in {"name", "source", "target"} and value in right else value
            for key, value in plan.items()
        }
        for plan in plans
    ]


def with_true_element_type(arguments: dict[str, Any], library: Library) -> dict[str, Any]:
    """Set the element type to what the named element is."""
    if "element_type" not in arguments:
        return arguments
    component = find_component(library, arguments["component"])
    if component is None:
        return arguments
    name = arguments["name"]
    kinds = [element.kind for element, _value in elements_of(component) if element.name == name and not element.view]
    if kinds and arguments["element_type"] not in kinds:
        arguments["element_type"] = kinds[0]
    return arguments


def with_true_owner(call: ToolCall, library: Library, mentions: Mentions) -> ToolCall:
    """Where a component lacks the element that a call is about, take the one component that has it.

    Unless the request writes that component out: then it may well be wrong about it.
    """
    component = find_component(library, str(call.arguments.get("component", "")))
    if call.name not in {"delete_element", "get_element"} or component is None or str(component.vlnv) in mentions.vlnvs:
        return call
    name = str(call.arguments["name"])
    owners = [each for each in library if name in names_of(each)]
    if component in owners or len(owners) != 1:
        return call
    return ToolCall(call.name, {**call.arguments, "component": str(owners[0].vlnv)})


def with_said_path(call: ToolCall, mentions: Mentions) -> ToolCall:
    """Take the one file that a request names, where a call has another."""
    path = str(call.arguments.get("path", ""))
    named = named_paths(mentions.text)
    if not path or path.casefold() in mentions.text.casefold() or len(named) != 1:
        return call
    return ToolCall(call.name, {**call.arguments, "path": named[0]})


def with_the_whole_deleted(call: ToolCall, library: Library, mentions: Mentions) -> ToolCall:
    """Delete the component itself where a call deletes from it an element of its own name that it does not have."""
    component = find_component(library, str(call.arguments.get("component", "")))
    if call.name != "delete_element" or component is None or str(component.vlnv) not in mentions.vlnvs:
        return call
    if call.arguments["name"] not in {component.vlnv.name, str(component.vlnv)} or call.arguments["name"] in names_of(
        component
    ):
        return call
    return ToolCall("delete_component", {"component": call.arguments["component"]})


def read_whole_when_nothing_is_named(call: ToolCall, mentions: Mentions) -> ToolCall:
    """Read the whole component where a request names none of its elements."""
    if call.name == "get_element" and not mentions.has(str(call.arguments["name"])):
        return ToolCall("get_component_details", {"component": call.arguments["component"]})
    return call


def parameters_of(arguments: Mapping[str, Any], library: Library, made: Made) -> dict[str, str]:
    """The values of the component's parameters, and of those that the calls so far would make."""
    component = find_component(library, str(arguments.get("component", "")))
    there = {} if component is None else {name: parameter.value for name, parameter in component.parameters.items()}
    return there | made.parameters


def find_component(library: Library, text: str) -> Component | None:
    """The component of that VLNV, or None."""
    try:
        return library.find(Vlnv.parse(text))
    except DesignError:
        return None
