"""Whether a request can be understood by itself, or leans on the conversation."""

from __future__ import annotations

import re
from collections.abc import Collection

from agent.assisted.mentions import COURTESY, VLNV, Mentions, is_named
from agent.assisted.vlnv_fields import gives_a_vlnv_apart

# Words by which a request that names its component leans on the conversation all the same.
_BACKWARD = re.compile(
    r"\b(same|again|as (before|above)|previous(ly)?|earlier|before|others?|another|like(wise)?|"
    r"accordingly|identical(ly)?|(the|that) (old|first|second|third|last|latter|former) (one|block|component)|"
    r"you just)\b",
    re.IGNORECASE,
)
# The same, where the request does not name what it is about either: "VLNV needs that too".
_WEAKLY_BACKWARD = re.compile(r"\b(also|too|as well|(the|that) new (one|block|component))\b", re.IGNORECASE)
# As what it is joined to, or as what it takes the place of.
_SAME_NAME = re.compile(
    r"\b(?:of|by|with|under)\s+the\s+same\s+(?:(?:instance|port|signal|net|parameter)\s+)?names?\b", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_STANDS_FOR = re.compile(r"\b(?:it|its|that|this|them|these|those|their|here|everything|all)\b", re.IGNORECASE)
_LOADS = re.compile(r"\b(?:load|read|open|import|bring)\b[^.;]*?[\w/\\-]+\.xml\b", re.IGNORECASE)  # the file says what


def leans_on_the_conversation(request: str, names: Collection[str] = ()) -> bool:
    """Whether a request needs earlier ones to be understood: it names no component, or says "the same" and the like.

    Args:
        names: of the components that there are. One that stands before any "it" or "that" is what the request is about,
            as a VLNV is.
    """
    if points_back(request):
        return True
    if VLNV.search(request) is None:
        return not (gives_a_vlnv_apart(request) or _LOADS.search(request) or _names_its_subject(request, names))
    mentions = Mentions.of(request)
    said = any(word in mentions.ports or is_named(mentions, word) for word in mentions.words)
    return _WEAKLY_BACKWARD.search(COURTESY.sub(" ", request)) is not None and not said


def _names_its_subject(request: str, names: Collection[str]) -> bool:
    known = {name.casefold() for name in names}
    subject = next((word.start() for word in _WORD.finditer(request) if word.group().casefold() in known), None)
    if subject is None or _WEAKLY_BACKWARD.search(request):
        return False
    pronoun = _STANDS_FOR.search(request)
    return pronoun is None or subject < pronoun.start()


def leans_by_a_word(request: str) -> bool:
    """Whether a request has a word that stands for something said before or being looked at ("it", "that", "here")."""
    return points_back(request) or _STANDS_FOR.search(request) is not None


def points_back(request: str) -> bool:
    """Whether a request says that it is about something said or done before."""
    return _BACKWARD.search(_SAME_NAME.sub(" ", COURTESY.sub(" ", request))) is not None
