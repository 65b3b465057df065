"""Finds out whom a statement is about.

Companions are recognised by name: after "my son Tom", a statement about Tom is about the user's son. A sentence about
several people, as "I'm vegan, my boyfriend is coeliac", is split into one clause for each.
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

_CHILD = "child"
Companions = tuple[tuple[str, str], ...]
"""Pairs of a name and the word for its relation to the user ("Tom", "son")."""


def companions_in(texts: Iterable[str]) -> Companions:
    """Return the relatives and friends that `texts` introduce by name; the last introduction of a name counts."""
    return tuple(sorted({name: kin for text in texts for name, kin in _introduced(text)}.items()))


@lru_cache(maxsize=1024)
def _introduced(text: str) -> Companions:
    introduced: list[tuple[str, str]] = []
    patterns = NOTES.table("companions")[language_of(text)]
    for match in (each for pattern in patterns for each in re.finditer(pattern, text)):
        kin, names = match.groupdict().get("kin") or _CHILD, [match["name"], match.groupdict().get("other")]
        introduced += [(name, kin) for name in names if name and _person(kin) and is_name(name)]
    return tuple(introduced)


def is_name(word: str) -> bool:
    """Return whether a word may be a personal name: it is not in the lexicon, or only as a variant, like "Max"."""
    items = _items(word)
    means = next((each.name for each in items if each.role != "word"), "")
    other = language_of(word) == "en" and means.isalpha() and means != word.lower()
    return len(items) == 1 and (not means or (other and items[0].role == "value"))


def _items(text: str) -> list[Item]:
    return [item for item in items_of(text) if item.role != "stop"]


def _person(kin: str) -> str:
    """Return the person, as in `about`, that a phrase for a relation ends with; empty for none."""
    return next((item.name for item in _items(kin)[-1:] if item.role == "person"), "")


@dataclass(frozen=True, slots=True)
class Aliased:
    """A message with the names of companions replaced by their relations, which the classifiers know.

    Attributes:
        text: "Tom hates flying" as "my son hates flying".
        said: The message as written.
        spans: For each character of `text` the (start, end) in `said` that it stands for; empty if both are the same.
    """

    text: str
    said: str
    spans: tuple[tuple[int, int], ...] = ()

    def _found(self, stretch: str, since: int) -> re.Match[str] | None:
        return re.compile(re.escape(stretch), re.IGNORECASE).search(self.text, since)

    def end_of(self, stretch: str, since: int) -> int:
        """Return the end of the first `stretch` in `text` from `since` on; `since` itself if there is none."""
        found = self._found(stretch, since)
        return found.end() if found else since

    def original(self, stretch: str, since: int = 0) -> str:
        """Return the original words of the first `stretch` from `since` on; `stretch` itself if there is none."""
        match = self._found(stretch, since) if self.spans and stretch else None
        if not match:
            return stretch
        written = self.said[self.spans[match.start()][0] : self.spans[match.end() - 1][1]]
        return capitalised(written) if stretch[:1].isupper() else written


@lru_cache(maxsize=1024)
def aliased(said: str, names: Companions) -> Aliased:
    """Return `said` with each of `names`, together with a relation before it, replaced by the relation."""
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
    """Return `about` with relations replaced by names: of those named in `said`, else of the only such companion."""
    people = []
    for person in about.split(" and "):
        fitting = [name for name, kin in names if _person(kin) == person]
        here = [name for name in fitting if re.search(re.escape(name), said, re.IGNORECASE)]
        people += here or (fitting if len(fitting) == 1 else [person])
    return " and ".join(dict.fromkeys(people))


def by_name(text: str, names: Sequence[tuple[str, str]]) -> list[str]:
    """Split `text` into clauses that begin with the names of companions whom it does not introduce itself."""
    names = [pair for pair in names if pair not in _introduced(text)]
    any_name = alternatives(re.escape(name) for name, _ in names)
    joint = rf"(?:[,;]|\s(?:and|but|while)\b)+\s*(?={any_name}\b(?!\s*(?:,|and\b|&)))"
    joint_ja = rf"(?:(?<=[すだんい])(?:が|けど)|(?<=[すだい])し|で)?、\s*(?={any_name}(?:ちゃん|くん|君|さん)?[はがも])"
    parts = re.split(joint_ja if language_of(text) == "ja" else joint, text) if names else [text]
    sizes = [len(_items(re.sub(any_name, "", part))) for part in parts] if len(parts) > 1 else [0]
    return parts if all(sizes) else [text]


@lru_cache(maxsize=64)
def _calling(names: Companions, language: str, in_small_letters: bool) -> re.Pattern[str]:
    """Return a pattern for the `names` of companions, with an optional relation before and a title after them."""
    kin, called = (alternatives(map(re.escape, {pair[at] for pair in names})) for at in (1, 0))
    if language == "ja":
        return re.compile(rf"(?P<whose>{kin}の?)?(?P<name>{called})(?:ちゃん|くん|君|さん)?")
    lead = rf"(?:(?P<whose>[Mm]y|[Oo]ur) {kin},? )?"
    return re.compile(rf"{lead}\b(?P<name>{called})\b", re.IGNORECASE if in_small_letters else 0)


_OPENS = frozenset({"filler", "particle", "list", "comma", "negate"})
"""Roles that may stand before the subject of a clause."""


@dataclass(frozen=True, slots=True)
class PersonClause:
    """A clause about one person.

    Attributes:
        text: The words to keep.
        said: The part of `text` that the claims are read from.
        about: The person; None if the words themselves show it.
    """

    text: str
    said: str
    about: str | None = None


def by_person(text: str, topic: str) -> list[PersonClause]:
    """Split `text` into a clause for each person; return it whole if only one person is named, or has claims.

    A clause without content of its own ("my wife doesn't") has no claims; "me too" makes the whole about the user.
    """
    patterns = NOTES.patterns("claims")
    if patterns["together"].search(text):
        return [PersonClause(text, text, USER)]
    clauses = list(_meant_for(text, topic)) or list(_clauses(text, topic))
    if len({clause.about for clause in clauses}) < 2:
        return [PersonClause(text, text)]
    contents = CONTENT - {"person"}
    saying = (each for each in clauses if any(item.role in contents for item in items_of(each.said, topic)))
    claiming = [each for each in saying if meaning_of(each.said, topic).claims]
    if len(claiming) > 1:
        return claiming
    result = claiming[0] if claiming else PersonClause(text, text)
    likewise = any(patterns["likewise"].search(clause.said) for clause in clauses[1:])
    return [replace(result, text=text, about=USER if likewise else result.about)]


def concerns_user(text: str, topic: str) -> bool:
    """Return whether `text` says something about the user, and not only about others."""
    return any((each.about or meaning_of(each.said, topic).about) == USER for each in by_person(text, topic))


def _clauses(text: str, topic: str) -> Iterator[PersonClause]:
    """Yield the clauses about different people; one that names nobody, or the same person, continues the last."""
    start, about = 0, subject_of(items_of(text, topic))
    breaks = list(NOTES.patterns("claims")["clause"].finditer(text)) if about else []
    for number, match in enumerate(breaks):
        end = breaks[number + 1].start() if number + 1 < len(breaks) else len(text)
        follows = subject_of(items_of(text[match.end() : end], topic))
        if follows not in (None, about):
            yield _clause(text[start : match.start()], about)
            start, about = match.end(), follows
    yield _clause(text[start:], about)


def _meant_for(text: str, topic: str) -> Iterator[PersonClause]:
    """Yield a clause for each person that something is wanted for: "aisle for me and window for the girls"."""
    matches = list(NOTES.patterns("claims")["meant_for"].finditer(text))
    starts = [0, *(match.end() for match in matches)]
    for start, match in zip(starts, matches if len(matches) > 1 else [], strict=False):
        said = re.sub(r"^\W*(?:and|but|,)?\s*", "", text[start : match.start()])
        people = sorted(item.name for item in items_of(match["who"], topic) if item.role == "person")
        yield PersonClause(capitalised(said + match[0]), said, " and ".join(people) or USER)


def _clause(said: str, about: str | None) -> PersonClause:
    return PersonClause(capitalised(said.strip()), said.strip(), about)


def gives_name_only(text: str) -> bool:
    """Return whether an English text only gives a name or an age ("I'm Daniel", "I'm 68")."""
    items = items_of(text) if language_of(text) == "en" else []
    named = any(item.proper or item.role == "number" for item in items)
    return named and all(item.proper or item.role in ("filler", "number", "stop") for item in items)


def subject_of(items: Sequence[Item]) -> str | None:
    """Return the subject that a clause begins with: the user or another person; None if it begins with neither."""
    for item in items:
        if item.role == "person":
            return item.name
        if item.role == "filler" and item.name in words("first_persons"):
            return USER
        if item.role not in _OPENS:
            return None
    return None
