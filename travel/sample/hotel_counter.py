"""The counter for hotels."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import get_args

from config.errors import DateInPastError, InvalidInputError, SoldOutError, UnknownOfferError
from stores.inventory import Need
from travel.local_time import LocalTime
from travel.money import Money
from travel.offers import HotelOffer
from travel.queries import LONGEST_STAY, HotelQuery
from travel.sample.counter import House
from travel.sample.dates import check_day, check_order, code, from_code, today_in
from travel.sample.flights.fares import CURRENCY
from travel.sample.hotels import ROOM_GUESTS, Hotel, Hotels, Rate, RateKind, RoomKind, rates
from travel.sample.ids import Ticket, ticket
from travel.sample.places.towns import Town, town_called, town_of

_IN, _OUT, _CANCEL = time(15), time(11), time(18)
_CANCEL_DAYS = 2
_AT_ONCE = 12
"""Houses whose rooms are looked up together."""
_ROOMS: tuple[RoomKind, ...] = get_args(RoomKind)
_RATES: dict[str, RateKind] = {"S": "saver", "F": "flexible"}


class HotelCounter:
    """Sells rooms. A ticket's parts: town, house, room and rate, check-in, nights, rooms."""

    kind = "HT"

    def __init__(self, house: House) -> None:
        self._house = house
        self._hotels = Hotels(house.seed)

    def search(self, query: HotelQuery) -> tuple[HotelOffer, ...]:
        """See `TravelProvider.search_hotels`."""
        town, now = town_called(query.city), self._house.clock()
        check_day(query.check_in, today_in(town.zone, now), f"A check-in in {town.name} on")
        check_order(query.check_in, query.check_out, "The stay", least_days=1, most_days=LONGEST_STAY)
        if _guests_each(query) > max(ROOM_GUESTS.values()):
            raise InvalidInputError(f"{query.guests} guests don't fit into {query.rooms} rooms. Ask for more rooms.")
        found: list[HotelOffer] = []
        hotels = iter(self._hotels.of(town))
        # House by house from the centre outwards, so that a large town costs no more than a small one.
        while len({offer.hotel_id for offer in found}) < query.limit and (some := list(islice(hotels, _AT_ONCE))):
            found += self._on_offer(query, [each for hotel in some for each in self._tickets(town, hotel, query, now)])
        if not found:
            raise SoldOutError(f"No room is left in {query.city} for these nights. Offer other dates or fewer rooms.")
        return tuple(_of_first(query.limit, found))

    def offer(self, ticket: Ticket) -> HotelOffer:
        """See `Counter.offer`."""
        return self._offer(ticket, self._house.left(self.needs(ticket)))

    def needs(self, ticket: Ticket) -> list[Need]:
        """See `Counter.needs`."""
        town, hotel, rate, check_in, nights, rooms = self._read(ticket)
        return [
            Need(
                self._house.resource("rooms", town.code, hotel.number, rate.room, night), rooms,
                self._hotels.capacity(town, hotel, rate.room, night),
                f"The {rate.room} room at {hotel.name} on {night}",
            )
            for night in _days(check_in, nights)
        ]  # fmt: skip

    def check(self, ticket: Ticket) -> None:
        """See `Counter.check`."""
        town, _, _, check_in, _, _ = self._read(ticket)
        if check_in < today_in(town.zone, self._house.clock()):
            raise DateInPastError(f"The check-in on {check_in} is in the past. Search other dates.")

    def _tickets(self, town: Town, hotel: Hotel, query: HotelQuery, now: datetime) -> list[Ticket]:
        """Return each rate of the house that is for rooms in which the guests fit."""
        each = _guests_each(query)
        stay = (code(query.check_in), str((query.check_out - query.check_in).days), str(query.rooms))
        return [
            ticket(self.kind, (town.code, str(hotel.number), _written(rate), *stay), now)
            for rate in rates(hotel)
            if ROOM_GUESTS[rate.room] >= each
        ]

    def _on_offer(self, query: HotelQuery, tickets: Sequence[Ticket]) -> list[HotelOffer]:
        lefts = self._house.lefts([self.needs(each) for each in tickets])
        return [self._offer(each, left) for each, left in zip(tickets, lefts, strict=True) if left >= query.rooms]

    def _offer(self, given: Ticket, left: int) -> HotelOffer:
        town, hotel, rate, check_in, nights, rooms = self._read(given)
        one = sum(self._hotels.night_cents(town, hotel, rate, night) for night in _days(check_in, nights))
        floor = self._hotels.floor(town, hotel, rate.room)
        until = LocalTime.on(check_in - timedelta(days=_CANCEL_DAYS), _CANCEL, town.zone)
        free = rate.kind == "flexible" and until.utc > given.made_at
        return HotelOffer(
            **self._house.label(given, town.zone), price=Money(amount=one * rooms, currency=CURRENCY), left=left,
            hotel_id=f"{town.code}-{hotel.number}", name=hotel.name, chain=hotel.chain, brand=hotel.brand,
            city=town.name, country=town.country, neighborhood=hotel.neighborhood, centre_km=hotel.centre_km,
            stars=hotel.stars, guest_score=hotel.score, room=rate.room,
            bed=self._hotels.bed(town, hotel, rate.room), floors=hotel.floors, floor=floor,
            high_floor=hotel.floors >= 5 and 3 * floor > 2 * hotel.floors,
            check_in=LocalTime.on(check_in, _IN, town.zone),
            check_out=LocalTime.on(check_in + timedelta(days=nights), _OUT, town.zone), nights=nights, rooms=rooms,
            per_night=Money(amount=round(one / nights), currency=CURRENCY),
            breakfast=hotel.breakfast or rate.room == "suite", free_cancellation_until=until if free else None,
            amenities=hotel.amenities,
        )  # fmt: skip

    def _read(self, given: Ticket) -> tuple[Town, Hotel, Rate, date, int, int]:
        place, number, letters, check_in, nights, rooms = given.parts
        town = town_of(place)
        hotel = next((each for each in self._hotels.of(town) if each.number == int(number)), None)
        if hotel is None:
            raise UnknownOfferError("This hotel is no longer listed. Search again.")
        rate = Rate(_ROOMS[int(letters[0])], _RATES[letters[1]])
        return town, hotel, rate, from_code(check_in), int(nights), int(rooms)


def _guests_each(query: HotelQuery) -> int:
    """Return guests in the fullest room."""
    return -(-query.guests // query.rooms)


def _of_first(most: int, offers: Sequence[HotelOffer]) -> list[HotelOffer]:
    """Return the offers of the first `most` houses."""
    houses = list(dict.fromkeys(offer.hotel_id for offer in offers))[:most]
    return [offer for offer in offers if offer.hotel_id in houses]


def _written(rate: Rate) -> str:
    return f"{_ROOMS.index(rate.room)}{'S' if rate.kind == 'saver' else 'F'}"


def _days(first: date, count: int) -> list[date]:
    return [first + timedelta(days=number) for number in range(count)]
