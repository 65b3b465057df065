"""Look up places, and the towns that one can stay in, by the names that people use (English, Japanese, codes)."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import text
from config.errors import AmbiguousPlaceError, UnknownOfferError, UnknownPlaceError
from travel.sample.places.airports import Airport, Atlas, Place, atlas, beside, kilometres
from travel.tables import names, read_table

_CODE_AT_END = re.compile(r"(?:^|\s|[(（])([A-Z]{3})[)）]?\s*$")
_IN_BRACKETS = re.compile(r"[(（]([^()（）]+)[)）]\s*$")
_LONGEST = 120
_TAIL = re.compile(r"(?: international)?(?: airport)?$|(?:国際)?空港$|市$")
_BETWEEN = re.compile(r"[-.'’・/]+")
_SAME_CITY_KM = 100


class Gazetteer(NamedTuple):
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
        inside = [place for place in self.by_code.values() if self._is_part(place, area)]
        return tuple(dict.fromkeys(sorted((one for one in inside if not isinstance(one, Airport)), key=_largest)))

    def _named(self, told: str) -> tuple[Place, ...]:
        head, *after = re.split(r"[,、，]", told)
        if after:
            return self._within(head, *filter(None, map(fold, after)))
        if found := self._called(told):
            return found
        words = fold(told).split()
        for cut in range(len(words) - 1, 0, -1):
            area = " ".join(words[cut:])
            if area in self.areas:
                return self._within(" ".join(words[:cut]), area)
        return ()

    def _called(self, told: str) -> tuple[Place, ...]:
        folded = fold(told)
        return self.by_name.get(folded) or self.by_name.get(_TAIL.sub("", folded), ())

    def _within(self, told: str, *areas: str) -> tuple[Place, ...]:
        """Return the places called so that lie in all areas; "New York, NY" lies in the state of its own name."""
        found = self._called(told)
        return tuple(one for one in found if all(self._is_part(one, area, fold(one.name)) for area in areas))

    def _is_part(self, place: Place, area: str, *also: str) -> bool:
        stands_for = self.areas.get(area, frozenset({area}))
        return not stands_for.isdisjoint((fold(place.region), place.country.casefold(), *also))


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
        if len(cities) > 1:
            raise _ambiguous(query, cities)
        return cities
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
    for place, called in (*_listed(book), *_elsewhere(book)):
        by_code.setdefault(place.code, place)
        for name in filter(None, map(fold, called)):
            by_name[name].setdefault(str(place), place)
    for place in list(by_code.values()):  # "CTS" is Sapporo, which has a code of its own and one airport
        if len(place.airports) == 1:
            by_code.setdefault(place.airports[0], place)
    ranked = {
        name: tuple(sorted(found.values(), key=lambda place: (*_largest(place), str(place))))
        for name, found in by_name.items()
    }
    countries = {fold(name): code for code, *said in read_table("countries") for name in (code, *names(",".join(said)))}
    return Gazetteer(ranked, by_code, _areas(countries), countries)


def _largest(place: Place) -> tuple[bool, int]:
    """Return the sort key by size; equals stay as the cities are listed."""
    return (not place.city, -place.size)


def _listed(book: Atlas) -> Iterator[tuple[Place, Iterable[str]]]:
    """Yield the listed cities and their airports, each with its names."""
    cities = {}
    for city in book.cities.values():
        region, zone = beside(city.name, city.region), book.airports[city.airports[0]].zone
        place = Place(city.code, city.name, region, city.country, city.airports, zone, city.size, city.code)
        cities[city.code] = place
        yield place, (city.name, city.name_ja, *city.aliases)
    said = {code: names(called) for code, called in read_table("airport_names")}
    for airport in book.listed:
        short, home = _TAIL.sub("", airport.name.casefold()), cities[airport.city]
        called = (airport.name, "" if short == airport.town.casefold() else short, *said.get(airport.code, ()))
        # A city with one airport is found under its own name; the airport's only adds ways to say it.
        yield home if home.airports == airport.airports else airport, called


def _elsewhere(book: Atlas) -> Iterator[tuple[Place, Iterable[str]]]:
    """Yield airports outside the listed cities, those of one town together, each with its names."""
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
        place = Place(main.code, town, beside(town, region), country, codes, main.zone, main.size, "")
        yield place, (town, main.name)
        yield from ((airport, (airport.name,)) for airport in airports)


def _areas(countries: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return the folded regions and countries that each area name may stand for ("ca" is a state and a country)."""
    found = defaultdict(set, {name: {code.casefold()} for name, code in countries.items()})
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
    country = book.countries.get(area)  # "Georgia" is a state too
    inside = book.largest(area) if area in book.areas and not book.find(name) else ()
    return _home(next((place for place in inside if country in (None, place.country)), None) or meant(name))


def town_of(code: str) -> Place:
    """Return the town of a code in an offer id. Raises UnknownOfferError."""
    place = gazetteer().by_code.get(code)
    if place is None:
        raise UnknownOfferError(f"There is no place {code!r} in this world. Search again.")
    return _home(place)


def _home(place: Place) -> Place:
    """Return a place to stay: the city of an airport that has one."""
    return gazetteer().by_code[place.city] if place.city else place
