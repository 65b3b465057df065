"""The hotels of a town, their rooms and rates, and the counter that sells them."""

from datetime import date, time, timedelta
from functools import cache, partial
from itertools import count
from typing import Any, Literal, NamedTuple

from typing_extensions import override

from config.errors import InvalidInputError, SoldOutError, UnknownOfferError
from stores.inventory import Need
from travel.local_time import LocalTime
from travel.offers import HotelOffer
from travel.queries import LONGEST_STAY, HotelQuery
from travel.sample.chance import Chance
from travel.sample.counter import Counter, Ticket, check_order, days_from, free_until, read_date, usd
from travel.sample.places.airports import Place
from travel.sample.places.gazetteer import town_called, town_of
from travel.tables import Listed, names, read_rows, read_table

_HOTEL_COUNT = (2, 4, 10, 16, 24, 36)
"""Number of hotels, by the size of the town."""
_PATTERNS = ("Hotel {}", "The {} House", "{} Rooms", "{} Boutique Hotel")
_DOLLARS = {2: 68, 3: 104, 4: 172, 5: 390}
_TOWN_PRICE = (0.7, 0.75, 0.85, 0.95, 1.1, 1.35)
_IN, _OUT, _CANCEL = time(15), time(11), time(18)
_CANCEL_DAYS = 2


class _Room(NamedTuple):
    """A kind of room: `price` as a multiple of a standard room's, `stock` per hotel, `guests` who fit in."""

    kind: Literal["standard", "superior", "deluxe", "suite"]
    price: float
    stock: int
    guests: int


class _Hotel(NamedTuple):
    """A hotel. `dollars` is the base price of a standard room; `fields` are those that all its offers share."""

    number: int
    dollars: float
    fields: dict[str, Any]


class _Brand(NamedTuple):
    name: str
    chain: str
    stars: int
    countries: Listed[str]


_rooms = cache(partial(read_rows, "rooms", _Room))
_words = cache(lambda: {name: names(words) for name, words in read_table("hotel_words")})


