"""Finds the names of places, airports and companies in a text, by the lists in `words/`."""

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
"""The most words in a name."""
_SHORTEST_SLIP = 5
"""The fewest letters of a name whose misspellings are corrected; shorter ones resemble too many other words."""
_LONG = 9
"""The fewest letters of a word in which two misspelt letters are corrected."""


@dataclass(frozen=True, slots=True)
class Named:
    """A place on the list: its usual name, its section, and whether the matched name is also an ordinary word."""

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
    """Return the number of words in the longest name of a place that starts at `at`, and the place; None for none."""
    if words[at].isdigit() or words[at] not in _first_words():
        return None
    for count in range(min(_LONGEST, len(words) - at), 0, -1):
        if words[at + count - 1][0].isalnum() and (place := named(words[at : at + count])):
            return count, place
    return None


@lru_cache(maxsize=2048)
def corrected_place(word: str, asked: bool = False) -> Named | None:
    """Return the well-known place that `word` misspells by one or two letters, or None; `asked` allows one more."""
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
    places: dict[str, Named] = {}
    sort: Sort = "known"
    for line in (_WORDS / "places.txt").read_text(encoding="utf-8").splitlines():
        if line in _SORTS:
            sort = _SORTS[line]
        elif line and not line.startswith("#"):
            names = re.split(r"[|,]", line)
            for each in names:
                places.setdefault(_folded(each.strip("~")), Named(names[0].strip("~"), sort, each.startswith("~")))
    return places


@cache
def _first_words() -> frozenset[str]:
    return frozenset(name.split(" ", 1)[0] for name in _places())


@cache
def _long_names() -> list[str]:
    """Return the names whose misspellings are corrected."""
    return [name for name, place in _places().items() if place.sort == "known" and len(name) >= _SHORTEST_SLIP]


def is_airport_of(name: str, place: str | None) -> bool:
    """Return whether an airport, by its name or code, serves `place`: a city, or an airport of the same city."""
    return any(_key(place or "") in (city, *names) for city, names in _airports().items() if _key(name) in names)


def other_airport(name: str) -> str | None:
    """Return the only other airport in the city of an airport; None if there are none or several."""
    names = next((names for names in _airports().values() if _key(name) in names), {})
    others = {*names.values()} - {names.get(_key(name))}
    return others.pop() if len(others) == 1 else None


def city_of(names: Iterable[str]) -> str | None:
    """Return the city whose airports are exactly these, by their names or codes; None if there is no such city."""
    keys = [_key(name) for name in names]
    served = ((city, {called.get(key) for key in keys}, {*called.values()}) for city, called in _airports().items())
    return next((_places()[city].name for city, matched, airports in served if matched == airports), None)


def _key(name: str) -> str:
    """Return the lookup key of an airport: the code in "Haneda (HND)", else its name."""
    return _folded(name[-4:-1] if name.endswith(")") else name)


@cache
def _airports() -> dict[str, dict[str, str]]:
    """Return for each city its airports as "Haneda (HND)", by their codes and all their names."""
    airports_of: dict[str, dict[str, str]] = {}
    for line in (_WORDS / "airports.txt").read_text(encoding="utf-8").splitlines():
        city, *airports = line.split("|")
        for code, *names in (re.split("[=,]", each) for each in airports):
            name = f"{names[0] if names else city} ({code})"
            airports_of.setdefault(_folded(city), {}).update({_folded(each): name for each in (code, *names)})
    return airports_of


@cache
def _currencies() -> dict[str, str]:
    rows = (line.split("|") for line in (_WORDS / "currencies.txt").read_text(encoding="utf-8").splitlines()[1:])
    return {place: code for code, places in rows for place in places.split(",")}


def currency_at(place: str) -> str:
    """Return the currency of a place by its usual name, as an ISO code; an empty string if it is unknown."""
    return _currencies().get(place, "")


_BESIDE = r"(?= (?:airlines?|flights?|one|option|hotel|rental))"
"""Must follow a company name that is also an ordinary word, unless it has its exact capitals."""


@dataclass(frozen=True, slots=True)
class Company:
    """A company as offers name it; `kind` is `airline`, `hotel` or `car`."""

    kind: str
    name: str


def companies_in(text: str, kind: str) -> tuple[str, ...]:
    """Return the companies of a kind that a text mentions, by their names in offers."""
    return tuple(company.name for company, pattern in companies() if company.kind == kind and pattern.search(text))


@cache
def companies() -> list[tuple[Company, re.Pattern[str]]]:
    """Return the companies, those with the longest names first, each with a pattern for all its names."""
    compiled = []
    for line in (_WORDS / "companies.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, name, others = line.split("|")
        names = [name, *others.split(",")]
        exact = [each[1:] for each in names if each.startswith("=")]
        free = [each for each in names if each and not each.startswith("=") and each not in exact]
        spelt = "|".join(re.escape(one) for each in free for one in dict.fromkeys((each, fold(each))))
        parts = [f"(?i:{spelt})"] if free else []
        parts += [rf"{each}|(?i:{each}){_BESIDE}" for each in map(re.escape, exact)]
        compiled.append((Company(kind, name), re.compile(rf"(?<![^\W_])(?:{'|'.join(parts)})(?![a-zA-Z])")))
    return sorted(compiled, key=lambda pair: -len(pair[0].name))
