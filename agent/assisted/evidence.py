"""What the words of a request give evidence of: which tools can be meant, and which numbers.

The words are terms of the field (IEEE 1685 and common usage), matched with their misspellings; a tool is withheld only
where the request speaks of something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from rapidfuzz.distance import OSA

from agent.assisted.mentions import VLNV, fields_in_order
from agent.assisted.order import FILLS
from agent.models.base import ToolSpec

_PORT = (
    "port",
    "input",
    "output",
    "inout",
    "pin",
    "signal",
    "bidirectional",
    "wire",
    "strobe",
    "line",
    "clock",
    "reset",
)
_PARAMETER = (
    "parameter",
    "param",
    "genparam",
    "generic",
    "constant",
    "knob",
    "setting",
    "attribute",
    "localparam",
    "property",
)
_TRANSACTIONAL = ("tlm", "transactional", "transaction", "socket", "initiative", "initiator", "requires", "provides")
_INSIDE = (
    *("instance", "instantiate", "instantiation", "subcomponent", "place", "put", "drop", "insert", "include", "use"),
    *("into", "inside", "in", "as", "hold", "contain", "wrap", "wrapper", "host", "another", "more", "copy", "bring"),
    *("component", "block", "module", "core", "connect", "wire", "hook"),
)
_GENERATOR = ("generator", "generated", "generation", "gen", "genparam")
_PARTS = ("component", "instance", "subcomponent", "connection", "net", "block")
_NUMBERS = {
    "zero": 0, "one": 1, "single": 1, "two": 2, "dual": 2, "three": 3, "four": 4, "quad": 4, "nibble": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "octal": 8, "byte": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "halfword": 16, "twenty": 20, "twenty-four": 24,
    "thirty": 30, "thirty-two": 32, "forty": 40, "forty-eight": 48, "fifty": 50, "sixty-four": 64, "hundred": 100,
}  # fmt: skip
_LOOK = (
    "show list what which how tell look read check display print details inspect describe have has is are see "
    "summarise summarize dump info any anything there"
)
_ADD = (
    "add give need needs want wants put attach insert provide extend expose get gets define create new missing bring "
    "should declare equip make set"
)
_DELETE = (
    "delete remove drop rid kill eliminate clean strip discard erase out off away go unused purge scrap disconnect "
    "cut sever break detach unhook unwire unplug undo wipe prune retire trash nuke axe zap ditch lose tear dissolve "
    "dismantle withdraw revoke"
)
_IN_PLACE_OF = (
    *("replace", "swap", "exchange", "move", "change", "rename", "instead", "rewire", "reconnect", "redo", "widen"),
    *("narrow", "resize", "turn", "convert", "switch", "correct", "fix", "wrong", "only", "anymore", "longer"),
    *("obsolete", "rework", "rebuild"),
)
_DONE_BY = {
    tool: tuple(words.split())
    for tool, words in {
        "create_component": "create make new add define build set up introduce start open begin",
        "add_signal_port": _ADD + " input output inout",
        "add_transactional_port": _ADD,
        "add_user_parameter": _ADD + " configurable",
        "add_generator_parameter": _ADD,
        "add_subcomponent": _ADD + " instantiate instance place instantiation use include",
        "add_subcomponent_connection": "connect wire hook tie route drive drives join link feed feeds goes attach "
        "clock connection run bring",
        "get_component_details": _LOOK,
        "get_element": _LOOK,
        "list_components": _LOOK,
        "delete_element": _DELETE,
        "delete_component": _DELETE,
        "save_component": "save write store export persist disk file",
        "load_component": "load open import read bring file fetch",
    }.items()
}
# Verbs by which a request joins what is there. "Clock" and "connection" do not ask for that.
_JOIN = ("connect", "wire", "hook", "tie", "route", "join", "link", "feed", "drive", "rewire", "reconnect")
_NEW_COMPONENT = (
    *("create", "new", "make", "define", "build", "introduce", "start", "begin", "another", "copy", "clone"),
    *("duplicate", "derive", "variant", "empty", "twin", "sibling", "successor"),
)
# "A new instance", "another 8-bit input": something inside a component is new.
_NEW_INSIDE = re.compile(
    r"\b(?:new|another)\s+(?:[\w\-]+\s+){0,2}?(?:instance|port|input|output|inout|pin|signal|parameter|connection|net|wire)s?\b"
)
_COMPONENT = (
    *("component", "block", "module", "cell", "core", "unit", "macro", "design", "wrapper", "version", "variant"),
    *("copy", "clone", "duplicate", "twin", "sibling", "successor", "one", "ip", "type", "kind", "vendor", "vlnv"),
)
_FURTHER = (
    *("need", "want", "add", "second", "third", "fourth", "next", "further", "additional", "extra", "same", "again"),
    *("like", "repeat", "redo"),
)
# An order at the beginning of a sentence: "please bin the block", "cut that wire".
_ORDER = re.compile(
    r"(?:^|[.;:!]\s+|,\s+then\s+)(?:(?:and|then|now|please|so|ok|okay|just|also)[\s,]+)*([a-z]+)\s+"
    rf"(?:(?:the|that|this|these|those|its|all|both|every|each|my|our)\b|(?={VLNV.pattern}))"
)
_ORDERS = (
    *dict.fromkeys(word for words in _DONE_BY.values() for word in words),
    *(
        "extend",
        "expose",
        "equip",
        "use",
        "take",
        "keep",
        "leave",
        "let",
        "call",
        "name",
        "copy",
        "clone",
        "mirror",
        "repeat",
    ),
    *(
        "in",
        "on",
        "for",
        "of",
        "from",
        "to",
        "with",
        "inside",
        "into",
        "at",
        "by",
        "as",
        "like",
        "is",
        "are",
        "does",
        "do",
    ),
    *("and", "or", "but", "if", "when", "since", "because", "after", "before", "while", "that", "now", "here", "there"),
    *("we", "i", "you", "it", "only", "not", "also", "too", "same", "would", "could", "can", "should", "must", "will"),
)
_SERIES = re.compile(
    r"\d\s*(?:to|through|thru|until|till|up to|[-–—…:]|\.\.+)\s*[a-z_]*\d|"
    r"\b(?:each|every|all|numbered|more|further|additional|another|others|etc|so on|next|again|same|"
    r"two|three|four|five|six|seven|eight|nine|ten|twelve|sixteen)\b",
    re.IGNORECASE,
)
_MORE = re.compile(r"\b(?:more|another|like|same|again|ones?)\b", re.IGNORECASE)
_DROPPED_IN = re.compile(
    rf"\bdrop(?:s|ped|ping)?\s+(?:in(?:to)?\b|(?:an?\s+)?(?:\w+\s+)?{VLNV.pattern}\s+(?:in|into|as)\b)"
)
_PUT_IN = re.compile(r"\b(?:goes|bring|run)\s+(?:in|into|inside)\b")  # that places something
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")  # also in names: "tlm_in" is evidence for a transactional port
_SPOKEN = re.compile(r"(?<!\w)[a-z]+(?:-[a-z]+)?(?!\w)")  # not in names: BUILD_ID asks for nothing to be built
_NUMBER_WORD = re.compile(r"\b(" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")\b", re.IGNORECASE)


def possible_tools(request: str, tools: Sequence[ToolSpec]) -> list[ToolSpec]:
    """The tools that a request can mean: kinds of ports and parameters that it does not speak of are withheld."""
    words = tuple(_WORD.findall(request.casefold()))
    withheld: set[str] = set()
    if not _speaks_of(_TRANSACTIONAL, words):
        withheld.add("add_transactional_port")
    if not _speaks_of(_GENERATOR, words):
        withheld.add("add_generator_parameter")
    about_ports = _speaks_of(_PORT, words) or _speaks_of(_TRANSACTIONAL, words)
    if about_ports and not _speaks_of(_PARAMETER, words):
        withheld |= {"add_user_parameter", "add_generator_parameter"}
    if about_ports and not _speaks_of(_INSIDE, words) and len(VLNV.findall(request)) == 1:
        withheld.add("add_subcomponent")  # else a small model puts the one component into itself
    if not may_delete(request):
        withheld |= {"delete_element", "delete_component"}
    return [tool for tool in tools if tool.name not in withheld]


def of_the_same_sort(request: str, last: Sequence[str], tools: Sequence[ToolSpec]) -> list[ToolSpec]:
    """The tools, without those that add other elements than the last request did where this one wants more of the sort.

    "One more of the same sort: COEF_W, 18" has no noun for what it adds.
    """
    words = tuple(_WORD.findall(request.casefold()))
    has_noun = _speaks_of((*_PORT, *_PARAMETER, *_TRANSACTIONAL), words)
    added = set(FILLS) & set(last)
    if has_noun or not added or not _MORE.search(request):
        return list(tools)
    return [tool for tool in tools if tool.name in added or tool.name not in FILLS]


def asks_for(tool: str, request: str) -> bool:
    """Whether a word of the request names what the tool does: asked before a refusal of the model is overruled."""
    text = request.casefold()
    if tool == "add_subcomponent_connection":
        text = _PUT_IN.sub(" ", text)
    return tool in _DONE_BY and _speaks_of(_DONE_BY[tool], tuple(_SPOKEN.findall(text)))


def speaks_of_kind(tool: str, request: str) -> bool:
    """Whether a request has a noun for what the tool adds: "we need a top" asks for no ports."""
    words = tuple(_WORD.findall(request.casefold()))
    nouns = {
        "add_signal_port": (*_PORT, *_TRANSACTIONAL),
        "add_transactional_port": (*_PORT, *_TRANSACTIONAL),
        "add_user_parameter": _PARAMETER,
        "add_generator_parameter": (*_PARAMETER, *_GENERATOR),
    }.get(tool)
    return nouns is None or _speaks_of(nouns, words)


def may_delete(request: str) -> bool:
    """Whether a word of the request asks for something to go, or for something else in its place.

    There are more such words than any list has ("bin the block"): an order that no other tool carries out may be one.
    """
    text = _DROPPED_IN.sub(" ", request.casefold())
    if _speaks_of((*_DONE_BY["delete_element"], *_IN_PLACE_OF), tuple(_SPOKEN.findall(text))):
        return True
    return any(not _speaks_of(_ORDERS, (verb,)) for verb in _ORDER.findall(text))


def is_on_topic(request: str) -> bool:
    """Whether a request speaks of what designs are made of."""
    words = tuple(_WORD.findall(request.casefold()))
    return any(_speaks_of(terms, words) for terms in (_PORT, _PARAMETER, _TRANSACTIONAL, _PARTS))


def names_what_is_done(tool: str, request: str) -> bool:
    """Whether a request has a word for just that tool, and not only one such as "add" that several have."""
    words = tuple(_SPOKEN.findall(request.casefold()))
    return _speaks_of(tuple(word for word in _DONE_BY.get(tool, ()) if word not in _ADD.split()), words)


def speaks_of_a_series(request: str) -> bool:
    """Whether a request names only some of a series: "s0 to s7", "each", "four more"."""
    return _SERIES.search(VLNV.sub(" ", request)) is not None


def speaks_of_insides(request: str) -> bool:
    """Whether a request has a word for what is inside a component: instances, and what joins them."""
    words = tuple(_WORD.findall(request.casefold()))
    return _speaks_of((*_INSIDE, *_JOIN), words)


def only_joins(request: str) -> bool:
    """Whether a request connects and has no word for adding: where it names only what exists, nothing is to be made."""
    words = tuple(_SPOKEN.findall(VLNV.sub(" ", request.casefold())))
    return _speaks_of(_JOIN, words) and not _speaks_of((*_ADD.split(), *_NEW_COMPONENT), words)


def gives_fields_apart(request: str) -> bool:
    """Whether a request labels the fields of a VLNV ("vendor acme, library io"), as one does of a new component."""
    words = tuple(_SPOKEN.findall(request.casefold()))
    labels = sum(_speaks_of(label, words) for label in (("vendor",), ("library", "lib"), ("version",)))
    return labels > 1 or bool(fields_in_order(request))


def may_make_a_component(request: str) -> bool:
    """Whether words of the request say that there is to be another component."""
    words = tuple(_SPOKEN.findall(_NEW_INSIDE.sub(" ", request.casefold())))
    return gives_fields_apart(request) or (
        _speaks_of((*_NEW_COMPONENT, *_FURTHER), words) and _speaks_of(_COMPONENT, words)
    )


def with_numbers_as_digits(text: str) -> str:
    """The text with its number words in digits as well ("four bits" also reads "4 bits")."""
    return _NUMBER_WORD.sub(lambda found: f"{found.group()} {_NUMBERS[found.group().casefold()]}", text)


@cache
def _speaks_of(terms: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return any(_means(word, term) for word in words for term in terms)


def _means(word: str, term: str) -> bool:
    """Whether a word is the term, its plural, or a slip of the pen for a longer one."""
    singular = word.removesuffix("s") if len(word) > len(term) else word
    if singular == term:
        return True
    return len(term) > 4 and OSA.distance(singular, term) <= len(term) // 4
