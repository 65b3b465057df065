"""The counter for flights: search, varied options, both directions combined, and seats."""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from datetime import date, timedelta
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from typing_extensions import override

from config.errors import (
    DateInPastError,
    InvalidInputError,
    NoServiceError,
    SeatTakenError,
    SoldOutError,
    TravelDateError,
)
from stores.inventory import Need, Unit
from travel.flights import FareFamily, FlightOffer, SeatMap, Segment, Slice
from travel.local_time import LocalTime
from travel.provider import SeatChoice
from travel.queries import Cabin, FlightQuery
from travel.sample.counter import Counter, Ticket, check_order, read_party, usd
from travel.sample.flights import seating
from travel.sample.flights.network import SHORTEST_KM
from travel.sample.flights.seating import Sold
from travel.sample.flights.timetable import Journey, Leg, find, journeys
from travel.sample.places.airports import Place, atlas, kilometres
from travel.sample.places.gazetteer import meant

CLOSES = timedelta(minutes=60)
"""Nothing is sold that leaves sooner."""
_ALIKE = 4
"""Most journeys of one airline over the same airports."""
_BACKS = 3
"""Ways back that are offered with one way there."""
_CENTS_PER_MINUTE = 40
"""What a minute under way in economy counts, beside the price, in the order of results."""
_CHANGE_COUNTS = 0.12
"""By which share of the price a change sets a journey back in that order."""
_CABIN: Mapping[str, Cabin] = {"Y": "economy", "W": "premium_economy", "C": "business", "F": "first"}
_FAMILY: Mapping[str, FareFamily] = {"B": "basic", "S": "standard", "X": "flex"}


class _Option(NamedTuple):
    """A journey there, or one there and one back, with seats left; the less effort (cents and minutes), the better."""

    effort: float
    codes: tuple[str, ...]
    journeys: tuple[Journey, ...]
    left: int


