"""Look up places and towns by the names that people use: English or Japanese names, or codes."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import text
from config.errors import AmbiguousPlaceError, UnknownOfferError, UnknownPlaceError
from travel.sample.places.airports import Airport, Atlas, Place, atlas, kilometres, region_label
from travel.tables import names, read_table

_CODE_AT_END = re.compile(r"(?:^|\s|[(（])([A-Z]{3})[)）]?\s*$")
_IN_BRACKETS = re.compile(r"[(（]([^()（）]+)[)）]\s*$")
_MAX_CHARS = 120
_TAIL = re.compile(r"(?: international)?(?: airport)?$|(?:国際)?空港$|市$")
_BETWEEN = re.compile(r"[-.'’・/]+")
_SAME_CITY_KM = 100


class Gazetteer(NamedTuple):
    """Places by folded name and by code, and the areas that may follow a name ("Oregon", "OR", "Portugal").

    `by_code` has all airports, and all cities with their own code. `countries` has country codes by name and by code.
    """

    by_name: Mapping[str, tuple[Place, ...]]
    by_code: Mapping[str, Place]
    areas: Mapping[str, frozenset[str]]
    countries: Mapping[str, str]

    def find(self, query: str) -> tuple[Place, ...]:
        """Return the places that `query` may mean, the likeliest first; empty if there are none."""
        coded, inside, area = _CODE_AT_END.search(query), _IN_BRACKETS.search(query), fold(query)
        # "USA" means the country, not the airfield with that code.
        codes = {} if area in self.areas else self.by_code
        if coded and coded[1] in codes:
            return (codes[coded[1]],)
        places = self._lookup(query) or self._lookup_in_area(inside[1] if inside else query)
        if area in self.areas and not any(place.city for place in places):
            # "Jordan" means the country, not the village in Montana.
            places = tuple(place for place in places if self._is_part(place, area))
        place = codes.get(query.strip().upper())
        return places or ((place,) if place else ())

    def suggestions(self, query: str) -> tuple[str, ...]:
        """Return up to three places with names similar to `query`."""
        from rapidfuzz import fuzz, process

        similar = process.extract(fold(query), self.by_name.keys(), scorer=fuzz.ratio, limit=12, score_cutoff=70)
        ranked = [(-score - 4 * place.size, str(place)) for name, score, _ in similar for place in self.by_name[name]]
        return tuple(dict.fromkeys(place for _, place in sorted(ranked)))[:3]

    def largest(self, area: str) -> tuple[Place, ...]:
        """Return the cities of a folded area, the largest first."""
        inside = [place for place in self.by_code.values() if self._is_part(place, area)]
        return tuple(dict.fromkeys(sorted((each for each in inside if not isinstance(each, Airport)), key=_largest)))

    def _lookup_in_area(self, query: str) -> tuple[Place, ...]:
        """Return the places of a query such as "Portland, Oregon" or "Portland Oregon"."""
        head, *after = re.split(r"[,、，]", query)
        if after:
            return self._within(head, *filter(None, map(fold, after)))
        if places := self._lookup(query):
            return places
        words = fold(query).split()
        for cut in range(len(words) - 1, 0, -1):
            area = " ".join(words[cut:])
            if area in self.areas:
                return self._within(" ".join(words[:cut]), area)
        return ()

    def _lookup(self, name: str) -> tuple[Place, ...]:
        folded = fold(name)
        return self.by_name.get(folded) or self.by_name.get(_TAIL.sub("", folded), ())

    def _within(self, name: str, *areas: str) -> tuple[Place, ...]:
        """Return the places of this name in all areas; New York is in the state of the same name."""
        places = self._lookup(name)
        return tuple(each for each in places if all(self._is_part(each, area, fold(each.name)) for area in areas))

    def _is_part(self, place: Place, area: str, *also: str) -> bool:
        names = self.areas.get(area, frozenset({area}))
        return not names.isdisjoint((fold(place.region), place.country.casefold(), *also))


def meant(query: str) -> Place:
    """Return the one place that `query` means.

    Raises:
        UnknownPlaceError: if no place has such a name.
        AmbiguousPlaceError: if several places are similarly likely.
    """
    places = candidates(query)
    first = places[0]
    if len(places) == 1 or first.size >= places[1].size + 2 or (first.city and not places[1].city):
        return first
    raise _ambiguous(query, [place for place in places if place.city or not first.city])


def _ambiguous(query: str, places: Sequence[Place]) -> AmbiguousPlaceError:
    options = tuple(map(str, places[:6]))
    message = f"{query!r} may mean {_either(options)}. Ask which one, then use the code in brackets."
    return AmbiguousPlaceError(message, candidates=options)


def candidates(query: str) -> tuple[Place, ...]:
    """Return the places that `query` may mean, the likeliest first, at least one.

    Raises:
        UnknownPlaceError: if no place has such a name; suggests similar ones.
        AmbiguousPlaceError: if it is a country or region with several cities; names the largest.
    """
    book, query = gazetteer(), query.strip()[:_MAX_CHARS]
    if places := book.find(query):
        return places
    if cities := book.largest(fold(query)) if fold(query) in book.areas else ():
        if len(cities) > 1:
            raise _ambiguous(query, cities)
        return cities
    near = book.suggestions(query)
    hint = f"Did they mean {_either(near)}?" if near else "Ask for the name of a larger city nearby."
    raise UnknownPlaceError(f"No city or airport is called {query!r}. {hint}", suggestions=near)


def country_of(query: str) -> str:
    """Return the country (ISO 3166, two letters) of a country's or a place's name. Raises as `meant` does."""
    return gazetteer().countries.get(fold(query)) or meant(query).country


def _either(options: tuple[str, ...]) -> str:
    return " or ".join((", ".join(options[:-1]), options[-1])) if len(options) > 1 else options[0]


@lru_cache(maxsize=16_384)
def fold(name: str) -> str:
    """Normalise a name for lookup: fold case, accents and full-width letters; turn dots and hyphens into spaces."""
    return " ".join(_BETWEEN.sub(" ", text.fold(name).replace("ø", "o").replace("ł", "l")).split())


@cache
def gazetteer() -> Gazetteer:
    """Return the gazetteer, which is built once."""
    book = atlas()
    by_name: defaultdict[str, dict[str, Place]] = defaultdict(dict)
    by_code: dict[str, Place] = {}
    for place, spellings in (*_listed(book), *_elsewhere(book)):
        by_code.setdefault(place.code, place)
        for name in filter(None, map(fold, spellings)):
            by_name[name].setdefault(str(place), place)
    for place in list(by_code.values()):  # "CTS" means Sapporo, whose only airport it is, although its own code is SPK
        if len(place.airports) == 1:
            by_code.setdefault(place.airports[0], place)
    ranked = {
        name: tuple(sorted(places.values(), key=lambda place: (*_largest(place), str(place))))
        for name, places in by_name.items()
    }
    countries = {fold(name): code for code, *rest in read_table("countries") for name in (code, *names(",".join(rest)))}
    return Gazetteer(ranked, by_code, _areas(countries), countries)


def _largest(place: Place) -> tuple[bool, int]:
    """Return a sort key: listed cities and their airports first, then by size, the largest first."""
    return (not place.city, -place.size)


def _listed(book: Atlas) -> Iterator[tuple[Place, Iterable[str]]]:
    """Yield the listed cities and their airports, each with its names."""
    cities = {}
    for city in book.cities.values():
        region, zone = region_label(city.name, city.region), book.airports[city.airports[0]].zone
        place = Place(city.code, city.name, region, city.country, city.airports, zone, city.size, city.code)
        cities[city.code] = place
        yield place, (city.name, city.name_ja, *city.aliases)
    others = {code: names(listed) for code, listed in read_table("airport_names")}
    for airport in book.listed:
        short, home = _TAIL.sub("", airport.name.casefold()), cities[airport.city]
        spellings = (airport.name, "" if short == airport.town.casefold() else short, *others.get(airport.code, ()))
        # The names of a city's only airport mean the city.
        yield home if home.airports == airport.airports else airport, spellings


def _elsewhere(book: Atlas) -> Iterator[tuple[Place, Iterable[str]]]:
    """Yield airports outside the listed cities, those of one town together, each with its names."""
    cities: defaultdict[str, list[Airport]] = defaultdict(list)
    for airport in book.listed:
        cities[airport.town].append(airport)
    towns: defaultdict[tuple[str, str, str], list[Airport]] = defaultdict(list)
    for airport in (each for each in book.airports.values() if not each.city):
        # The name of a listed city does not mean a small airport near it.
        if any(kilometres(airport.code, near.code) < _SAME_CITY_KM for near in cities.get(airport.town, ())):
            yield airport, (airport.name,)
        else:
            towns[airport.town or airport.name, airport.region, airport.country].append(airport)
    for (town, region, country), airports in towns.items():
        main, *_ = airports = sorted(airports, key=lambda airport: (-airport.size, airport.code))
        codes = tuple(airport.code for airport in airports[:3])
        place = Place(main.code, town, region_label(town, region), country, codes, main.zone, main.size, "")
        yield place, (town, main.name)
        yield from ((airport, (airport.name,)) for airport in airports)


def _areas(countries: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return the folded regions and countries that each area's name may mean ("ca" is a state and a country)."""
    areas = defaultdict(set, {name: {code.casefold()} for name, code in countries.items()})
    for code, name in read_table("states"):
        for area in (code, name):
            areas[fold(area)].add(fold(name))
    return {area: frozenset(meanings) for area, meanings in areas.items()}


def town_called(name: str) -> Place:
    """Return the town that `name` means; an airport means its city. Raises as `meant` does."""
    return _home(meant(name))


def town_covered(name: str) -> Place:
    """Return the town that `name` means, or the largest of a country or region. Raises as `meant` does."""
    book, area = gazetteer(), fold(name)
    country = book.countries.get(area)  # if set, excludes places in a state of the same name, such as "Georgia"
    inside = book.largest(area) if area in book.areas and not book.find(name) else ()
    return _home(next((place for place in inside if country in (None, place.country)), None) or meant(name))


def town_of(code: str) -> Place:
    """Return the town with this code, from an offer id. Raises UnknownOfferError."""
    place = gazetteer().by_code.get(code)
    if place is None:
        raise UnknownOfferError(f"There is no place {code!r} in this world. Search again.")
    return _home(place)


def _home(place: Place) -> Place:
    """Return the city of an airport if it has one, else the place itself."""
    return gazetteer().by_code[place.city] if place.city else place
