"""The counter for flights: search, varied options, both directions combined, and seats."""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice

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
from travel.flights import FlightOffer, SeatMap
from travel.provider import SeatChoice
from travel.queries import FlightQuery
from travel.sample.counter import DAYS_AHEAD, Counter, SampleContext, check_day, check_order, today_in
from travel.sample.flights.connections import Journey, Planner
from travel.sample.flights.fares import CABIN_PRICE, adult_cents
from travel.sample.flights.network import SHORTEST_KM
from travel.sample.flights.offers import KIND, FlightOffers, others_seats, seat_map, terms
from travel.sample.ids import Ticket
from travel.sample.places.airports import Place, kilometres
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


@dataclass(frozen=True, slots=True)
class Option:
    """A journey with seats left; the smaller the effort, the better (cents and minutes)."""

    journey: Journey
    effort: float
    left: int


def varied(options: Iterable[Option]) -> Iterator[Option]:
    """Yield options of which few are alike."""
    alike: Tally[tuple[str, ...]] = Tally()
    for option in options:
        legs = option.journey.legs
        way = (option.journey.longest.airline.code, *(leg.destination for leg in legs), legs[0].origin)
        alike[way] += 1
        if alike[way] <= _ALIKE:
            yield option


def returns(there: Sequence[Option], back: Sequence[Option]) -> Iterator[tuple[float, tuple[Option, ...]]]:
    """Yield ways there, each with a few ways back: of the same airline or alliance, or else the best of any other."""
    for out in there:
        seller, lands = out.journey.longest.airline, out.journey.legs[-1].arrives
        later = [option for option in back if option.journey.legs[0].departs >= lands + CLOSES]
        own = [option for option in later if option.journey.longest.airline == seller]
        fitting = [option for option in later if option.journey.longest.airline.connects_with(seller)]
        backs = {option.journey.code: option for option in (*own[:2], *(fitting or later)[:_BACKS])}
        for option in list(backs.values())[:_BACKS]:
            yield out.effort + option.effort, (out, option)


