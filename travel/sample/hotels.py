"""The hotels of a town, their rooms and rates, and the counter that sells them."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import count, islice
from typing import Literal, NamedTuple

from typing_extensions import override

from config.errors import InvalidInputError, SoldOutError, UnknownOfferError
from stores.inventory import Need
from travel.local_time import LocalTime
from travel.money import Money
from travel.offers import HotelOffer
from travel.queries import LONGEST_STAY, HotelQuery
from travel.sample.chance import Chance
from travel.sample.counter import Counter, SampleContext, check_day, check_order, today_in
from travel.sample.flights.fares import CURRENCY
from travel.sample.ids import Ticket, read_date, ticket
from travel.sample.places.airports import Place
from travel.sample.places.gazetteer import town_called, town_of
from travel.tables import Names, read_rows

RoomKind = Literal["standard", "superior", "deluxe", "suite"]
Bed = Literal["king", "queen", "double", "twin"]

_HOUSES = (2, 4, 10, 16, 24, 36)
"""How many, by the size of the town."""
_WORDS = (
    "Aurora", "Linden", "Lantern", "Juniper", "Meridian", "Orchard", "Compass", "Marble", "Willow", "Sparrow", "Copper",
    "Atlas", "Cedar", "Saffron", "Harbor Light", "Little Owl",
)  # fmt: skip
_PATTERNS = ("Hotel {}", "The {} House", "{} Rooms", "{} Boutique Hotel")
_AMENITIES = (
    "gym", "pool", "spa", "quiet courtyard", "step-free access", "workspace", "family rooms", "parking", "rooftop bar",
    "pets welcome",
)  # fmt: skip
_DOLLARS = {2: 68, 3: 104, 4: 172, 5: 390}
_TOWN_PRICE = (0.7, 0.75, 0.85, 0.95, 1.1, 1.35)
_IN, _OUT, _CANCEL = time(15), time(11), time(18)
_CANCEL_DAYS = 2
_AT_ONCE = 12
"""Houses whose rooms are looked up together."""


class _Room(NamedTuple):
    """A kind of room. `price` is beside the standard room, `stock` what a house has, `guests` how many sleep in it."""

    kind: RoomKind
    price: float
    stock: int
    guests: int


_ROOMS = (
    _Room("standard", 1.0, 14, 2),
    _Room("superior", 1.16, 10, 2),
    _Room("deluxe", 1.42, 6, 3),
    _Room("suite", 2.3, 2, 4),
)


class Hotel(NamedTuple):
    """A hotel. `dollars` is for a standard room on a plain night, `rooms` how many of the kinds of room it has."""

    number: int
    name: str
    brand: str | None
    chain: str | None
    neighborhood: str
    centre_km: float
    stars: int
    score: float
    floors: int
    dollars: float
    amenities: tuple[str, ...]
    breakfast: bool
    rooms: int


class _Brand(NamedTuple):
    name: str
    chain: str
    stars: int
    countries: Names


class Rate(NamedTuple):
    """A kind of room at a price: flexible may be cancelled, otherwise not."""

    room: int
    flexible: bool


def rates(hotel: Hotel) -> list[Rate]:
    """Return what the hotel sells, the cheapest first."""
    return [Rate(0, False), *(Rate(room, True) for room in range(hotel.rooms))]


class Hotels:
    """The houses of the world that `seed` makes."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self.of = cache(self._make)

    def _make(self, town: Place) -> tuple[Hotel, ...]:
        """Return the houses of a town, those nearest to the centre first."""
        made: dict[str, Hotel] = {}
        for number in range(_HOUSES[town.size]):
            tries = (self._hotel(town, number, attempt) for attempt in count())
            hotel = next(hotel for hotel in tries if hotel.name not in made)
            made[hotel.name] = hotel
        return tuple(sorted(made.values(), key=lambda hotel: (hotel.centre_km, hotel.number)))

    def _hotel(self, town: Place, number: int, attempt: int) -> Hotel:
        chance, more = (Chance(self._seed, "hotel", town.code, number, attempt, part) for part in "ab")
        at = min(chance.below(len(town.neighborhoods)), chance.below(len(town.neighborhoods)))
        neighborhood = town.neighborhoods[at]
        brand, chain, stars = self._brand(town, chance)
        name = f"{brand} {town.name} {neighborhood}" if brand else chance.pick(_PATTERNS).format(chance.pick(_WORDS))
        centre_km = round(0.2 + at * 1.1 + 0.9 * more.unit(), 1)
        dollars = _DOLLARS[stars] * _TOWN_PRICE[town.size] * max(0.75, 1.12 - 0.05 * centre_km)
        first, second = more.below(len(_AMENITIES)), more.below(len(_AMENITIES))
        return Hotel(
            number=number, name=name, brand=brand, chain=chain, neighborhood=neighborhood, centre_km=centre_km,
            stars=stars, score=round(6.6 + 0.35 * stars + 1.4 * more.unit(), 1),
            floors=more.between(3, 9) if stars < 4 else more.between(5, 12 + 6 * town.size),
            dollars=dollars * (0.8 + 0.45 * more.unit()),
            amenities=tuple(sorted({_AMENITIES[at] for at in (first, second, (first + 3) % len(_AMENITIES))})),
            breakfast=more.unit() < 0.4, rooms={2: 1, 3: 3}.get(stars, 4),
        )  # fmt: skip

    def _brand(self, town: Place, chance: Chance) -> tuple[str | None, str | None, int]:
        if chance.unit() < (0.35 if town.size >= 2 else 0.8):
            return None, None, chance.pick((2, 3, 3, 4, 4, 5))
        brand = chance.pick(_brands_in(town.country))
        return brand.name, brand.chain, brand.stars

    def night_cents(self, town: Place, hotel: Hotel, rate: Rate, night: date) -> int:
        """Return what one room costs for one night."""
        chance = Chance(self._seed, "night", town.code, hotel.number, night)
        season = 1.15 if night.month in (6, 7, 8, 12) else 0.95 if night.month in (1, 2, 11) else 1.0
        weekend = 1.12 if night.weekday() in (4, 5) else 1.0
        flexible, demand = 1.13 if rate.flexible else 1.0, 0.9 + 0.25 * chance.unit()
        return 100 * round(hotel.dollars * _ROOMS[rate.room].price * season * weekend * flexible * demand)

    def capacity(self, town: Place, hotel: Hotel, room: int, night: date) -> int:
        """Return rooms of a kind that the sample world has to sell for a night; now and then none."""
        chance = Chance(self._seed, "rooms", town.code, hotel.number, _ROOMS[room].kind, night)
        return int(_ROOMS[room].stock * max(0.0, 1.0 - 1.1 * chance.unit()))

    def bed(self, town: Place, hotel: Hotel, room: RoomKind) -> Bed:
        """Return the bed of a kind of room."""
        beds: tuple[Bed, ...] = ("king", "queen", "twin", "double") if room != "suite" else ("king", "king", "queen")
        return Chance(self._seed, "bed", town.code, hotel.number, room).pick(beds)

    def floor(self, town: Place, hotel: Hotel, room: int) -> int:
        """Return the floor of a kind of room: the better, the higher."""
        share = (room + Chance(self._seed, "floor", town.code, hotel.number, _ROOMS[room].kind).unit()) / 4
        return min(hotel.floors, 1 + int(share * hotel.floors))


