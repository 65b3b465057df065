"""The bundled sample world: a travel provider whose offers are made from a seed and whose inventory is real.

Airports, distances and time zones are those of the earth; names of airlines, hotels and cars are labels. Schedules,
prices, seats and rooms follow from the seed, so the same seed is the same world; what is reserved is kept in SQLite.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, ParamSpec, Self, TypeVar

from config.errors import InvalidInputError, NoServiceError, OfferExpiredError, UnknownOfferError
from stores.inventory import Claim, Inventory, Unit
from travel.flights import SeatMap
from travel.provider import CAPABILITIES, AnyOffer, Capability, Reservation, SeatChoice
from travel.sample import SAMPLE
from travel.sample.activities import ActivityCounter
from travel.sample.cars import CarCounter
from travel.sample.counter import Counter, SampleContext
from travel.sample.flights.counter import FlightCounter
from travel.sample.hotels import HotelCounter
from travel.sample.ids import Ticket, read_id
from travel.sample.insurance import InsuranceCounter
from travel.sample.places.gazetteer import country_of

P = ParamSpec("P")
T = TypeVar("T")

SEED = "2026"
INVENTORY_FILE = "travel-inventory.db"


def in_thread(work: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Return `work` as it is awaited: in a thread, because it computes for milliseconds and looks into SQLite."""

    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(work, *args, **kwargs)

    return run


class SampleWorld:
    """The sample world behind `TravelProvider`, which says what each method does. Open it with `open_sample_world`."""

    name = f"Sample World ({SAMPLE})"
    capabilities: frozenset[Capability] = frozenset(CAPABILITIES)

    def __init__(self, inventory: Inventory, *, clock: Callable[[], datetime], seed: str = SEED) -> None:
        self._context = context = SampleContext(seed, clock, inventory)
        self._flights, hotels, cars = FlightCounter(context), HotelCounter(context), CarCounter(context)
        activities, insurance = ActivityCounter(context), InsuranceCounter(context)
        counters: tuple[Counter[AnyOffer], ...] = (self._flights, hotels, cars, activities, insurance)
        self._counters = {counter.kind: counter for counter in counters}
        self.country = in_thread(country_of)
        self.search_flights, self.search_hotels = in_thread(self._flights.search), in_thread(hotels.search)
        self.search_cars, self.search_activities = in_thread(cars.search), in_thread(activities.search)
        self.search_insurance = in_thread(insurance.search)
        self.offer, self.seat_map = in_thread(self._offer), in_thread(self._seat_map)
        self.reserve, self.choose_seats = in_thread(self._reserve), in_thread(self._choose_seats)
        self.confirm, self.release = in_thread(self._confirm), in_thread(self._release)
        self.reservation = in_thread(self._reservation)

    @classmethod
    def at(cls, folder: Path, *, clock: Callable[[], datetime], seed: str = SEED) -> Self:
        """Return the world with its inventory in `folder`, of which nothing is opened before the first search."""
        return cls(Inventory(folder / INVENTORY_FILE, clock=clock), clock=clock, seed=seed)

    def close(self) -> None:
        """Close the inventory's file; the next use opens it again."""
        self._context.inventory.close()

    def _read(self, offer_id: str) -> tuple[Counter[AnyOffer], Ticket]:
        ticket = read_id(offer_id, self._context.seed)
        counter = self._counters.get(ticket.kind)
        if counter is None:
            raise UnknownOfferError(f"There is no offer {offer_id!r}. Copy the id exactly from a search result.")
        return counter, ticket

    def _offer(self, offer_id: str, *, late: bool = False) -> AnyOffer:
        counter, ticket = self._read(offer_id)
        if not late:
            self._check_fresh(ticket)
        return counter.offer(ticket)

    def _seat_map(self, offer_id: str) -> tuple[SeatMap, ...]:
        counter, ticket = self._read(offer_id)
        if counter is not self._flights:
            raise NoServiceError("Only flights have seats to choose. Use the id of a flight offer.")
        return self._flights.seat_maps(ticket)

    def _reserve(
        self, offer_id: str, key: str, *, seats: Sequence[SeatChoice] = (), hold_until: datetime | None = None
    ) -> Reservation:
        if not key.strip():
            raise InvalidInputError("A reservation needs a key that is not empty.")
        counter, ticket = self._read(offer_id)
        # What was reserved in time stays reserved, however late the same call comes again.
        if self._context.inventory.get(key) is None:
            self._check_fresh(ticket)
            counter.check(ticket)
            if hold_until is not None and not (hold_until.tzinfo and hold_until > self._context.clock()):
                raise InvalidInputError(f"A hold needs an end to come, with its time zone; this one is {hold_until}.")
        units = self._seat_units(counter, ticket, seats)
        details = [choice.dump() for choice in seats]
        return _reservation(
            self._context.inventory.reserve(
                key, offer_id, counter.needs(ticket), units=units, details=details, held_until=hold_until
            )
        )

    def _confirm(self, key: str) -> Reservation:
        return _reservation(self._context.inventory.confirm(key))

    def _choose_seats(self, key: str, seats: Sequence[SeatChoice]) -> Reservation:
        known = self._context.inventory.get(key)
        units = self._seat_units(*self._read(known.subject), seats) if known else []
        return _reservation(self._context.inventory.choose(key, units, [choice.dump() for choice in seats]))

    def _release(self, key: str) -> Reservation:
        return _reservation(self._context.inventory.release(key))

    def _reservation(self, key: str) -> Reservation | None:
        claim = self._context.inventory.get(key)
        return _reservation(claim) if claim else None

    def _seat_units(self, counter: Counter[AnyOffer], ticket: Ticket, seats: Sequence[SeatChoice]) -> list[Unit]:
        if seats and counter is not self._flights:
            raise InvalidInputError("Seats can be chosen on flights only. Leave them out.")
        return self._flights.seat_units(ticket, seats) if seats else []

    def _check_fresh(self, ticket: Ticket) -> None:
        if self._context.clock() >= ticket.expires_at:
            raise OfferExpiredError(
                f"This offer was good until {ticket.expires_at:%Y-%m-%d %H:%M} UTC. Search again, show the new price."
            )


def _reservation(claim: Claim) -> Reservation:
    return Reservation(
        key=claim.key, offer_id=claim.subject, status=claim.status, held_until=claim.held_until,
        seats=tuple(SeatChoice.model_validate(choice) for choice in claim.details), source=SAMPLE,
    )  # fmt: skip


@asynccontextmanager
async def open_sample_world(
    folder: Path, *, clock: Callable[[], datetime], seed: str = SEED
) -> AsyncIterator[SampleWorld]:
    """Open the sample world with its inventory in `folder`; other processes may have it open too."""
    world = SampleWorld.at(folder, clock=clock, seed=seed)
    try:
        yield world
    finally:
        await asyncio.to_thread(world.close)
