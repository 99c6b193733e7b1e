"""Holds what a model planned against what was asked: nothing invented, nothing misspelled.

None of this knows a particular request's wording: a value counts as asked for when its own text, or one of the few
words that name its role, stands in the request.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.assisted.asked_for import with_parameter_for_its_value, with_the_named_type, without_unasked
from agent.assisted.correction import (
    Made,
    parameters_of,
    read_whole_when_nothing_is_named,
    with_corrected_names,
    with_owners_of_ports,
    with_said_path,
    with_said_port_names,
    with_the_whole_deleted,
    with_true_element_type,
    with_true_owner,
    with_true_parent,
    with_two_ends,
)
from agent.assisted.evidence import asks_for, speaks_of_kind
from agent.assisted.inventions import (
    connections_elsewhere,
    deletes_of_others,
    deletes_unasked,
    edits_elsewhere,
    ends_left_open,
    invented_ends,
    inventions,
    is_read,
    reads_of_others,
)
from agent.assisted.mentions import Mentions
from agent.assisted.notation import contract_call
from agent.assisted.number_words import with_numbers_as_digits
from agent.assisted.repairs import (
    back_where_it_was,
    delete_the_named_part,
    for_each_that_is_named,
    put_into_what_it_goes_into,
    read_what_is_there,
    with_outputs_as_sources,
    with_own_ports_where_they_are_joined,
)
from agent.assisted.substitution import with_said_names
from agent.assisted.surplus import (
    additions_unsaid,
    connections_unasked,
    in_words,
    is_meant_by_a_word,
    joins_what_nobody_named,
)
from agent.models.base import ToolCall, ToolSpec
from model.library import Library


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
    about: Collection[str] = (),
) -> Grounded:
    """Turn a planned answer into calls that hold only what was asked for.

    Optional arguments that the request does not ask for are dropped; names that almost match an existing one are
    corrected; element types are set to what the named element is.

    Args:
        conversation: earlier requests and answers, whose names count as known.
        design: a summary of the design; where the request asks for "the same", what stands there and in the
            conversation counts as asked for.
        about: the components that the request, the conversation and the window are about.
    """
    specs = {tool.name: tool for tool in tools}
    mentions = Mentions.of(request)
    asked = with_numbers_as_digits(request)
    by_pattern = mentions.ask_by_pattern
    spoken = f"{asked}\n{conversation}\n{design if by_pattern else ''}".casefold()
    calls: list[ToolCall] = []
    unexplained: list[tuple[str, ...]] = []
    corrections: list[str] = []
    made = Made()
    plans = with_said_port_names(planned, mentions)
    own_ports = {*mentions.ports, *(str(plan.get("name")) for plan in plans if plan["tool"].endswith("_port"))}
    for plan in plans:
        spec = specs[plan["tool"]]
        arguments = dict(contract_call(plan).arguments)
        arguments = with_parameter_for_its_value(arguments, parameters_of(arguments, library, made), mentions)
        arguments = with_the_named_type(arguments, asked)
        arguments = without_unasked(spec, arguments, asked, spoken if by_pattern else "", design)
        # Each step relies on those before it: names before what has them, parents of instances before ends of wires.
        call = with_corrected_names(ToolCall(spec.name, arguments), library, mentions, made, corrections)
        call = with_true_owner(with_said_path(call, mentions), library, mentions)
        call = ToolCall(call.name, with_true_element_type(dict(call.arguments), library))
        call = with_the_whole_deleted(call, library, mentions)
        call = with_two_ends(read_whole_when_nothing_is_named(call, mentions), library, made)
        call = put_into_what_it_goes_into(back_where_it_was(call, calls, mentions), mentions)
        call = with_true_parent(call, library, made)
        call = with_owners_of_ports(call, library, made.instances, own_ports)
        call = with_outputs_as_sources(call, library, mentions, made.instances)
        call = read_what_is_there(call, library, request)
        made.add(call)
        if call not in calls:
            calls.append(call)
            # A new name from the conversation is one that the request asks for; the model likes to carry on.
            is_asked_for = asks_for(call.name, request) and speaks_of_kind(call.name, request)
            known = spoken if by_pattern or is_asked_for else asked.casefold()
            odd = (*invented_ends(call, library, request, known, made), *ends_left_open(call, request))
            unexplained.append((*inventions(call, library, request, known, made), *odd))
    calls = with_own_ports_where_they_are_joined(calls, library)
    calls = [delete_the_named_part(call, calls, library, mentions) for call in calls]
    for index, call in enumerate(calls):
        if joins_what_nobody_named(call, calls, mentions) and not is_meant_by_a_word(call, mentions):
            unexplained[index] = (*unexplained[index], in_words(call))
    for call in connections_unasked(calls, mentions):
        unexplained[calls.index(call)] = (in_words(call),)
    for call in additions_unsaid(calls, mentions):
        unexplained[calls.index(call)] = (in_words(call),)
    for call in edits_elsewhere(calls, library, mentions, about):
        unexplained[calls.index(call)] = (f"component {call.arguments['component']}",)
    for call in reads_of_others(calls, mentions):
        unexplained[calls.index(call)] = (f"details of {call.arguments['component']}",)
    for call in deletes_unasked(calls, mentions, library):
        unexplained[calls.index(call)] = (f"delete of '{call.arguments.get('name', call.arguments['component'])}'",)
    for call in deletes_of_others(calls, mentions, conversation):
        unexplained[calls.index(call)] = (in_words(call),)
    for call in connections_elsewhere(calls, library):
        unexplained[calls.index(call)] = (f"connection in {call.arguments['component']}",)
    explained = tuple(call for call, values in zip(calls, unexplained, strict=True) if not values)
    invented = tuple(dict.fromkeys(value for values in unexplained for value in values))
    told = tuple(dict.fromkeys(corrections))
    if any(not is_read(call) for call in explained) or (explained and all(is_read(call) for call in calls)):
        said = with_said_names(for_each_that_is_named(explained, library, mentions), mentions, library)
        return Grounded(said, told, left_out=invented)
    return Grounded(tuple(calls), told, invented=invented)
