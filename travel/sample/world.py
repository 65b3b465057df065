"""The bundled sample world: a travel provider whose offers are computed from a seed.

Airports, distances and time zones are real; names of airlines, hotels and cars are only labels. Schedules, prices,
seats and rooms follow from the seed, so the same seed gives the same world. Reservations are stored in SQLite.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from config.errors import InvalidInputError, OfferExpiredError
from stores.inventory import Claim, Inventory
from travel.flights import SeatMap
from travel.provider import CAPABILITIES, AnyOffer, Capability, Reservation, SeatChoice
from travel.sample import SAMPLE
from travel.sample.activities import ActivityCounter
from travel.sample.cars import CarCounter
from travel.sample.counter import Counter, Ticket, read_id
from travel.sample.flights.counter import FlightCounter
from travel.sample.hotels import HotelCounter
from travel.sample.insurance import InsuranceCounter
from travel.sample.places.gazetteer import country_of

P = ParamSpec("P")
T = TypeVar("T")

SEED = "2026"
INVENTORY_FILE = "travel-inventory.db"


def in_thread(work: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Return an async version of `work` that runs it in a thread, because it computes and reads SQLite."""

    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(work, *args, **kwargs)

    return run


class SampleWorld:
    """The sample world as a `TravelProvider`, which documents the methods.

    Its inventory is a file in `folder`, which is opened at the first search; call `close` at the end.
    """

    name = f"Sample World ({SAMPLE})"
    capabilities: frozenset[Capability] = frozenset(CAPABILITIES)

    def __init__(self, folder: Path, *, clock: Callable[[], datetime], seed: str = SEED) -> None:
        self._seed, self._clock = seed, clock
        self._inventory = Inventory(folder / INVENTORY_FILE, clock=clock)
        arguments = (seed, clock, self._inventory)
        flights, hotels, cars = FlightCounter(*arguments), HotelCounter(*arguments), CarCounter(*arguments)
        activities, insurance = ActivityCounter(*arguments), InsuranceCounter(*arguments)
        counters: tuple[Counter, ...] = (flights, hotels, cars, activities, insurance)
        self._counters = {counter.kind: counter for counter in counters}
        self.country, self.search_insurance = in_thread(country_of), in_thread(insurance.search)
        self.search_flights, self.search_hotels = in_thread(flights.search), in_thread(hotels.search)
        self.search_cars, self.search_activities = in_thread(cars.search), in_thread(activities.search)

    def close(self) -> None:
        """Close the inventory's file; the next use opens it again."""
        self._inventory.close()

    @in_thread
    def offer(self, offer_id: str, *, late: bool = False) -> AnyOffer:
        """See `TravelProvider.offer`."""
        counter, ticket = self._read(offer_id, late=late)
        return counter.offer(ticket)

    @in_thread
    def seat_map(self, offer_id: str) -> tuple[SeatMap, ...]:
        """See `TravelProvider.seat_map`."""
        counter, ticket = self._read(offer_id)
        return counter.seat_maps(ticket)

    @in_thread
    def reserve(
        self, offer_id: str, key: str, *, seats: Sequence[SeatChoice] = (), hold_until: datetime | None = None
    ) -> Reservation:
        """See `TravelProvider.reserve`."""
        if not key.strip():
            raise InvalidInputError("A reservation needs a key that is not empty.")
        # A repeated call returns the existing reservation, even if the offer has expired since.
        is_repeated = self._inventory.get(key) is not None
        counter, ticket = self._read(offer_id, late=is_repeated)
        if not is_repeated:
            counter.check(ticket)
            if hold_until is not None and not (hold_until.tzinfo and hold_until > self._clock()):
                raise InvalidInputError(f"A hold needs an end to come, with its time zone; this one is {hold_until}.")
        needs, units = counter.needs(ticket), counter.seat_units(ticket, seats)
        details = [seat.dump() for seat in seats]
        claim = self._inventory.reserve(key, offer_id, needs, units=units, details=details, held_until=hold_until)
        return _reservation(claim)

    @in_thread
    def confirm(self, key: str) -> Reservation:
        """See `TravelProvider.confirm`."""
        return _reservation(self._inventory.confirm(key))

    @in_thread
    def choose_seats(self, key: str, seats: Sequence[SeatChoice]) -> Reservation:
        """See `TravelProvider.choose_seats`."""
        units = []
        if claim := self._inventory.get(key):
            counter, ticket = self._read(claim.subject)
            units = counter.seat_units(ticket, seats)
        return _reservation(self._inventory.choose(key, units, [seat.dump() for seat in seats]))

    @in_thread
    def release(self, key: str) -> Reservation:
        """See `TravelProvider.release`."""
        return _reservation(self._inventory.release(key))

    @in_thread
    def reservation(self, key: str) -> Reservation | None:
        """See `TravelProvider.reservation`."""
        claim = self._inventory.get(key)
        return _reservation(claim) if claim else None

    def _read(self, offer_id: str, *, late: bool = True) -> tuple[Counter, Ticket]:
        """Return the counter and ticket of an offer. Raises OfferExpiredError if it has expired, unless `late`."""
        ticket = read_id(offer_id, self._seed)
        if not late and self._clock() >= ticket.expires_at:
            until = f"This offer was good until {ticket.expires_at:%Y-%m-%d %H:%M} UTC."
            raise OfferExpiredError(f"{until} Search again, show the new price.")
        return self._counters[ticket.kind], ticket


def _reservation(claim: Claim) -> Reservation:
    return Reservation(
        key=claim.key, offer_id=claim.subject, status=claim.status, held_until=claim.held_until,
        seats=claim.details, source=SAMPLE,
    )  # fmt: skip
