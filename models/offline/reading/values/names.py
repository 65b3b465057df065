"""Finds the names of places and of companies in a text, by `words/places.txt` and `words/companies.txt`."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, get_args

from text.words import fold

Sort = Literal["known", "towns", "areas", "codes"]
_SORTS: dict[str, Sort] = {f"[{sort}]": sort for sort in get_args(Sort)}
_WORDS = Path(__file__).parent / "words"
_BETWEEN = re.compile(r"[-.'’/]+")
_LONGEST = 5
"""Words of the longest name."""
_SHORTEST_SLIP = 5
"""Letters under which a name is too near to other words to be mended."""
_LONG = 9
"""Letters from which two slips are mended."""


@dataclass(frozen=True, slots=True)
class Named:
    """A place of the list: its usual name, which list it is of, and whether it is also a plain word."""

    name: str
    sort: Sort
    plain_word: bool


def named(words: Sequence[str]) -> Named | None:
    """Return the place whose whole name these words are, or None."""
    return _places().get(_folded(" ".join(words)))


def is_code(word: str) -> bool:
    """Return whether `word` is the code of a listed city or airport."""
    place = named([word])
    return place is not None and place.sort == "codes"


def longest_at(words: Sequence[str], at: int) -> tuple[int, Named] | None:
    """Return how many words from `at` on are the longest name of a place, and the place; None for none."""
    if words[at].isdigit() or words[at] not in _first_words():
        return None
    for count in range(min(_LONGEST, len(words) - at), 0, -1):
        if words[at + count - 1][0].isalnum() and (found := named(words[at : at + count])):
            return count, found
    return None


@lru_cache(maxsize=2048)
def mended(word: str, asked: bool = False) -> Named | None:
    """Return the well-known place that `word` is a slip or two away from, or None; one more where it was asked for."""
    if len(word) < _SHORTEST_SLIP:
        return None
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    allowed = (1 if len(word) < _LONG else 2) + asked
    best = process.extractOne(word, _long_names(), scorer=OSA.distance, score_cutoff=allowed)
    return _places()[best[0]] if best and best[0][0] == word[0] else None


def _folded(name: str) -> str:
    return " ".join(_BETWEEN.sub(" ", fold(name).replace("ø", "o").replace("ł", "l")).split())


@cache
def _places() -> dict[str, Named]:
    found: dict[str, Named] = {}
    sort: Sort = "known"
    for line in (_WORDS / "places.txt").read_text(encoding="utf-8").splitlines():
        if line in _SORTS:
            sort = _SORTS[line]
        elif line and not line.startswith("#"):
            names = re.split(r"[|,]", line)
            for each in names:
                found.setdefault(_folded(each.strip("~")), Named(names[0].strip("~"), sort, each.startswith("~")))
    return found


@cache
def _first_words() -> frozenset[str]:
    return frozenset(name.split(" ", 1)[0] for name in _places())


@cache
def _long_names() -> list[str]:
    """The names worth mending, in one word each or several."""
    return [name for name, place in _places().items() if place.sort == "known" and len(name) >= _SHORTEST_SLIP]


def is_airport_of(name: str, place: str | None) -> bool:
    """Return whether an airport, by its name or its code, is one of the city `place`, or of that of the airport."""
    return any(_key(place or "") in (city, *called) for city, called in _airports().items() if _key(name) in called)


def other_airport(name: str) -> str | None:
    """Return the one other airport of the city of an airport; None where it has no other or several."""
    called = next((called for called in _airports().values() if _key(name) in called), {})
    others = {*called.values()} - {called.get(_key(name))}
    return others.pop() if len(others) == 1 else None


def city_of(names: Iterable[str]) -> str | None:
    """Return the city of which airports, by their names or codes, are all that it has; None for others."""
    keys = [_key(name) for name in names]
    served = ((city, {called.get(key) for key in keys}, {*called.values()}) for city, called in _airports().items())
    return next((_places()[city].name for city, said, airports in served if said == airports), None)


def _key(name: str) -> str:
    """Return what an airport is known by: the code in "Haneda (HND)", or the name as it is."""
    return _folded(name[-4:-1] if name.endswith(")") else name)


@cache
def _airports() -> dict[str, dict[str, str]]:
    """Return the airports of each city, under all that they are called, as "Haneda (HND)"."""
    found: dict[str, dict[str, str]] = {}
    for line in (_WORDS / "airports.txt").read_text(encoding="utf-8").splitlines():
        city, *airports = line.split("|")
        for code, *called in (re.split("[=,]", each) for each in airports):
            name = f"{called[0] if called else city} ({code})"
            found.setdefault(_folded(city), {}).update({_folded(each): name for each in (code, *called)})
    return found


_BESIDE = r"(?= (?:airlines?|flights?|one|option|hotel|rental))"
"""What tells a name that is also a plain word where it is not written as it is."""


@dataclass(frozen=True, slots=True)
class Company:
    """A company as offers name it; `kind` is `airline`, `hotel` or `car`."""

    kind: str
    name: str


def companies_in(text: str, kind: str) -> tuple[str, ...]:
    """Return the names of the companies of a kind that a text names."""
    return tuple(company.name for company, pattern in companies() if company.kind == kind and pattern.search(text))


@cache
def companies() -> list[tuple[Company, re.Pattern[str]]]:
    """Return the companies, those with the longest names first, each with a pattern for all that it is called."""
    found = []
    for line in (_WORDS / "companies.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, name, others = line.split("|")
        said = [name, *others.split(",")]
        exact = [each[1:] for each in said if each.startswith("=")]
        free = [each for each in said if each and not each.startswith("=") and each not in exact]
        spelt = "|".join(re.escape(one) for each in free for one in dict.fromkeys((each, fold(each))))
        parts = [f"(?i:{spelt})"] if free else []
        parts += [rf"{each}|(?i:{each}){_BESIDE}" for each in map(re.escape, exact)]
        found.append((Company(kind, name), re.compile(rf"(?<![^\W_])(?:{'|'.join(parts)})(?![a-zA-Z])")))
    return sorted(found, key=lambda pair: -len(pair[0].name))
