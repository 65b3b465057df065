"""Convert journeys at a fare to offers and tickets, and tickets back to journeys."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from config.errors import UnknownOfferError
from stores.inventory import Need
from travel.flights import FareFamily, FlightOffer, Seat, SeatMap, Segment, Slice
from travel.local_time import LocalTime, day_offset
from travel.money import Money
from travel.queries import Cabin, Party
from travel.sample import SAMPLE
from travel.sample.chance import Chance
from travel.sample.counter import SampleContext
from travel.sample.flights.connections import Journey, Planner
from travel.sample.flights.fares import CURRENCY, fare, load, passenger_prices, standard_price
from travel.sample.flights.fleet import CabinLayout
from travel.sample.flights.network import airlines
from travel.sample.flights.timetable import Leg
from travel.sample.ids import Ticket, read_party, ticket
from travel.sample.places.airports import atlas

Position = Literal["window", "middle", "aisle"]
KIND = "FL"
_CABIN: Mapping[str, Cabin] = {"Y": "economy", "W": "premium_economy", "C": "business", "F": "first"}
_CABIN_LETTER = {cabin: letter for letter, cabin in _CABIN.items()}
_FAMILY: Mapping[str, FareFamily] = {"B": "basic", "S": "standard", "X": "flex"}


def capacity(leg: Leg, cabin: Cabin, seed: str) -> int:
    """Return seats of the cabin that the sample world has to sell."""
    seats = leg.aircraft.cabins[cabin].seats
    return seats - round(seats * load(leg, cabin, seed))


def seat_map(leg: Leg, cabin: Cabin, number: int, booked: Collection[str], seed: str) -> SeatMap:
    """Return the seat map of the leg, which is segment `number` of an offer; `booked` are seats that users chose."""
    layout = leg.aircraft.cabins[cabin]
    taken = others_seats(leg, cabin, seed).union(booked)
    seats = tuple(
        _seat(layout, row, at, free=f"{row}{layout.row[at]}" not in taken)
        for row in range(layout.first, layout.last + 1)
        for at in range(len(layout.row))
        if layout.row[at] != "-"
    )
    return SeatMap(
        source=SAMPLE, segment=number, flight_number=leg.flight_number, aircraft=leg.aircraft.name, cabin=cabin,
        seats=seats,
    )  # fmt: skip


@lru_cache(2000)
def others_seats(leg: Leg, cabin: Cabin, seed: str) -> frozenset[str]:
    """Return the seats that others took before the sample world begins."""
    layout = leg.aircraft.cabins[cabin]
    letters = layout.row.replace("-", "")
    seats = [f"{row}{letter}" for row in range(layout.first, layout.last + 1) for letter in letters]
    seats.sort(key=lambda seat: Chance(seed, "seat", leg.flight_number, leg.origin, leg.day, seat).unit())
    return frozenset(seats[capacity(leg, cabin, seed) :])


def _seat(layout: CabinLayout, row: int, at: int, *, free: bool) -> Seat:
    third = 3 * (row - layout.first) // (layout.last - layout.first + 1)
    aisle = "-" in (layout.row[at - 1 : at], layout.row[at + 1 : at + 2])
    position: Position = "window" if at in (0, len(layout.row) - 1) else "aisle" if aisle else "middle"
    return Seat(
        id=f"{row}{layout.row[at]}", row=row, position=position, aisle_access=aisle,
        part=("front", "middle", "back")[third], extra_legroom=row in layout.legroom_rows, free=free,
    )  # fmt: skip


class FlightOffers:
    """Makes flight offers from journeys, and finds the journeys of a ticket again."""

    def __init__(self, context: SampleContext, planner: Planner) -> None:
        self._context = context
        self._planner = planner

    def of(self, journeys: tuple[Journey, ...], cabin: Cabin, party: Party, left: int) -> list[FlightOffer]:
        """Return the journeys at each of their fares."""
        codes = [journey.code for journey in journeys]
        fares = [(*codes, _CABIN_LETTER[cabin] + letter, party) for letter in _FAMILY]
        now = self._context.clock()
        return self.offers([ticket(KIND, parts, now) for parts in fares], journeys, left)

    def journeys(self, given: Ticket) -> tuple[Journey, ...]:
        """Return the journeys of a ticket. Raises UnknownOfferError when this world has no such flights."""
        found = [self._planner.find(code, airlines()) for code in given.parts[:-2]]
        known = tuple(journey for journey in found if journey is not None)
        if len(known) < len(found):
            raise UnknownOfferError("These flights are no longer flown. Search again.")
        return known

    def seated(self, given: Ticket) -> list[tuple[Leg, Cabin]]:
        """Return each leg of a ticket with the cabin that one sits in. Raises UnknownOfferError."""
        cabin, _, _ = terms(given)
        return [(leg, leg.aircraft.best_cabin(cabin)) for journey in self.journeys(given) for leg in journey.legs]

    def needs(self, journeys: tuple[Journey, ...], cabin: Cabin, seats: int) -> list[Need]:
        """Return the seats that booking takes, one need for each leg."""
        found = []
        for leg in (leg for journey in journeys for leg in journey.legs):
            seated = leg.aircraft.best_cabin(cabin)
            label = f"{leg.flight_number} on {leg.day} in {seated.replace('_', ' ')}"
            found.append(Need(self.resource(leg, seated), seats, capacity(leg, seated, self._context.seed), label))
        return found

    def resource(self, leg: Leg, seated: Cabin) -> str:
        """Return the name of the seats of a cabin on this leg."""
        return self._context.resource("seats", leg.flight_number, leg.origin, leg.day, seated)

    def offers(self, tickets: Sequence[Ticket], journeys: tuple[Journey, ...], left: int) -> list[FlightOffer]:
        """Return the offers of tickets that differ in the fare alone."""
        cabin, _, _ = terms(tickets[0])
        slices = tuple(Slice(segments=tuple(_segment(leg, cabin) for leg in journey.legs)) for journey in journeys)
        standard = standard_price(journeys, cabin, tickets[0].made_at.date(), self._context.seed)
        return [self._offer(given, journeys, slices, standard, left) for given in tickets]

    def _offer(
        self, given: Ticket, journeys: tuple[Journey, ...], slices: tuple[Slice, ...], standard: float, left: int
    ) -> FlightOffer:
        cabin, family, party = terms(given)
        start = atlas().airports[journeys[0].legs[0].origin]
        prices = passenger_prices(standard, family, party)
        seller = max((journey.longest for journey in journeys), key=lambda leg: leg.minutes).airline
        return FlightOffer(
            **self._context.label(given, start.zone),
            price=Money(amount=sum(each.each.amount * each.count for each in prices), currency=CURRENCY),
            left=left, itinerary="_".join(journey.code for journey in journeys), airline=seller.name,
            airline_code=seller.code, alliance=seller.alliance, cabin=cabin, fare=fare(cabin, family, journeys),
            slices=slices, party=party, prices=prices,
        )  # fmt: skip


def terms(given: Ticket) -> tuple[Cabin, FareFamily, Party]:
    """Return cabin, fare and travellers of a ticket."""
    letters, who = given.parts[-2:]
    return _CABIN[letters[0]], _FAMILY[letters[1]], read_party(who)


def _segment(leg: Leg, cabin: Cabin) -> Segment:
    start, end = atlas().airports[leg.origin], atlas().airports[leg.destination]
    departs, arrives = LocalTime(at=leg.departs, zone=start.zone), LocalTime(at=leg.arrives, zone=end.zone)
    return Segment(
        airline=leg.airline.name, airline_code=leg.airline.code, flight_number=leg.flight_number, origin=leg.origin,
        destination=leg.destination, origin_city=start.city or start.name, destination_city=end.city or end.name,
        origin_country=start.country, destination_country=end.country,
        departs=departs, arrives=arrives, minutes=leg.minutes, day_offset=day_offset(departs, arrives),
        aircraft=leg.aircraft.name, cabin=leg.aircraft.best_cabin(cabin),
    )  # fmt: skip