@cache
def _brands_in(country: str) -> list[_Brand]:
    return [brand for brand in read_rows("hotels", _Brand) if not brand.countries or country in brand.countries]


class HotelCounter(Counter[HotelOffer]):
    """Sells rooms. A ticket's parts: town, hotel, room and rate, check-in, nights, rooms."""

    kind = "HT"

    def __init__(self, context: SampleContext) -> None:
        super().__init__(context)
        self._hotels = Hotels(context.seed)

    def search(self, query: HotelQuery) -> tuple[HotelOffer, ...]:
        """See `TravelProvider.search_hotels`."""
        town, now = town_called(query.city), self._context.clock()
        check_day(query.check_in, today_in(town.zone, now), f"A check-in in {town.name} on")
        check_order(query.check_in, query.check_out, "The stay", least_days=1, most_days=LONGEST_STAY)
        if _guests_each(query) > max(room.guests for room in _ROOMS):
            raise InvalidInputError(f"{query.guests} guests don't fit into {query.rooms} rooms. Ask for more rooms.")
        found: list[HotelOffer] = []
        hotels = iter(self._hotels.of(town))
        # Hotel by hotel from the centre outwards, so that a large town costs no more than a small one.
        while len({offer.hotel_id for offer in found}) < query.limit and (some := list(islice(hotels, _AT_ONCE))):
            tickets = [each for hotel in some for each in self._tickets(town, hotel, query, now)]
            found += [self._offer(each, left) for each, left in self._with_left(tickets, query.rooms)]
        if not found:
            raise SoldOutError(f"No room is left in {query.city} for these nights. Offer other dates or fewer rooms.")
        return tuple(_of_first(query.limit, found))

    @override
    def needs(self, ticket: Ticket) -> list[Need]:
        town, hotel, rate, check_in, nights, rooms = self._read(ticket)
        room = _ROOMS[rate.room].kind
        return [
            Need(
                self._context.resource("rooms", town.code, hotel.number, room, night), rooms,
                self._hotels.capacity(town, hotel, rate.room, night),
                f"The {room} room at {hotel.name} on {night}",
            )
            for night in _days(check_in, nights)
        ]  # fmt: skip

    def _tickets(self, town: Place, hotel: Hotel, query: HotelQuery, now: datetime) -> list[Ticket]:
        """Return each rate of the hotel that is for rooms in which the guests fit."""
        each = _guests_each(query)
        stay = (query.check_in, (query.check_out - query.check_in).days, query.rooms)
        return [
            ticket(self.kind, (town.code, hotel.number, f"{rate.room}{'SF'[rate.flexible]}", *stay), now)
            for rate in rates(hotel)
            if _ROOMS[rate.room].guests >= each
        ]

    @override
    def _offer(self, ticket: Ticket, left: int) -> HotelOffer:
        town, hotel, rate, check_in, nights, rooms = self._read(ticket)
        one = sum(self._hotels.night_cents(town, hotel, rate, night) for night in _days(check_in, nights))
        room, floor = _ROOMS[rate.room].kind, self._hotels.floor(town, hotel, rate.room)
        until = LocalTime.on(check_in - timedelta(days=_CANCEL_DAYS), _CANCEL, town.zone)
        free = rate.flexible and until.utc > ticket.made_at
        return HotelOffer(
            **self._context.label(ticket, town.zone), price=Money(amount=one * rooms, currency=CURRENCY), left=left,
            hotel_id=f"{town.code}-{hotel.number}", name=hotel.name, chain=hotel.chain, brand=hotel.brand,
            city=town.name, country=town.country, neighborhood=hotel.neighborhood, centre_km=hotel.centre_km,
            stars=hotel.stars, guest_score=hotel.score, room=room,
            bed=self._hotels.bed(town, hotel, room), floors=hotel.floors, floor=floor,
            high_floor=hotel.floors >= 5 and 3 * floor > 2 * hotel.floors,
            check_in=LocalTime.on(check_in, _IN, town.zone),
            check_out=LocalTime.on(check_in + timedelta(days=nights), _OUT, town.zone), nights=nights, rooms=rooms,
            per_night=Money(amount=round(one / nights), currency=CURRENCY),
            breakfast=hotel.breakfast or room == "suite", free_cancellation_until=until if free else None,
            amenities=hotel.amenities,
        )  # fmt: skip

    def _read(self, given: Ticket) -> tuple[Place, Hotel, Rate, date, int, int]:
        place, number, letters, check_in, nights, rooms = given.parts
        town = town_of(place)
        hotel = next((each for each in self._hotels.of(town) if each.number == int(number)), None)
        if hotel is None:
            raise UnknownOfferError("This hotel is no longer listed. Search again.")
        rate = Rate(int(letters[0]), letters[1] == "F")
        return town, hotel, rate, read_date(check_in), int(nights), int(rooms)


def _guests_each(query: HotelQuery) -> int:
    """Return guests in the fullest room."""
    return -(-query.guests // query.rooms)


def _of_first(most: int, offers: Sequence[HotelOffer]) -> list[HotelOffer]:
    """Return the offers of the first `most` houses."""
    houses = list(dict.fromkeys(offer.hotel_id for offer in offers))[:most]
    return [offer for offer in offers if offer.hotel_id in houses]


def _days(first: date, count: int) -> list[date]:
    return [first + timedelta(days=number) for number in range(count)]