class FlightCounter(Counter):
    """Sells flights. A ticket's parts: the code of each journey, letters of cabin and fare (as in "YS"), travellers."""

    kind = "FL"

    def search(self, query: FlightQuery) -> tuple[FlightOffer, ...]:
        """See `TravelProvider.search_flights`."""
        origin, destination = meant(query.origin), meant(query.destination)
        chosen: list[_Option] = []
        # The day asked for comes first; on the days beside it, nothing needs to fly.
        for days in sorted(range(-query.flexible_days, query.flexible_days + 1), key=abs):
            with suppress(NoServiceError, TravelDateError) if days else nullcontext():
                chosen += self._around(query, origin, destination, timedelta(days))
        if not chosen:
            full = f"All flights from {origin} to {destination} then are full in {query.cabin.replace('_', ' ')}."
            raise SoldOutError(f"{full} Offer other dates or another cabin.")
        [cabin] = (letter for letter, cabin in _CABIN.items() if cabin == query.cabin)
        return tuple(
            self._offer(self._ticket(*option.codes, cabin + family, query.party), option.left)
            for option in sorted(chosen)[: query.limit]
            for family in _FAMILY
        )

    @override
    def needs(self, ticket: Ticket) -> list[Need]:
        return self._needs(self._read(ticket))

    @override
    def check(self, ticket: Ticket) -> None:
        if self._read(ticket).journeys[0].legs[0].departs < self._clock() + CLOSES:
            raise DateInPastError("This flight is closed: it leaves within the hour or has left. Search a later one.")

    @override
    def seat_maps(self, ticket: Ticket) -> tuple[SeatMap, ...]:
        return tuple(
            seating.seat_map(self._seed, leg, cabin, number, self._inventory.units(self._seats(leg, cabin)))
            for number, (leg, cabin) in enumerate(self._read(ticket).seated)
        )

    @override
    def seat_units(self, ticket: Ticket, seats: Sequence[SeatChoice]) -> list[Unit]:
        sold = self._read(ticket)
        flown, units = sold.seated, []
        for choice in seats:
            if choice.segment >= len(flown):
                raise InvalidInputError(f"There is no segment {choice.segment}; the last is {len(flown) - 1}.")
            leg, cabin = flown[choice.segment]
            if choice.seat not in leg.aircraft.cabins[cabin].seats:
                lacking = f"{leg.flight_number} has no seat {choice.seat} in {cabin.replace('_', ' ')}."
                raise SeatTakenError(f"{lacking} Show the seat map.")
            if choice.seat in seating.others_seats(self._seed, leg, cabin):
                raise SeatTakenError(f"Seat {choice.seat} on {leg.flight_number} is taken. Show the seat map.")
            label = f"Seat {choice.seat} on segment {choice.segment}"
            units.append(Unit(self._seats(leg, cabin), choice.seat, label))
        if len(set(seats)) < len(seats):
            raise InvalidInputError("A seat is named twice. Give each traveller another.")
        for segment, count in Tally(choice.segment for choice in seats).items():
            if count > sold.party.seats:
                most = f"the {sold.party.seats} that were booked"
                raise InvalidInputError(f"{count} seats on segment {segment} are more than {most}.")
        return units

    def _around(self, query: FlightQuery, origin: Place, destination: Place, shift: timedelta) -> list[_Option]:
        """Return options for one pair of days, none when all is full. Raises what `TravelProvider` says of days."""
        first, last = query.departing + shift, (query.returning or query.departing) + shift
        self._check_day(first, origin.zone, f"A departure from {origin.name} on")
        check_order(first, last, "The return is before the departure")
        self._check_day(last, origin.zone, "A return on")
        apart = max(kilometres(start, end) for start in origin.airports for end in destination.airports)
        if apart < SHORTEST_KM or origin.code == destination.code:
            near = f"{origin} and {destination} are {apart} km apart, too near to fly."
            raise NoServiceError(f"{near} Suggest a train or a car.")
        there = self._options(query, origin, destination, first)
        if query.returning is None:
            return there
        back = self._options(query, destination, origin, last)
        pairs = list(_returns(there, back))
        if there and back and not pairs:
            raise TravelDateError(f"Every return on {last} leaves too early. Ask for a later return.")
        return pairs

    def _options(self, query: FlightQuery, origin: Place, destination: Place, day: date) -> list[_Option]:
        """Return varied options for one direction, best first. Raises NoServiceError when nothing flies."""
        stops, main = 3 if query.max_stops is None else query.max_stops, (origin.airports[0], destination.airports[0])
        flown = [
            journey
            for start, end in product(origin.airports, destination.airports)
            if kilometres(start, end) >= SHORTEST_KM
            # Changes are looked for between the main airports; the others are for what flies straight.
            for journey in journeys(self._seed, start, end, day, stops if (start, end) == main else 0)
            if query.cabin in journey.longest.aircraft.cabins
        ]
        if not flown:
            most = f" with at most {query.max_stops} stops" if query.max_stops is not None else ""
            raise NoServiceError(
                f"No flight in {query.cabin.replace('_', ' ')} goes from {origin} to {destination} on {day}{most}. "
                "Offer more stops, another cabin, or a larger airport nearby."
            )
        lefts = self._left(self._needs(Sold((one,), query.cabin, "standard", query.party)) for one in flown)
        opens = self._clock() + CLOSES
        options = [
            _Option(self._effort(journey, query.cabin), (journey.code,), (journey,), left)
            for journey, left in zip(flown, lefts, strict=True)
            if left >= query.party.seats and journey.legs[0].departs >= opens
        ]
        return list(_varied(sorted(options)))[: query.limit]

    def _effort(self, journey: Journey, cabin: Cabin) -> float:
        cents = seating.adult_cents(self._seed, journey, cabin, self._clock().date())
        changes = 1 + _CHANGE_COUNTS * (len(journey.legs) - 1)
        return cents * changes + _CENTS_PER_MINUTE * seating.CABIN_PRICE[cabin] * journey.minutes

    def _read(self, ticket: Ticket) -> Sold:
        """Return what a ticket says. Raises UnknownOfferError when this world has no such flights."""
        *codes, letters, who = ticket.parts
        flown = tuple(find(self._seed, code) for code in codes)
        return Sold(flown, _CABIN[letters[0]], _FAMILY[letters[1]], read_party(who))

    def _needs(self, sold: Sold) -> list[Need]:
        found = []
        for leg, cabin in sold.seated:
            label = f"{leg.flight_number} on {leg.day} in {cabin.replace('_', ' ')}"
            free = seating.capacity(self._seed, leg, cabin)
            found.append(Need(self._seats(leg, cabin), sold.party.seats, free, label))
        return found

    def _seats(self, leg: Leg, cabin: Cabin) -> str:
        """Return the name of the seats of a cabin on this leg."""
        return self._resource("seats", leg.flight_number, leg.origin, leg.day, cabin)

    def _offer(self, ticket: Ticket, left: int) -> FlightOffer:
        sold = self._read(ticket)
        prices = seating.passenger_prices(self._seed, sold, ticket.made_at.date())
        seller = max((journey.longest for journey in sold.journeys), key=lambda leg: leg.minutes).airline
        slices = tuple(Slice(segments=tuple(_segment(leg, sold.cabin) for leg in one.legs)) for one in sold.journeys)
        return FlightOffer(
            **self._label(ticket, slices[0].departs.zone), left=left, itinerary="_".join(ticket.parts[:-2]),
            price=usd(sum(each.each.amount * each.count for each in prices)), airline=seller.name,
            airline_code=seller.code, alliance=seller.alliance or None, cabin=sold.cabin, fare=seating.fare(sold),
            slices=slices, party=sold.party, prices=prices,
        )  # fmt: skip


