"""Look up places, and the towns that one can stay in, by the names that people use (English, Japanese, codes)."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import text
from config.errors import AmbiguousPlaceError, UnknownOfferError, UnknownPlaceError
from travel.sample.places.airports import Airport, Atlas, City, Place, atlas, beside, kilometres
from travel.tables import names, read_table

_CODE_AT_END = re.compile(r"(?:^|\s|[(（])([A-Z]{3})[)）]?\s*$")
_IN_BRACKETS = re.compile(r"[(（]([^()（）]+)[)）]\s*$")
_LONGEST = 120
_TAIL = re.compile(r"(?: international)?(?: airport)?$|(?:国際)?空港$|市$")
_BETWEEN = re.compile(r"[-.'’・/]+")
_SAME_CITY_KM = 100


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Places by folded name and by code, and what may follow a name ("Oregon", "OR", "Portugal", "ポルトガル").

    `by_code` has each airport, and each city that has a code of its own. `countries` are by name and by code.
    """

    by_name: Mapping[str, tuple[Place, ...]]
    by_code: Mapping[str, Place]
    areas: Mapping[str, frozenset[str]]
    countries: Mapping[str, str]

    def find(self, query: str) -> tuple[Place, ...]:
        """Return what `query` may mean, the likeliest first; empty when nothing has such a name."""
        coded, inside, area = _CODE_AT_END.search(query), _IN_BRACKETS.search(query), fold(query)
        # Whoever says "USA" means the country, not the airfield with that code.
        codes = {} if area in self.areas else self.by_code
        if coded and coded[1] in codes:
            return (codes[coded[1]],)
        named = self._called(query) or self._named(inside[1] if inside else query)
        if area in self.areas and not any(place.city for place in named):
            # Whoever says "Jordan" means the country, not the village in Montana.
            named = tuple(place for place in named if self._is_part(place, area))
        code = codes.get(query.strip().upper())
        return named or ((code,) if code else ())

    def suggestions(self, query: str) -> tuple[str, ...]:
        """Return up to three names that are near to `query`."""
        from rapidfuzz import fuzz, process

        near = process.extract(fold(query), self.by_name.keys(), scorer=fuzz.ratio, limit=12, score_cutoff=70)
        found = [(-score - 4 * place.size, str(place)) for name, score, _ in near for place in self.by_name[name]]
        return tuple(dict.fromkeys(place for _, place in sorted(found)))[:3]

    def largest(self, area: str) -> tuple[Place, ...]:
        """Return the cities of a folded area, the largest first."""
        cities = [place for place in self.by_code.values() if place.kind == "city" and self._is_part(place, area)]
        return tuple(dict.fromkeys(sorted(cities, key=_largest)))

    def _named(self, told: str) -> tuple[Place, ...]:
        head, *after = re.split(r"[,、，]", told)
        if after:
            return self._within(self._called(head), [part for part in map(fold, after) if part])
        if found := self._called(told):
            return found
        words = fold(told).split()
        for cut in range(len(words) - 1, 0, -1):
            area = " ".join(words[cut:])
            if area in self.areas:
                return self._within(self._called(" ".join(words[:cut])), [area])
        return ()

    def _called(self, told: str) -> tuple[Place, ...]:
        folded = fold(told)
        return self.by_name.get(folded) or self.by_name.get(_TAIL.sub("", folded), ())

    def _within(self, found: Iterable[Place], areas: list[str]) -> tuple[Place, ...]:
        return tuple(place for place in found if all(self._lies_in(place, area) for area in areas))

    def _lies_in(self, place: Place, area: str) -> bool:
        return fold(place.name) in self.areas.get(area, {area}) or self._is_part(place, area)

    def _is_part(self, place: Place, area: str) -> bool:
        return not self.areas.get(area, frozenset({area})).isdisjoint((fold(place.region), place.country.casefold()))


def meant(query: str) -> Place:
    """Return the one place that `query` means.

    Raises:
        UnknownPlaceError: when nothing has such a name.
        AmbiguousPlaceError: when several are as likely.
    """
    found = candidates(query)
    first = found[0]
    if len(found) == 1 or first.size >= found[1].size + 2 or (first.city and not found[1].city):
        return first
    raise _ambiguous(query, [place for place in found if place.city or not first.city])


def _ambiguous(query: str, places: Sequence[Place]) -> AmbiguousPlaceError:
    rivals = tuple(map(str, places[:6]))
    told = f"{query!r} may mean {_either(rivals)}. Ask which one, then use the code in brackets."
    return AmbiguousPlaceError(told, candidates=rivals)


def candidates(query: str) -> tuple[Place, ...]:
    """Return what `query` may mean, the likeliest first, at least one.

    Raises:
        UnknownPlaceError: when nothing has such a name; suggests near ones.
        AmbiguousPlaceError: when it is a country or a region; names its largest cities.
    """
    book, query = gazetteer(), query.strip()[:_LONGEST]
    if found := book.find(query):
        return found
    if cities := book.largest(fold(query)) if fold(query) in book.areas else ():
        if len(cities) == 1:
            return (book.by_code[cities[0].code],)
        raise _ambiguous(query, cities)
    near = book.suggestions(query)
    hint = f"Did they mean {_either(near)}?" if near else "Ask for the name of a larger city nearby."
    raise UnknownPlaceError(f"No city or airport is called {query!r}. {hint}", suggestions=near)


