"""Divides a statement by whom it speaks of: "I'm vegan, my boyfriend is coeliac" says one thing of each."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from models.offline.notes.claims.meaning import USER, meaning_of
from models.offline.notes.meaning.items import Item, items_of
from models.offline.notes.meaning.lexicon import words
from models.offline.notes.meaning.reading import CONTENT
from models.offline.tables import NOTES

_OPENS = frozenset({"filler", "particle", "list", "comma", "negate"})
"""Roles that may stand before the subject of a clause."""


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that is told of somebody.

    Attributes:
        text: The words to keep.
        said: The part of them that its claims are read from.
        about: Whom it is about; None where the words themselves show it.
    """

    text: str
    said: str
    about: str | None = None


def by_person(text: str, topic: str) -> list[Told]:
    """Return what `text` tells of each person; the whole where it speaks of one, or claims something of one only.

    A clause without contents of its own ("my wife doesn't") claims nothing; "me too" puts the user beside the other.
    """
    known = NOTES.patterns("claims")
    if known["together"].search(text):
        return [Told(text, text, USER)]
    clauses = list(_meant_for(text, topic)) or list(_clauses(text, topic))
    if len({clause.about for clause in clauses}) < 2:
        return [Told(text, text)]
    claiming = [clause for clause in clauses if _says(clause.said, topic) and meaning_of(clause.said, topic).claims]
    if len(claiming) > 1:
        return claiming
    told = claiming[0] if claiming else Told(text, text)
    likewise = any(known["likewise"].search(clause.said) for clause in clauses[1:])
    return [replace(told, text=text, about=USER if likewise else told.about)]


def _clauses(text: str, topic: str) -> Iterator[Told]:
    """Yield the clauses that speak of different people; one that names nobody, or the same, goes on with the last."""
    start, about = 0, _subject(items_of(text, topic))
    breaks = list(NOTES.patterns("claims")["clause"].finditer(text)) if about else []
    for number, match in enumerate(breaks):
        end = breaks[number + 1].start() if number + 1 < len(breaks) else len(text)
        follows = _subject(items_of(text[match.end() : end], topic))
        if follows not in (None, about):
            yield _told(text[start : match.start()], about)
            start, about = match.end(), follows
    yield _told(text[start:], about)


def _meant_for(text: str, topic: str) -> Iterator[Told]:
    """Yield what is wanted for each of several people: "an aisle for me and window for the girls"."""
    found = list(NOTES.patterns("claims")["meant_for"].finditer(text))
    starts = [0, *(match.end() for match in found)]
    for start, match in zip(starts, found if len(found) > 1 else [], strict=False):
        said = re.sub(r"^\W*(?:and|but|,)?\s*", "", text[start : match.start()])
        people = sorted(item.name for item in items_of(match["who"], topic) if item.role == "person")
        yield Told(_capital(said + match[0]), said, " and ".join(people) or USER)


def _told(said: str, about: str | None) -> Told:
    said = said.strip()
    return Told(_capital(said), said, about)


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]


def _subject(items: Sequence[Item]) -> str | None:
    """Return whom a clause is about: the user, or the person it begins with; None where it begins with neither."""
    for item in items:
        if item.role == "person":
            return item.name
        if item.role == "filler" and item.name in words("first_persons"):
            return USER
        if item.role not in _OPENS:
            return None
    return None


def _says(said: str, topic: str) -> bool:
    """Return whether a clause has contents beside whom it names."""
    return any(item.role in CONTENT and item.role != "person" for item in items_of(said, topic))