class FlightCounter(Counter[FlightOffer]):
    """Sells the flights of the world that the context's seed makes."""

    kind = KIND

    def __init__(self, context: SampleContext) -> None:
        super().__init__(context)
        self._planner = Planner(context.seed)
        self._offers = FlightOffers(context, self._planner)

    def search(self, query: FlightQuery) -> tuple[FlightOffer, ...]:
        """See `TravelProvider.search_flights`."""
        origin, destination = meant(query.origin), meant(query.destination)
        today = today_in(origin.zone, self._context.clock())
        _check(query, origin, destination, today)
        chosen: list[tuple[float, tuple[Option, ...]]] = []
        for days in range(-query.flexible_days, query.flexible_days + 1):
            # On the days beside the one asked for, nothing needs to fly.
            with suppress(NoServiceError, TravelDateError) if days else nullcontext():
                chosen += self._around(query, origin, destination, today, timedelta(days))
        if not chosen:
            raise SoldOutError(
                f"All flights from {origin} to {destination} then are full in {query.cabin.replace('_', ' ')}. "
                "Offer other dates or another cabin."
            )
        chosen.sort(key=lambda pair: (pair[0], *(option.journey.code for option in pair[1])))
        return tuple(
            offer
            for _, options in chosen[: query.limit]
            for offer in self._offers.of(
                tuple(option.journey for option in options), query.cabin, query.party,
                min(option.left for option in options),
            )
        )  # fmt: skip

    @override
    def _offer(self, ticket: Ticket, left: int) -> FlightOffer:
        return self._offers.offers([ticket], self._offers.journeys(ticket), left)[0]

    @override
    def needs(self, ticket: Ticket) -> list[Need]:
        cabin, _, party = terms(ticket)
        return self._offers.needs(self._offers.journeys(ticket), cabin, party.seats)

    @override
    def check(self, ticket: Ticket) -> None:
        leaves = self._offers.journeys(ticket)[0].legs[0].departs
        if leaves < self._context.clock() + CLOSES:
            raise DateInPastError("This flight is closed: it leaves within the hour or has left. Search a later one.")

    def seat_maps(self, ticket: Ticket) -> tuple[SeatMap, ...]:
        """See `TravelProvider.seat_map`."""
        return tuple(
            seat_map(leg, cabin, number, self._context.inventory.units(self._offers.resource(leg, cabin)),
                     self._context.seed)
            for number, (leg, cabin) in enumerate(self._offers.seated(ticket))
        )  # fmt: skip

    def seat_units(self, ticket: Ticket, seats: Sequence[SeatChoice]) -> list[Unit]:
        """Return the units that choosing these seats takes. Raises SeatTakenError or InvalidInputError."""
        _, _, party = terms(ticket)
        flown = self._offers.seated(ticket)
        units = []
        for choice in seats:
            if choice.segment >= len(flown):
                raise InvalidInputError(f"There is no segment {choice.segment}; the last is {len(flown) - 1}.")
            leg, cabin = flown[choice.segment]
            if not leg.aircraft.cabins[cabin].has(choice.seat):
                raise SeatTakenError(
                    f"{leg.flight_number} has no seat {choice.seat} in {cabin.replace('_', ' ')}. Show the seat map."
                )
            if choice.seat in others_seats(leg, cabin, self._context.seed):
                raise SeatTakenError(f"Seat {choice.seat} on {leg.flight_number} is taken. Show the seat map.")
            label = f"Seat {choice.seat} on segment {choice.segment}"
            units.append(Unit(self._offers.resource(leg, cabin), choice.seat, label))
        _check_count(seats, party.seats)
        return units

    def _around(
        self, query: FlightQuery, origin: Place, destination: Place, today: date, shift: timedelta
    ) -> list[tuple[float, tuple[Option, ...]]]:
        """Return journeys of one pair of days, with how they rank; empty when all is full or the days can't be sold."""
        latest = (query.returning or query.departing) + shift
        if shift and not (today <= query.departing + shift and latest <= today + timedelta(days=DAYS_AHEAD)):
            return []
        there = self._options(query, origin, destination, query.departing + shift)
        if query.returning is None:
            return [(option.effort, (option,)) for option in there]
        back = self._options(query, destination, origin, query.returning + shift)
        pairs = list(returns(there, back))
        if there and back and not pairs:
            raise TravelDateError(
                f"Every return on {query.returning + shift} leaves too early. Ask for a later return."
            )
        return pairs

    def _options(self, query: FlightQuery, origin: Place, destination: Place, day: date) -> list[Option]:
        """Return varied options for one direction, best first. Raises NoServiceError when nothing flies."""
        every = self._journeys(query, origin, destination, day)
        journeys = [journey for journey in every if query.cabin in journey.longest.aircraft.cabins]
        if not journeys:
            most = f" with at most {query.max_stops} stops" if query.max_stops is not None else ""
            raise NoServiceError(
                f"No flight in {query.cabin.replace('_', ' ')} goes from {origin} to {destination} on {day}{most}. "
                "Offer more stops, another cabin, or a larger airport nearby."
            )
        seats = [self._offers.needs((journey,), query.cabin, query.party.seats) for journey in journeys]
        opens = self._context.clock() + CLOSES
        open_ = [
            Option(journey, self._effort(journey, query), left)
            for journey, left in zip(journeys, self._context.lefts(seats), strict=True)
            if left >= query.party.seats and journey.legs[0].departs >= opens
        ]
        best = sorted(open_, key=lambda option: (option.effort, option.journey.code))
        return list(islice(varied(best), query.limit))

    def _journeys(self, query: FlightQuery, origin: Place, destination: Place, day: date) -> Iterator[Journey]:
        most = 3 if query.max_stops is None else query.max_stops
        for start in origin.airports:
            for end in destination.airports:
                if kilometres(start, end) >= SHORTEST_KM:
                    # Changes are looked for between the main airports; the others are for what flies straight.
                    main = (start, end) == (origin.airports[0], destination.airports[0])
                    yield from self._planner.journeys(start, end, day, most if main else 0)

    def _effort(self, journey: Journey, query: FlightQuery) -> float:
        cents = adult_cents(journey, query.cabin, self._context.clock().date(), self._context.seed)
        changes = 1 + _CHANGE_COUNTS * (len(journey.legs) - 1)
        return cents * changes + _CENTS_PER_MINUTE * CABIN_PRICE[query.cabin] * journey.minutes


def _check(query: FlightQuery, origin: Place, destination: Place, today: date) -> None:
    check_day(query.departing, today, f"A departure from {origin.name} on")
    if query.returning is not None:
        check_order(query.departing, query.returning, "The return is before the departure")
        check_day(query.returning, today, "A return on")
    apart = max(kilometres(start, end) for start in origin.airports for end in destination.airports)
    if apart < SHORTEST_KM or origin.code == destination.code:
        raise NoServiceError(
            f"{origin} and {destination} are {apart} km apart, too near to fly. Suggest a train or a car."
        )


def _check_count(seats: Sequence[SeatChoice], travellers: int) -> None:
    if len(set(seats)) < len(seats):
        raise InvalidInputError("A seat is named twice. Give each traveller another.")
    segment, count = max(Tally(choice.segment for choice in seats).items(), key=lambda pair: pair[1], default=(0, 0))
    if count > travellers:
        raise InvalidInputError(f"{count} seats on segment {segment} are more than the {travellers} that were booked.")
