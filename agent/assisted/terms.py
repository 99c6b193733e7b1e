"""Terms of the field (IEEE 1685 and common usage) by which a request speaks of things and of what to do with them."""

from __future__ import annotations

from functools import cache

from rapidfuzz.distance import OSA


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


PORT = _words("port input output inout pin signal bidirectional wire strobe line clock reset")
PARAMETER = _words("parameter param genparam generic constant knob setting attribute localparam property")
TRANSACTIONAL = _words("tlm transactional transaction socket initiative initiator requires provides")
INSIDE = _words(
    "instance instantiate instantiation subcomponent place put drop insert include use into inside in as hold "
    "contain wrap wrapper host another more copy bring component block module core connect wire hook"
)
GENERATOR = _words("generator generated generation gen genparam")
PARTS = _words("component instance subcomponent connection net block")
LOOK = _words(
    "show list what which how tell look read check display print details inspect describe have has is are see "
    "summarise summarize dump info any anything there"
)
ADD = _words(
    "add give need needs want wants put attach insert provide extend expose get gets define create new missing "
    "bring should declare equip make set"
)
DELETE = _words(
    "delete remove drop rid kill eliminate clean strip discard erase out off away go unused purge scrap "
    "disconnect cut sever break detach unhook unwire unplug undo wipe prune retire trash nuke axe zap ditch lose "
    "tear dissolve dismantle withdraw revoke"
)
REPLACED = _words("replace swap exchange obsolete rework rebuild redo instead")
IN_PLACE_OF = (
    *REPLACED,
    *_words(
        "move change rename rewire reconnect widen narrow resize turn convert switch correct fix wrong only anymore "
        "longer"
    ),
)
DONE_BY = {
    "create_component": _words("create make new add define build set up introduce start open begin"),
    "add_signal_port": (*ADD, "input", "output", "inout"),
    "add_transactional_port": ADD,
    "add_user_parameter": (*ADD, "configurable"),
    "add_generator_parameter": ADD,
    "add_subcomponent": (*ADD, *_words("instantiate instance place instantiation use include")),
    "add_subcomponent_connection": _words(
        "connect wire hook tie route drive drives join link feed feeds goes attach clock connection run bring"
    ),
    "get_component_details": LOOK,
    "get_element": LOOK,
    "list_components": LOOK,
    "delete_element": DELETE,
    "delete_component": DELETE,
    "save_component": _words("save write store export persist disk file"),
    "load_component": _words("load open import read bring file fetch"),
}
# Verbs by which a request joins what is there. "Clock" and "connection" do not ask for that.
JOIN = _words("connect wire hook tie route join link feed drive rewire reconnect")
NEW_COMPONENT = _words(
    "create new make define build introduce start begin another copy clone duplicate derive variant empty twin "
    "sibling successor"
)
COMPONENT = _words(
    "component block module cell core unit macro design wrapper version variant copy clone duplicate twin sibling "
    "successor one ip type kind vendor vlnv"
)
FURTHER = _words("need want add second third fourth next further additional extra same again like repeat redo")
# What may begin an order without asking for something to go.
ORDERS = (
    *dict.fromkeys(word for words in DONE_BY.values() for word in words),
    *_words(
        "extend expose equip use take keep leave let call name copy clone mirror repeat in on for of from to with "
        "inside into at by as like is are does do and or but if when since because after before while that now here "
        "there we i you it only not also too same would could can should must will"
    ),
)


@cache
def speaks_of(terms: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether one of the words is one of the terms, a plural of it, or a slip of the pen for it."""
    return any(_means(word, term) for word in words for term in terms)


def _means(word: str, term: str) -> bool:
    """Whether a word is the term, its plural, or a slip of the pen for a longer one."""
    singular = word.removesuffix("s") if len(word) > len(term) else word
    if singular == term:
        return True
    return len(term) > 4 and OSA.distance(singular, term) <= len(term) // 4
