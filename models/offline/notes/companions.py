"""Knows by name those who travel along: after "my son Tom", what is said of Tom is said of the user's son."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from models.offline.notes.judging.forms import language_of
from models.offline.notes.meaning.items import Item, items_of
from models.offline.tables import NOTES, alternatives

Companions = tuple[tuple[str, str], ...]
"""Names, each with the word for the kinship ("Tom", "son")."""


def companions_in(texts: Iterable[str]) -> Companions:
    """Return those whom `texts` call kin of the user's by name; what was said last counts."""
    return tuple(sorted({name: kin for text in texts for name, kin in _introduced(text)}.items()))


@lru_cache(maxsize=1024)
def _introduced(text: str) -> Companions:
    found: list[tuple[str, str]] = []
    for match in (each for pattern in _patterns(language_of(text)) for each in pattern.finditer(text)):
        kin, names = match["kin"], [match["name"], match.groupdict().get("other")]
        if _person(kin):
            found += [(name, kin) for name in names if name and [each.role for each in _items(name)] == ["word"]]
    return tuple(found)


@cache
def _patterns(language: str) -> list[re.Pattern[str]]:
    return [re.compile(each) for each in NOTES.table("companions")[language]]


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
        said: The message as it was written.
        cuts: The stretches that were replaced, as (start, end) in `text` and (start, end) in `said`, in their order.
    """

    text: str
    said: str
    cuts: tuple[tuple[int, int, int, int], ...] = ()

    def end_of(self, stretch: str, since: int) -> int:
        """Return the place in `text` where `stretch` ends that stands from `since` on; `since` where it doesn't."""
        at = self.text.casefold().find(stretch.casefold(), since)
        return since if at < 0 else at + len(stretch)

    def original(self, stretch: str, since: int = 0) -> str:
        """Return what was written where `stretch` stands, from `since` on; `stretch` itself where it stands nowhere."""
        at = self.text.casefold().find(stretch.casefold(), since) if self.cuts else -1
        if at < 0:
            return stretch
        found = self.said[self._place(at, 2) : self._place(at + len(stretch), 3)]
        return found[:1].upper() + found[1:] if stretch[:1].isupper() else found

    def _place(self, at: int, edge: int) -> int:
        """Return the place in `said` of a place in `text`; within a replaced stretch that edge of it."""
        moved = 0
        for cut in self.cuts:
            if cut[0] < at < cut[1]:
                return cut[edge]
            moved = cut[3] - cut[1] if cut[1] <= at else moved
        return at + moved


@lru_cache(maxsize=1024)
def aliased(said: str, names: Companions) -> Aliased:
    """Return `said` with each of `names`, and the kinship before it, written as the kinship alone."""
    if not names:
        return Aliased(said, said)
    pattern = _calling(names, language_of(said), said.islower())
    cuts, text = list[tuple[int, int, int, int]](), ""
    for match in pattern.finditer(said):
        kin = next(kin for name, kin in names if name.casefold() == match["name"].casefold())
        text += said[cuts[-1][3] if cuts else 0 : match.start()]
        new = kin if language_of(said) == "ja" else f"{match['whose'] or 'my'} {kin}"
        cuts.append((len(text), len(text) + len(new), *match.span()))
        text += new
    return Aliased(text + said[cuts[-1][3] if cuts else 0 :], said, tuple(cuts))


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
