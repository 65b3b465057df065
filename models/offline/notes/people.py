"""Tells whom a statement is about.

Those who travel along are known by name: after "my son Tom", what is said of Tom is said of the user's son. Of "I'm
vegan, my boyfriend is coeliac" each clause says one thing of each person.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from models.offline.notes.claims import USER, meaning_of
from models.offline.notes.forms import capitalised, language_of
from models.offline.notes.meaning.items import Item, items_of
from models.offline.notes.meaning.lexicon import words
from models.offline.notes.meaning.reading import CONTENT
from models.offline.tables import NOTES
from text.tables import alternatives

Companions = tuple[tuple[str, str], ...]
"""Names, each with the word for the kinship ("Tom", "son")."""


def companions_in(texts: Iterable[str]) -> Companions:
    """Return those whom `texts` call kin of the user's by name; what was said last counts."""
    return tuple(sorted({name: kin for text in texts for name, kin in _introduced(text)}.items()))


@lru_cache(maxsize=1024)
def _introduced(text: str) -> Companions:
    found: list[tuple[str, str]] = []
    patterns = NOTES.table("companions")[language_of(text)]
    for match in (each for pattern in patterns for each in re.finditer(pattern, text)):
        kin, names = match["kin"], [match["name"], match.groupdict().get("other")]
        if _person(kin):
            found += [(name, kin) for name in names if name and _is_name(name)]
    return tuple(found)


def _is_name(word: str) -> bool:
    """Return whether a word may name somebody: it means nothing, or as "Max" only something by another word."""
    items = _items(word)
    means = next((each.name for each in items if each.role != "word"), "")
    other = language_of(word) == "en" and means.isalpha() and means != word.lower()
    return len(items) == 1 and (not means or (other and items[0].role == "value"))


def _items(text: str) -> list[Item]:
    return [item for item in items_of(text) if item.role != "stop"]


def _person(kin: str) -> str:
    """Return the person that a word of kinship ends in, as `about` has it; empty for none."""
    return next((item.name for item in _items(kin)[-1:] if item.role == "person"), "")


@dataclass(frozen=True, slots=True)
class Aliased:
    """A message in which companions are called by their kinship, so that a name weighs nothing.

    Attributes:
        text: "Tom hates flying" as "my son hates flying".
        said: What was written.
        spans: For each character of `text` the stretch of `said` that it stands for; empty where both are the same.
    """

    text: str
    said: str
    spans: tuple[tuple[int, int], ...] = ()

    def _found(self, stretch: str, since: int) -> re.Match[str] | None:
        return re.compile(re.escape(stretch), re.IGNORECASE).search(self.text, since)

    def end_of(self, stretch: str, since: int) -> int:
        """Return where `stretch` ends in `text`, from `since` on; `since` where it doesn't."""
        found = self._found(stretch, since)
        return found.end() if found else since

    def original(self, stretch: str, since: int = 0) -> str:
        """Return what was written where `stretch` stands, from `since` on; `stretch` itself where it stands nowhere."""
        match = self._found(stretch, since) if self.spans and stretch else None
        if not match:
            return stretch
        found = self.said[self.spans[match.start()][0] : self.spans[match.end() - 1][1]]
        return capitalised(found) if stretch[:1].isupper() else found


@lru_cache(maxsize=1024)
def aliased(said: str, names: Companions) -> Aliased:
    """Return `said` with each of `names`, and the kinship before it, written as the kinship alone."""
    matches = list(_calling(names, language_of(said), said.islower()).finditer(said)) if names else []
    text, spans, at = "", list[tuple[int, int]](), 0
    for match in matches:
        kin = next(kin for name, kin in names if name.casefold() == match["name"].casefold())
        new = kin if language_of(said) == "ja" else f"{match['whose'] or 'my'} {kin}"
        text += said[at : match.start()] + new
        spans += [*((place, place + 1) for place in range(at, match.start())), *[match.span()] * len(new)]
        at = match.end()
    spans += ((place, place + 1) for place in range(at, len(said)))
    return Aliased(text + said[at:], said, tuple(spans) if matches else ())


def called(about: str, said: str, names: Companions) -> str:
    """Return whom a statement is `about` by name: who is named in what was `said`, or is the only one of a kinship."""
    found = []
    for person in about.split(" and "):
        fitting = [name for name, kin in names if _person(kin) == person]
        here = [name for name in fitting if re.search(re.escape(name), said, re.IGNORECASE)]
        found += here or (fitting if len(fitting) == 1 else [person])
    return " and ".join(dict.fromkeys(found))


def by_name(text: str, names: Companions) -> list[str]:
    """Return the clauses of `text` that begin with the names of different companions; else the whole."""
    known = alternatives(re.escape(name) for name, _ in names)
    joint = rf"(?:[,;]|\s(?:and|but|while)\b)+\s*(?={known}\b(?!\s*(?:,|and\b|&)))"
    joint_ja = rf"(?:(?<=[すだんい])(?:が|けど)|(?<=[すだい])し|で)?、\s*(?={known}(?:ちゃん|くん|君|さん)?[はがも])"
    parts = re.split(joint_ja if language_of(text) == "ja" else joint, text) if names else [text]
    said = [len(_items(re.sub(known, "", part))) for part in parts] if len(parts) > 1 else [0]
    return parts if all(said) else [text]


@lru_cache(maxsize=64)
def _calling(names: Companions, language: str, in_small_letters: bool) -> re.Pattern[str]:
    """Return what calls somebody by one of `names`, kinship and title included."""
    kin, called = (alternatives(map(re.escape, {pair[at] for pair in names})) for at in (1, 0))
    if language == "ja":
        return re.compile(rf"(?P<whose>{kin}の?)?(?P<name>{called})(?:ちゃん|くん|君|さん)?")
    lead = rf"(?:(?P<whose>[Mm]y|[Oo]ur) {kin},? )?"
    return re.compile(rf"{lead}\b(?P<name>{called})\b", re.IGNORECASE if in_small_letters else 0)


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
    of_own = CONTENT - {"person"}
    saying = (each for each in clauses if any(item.role in of_own for item in items_of(each.said, topic)))
    claiming = [each for each in saying if meaning_of(each.said, topic).claims]
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
        yield Told(capitalised(said + match[0]), said, " and ".join(people) or USER)


def _told(said: str, about: str | None) -> Told:
    return Told(capitalised(said.strip()), said.strip(), about)


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
