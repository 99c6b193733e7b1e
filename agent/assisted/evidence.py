"""What the words of a request give evidence of: which tools can be meant.

The words are matched with their misspellings; a tool is withheld only
where the request speaks of something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.assisted.mentions import VLNV
from agent.assisted.order import FILLS
from agent.assisted.terms import (
    ADD,
    COMPONENT,
    DELETE,
    DONE_BY,
    FURTHER,
    GENERATOR,
    IN_PLACE_OF,
    INSIDE,
    JOIN,
    LOOK,
    NEW_COMPONENT,
    ORDERS,
    PARAMETER,
    PARTS,
    PORT,
    REPLACED,
    TRANSACTIONAL,
    speaks_of,
)
from agent.assisted.vlnv_fields import fields_in_order
from agent.models.base import ToolSpec

# "A new instance", "another 8-bit input": something inside a component is new.
_NEW_INSIDE = re.compile(
    r"\b(?:new|another)\s+(?:[\w\-]+\s+){0,2}?(?:instance|port|input|output|inout|pin|signal|parameter|connection|net|wire)s?\b"
)
# An order at the beginning of a sentence: "please bin the block", "cut that wire".
_ORDER = re.compile(
    r"(?:^|[.;:!]\s+|,\s+then\s+)(?:(?:and|then|now|please|so|ok|okay|just|also)[\s,]+)*([a-z]+)\s+"
    rf"(?:(?:the|that|this|these|those|its|all|both|every|each|my|our)\b|(?={VLNV.pattern}))"
)
_SERIES = re.compile(
    r"\d\s*(?:to|through|thru|until|till|up to|[-–—…:]|\.\.+)\s*[a-z_]*\d|"
    r"\b(?:each|every|all|numbered|more|further|additional|another|others|etc|so on|next|again|same|"
    r"two|three|four|five|six|seven|eight|nine|ten|twelve|sixteen)\b",
    re.IGNORECASE,
)
_MORE = re.compile(r"\b(?:more|another|like|same|again|ones?)\b", re.IGNORECASE)
_THE_SAME = re.compile(
    r"\b(?:do|does|did|goes|please|now)\s+(?:exactly\s+)?(?:the\s+same|that|it|this)(?:\s+thing)?\s+(?:again\b|too\b|for\b|with\b|to\b|on\b)|"
    r"^\W*(?:and\s+|then\s+)?(?:the\s+)?same(?:\s+thing)?(?:\s+again)?\s+(?:for|with|to|on)\b",
    re.IGNORECASE,
)
_DROPPED_IN = re.compile(
    rf"\bdrop(?:s|ped|ping)?\s+(?:in(?:to)?\b|(?:an?\s+)?(?:\w+\s+)?{VLNV.pattern}\s+(?:in|into|as)\b)"
)
_PUT_IN = re.compile(r"\b(?:goes|bring|run)\s+(?:in|into|inside)\b")  # that places something
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")  # also in names: "tlm_in" is evidence for a transactional port
_SPOKEN = re.compile(r"(?<!\w)[a-z]+(?:-[a-z]+)?(?!\w)")  # not in names: BUILD_ID asks for nothing to be built


def possible_tools(request: str, tools: Sequence[ToolSpec]) -> list[ToolSpec]:
    """The tools that a request can mean: kinds of ports and parameters that it does not speak of are withheld."""
    words = tuple(_WORD.findall(request.casefold()))
    withheld: set[str] = set()
    if not speaks_of(TRANSACTIONAL, words):
        withheld.add("add_transactional_port")
    if not speaks_of(GENERATOR, words):
        withheld.add("add_generator_parameter")
    about_ports = speaks_of(PORT, words) or speaks_of(TRANSACTIONAL, words)
    if about_ports and not speaks_of(PARAMETER, words):
        withheld |= {"add_user_parameter", "add_generator_parameter"}
    if about_ports and not speaks_of(INSIDE, words) and len(VLNV.findall(request)) == 1:
        withheld.add("add_subcomponent")  # else a small model puts the one component into itself
    if not may_delete(request):
        withheld |= {"delete_element", "delete_component"}
    return [tool for tool in tools if tool.name not in withheld]


def of_the_same_sort(request: str, last: Sequence[str], tools: Sequence[ToolSpec]) -> list[ToolSpec]:
    """The tools, without those that do something else than the last request did where this one wants the same.

    "One more of the same sort: COEF_W, 18" has no noun for what it adds; "do the same for the other one" has no word
    for what is done.
    """
    if last and _THE_SAME.search(request):
        said = set(_SPOKEN.findall(request.casefold())) - {*ADD, *LOOK}
        return [tool for tool in tools if tool.name in last or said.intersection(DONE_BY.get(tool.name, ()))]
    words = tuple(_WORD.findall(request.casefold()))
    has_noun = speaks_of((*PORT, *PARAMETER, *TRANSACTIONAL), words)
    added = set(FILLS) & set(last)
    if has_noun or not added or not _MORE.search(request):
        return list(tools)
    return [tool for tool in tools if tool.name in added or tool.name not in FILLS]


def asks_for(tool: str, request: str) -> bool:
    """Whether a word of the request names what the tool does: asked before a refusal of the model is overruled."""
    text = request.casefold()
    if tool == "add_subcomponent_connection":
        text = _PUT_IN.sub(" ", text)
    return tool in DONE_BY and speaks_of(DONE_BY[tool], tuple(_SPOKEN.findall(text)))


def speaks_of_kind(tool: str, request: str) -> bool:
    """Whether a request has a noun for what the tool adds: "we need a top" asks for no ports."""
    words = tuple(_WORD.findall(request.casefold()))
    nouns = {
        "add_signal_port": (*PORT, *TRANSACTIONAL),
        "add_transactional_port": (*PORT, *TRANSACTIONAL),
        "add_user_parameter": PARAMETER,
        "add_generator_parameter": (*PARAMETER, *GENERATOR),
    }.get(tool)
    return nouns is None or speaks_of(nouns, words)


def may_delete(request: str) -> bool:
    """Whether a word of the request asks for something to go, or for something else in its place.

    There are more such words than any list has ("bin the block"): an order that no other tool carries out may be one.
    """
    text = _DROPPED_IN.sub(" ", request.casefold())
    if speaks_of((*DELETE, *IN_PLACE_OF), _orders(text)):
        return True
    return _has_an_order_of_its_own(text)


def may_delete_a_whole(request: str) -> bool:
    """Whether a word of the request asks for a whole component to go: "only" and "wrong" speak of what is in it."""
    text = _DROPPED_IN.sub(" ", request.casefold())
    if speaks_of((*DELETE, *REPLACED), _orders(text)):
        return True
    return _has_an_order_of_its_own(text)


def _orders(text: str) -> tuple[str, ...]:
    """The words of a text, and the last part of those such as "force-delete"."""
    words = _SPOKEN.findall(text)
    return (*words, *(word.rpartition("-")[2] for word in words if "-" in word))


def _has_an_order_of_its_own(text: str) -> bool:
    return any(not speaks_of(ORDERS, (verb,)) for verb in _ORDER.findall(text))


def is_on_topic(request: str) -> bool:
    """Whether a request speaks of what designs are made of."""
    words = tuple(_WORD.findall(request.casefold()))
    return any(speaks_of(terms, words) for terms in (PORT, PARAMETER, TRANSACTIONAL, PARTS))


def names_what_is_done(tool: str, request: str) -> bool:
    """Whether a request has a word for just that tool, and not only one such as "add" that several have."""
    words = tuple(_SPOKEN.findall(request.casefold()))
    return speaks_of(tuple(word for word in DONE_BY.get(tool, ()) if word not in ADD), words)


def speaks_of_a_series(request: str) -> bool:
    """Whether a request names only some of a series: "s0 to s7", "each", "four more"."""
    return _SERIES.search(VLNV.sub(" ", request)) is not None


def speaks_of_insides(request: str) -> bool:
    """Whether a request has a word for what is inside a component: instances, and what joins them."""
    words = tuple(_WORD.findall(request.casefold()))
    return speaks_of((*INSIDE, *JOIN), words)


def only_joins(request: str) -> bool:
    """Whether a request connects and has no word for adding: where it names only what exists, nothing is to be made."""
    words = tuple(_SPOKEN.findall(VLNV.sub(" ", request.casefold())))
    return speaks_of(JOIN, words) and not speaks_of((*ADD, *NEW_COMPONENT), words)


def gives_fields_apart(request: str) -> bool:
    """Whether a request labels the fields of a VLNV ("vendor acme, library io"), as one does of a new component."""
    words = tuple(_SPOKEN.findall(request.casefold()))
    labels = sum(speaks_of(label, words) for label in (("vendor",), ("library", "lib"), ("version",)))
    return labels > 1 or bool(fields_in_order(request))


def may_make_a_component(request: str) -> bool:
    """Whether words of the request say that there is to be another component."""
    words = tuple(_SPOKEN.findall(_NEW_INSIDE.sub(" ", request.casefold())))
    return gives_fields_apart(request) or (speaks_of((*NEW_COMPONENT, *FURTHER), words) and speaks_of(COMPONENT, words))
