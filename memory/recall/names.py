"""Which of the people who spoke a query names."""

from __future__ import annotations

import re
from collections.abc import Collection

from text.terms import fold, is_spaced, stem
from text.wordlists import word_set

_WORD = re.compile(r"\w+")


def named(text: str, speakers: Collection[str]) -> frozenset[str]:
    """Those of `speakers` whose name, or a part of it, is in `text`.

    A given name counts in any case. Other parts, and names that are common words ("Will", "May"), count only where
    they are written with a capital inside the sentence.
    """
    folded = fold(text)
    words = _WORD.findall(text)
    said = {_key(word) for word in words}
    capital = {_key(word) for word in words[1:] if word[0].isupper()}
    return frozenset(speaker for speaker in speakers if _is_named(fold(speaker), folded, said, capital))


def name_terms(speakers: Collection[str]) -> frozenset[str]:
    """The index terms that the names of `speakers` are made of."""
    return frozenset(_key(part) for speaker in speakers for part in _WORD.findall(speaker))


def _is_named(name: str, folded: str, said: set[str], capital: set[str]) -> bool:
    if not name.strip():
        return False
    if not is_spaced(name):
        return name in folded
    given, *others = _WORD.findall(name) or [""]
    known = capital if given in word_set("stop_words") else said
    return _key(given) in known or any(_key(part) in capital for part in others)


def _key(word: str) -> str:
    return stem(fold(word))
