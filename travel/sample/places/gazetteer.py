"""Look up places, and the towns that one can stay in, by the names that people use (English, Japanese, codes)."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import text
from config.errors import AmbiguousPlaceError, UnknownOfferError, UnknownPlaceError
from travel.places import Place
from travel.sample.places.airports import Airport, Atlas, City, atlas, great_circle
from travel.tables import names, read_table

_CODE_AT_END = re.compile(r"(?:^|\s|[(（])([A-Z]{3})[)）]?\s*$")
_IN_BRACKETS = re.compile(r"[(（]([^()（）]+)[)）]\s*$")
_LONGEST = 120
_TAIL = re.compile(r"(?: international)?(?: airport)?$|(?:国際)?空港$|市$")
_BETWEEN = re.compile(r"[-.'’・/]+")
_SAME_CITY_KM = 100


@dataclass(frozen=True, slots=True)
class Entry:
    """A place and how likely it is meant: `size` 0 to 5, and whether it is a listed city or its airport."""

    place: Place
    size: int
    listed: bool


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Places by folded name and by code, and what may follow a name ("Oregon", "OR", "Portugal", "ポルトガル").

    `by_code` has each airport, and each city that has a code of its own. `countries` are by name and by code.
    """

    by_name: Mapping[str, tuple[Entry, ...]]
    by_code: Mapping[str, Entry]
    areas: Mapping[str, frozenset[str]]
    countries: Mapping[str, str]

    def find(self, query: str) -> tuple[Entry, ...]:
        """Return what `query` may mean, the likeliest first; empty when nothing has such a name."""
        coded, area = _CODE_AT_END.search(query), fold(query)
        # Whoever says "USA" means the country, not the airfield with that code.
        if coded and coded[1] in self.by_code and area not in self.areas:
            return (self.by_code[coded[1]],)
        inside = _IN_BRACKETS.search(query)
        named = self._called(query) or self._named(inside[1] if inside else query)
        if area in self.areas and not any(entry.listed for entry in named):
            # Whoever says "Jordan" means the country, not the village in Montana.
            named = tuple(entry for entry in named if self._is_part(entry.place, area))
        code = None if area in self.areas else self.by_code.get(query.strip().upper())
        return named or ((code,) if code else ())

    def suggestions(self, query: str) -> tuple[str, ...]:
        """Return up to three names that are near to `query`."""
        from rapidfuzz import fuzz, process

        near = process.extract(fold(query), self.by_name.keys(), scorer=fuzz.ratio, limit=12, score_cutoff=70)
        entries = [(score, entry) for name, score, _ in near for entry in self.by_name[name]]
        entries.sort(key=lambda pair: (-pair[0] - 4 * pair[1].size, str(pair[1].place)))
        return tuple(dict.fromkeys(str(entry.place) for _, entry in entries))[:3]

    def largest(self, area: str) -> tuple[Place, ...]:
        """Return the cities of a folded area, the largest first."""
        cities = (entry for entry in self.by_code.values() if entry.place.kind == "city")
        inside = sorted((entry for entry in cities if self._is_part(entry.place, area)), key=_largest)
        return tuple(dict.fromkeys(entry.place for entry in inside))

    def _named(self, told: str) -> tuple[Entry, ...]:
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

    def _called(self, told: str) -> tuple[Entry, ...]:
        folded = fold(told)
        return self.by_name.get(folded) or self.by_name.get(_TAIL.sub("", folded), ())

    def _within(self, found: Iterable[Entry], areas: list[str]) -> tuple[Entry, ...]:
        return tuple(entry for entry in found if all(self._lies_in(entry.place, area) for area in areas))

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
    if len(found) == 1 or first.size >= found[1].size + 2 or (first.listed and not found[1].listed):
        return first.place
    raise _ambiguous(query, [entry.place for entry in found if entry.listed or not first.listed])


def _ambiguous(query: str, places: Sequence[Place]) -> AmbiguousPlaceError:
    rivals = tuple(map(str, places[:6]))
    told = f"{query!r} may mean {_either(rivals)}. Ask which one, then use the code in brackets."
    return AmbiguousPlaceError(told, candidates=rivals)


def candidates(query: str) -> tuple[Entry, ...]:
    """Return what `query` may mean, the likeliest first, at least one.

    Raises:
        UnknownPlaceError: when nothing has such a name; suggests near ones.
        AmbiguousPlaceError: when it is a country or a region; names its largest cities.
    """
    book, query = gazetteer(), query.strip()[:_LONGEST]
    found = book.find(query)
    if found:
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
    by_name: defaultdict[str, dict[str, Entry]] = defaultdict(dict)
    by_code: dict[str, Entry] = {}
    for called, entry in (*_cities(book), *_single_airports(book), *_elsewhere(book)):
        by_code.setdefault(entry.place.code, entry)
        for name in map(fold, called):
            if name:
                by_name[name].setdefault(str(entry.place), entry)
    for entry in list(by_code.values()):  # "CTS" is Sapporo, which has a code of its own and one airport
        if len(entry.place.airports) == 1:
            by_code.setdefault(entry.place.airports[0], entry)
    ranked = {
        name: tuple(sorted(found.values(), key=lambda entry: (*_largest(entry), str(entry.place))))
        for name, found in by_name.items()
    }
    return Gazetteer(ranked, by_code, _areas(), dict(_countries()))


