"""The counter for flights: searches both directions, combines them, and sells seats."""

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
"""Sales of a flight close this long before departure."""
_ALIKE = 4
"""Most options of one airline over the same airports."""
_RETURNS = 3
"""Most return options for one outbound option."""
_CENTS_PER_MINUTE = 40
"""Cost of one minute of travel in economy, which is added to the price to order the results."""
_STOP_PENALTY = 0.12
"""Share of the price that is added for each stop to order the results."""
_CABIN: Mapping[str, Cabin] = {"Y": "economy", "W": "premium_economy", "C": "business", "F": "first"}
_FAMILY: Mapping[str, FareFamily] = {"B": "basic", "S": "standard", "X": "flex"}


class _Option(NamedTuple):
    """A one-way or return option with `left` seats; options are ordered by `effort`, from price and time, in cents."""

    effort: float
    codes: tuple[str, ...]
    journeys: tuple[Journey, ...]
    left: int


class FlightCounter(Counter):
    """Sells flights. The parts of a ticket: each journey's code, cabin and fare (as in "YS"), travellers."""

    kind = "FL"

    def search(self, query: FlightQuery) -> tuple[FlightOffer, ...]:
        """See `TravelProvider.search_flights`."""
        origin, destination = meant(query.origin), meant(query.destination)
        chosen: list[_Option] = []
        # The requested day comes first; on the other days, a lack of flights is not an error.
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
                problem = f"{leg.flight_number} has no seat {choice.seat} in {cabin.replace('_', ' ')}."
                raise SeatTakenError(f"{problem} Show the seat map.")
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
        """Return options for the query's dates moved by `shift`, empty if all are full; raises as `search` does."""
        first, last = query.departing + shift, (query.returning or query.departing) + shift
        self._check_day(first, origin.zone, f"A departure from {origin.name} on")
        check_order(first, last, "The return is before the departure")
        self._check_day(last, origin.zone, "A return on")
        apart = max(kilometres(start, end) for start in origin.airports for end in destination.airports)
        if apart < SHORTEST_KM or origin.code == destination.code:
            near = f"{origin} and {destination} are {apart} km apart, too near to fly."
            raise NoServiceError(f"{near} Suggest a train or a car.")
        outbound = self._options(query, origin, destination, first)
        if query.returning is None:
            return outbound
        inbound = self._options(query, destination, origin, last)
        pairs = list(_returns(outbound, inbound))
        if outbound and inbound and not pairs:
            raise TravelDateError(f"Every return on {last} leaves too early. Ask for a later return.")
        return pairs

    def _options(self, query: FlightQuery, origin: Place, destination: Place, day: date) -> list[_Option]:
        """Return varied options for one direction, best first. Raises NoServiceError if there are no flights."""
        stops, main = 3 if query.max_stops is None else query.max_stops, (origin.airports[0], destination.airports[0])
        flown = [
            journey
            for start, end in product(origin.airports, destination.airports)
            if kilometres(start, end) >= SHORTEST_KM
            # Only the main airports are searched for flights with stops.
            for journey in journeys(self._seed, start, end, day, stops if (start, end) == main else 0)
            if query.cabin in journey.longest.aircraft.cabins
        ]
        if not flown:
            most = f" with at most {query.max_stops} stops" if query.max_stops is not None else ""
            raise NoServiceError(
                f"No flight in {query.cabin.replace('_', ' ')} goes from {origin} to {destination} on {day}{most}. "
                "Offer more stops, another cabin, or a larger airport nearby."
            )
        lefts = self._left(self._needs(Sold((journey,), query.cabin, "standard", query.party)) for journey in flown)
        opens = self._clock() + CLOSES
        options = [
            _Option(self._effort(journey, query.cabin), (journey.code,), (journey,), left)
            for journey, left in zip(flown, lefts, strict=True)
            if left >= query.party.seats and journey.legs[0].departs >= opens
        ]
        return list(_varied(sorted(options)))[: query.limit]

    def _effort(self, journey: Journey, cabin: Cabin) -> float:
        cents = seating.adult_cents(self._seed, journey, cabin, self._clock().date())
        penalty = 1 + _STOP_PENALTY * (len(journey.legs) - 1)
        return cents * penalty + _CENTS_PER_MINUTE * seating.CABIN_PRICE[cabin] * journey.minutes

    def _read(self, ticket: Ticket) -> Sold:
        """Parse a ticket. Raises UnknownOfferError if this world has no such flights."""
        *codes, letters, who = ticket.parts
        flown = tuple(find(self._seed, code) for code in codes)
        return Sold(flown, _CABIN[letters[0]], _FAMILY[letters[1]], read_party(who))

    def _needs(self, sold: Sold) -> list[Need]:
        needs = []
        for leg, cabin in sold.seated:
            label = f"{leg.flight_number} on {leg.day} in {cabin.replace('_', ' ')}"
            free = seating.capacity(self._seed, leg, cabin)
            needs.append(Need(self._seats(leg, cabin), sold.party.seats, free, label))
        return needs

    def _seats(self, leg: Leg, cabin: Cabin) -> str:
        """Return the inventory resource of the seats of a cabin on a leg."""
        return self._resource("seats", leg.flight_number, leg.origin, leg.day, cabin)

    def _offer(self, ticket: Ticket, left: int) -> FlightOffer:
        sold = self._read(ticket)
        prices = seating.passenger_prices(self._seed, sold, ticket.made_at.date())
        seller = max((journey.longest for journey in sold.journeys), key=lambda leg: leg.minutes).airline
        slices = tuple(Slice(segments=tuple(_segment(leg, sold.cabin) for leg in each.legs)) for each in sold.journeys)
        return FlightOffer(
            **self._label(ticket, slices[0].departs.zone), left=left, itinerary="_".join(ticket.parts[:-2]),
            price=usd(sum(each.each.amount * each.count for each in prices)), airline=seller.name,
            airline_code=seller.code, alliance=seller.alliance or None, cabin=sold.cabin, fare=seating.fare(sold),
            slices=slices, party=sold.party, prices=prices,
        )  # fmt: skip


def _varied(options: Iterable[_Option]) -> Iterator[_Option]:
    """Yield at most `_ALIKE` options of the same airline over the same airports."""
    counts: Tally[tuple[str, ...]] = Tally()
    for option in options:
        [journey] = option.journeys
        route = (journey.longest.airline.code, *(leg.destination for leg in journey.legs), journey.legs[0].origin)
        counts[route] += 1
        if counts[route] <= _ALIKE:
            yield option


def _returns(outbound: Sequence[_Option], inbound: Sequence[_Option]) -> Iterator[_Option]:
    """Yield each outbound option with a few inbound ones: of airlines that connect with its own, or else of any."""
    for out in outbound:
        seller, ready = out.journeys[0].longest.airline, out.journeys[0].legs[-1].arrives + CLOSES
        later = [option for option in inbound if option.journeys[0].legs[0].departs >= ready]
        same = [option for option in later if option.journeys[0].longest.airline == seller]
        connecting = [option for option in later if option.journeys[0].longest.airline.connects_with(seller)]
        chosen = dict.fromkeys((*same[:2], *(connecting or later)[:_RETURNS]))
        for option in list(chosen)[:_RETURNS]:
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