def _varied(options: Iterable[_Option]) -> Iterator[_Option]:
    """Yield options of which few are alike."""
    alike: Tally[tuple[str, ...]] = Tally()
    for option in options:
        [journey] = option.journeys
        way = (journey.longest.airline.code, *(leg.destination for leg in journey.legs), journey.legs[0].origin)
        alike[way] += 1
        if alike[way] <= _ALIKE:
            yield option


def _returns(there: Sequence[_Option], back: Sequence[_Option]) -> Iterator[_Option]:
    """Yield ways there, each with a few ways back: of the same airline or alliance, or else the best of any other."""
    for out in there:
        seller, ready = out.journeys[0].longest.airline, out.journeys[0].legs[-1].arrives + CLOSES
        later = [option for option in back if option.journeys[0].legs[0].departs >= ready]
        own = [option for option in later if option.journeys[0].longest.airline == seller]
        fitting = [option for option in later if option.journeys[0].longest.airline.connects_with(seller)]
        backs = dict.fromkeys((*own[:2], *(fitting or later)[:_BACKS]))
        for option in list(backs)[:_BACKS]:
            both = out.journeys + option.journeys
            yield _Option(out.effort + option.effort, out.codes + option.codes, both, min(out.left, option.left))


@lru_cache(1000)
def _segment(leg: Leg, cabin: Cabin) -> Segment:
    start, end = atlas().airports[leg.origin], atlas().airports[leg.destination]
    departs, arrives = LocalTime(at=leg.departs, zone=start.zone), LocalTime(at=leg.arrives, zone=end.zone)
    return Segment(
        airline=leg.airline.name, airline_code=leg.airline.code, flight_number=leg.flight_number, origin=leg.origin,
        destination=leg.destination, origin_city=start.town or start.name, destination_city=end.town or end.name,
        origin_country=start.country, destination_country=end.country,
        departs=departs, arrives=arrives, minutes=leg.minutes, day_offset=departs.days_to(arrives),
        aircraft=leg.aircraft.name, cabin=leg.aircraft.best_cabin(cabin),
    )  # fmt: skip