def _largest(entry: Entry) -> tuple[bool, int]:
    """Return the sort key by size; equals stay as the cities are listed."""
    return (not entry.listed, -entry.size)


def _cities(book: Atlas) -> Iterable[tuple[Iterable[str], Entry]]:
    for city in book.cities.values():
        main = book.airports[city.airports[0]]
        place = _place(city.code, "city", city.name, main, city.airports, city)
        yield (city.name, city.name_ja or "", *city.aliases), Entry(place, city.size, True)


def _single_airports(book: Atlas) -> Iterable[tuple[Iterable[str], Entry]]:
    said = {code: names(called) for code, called in read_table("airport_names")}
    for airport in book.listed:
        city = book.city_of(airport.code)
        place = _place(airport.code, "airport", airport.name, airport, (airport.code,), city)
        short = _TAIL.sub("", airport.name.casefold())
        called = (airport.name, "" if short == airport.city.casefold() else short, *said.get(airport.code, ()))
        # A city with one airport is found under its own name; the airport's only adds ways to say it.
        if city and city.airports == (airport.code,):
            place = _place(city.code, "city", city.name, airport, city.airports, city)
        yield called, Entry(place, airport.size, True)


def _elsewhere(book: Atlas) -> Iterable[tuple[Iterable[str], Entry]]:
    """Return airports outside the listed cities, those of one town together."""
    towns: defaultdict[tuple[str, str, str], list[Airport]] = defaultdict(list)
    cities: defaultdict[str, list[Airport]] = defaultdict(list)
    for airport in book.listed:
        cities[airport.city].append(airport)
    for airport in book.airports.values():
        if airport.city_code:
            continue
        here, namesakes = (airport.latitude, airport.longitude), cities.get(airport.city, ())
        # Nobody means a small field beside a listed city by the city's name.
        if any(great_circle(*here, home.latitude, home.longitude) < _SAME_CITY_KM for home in namesakes):
            yield _by_itself(airport)
        else:
            towns[(airport.city or airport.name, airport.region, airport.country)].append(airport)
    for (town, _, _), airports in towns.items():
        airports.sort(key=lambda airport: (-airport.size, airport.code))
        main = airports[0]
        place = _place(main.code, "city", town, main, tuple(airport.code for airport in airports[:3]), None)
        yield (town, main.name), Entry(place, main.size, False)
        for other in airports:
            yield _by_itself(other)


def _by_itself(airport: Airport) -> tuple[Iterable[str], Entry]:
    place = _place(airport.code, "airport", airport.name, airport, (airport.code,), None)
    return (airport.name,), Entry(place, airport.size, False)


def _place(code: str, kind: str, name: str, airport: Airport, airports: tuple[str, ...], city: City | None) -> Place:
    region = city.region if city else airport.region
    return Place.model_validate({
        "code": code, "kind": kind, "name": name, "name_ja": city.name_ja if city and kind == "city" else None,
        "region": "" if region == name else region, "country": airport.country,
        "airports": airports, "zone": airport.zone, "latitude": airport.latitude, "longitude": airport.longitude,
    })  # fmt: skip


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


_ANYWHERE = ("Centre", "Old Town", "Station Quarter", "Riverside")


@dataclass(frozen=True, slots=True)
class Town:
    """A place to stay. `size` is 0 to 5; `neighborhoods` go from the centre outwards."""

    code: str
    name: str
    country: str
    zone: str
    size: int
    neighborhoods: tuple[str, ...]


def town_called(name: str) -> Town:
    """Return the town that a traveller means; an airport means its city. Raises as `meant` does."""
    return _town(meant(name))


def town_covered(name: str) -> Town:
    """Return the town of a journey's destination; of a country or region, its largest. Raises as `meant` does."""
    book, area = gazetteer(), fold(name)
    if area not in book.areas or book.find(name):
        return town_called(name)
    country = book.countries.get(area)  # "Georgia" is a state too
    inside = (place for place in book.largest(area) if country in (None, place.country))
    return _town(next(inside, None) or meant(name))


def town_of(code: str) -> Town:
    """Return the town of a code in an offer id. Raises UnknownOfferError."""
    entry = gazetteer().by_code.get(code)
    if entry is None:
        raise UnknownOfferError(f"There is no place {code!r} in this world. Search again.")
    return _town(entry.place)


def _town(place: Place) -> Town:
    book = atlas()
    city = book.cities.get(place.code) if place.kind == "city" else book.city_of(place.code)
    if city is None:
        airport = book.airports[place.airports[0]]
        return Town(place.code, place.name, place.country, place.zone, airport.size, _ANYWHERE)
    return Town(city.code, city.name, city.country, place.zone, city.size, city.neighborhoods)