def country_of(query: str) -> str:
    """Return the country (ISO 3166, two letters) that `query` names or lies in. Raises as `meant` does."""
    return gazetteer().countries.get(fold(query)) or meant(query).country


def _either(options: tuple[str, ...]) -> str:
    return " or ".join((", ".join(options[:-1]), options[-1])) if len(options) > 1 else options[0]


@lru_cache(maxsize=16_384)
def fold(name: str) -> str:
    """Return a name as it is compared: without case, accents, dots and hyphens; full-width letters made narrow."""
    return " ".join(_BETWEEN.sub(" ", text.fold(name).replace("ø", "o").replace("ł", "l")).split())


@cache
def gazetteer() -> Gazetteer:
    """Return the one gazetteer."""
    book = atlas()
    by_name: defaultdict[str, dict[str, Place]] = defaultdict(dict)
    by_code: dict[str, Place] = {}
    for place, called in (*_cities(book), *_listed_airports(book), *_elsewhere(book)):
        by_code.setdefault(place.code, place)
        for name in map(fold, called):
            if name:
                by_name[name].setdefault(str(place), place)
    for place in list(by_code.values()):  # "CTS" is Sapporo, which has a code of its own and one airport
        if len(place.airports) == 1:
            by_code.setdefault(place.airports[0], place)
    ranked = {
        name: tuple(sorted(found.values(), key=lambda place: (*_largest(place), str(place))))
        for name, found in by_name.items()
    }
    return Gazetteer(ranked, by_code, _areas(), dict(_countries()))


def _largest(place: Place) -> tuple[bool, int]:
    """Return the sort key by size; equals stay as the cities are listed."""
    return (not place.city, -place.size)


_Called = tuple[Place, Iterable[str]]
"""A place and its names."""


def _cities(book: Atlas) -> Iterator[_Called]:
    for city in book.cities.values():
        yield _city(book, city), (city.name, city.name_ja or "", *city.aliases)


def _listed_airports(book: Atlas) -> Iterator[_Called]:
    said = {code: names(called) for code, called in read_table("airport_names")}
    for airport in book.listed:
        short, home = _TAIL.sub("", airport.name.casefold()), airport.city
        called = (airport.name, "" if short == airport.town.casefold() else short, *said.get(airport.code, ()))
        # A city with one airport is found under its own name; the airport's only adds ways to say it.
        yield _city(book, home) if home and home.airports == airport.airports else airport, called


def _elsewhere(book: Atlas) -> Iterator[_Called]:
    """Yield airports outside the listed cities, those of one town together."""
    cities: defaultdict[str, list[Airport]] = defaultdict(list)
    for airport in book.listed:
        cities[airport.town].append(airport)
    towns: defaultdict[tuple[str, str, str], list[Airport]] = defaultdict(list)
    for airport in (each for each in book.airports.values() if not each.city):
        # Nobody means a small field beside a listed city by the city's name.
        if any(kilometres(airport.code, near.code) < _SAME_CITY_KM for near in cities.get(airport.town, ())):
            yield airport, (airport.name,)
        else:
            towns[airport.town or airport.name, airport.region, airport.country].append(airport)
    for (town, region, country), airports in towns.items():
        main, *_ = airports = sorted(airports, key=lambda airport: (-airport.size, airport.code))
        codes = tuple(airport.code for airport in airports[:3])
        place = Place(main.code, town, beside(town, region), country, codes, main.zone, main.size, None)
        yield place, (town, main.name)
        yield from ((airport, (airport.name,)) for airport in airports)


def _city(book: Atlas, city: City) -> Place:
    region, zone = beside(city.name, city.region), book.airports[city.airports[0]].zone
    return Place(city.code, city.name, region, city.country, city.airports, zone, city.size, city)


def _countries() -> Iterable[tuple[str, str]]:
    """Return each folded name of a country, its code among them, with its code."""
    for code, english, japanese in read_table("countries"):
        yield from ((fold(name), code) for name in (code, *names(english), *names(japanese)))


def _areas() -> dict[str, frozenset[str]]:
    """Return the folded regions and countries that each area name may stand for ("ca" is a state and a country)."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, code in _countries():
        found[name].add(code.casefold())
    for code, name in read_table("states"):
        for area in (code, name):
            found[fold(area)].add(fold(name))
    return {area: frozenset(stands_for) for area, stands_for in found.items()}


def town_called(name: str) -> Place:
    """Return the town that a traveller means; an airport means its city. Raises as `meant` does."""
    return _home(meant(name))


def town_covered(name: str) -> Place:
    """Return the town of a journey's destination; of a country or region, its largest. Raises as `meant` does."""
    book, area = gazetteer(), fold(name)
    if area not in book.areas or book.find(name):
        return town_called(name)
    country = book.countries.get(area)  # "Georgia" is a state too
    inside = (place for place in book.largest(area) if country in (None, place.country))
    return _home(next(inside, None) or meant(name))


def town_of(code: str) -> Place:
    """Return the town of a code in an offer id. Raises UnknownOfferError."""
    place = gazetteer().by_code.get(code)
    if place is None:
        raise UnknownOfferError(f"There is no place {code!r} in this world. Search again.")
    return _home(place)


def _home(place: Place) -> Place:
    """Return a place to stay: the city of an airport that has one."""
    return gazetteer().by_code[place.city.code] if place.city else place
