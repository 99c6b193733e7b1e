from __future__ import annotations

from spellchecker import SpellChecker

from agent.assisted.english import english


def test_it_is_the_whole_dictionary() -> None:
    assert english() == dict(SpellChecker(language="en").word_frequency.dictionary)
