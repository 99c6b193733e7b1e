"""The names that a request mentions, and what they mean in the design."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agent.assisted.spelling import closest
from model.elements import Component
from model.library import Library
from model.vlnv import Vlnv

VLNV = re.compile(r"[\w.\-]+(?::[\w.\-]+){3}")
# Words by which a request asks for names that stand elsewhere: "the same ports", "like the others", "each of them".
_BY_PATTERN = re.compile(
    r"\b(same|again|like(wise)?|identical(ly)?|as (before|well|above)|others?|another|cop(y|ies)|duplicate|clone|"
    r"mirror|accordingly|also|too|both|either|each|every|all|any|more|rest|remaining|counterparts?|instead|redo|back|anew|"
    r"exchange|replace|restore|unchanged|included?|respective(ly)?)\b",
    re.IGNORECASE,
)
COURTESY = re.compile(r"\b(i'?d|would|we'?d|should you|if you) like\b|\blike (this|so):", re.IGNORECASE)
_NEGATED = re.compile(
    r"\b(?:do(?:es)? not|don'?t|never|not|no|without)\s+(?:any\s+)?(?:cop(?:y|ies|ying)|duplicat\w+|clon\w+)[^.;,]*",
    re.IGNORECASE,
)
# Of these, the words that leave it to the reader which elements are meant: "the same for the others", "each".
_LIKE = re.compile(
    r"\b(?:same|again|like|likewise|identical(?:ly)?|others?|another|cop(?:y|ies)|duplicate|clone|mirror|redo|each|every|"
    r"all|any|rest|remaining|counterparts?|accordingly|respective(?:ly)?|components|blocks|modules)\b",
    re.IGNORECASE,
)
# "Same vendor and library", "the rest of the VLNV as before" point at no element.
_SAME_FIELDS = re.compile(
    r"\b(?:same|rest)\b(?:\s+(?:of|the))*\s+(?:vendor|lib(?:rary)?|version|vlnv)s?\b"
    r"(?:(?:\s*,\s*|\s+)(?:and|vendor|lib(?:rary)?|version|as|is|stays|before|well|the|same)\b)*",
    re.IGNORECASE,
)
_NO_ADVERB = r"(?!\s+(?:out|off|back)\b)"  # in "take that port out" no port is called out
_NAMED = re.compile(
    r"\b(?:called|named|(?:(?:signal |transactional )?port|(?:user |generator )?parameter|instance|connection)"
    rf"{_NO_ADVERB})\s+[`'\"“]?([A-Za-z_]\w*)"
)
_PORT_NAMED = re.compile(
    rf"\b(?:input|output|inout|(?:port|pin|socket){_NO_ADVERB})\s+"
    r"(?:(?:port|pin|signal|called|named)\s+)*[`'\"“]?([A-Za-z_]\w*)(?!\w|[.:]\w)",
    re.IGNORECASE,
)
_PORT_IS = re.compile(
    r"(?<![\w.:])([A-Za-z_]\w*)[`'\"”]?\s+(?:is\s+|as\s+)?an?\s+(?:[\w/*+-]+[\s-]bits?\s+)?(?:input|output|inout)\b",
    re.IGNORECASE,
)
# "The reading comes out on temp, BITS wide": only ports have a width.
_PORT_WIDE = re.compile(r"(?<![\w.:])([A-Za-z_]\w*)[`'\"”]?\s*,\s*(?:is\s+)?(?:\w+[\s-]bits?|[A-Z][A-Z0-9_]*)\s+wide\b")
_NO_NAMES = frozenset(
    {
        "ok", "okay", "yes", "fine", "thanks", "fyi", "btw",
        "a", "an", "the", "and", "or", "of", "on", "in", "to", "from", "into", "at", "as", "by", "for", "with",
        "without", "is", "are", "was", "be", "has", "have", "it", "its", "that", "this", "which", "should",
        "must", "can", "will", "called", "named", "name", "names", "between", "inside", "through", "over",
        "than", "so", "too", "also", "only", "there", "here", "you", "maps", "map", "side", "pins", "width",
        "list", "types", "kind", "included", "including", "port", "pin", "signal", "bus", "low", "high", "open",
        "directly", "straight", "wide", "bit", "bits", "bearing", "instead", "please", "first", "second", "not",
        "no", "goes", "connect", "add", "need", "needs", "get", "gets", "give", "gives", "want", "wants",
        "make", "create", "put", "declare", "plus", "one", "new", "just", "all", "both", "each", "them",
        "these", "those", "component", "block", "used", "uses", "use",
        "away", "again", "anew", "label", "may", "might", "could", "would", "shall", "does", "did", "stays", "went",
        "comes", "came", "still", "then", "later", "now", "itself", "alone", "when", "where", "if", "but",
    }
)  # fmt: skip
_WORD = re.compile(r"[A-Za-z_][\w.\-]*|'[hdbo][0-9a-fA-F_xz]+|\d[\w.\-']*")
_SPOKEN = re.compile(r"\bthe\s+(?:[a-z]+\s+)?([A-Za-z]{4,})\b(?![_.:])")
_LETTERS = re.compile(r"[a-z]{3,}")
_QUOTED = re.compile(r"`([^`]{1,80})`|\"([^\"]{1,80})\"|“([^”]{1,80})”|(?<!\w)['‘]([^'’]{1,80})['’](?!\w)")


@dataclass(frozen=True, slots=True)
class Mentions:
    """The names in a request.

    Attributes:
        vlnvs: written out in full, in order, whether they exist or not.
        words: every other word that could be a name or a value, in order, without repeats.
        text: the request.
        named: the words that the request calls the name of something ("port bypass", "called standby").
        ports: the words that may be the name of a port ("an input data", "data is an output").
    """

    vlnvs: tuple[str, ...]
    words: tuple[str, ...]
    text: str
    named: frozenset[str] = frozenset()
    ports: tuple[str, ...] = ()

    @classmethod
    def of(cls, request: str) -> Mentions:
        """Find the names in ``request``."""
        vlnvs = dict.fromkeys(match.group().rstrip(".") for match in VLNV.finditer(request))
        rest = VLNV.sub(" ", request)
        words: dict[str, None] = {}
        for quoted in _QUOTED.finditer(rest):
            words[next(filter(None, quoted.groups()))] = None
        for word in _WORD.finditer(rest):
            words[word.group().rstrip(".-")] = None
        named = {match.group(1) for match in _NAMED.finditer(rest)} - _NO_NAMES - {"I"}  # "the connection I named"
        said = sorted(
            (*_PORT_NAMED.finditer(rest), *_PORT_IS.finditer(rest), *_PORT_WIDE.finditer(rest)),
            key=lambda match: match.start(1),
        )
        ports = dict.fromkeys(match.group(1) for match in said)
        ports = {name: None for name in ports if name.casefold() not in _NO_NAMES and name != "I"}
        return cls(tuple(vlnvs), tuple(words), request, frozenset(named), tuple(ports))

    @property
    def ask_by_pattern(self) -> bool:
        """Whether the request asks for what stands elsewhere: "the same ports", "like the others", "each of them"."""
        return _BY_PATTERN.search(self._without_phrases) is not None

    @property
    def ask_for_the_like(self) -> bool:
        """Whether the request leaves it to the reader which elements it means: "the same for the others", "each"."""
        return _LIKE.search(self._without_phrases) is not None

    @property
    def _without_phrases(self) -> str:
        return _SAME_FIELDS.sub(" ", _NEGATED.sub(" ", COURTESY.sub(" ", self.text)))

    def has(self, text: str) -> bool:
        """Whether ``text`` stands in the request as a word or a field of a VLNV, letter case aside."""
        wanted = text.casefold()
        return any(wanted == word.casefold() for word in self.words) or any(
            wanted in (vlnv.casefold(), *vlnv.casefold().split(":")) for vlnv in self.vlnvs
        )


def mentioned_components(library: Library, mentions: Mentions, also: Iterable[Vlnv] = ()) -> list[Component]:
    """The components that a request is about, most certain first.

    Those named by VLNV, then those whose name is a word of the request, or what such a word misspells, then ``also``
    (what the user looks at, what the conversation was about). Where it names none, those that hold an instance of a
    mentioned name.
    """
    by_text = {str(component.vlnv): component.vlnv for component in library}
    found = {by_text[text]: None for text in mentions.vlnvs if text in by_text}
    words = {part.casefold() for word in mentions.words for part in (word, *word.split(".")) if part}
    names = {component.vlnv.name.casefold() for component in library}
    elements = {name.casefold() for component in library for name in (*component.ports, *component.design.instances)}
    unknown = (word for word in words if looks_like_a_name(word) and word not in names | elements)
    words |= {meant for word in unknown if (meant := closest(word, names)) is not None}
    found |= {component.vlnv: None for component in library if component.vlnv.name.casefold() in words}
    holders = (
        [] if found else [each.vlnv for each in library if any(i.casefold() in words for i in each.design.instances)]
    )
    found |= dict.fromkeys(vlnv for vlnv in also if vlnv in library)
    found |= dict.fromkeys((*holders, *_named_in_words(mentions, library)))
    return [library.get(vlnv) for vlnv in found]


def _named_in_words(mentions: Mentions, library: Library) -> list[Vlnv]:
    """Components that a word means without being their name: "the decoder" for the only ``viterbi_dec``."""
    spoken = {word.casefold() for word in _SPOKEN.findall(mentions.text)} - _NO_NAMES
    by_part: dict[str, set[Vlnv]] = {}
    for component in library:
        for part in _LETTERS.findall(component.vlnv.name.casefold()):
            by_part.setdefault(part, set()).add(component.vlnv)
    meant = [
        {vlnv for part, vlnvs in by_part.items() if word.startswith(part) for vlnv in vlnvs} for word in sorted(spoken)
    ]
    return [vlnv for vlnvs in meant if len(vlnvs) == 1 for vlnv in vlnvs]


def is_about(library: Library, mentions: Mentions) -> bool:
    """Whether a request names anything of the library: a component, a vendor or library of one, or an instance."""
    known = {str(component.vlnv) for component in library}
    names = {
        name.casefold()
        for component in library
        for name in (component.vlnv.vendor, component.vlnv.library, component.vlnv.name, *component.design.instances)
    }
    return bool(known.intersection(mentions.vlnvs) or names.intersection(word.casefold() for word in mentions.words))


def new_names(mentions: Mentions, library: Library) -> list[str]:
    """The names in a request that nothing in the library has."""
    known = {
        name for component in library for name in (*component.ports, *component.parameters, *component.design.instances)
    }
    known |= {connection for component in library for connection in component.design.connections}
    known |= {field for component in library for field in str(component.vlnv).split(":")}
    names = (word for word in mentions.words if word in mentions.ports or is_named(mentions, word))
    return [word for word in names if not known.issuperset(word.split("."))]


def is_named(mentions: Mentions, word: str) -> bool:
    """Whether a word of a request is a name: by its look, or since the request says so.

    Capitals alone may also be what people call a block ("the ADC interface"): these are names where something is said
    of them ("DEPTH = 16", "DEPTH (int)"), or where they stand in a list.
    """
    if word in mentions.named:
        return True
    if word.casefold() in _NO_NAMES:
        return False
    if not word.isupper() or "_" in word:
        return looks_like_a_name(word)
    name = re.escape(word)
    said = rf"\b{name}\s*(?:[(=:,]|of \d|is \d|to \d|\d)|(?:,|\band|\bor)\s+{name}\b|\b{name}\s+(?:and|or)\b"
    return looks_like_a_name(word) and re.search(said, VLNV.sub(" @ ", mentions.text)) is not None


def name_in(vlnv: str) -> str:
    """The name in a VLNV; a text that is none stays."""
    return vlnv.split(":")[2] if vlnv.count(":") == 3 else vlnv


def looks_like_a_name(word: str) -> bool:
    """Whether a word is more likely an identifier than a word of the sentence."""
    has_digit = any(letter.isdigit() for letter in word)
    return not word[0].isdigit() and ("_" in word or has_digit or (word.isupper() and len(word) > 1))
