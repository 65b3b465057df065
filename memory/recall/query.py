"""What a query asks for: words, the people it names, and a time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from memory.recall.dates import Asked, asked_time
from memory.recall.names import name_terms, named
from text.terms import terms

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
        """The content words without names, or the whole text if there are none."""
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