class HotelCounter(Counter):
    """Sells rooms. The parts of a ticket: town, hotel, room and rate (as in "2F"), check-in, nights, rooms."""

    kind = "HT"

    def search(self, query: HotelQuery) -> tuple[HotelOffer, ...]:
        """See `TravelProvider.search_hotels`."""
        town = town_called(query.city)
        self._check_day(query.check_in, town.zone, f"A check-in in {town.name} on")
        check_order(query.check_in, query.check_out, "The stay", least_days=1, most_days=LONGEST_STAY)
        per_room = -(-query.guests // query.rooms)
        if per_room > max(room.guests for room in _rooms()):
            raise InvalidInputError(f"{query.guests} guests don't fit into {query.rooms} rooms. Ask for more rooms.")
        stay = (query.check_in, (query.check_out - query.check_in).days, query.rooms)
        tickets = [
            self._ticket(town.code, number, rate, *stay)
            for number, hotel in _hotels(self._seed, town).items()
            for rate in _rates(hotel)
            if _rooms()[int(rate[0])].guests >= per_room
        ]
        free = self._available(tickets, query.rooms)
        if not free:
            raise SoldOutError(f"No room is left in {query.city} for these nights. Offer other dates or fewer rooms.")
        hotels = list(dict.fromkeys(ticket.parts[1] for ticket, _ in free))[: query.limit]
        return tuple(self._offer(ticket, left) for ticket, left in free if ticket.parts[1] in hotels)

    @override
    def needs(self, ticket: Ticket) -> list[Need]:
        town, hotel, room, _, nights, rooms = self._read(ticket)
        needs = []
        for night in nights:
            parts = town.code, hotel.number, room.kind, night
            free = int(room.stock * max(0.0, 1.0 - 1.1 * Chance(self._seed, "rooms", *parts).unit()))
            label = f"The {room.kind} room at {hotel.fields['name']} on {night}"
            needs.append(Need(self._resource("rooms", *parts), rooms, free, label))
        return needs

    def _offer(self, ticket: Ticket, left: int) -> HotelOffer:
        town, hotel, room, flexible, nights, rooms = self._read(ticket)
        key = (town.code, hotel.number)
        base, factor = hotel.dollars * room.price, 1.13 if flexible else 1.0
        cents = sum(_night_cents(base, night, factor, Chance(self._seed, "night", *key, night)) for night in nights)
        beds = ("king", "queen", "twin", "double") if room.kind != "suite" else ("king", "king", "queen")
        # Better rooms are on higher floors.
        height = (_rooms().index(room) + Chance(self._seed, "floor", *key, room.kind).unit()) / len(_rooms())
        floors = hotel.fields["floors"]
        floor = min(floors, 1 + int(height * floors))
        until = LocalTime.on(nights[0] - timedelta(days=_CANCEL_DAYS), _CANCEL, town.zone)
        fields = hotel.fields if room.kind != "suite" else {**hotel.fields, "breakfast": True}
        return HotelOffer(
            **self._label(ticket, town.zone), **fields, price=usd(cents * rooms), left=left, room=room.kind,
            bed=Chance(self._seed, "bed", *key, room.kind).pick(beds), floor=floor,
            high_floor=floors >= 5 and 3 * floor > 2 * floors, check_in=LocalTime.on(nights[0], _IN, town.zone),
            check_out=LocalTime.on(nights[-1] + timedelta(days=1), _OUT, town.zone), nights=len(nights), rooms=rooms,
            per_night=usd(round(cents / len(nights))),
            free_cancellation_until=free_until(until, ticket) if flexible else None,
        )  # fmt: skip

    def _read(self, ticket: Ticket) -> tuple[Place, _Hotel, _Room, bool, list[date], int]:
        place, number, rate, check_in, nights, rooms = ticket.parts
        town = town_of(place)
        hotel = _hotels(self._seed, town).get(int(number))
        if hotel is None:
            raise UnknownOfferError("This hotel is no longer listed. Search again.")
        stay = days_from(read_date(check_in), int(nights))
        return town, hotel, _rooms()[int(rate[0])], rate[1] == "F", stay, int(rooms)


def _rates(hotel: _Hotel) -> list[str]:
    """Return the hotel's rates, the cheapest first: an index into `_rooms()`, then "F" if it can be cancelled."""
    return ["0S", *(f"{room}F" for room in range({2: 1, 3: 3}.get(hotel.fields["stars"], 4)))]


def _night_cents(base: float, night: date, factor: float, chance: Chance) -> int:
    season = 1.15 if night.month in (6, 7, 8, 12) else 0.95 if night.month in (1, 2, 11) else 1.0
    weekend = 1.12 if night.weekday() in (4, 5) else 1.0
    return 100 * round(base * season * weekend * factor * (0.9 + 0.25 * chance.unit()))


@cache
def _hotels(seed: str, town: Place) -> dict[int, _Hotel]:
    """Return the hotels of a town by number, nearest to the centre first."""
    by_name: dict[str, _Hotel] = {}
    for number in range(_HOTEL_COUNT[town.size]):
        attempts = (_hotel(seed, town, number, attempt) for attempt in count())
        hotel = next(hotel for hotel in attempts if hotel.fields["name"] not in by_name)
        by_name[hotel.fields["name"]] = hotel
    return {hotel.number: hotel for hotel in sorted(by_name.values(), key=lambda hotel: hotel.fields["centre_km"])}


def _hotel(seed: str, town: Place, number: int, attempt: int) -> _Hotel:
    chance, more = (Chance(seed, "hotel", town.code, number, attempt, part) for part in "ab")
    at = min(chance.below(len(town.neighborhoods)), chance.below(len(town.neighborhoods)))
    neighborhood = town.neighborhoods[at]
    if chance.unit() < (0.35 if town.size >= 2 else 0.8):
        brand, chain, stars = None, None, chance.pick((2, 3, 3, 4, 4, 5))
        name = chance.pick(_PATTERNS).format(chance.pick(_words()["names"]))
    else:
        brand, chain, stars, _ = chance.pick(_brands_in(town.country))
        name = f"{brand} {town.name} {neighborhood}"
    centre_km = round(0.2 + at * 1.1 + 0.9 * more.unit(), 1)
    choice = _words()["amenities"]
    first, second = more.below(len(choice)), more.below(len(choice))
    fields = {
        "hotel_id": f"{town.code}-{number}", "name": name, "brand": brand, "chain": chain, "city": town.name,
        "country": town.country, "neighborhood": neighborhood, "centre_km": centre_km, "stars": stars,
        "guest_score": round(6.6 + 0.35 * stars + 1.4 * more.unit(), 1),
        "floors": more.between(3, 9) if stars < 4 else more.between(5, 12 + 6 * town.size),
        "amenities": tuple(sorted({choice[at] for at in (first, second, (first + 3) % len(choice))})),
    }  # fmt: skip
    dollars = _DOLLARS[stars] * _TOWN_PRICE[town.size] * max(0.75, 1.12 - 0.05 * centre_km)
    return _Hotel(number, dollars * (0.8 + 0.45 * more.unit()), {**fields, "breakfast": more.unit() < 0.4})


@cache
def _brands_in(country: str) -> list[_Brand]:
    return [brand for brand in read_rows("hotels", _Brand) if not brand.countries or country in brand.countries]
