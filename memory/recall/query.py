"""Takes a query apart into words, the people it names, and a time."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from memory.recall.dates import Asked, asked_time
from text.terms import fold, is_spaced, stem, terms
from text.words import word_set

_WORD = re.compile(r"\w+")


def named(text: str, speakers: Collection[str]) -> frozenset[str]:
    """Return those of `speakers` whose name, or a part of it, is in `text`.

    A given name counts in any case. Other parts, and names that are common words ("Will", "May"), count only where
    they are written with a capital inside the sentence.
    """
    folded = fold(text)
    words = _WORD.findall(text)
    said = {_key(word) for word in words}
    capital = {_key(word) for word in words[1:] if word[0].isupper()}
    return frozenset(speaker for speaker in speakers if _is_named(fold(speaker), folded, said, capital))


def name_terms(speakers: Collection[str]) -> frozenset[str]:
    """Return the index terms that the names of `speakers` are made of."""
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


MOST_TERMS = 64
"""So many distinct terms of a query count; a longer text is asked by its beginning."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query taken apart.

    `forms` gives each distinct term with its written form; `speakers` are the people it names who spoke in the
    documents, `names` the terms of their names; `content` says whether it asks for anything beside names and time.
    """

    text: str
    forms: dict[str, str]
    speakers: frozenset[str]
    names: frozenset[str]
    time: Asked | None
    content: bool

    @property
    def topic(self) -> str:
        """Return the content words without names, or the whole text if there are none."""
        return " ".join(form for term, form in self.forms.items() if term not in self.names) or self.text


def analyse(text: str, speakers: Collection[str], now: datetime | None) -> Query:
    """Take `text` apart; `speakers` are the names known, `now` is what "last week" counts from."""
    forms: dict[str, str] = {}
    for term, form in terms(text):
        if len(forms) < MOST_TERMS:
            forms.setdefault(term, form)
    time = asked_time(text, now)
    of_time = {term for term, _ in terms(time.words)} if time else set()
    if time and time.span:
        # "Last week" in a query is not the "last week" that somebody spoke of back then.
        forms = {term: form for term, form in forms.items() if term not in of_time}
    meant = named(text, speakers)
    names = name_terms(meant) & forms.keys()
    content = bool(forms.keys() - names - of_time) or not (meant or time)
    return Query(text, forms, meant, names, time, content)
