"""The bundled sample world: a travel provider whose offers are made from a seed and whose inventory is real.

Airports, distances and time zones are those of the earth; names of airlines, hotels and cars are labels. Schedules,
prices, seats and rooms follow from the seed, so the same seed is the same world; what is reserved is kept in SQLite.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

from config.errors import InvalidInputError, NoServiceError, OfferExpiredError, SoldOutError, UnknownOfferError
from stores.inventory import Claim, Inventory, Unit
from travel.flights import FlightOffer, SeatMap
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.places import SAMPLE, Place
from travel.provider import CAPABILITIES, AnyOffer, Capability, Reservation, SeatChoice
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, InsuranceQuery
from travel.sample.activities import ActivityCounter
from travel.sample.cars import CarCounter
from travel.sample.counter import Counter, SampleContext
from travel.sample.flights.counter import FlightCounter
from travel.sample.hotels import HotelCounter
from travel.sample.ids import Ticket, read_id
from travel.sample.insurance import InsuranceCounter
from travel.sample.places.gazetteer import candidates, country_of, meant

SEED = "2026"
INVENTORY_FILE = "travel-inventory.db"


class SampleWorld:
    """The sample world behind `TravelProvider`. Open it with `open_sample_world`.

    Making offers takes milliseconds of computing and a look into SQLite, so all of it runs in a thread.
    """

    def __init__(self, inventory: Inventory, *, clock: Callable[[], datetime], seed: str = SEED) -> None:
        context = SampleContext(seed, clock, inventory)
        self._context = context
        self._flights, self._hotels, self._cars = FlightCounter(context), HotelCounter(context), CarCounter(context)
        self._activities, self._insurance = ActivityCounter(context), InsuranceCounter(context)
        counters: tuple[Counter[AnyOffer], ...] = (
            self._flights,
            self._hotels,
            self._cars,
            self._activities,
            self._insurance,
        )
        self._counters = {counter.kind: counter for counter in counters}

    def close(self) -> None:
        """Close the inventory's file; the next use opens it again."""
        self._context.inventory.close()

    @property
    def name(self) -> str:
        """Who it is, as told to the traveller."""
        return f"Sample World ({SAMPLE})"

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Everything."""
        return frozenset(CAPABILITIES)

    async def places(self, query: str, *, limit: int = 6) -> tuple[Place, ...]:
        """See `TravelProvider.places`."""
        found = await asyncio.to_thread(candidates, query)
        return tuple(entry.place for entry in found[:limit])

    async def place(self, query: str) -> Place:
        """See `TravelProvider.place`."""
        return await asyncio.to_thread(meant, query)

    async def country(self, query: str) -> str:
        """See `TravelProvider.country`."""
        return await asyncio.to_thread(country_of, query)

    async def search_flights(self, query: FlightQuery) -> tuple[FlightOffer, ...]:
        """See `TravelProvider.search_flights`."""
        return await asyncio.to_thread(self._flights.search, query)

    async def search_hotels(self, query: HotelQuery) -> tuple[HotelOffer, ...]:
        """See `TravelProvider.search_hotels`."""
        return await asyncio.to_thread(self._hotels.search, query)

    async def search_cars(self, query: CarQuery) -> tuple[CarOffer, ...]:
        """See `TravelProvider.search_cars`."""
        return await asyncio.to_thread(self._cars.search, query)

    async def search_activities(self, query: ActivityQuery) -> tuple[ActivityOffer, ...]:
        """See `TravelProvider.search_activities`."""
        return await asyncio.to_thread(self._activities.search, query)

    async def search_insurance(self, query: InsuranceQuery) -> tuple[InsuranceOffer, ...]:
        """See `TravelProvider.search_insurance`."""
        return await asyncio.to_thread(self._insurance.search, query)

    async def offer(self, offer_id: str, *, late: bool = False) -> AnyOffer:
        """See `TravelProvider.offer`."""
        return await asyncio.to_thread(self._offer, offer_id, late)

    async def requote(self, offer_id: str) -> AnyOffer:
        """See `TravelProvider.requote`."""
        return await asyncio.to_thread(self._requote, offer_id)

    async def seat_map(self, offer_id: str) -> tuple[SeatMap, ...]:
        """See `TravelProvider.seat_map`."""
        return await asyncio.to_thread(self._seat_map, offer_id)

    async def reserve(
        self, offer_id: str, key: str, *, seats: Sequence[SeatChoice] = (), hold_until: datetime | None = None
    ) -> Reservation:
        """See `TravelProvider.reserve`."""
        return await asyncio.to_thread(self._reserve, offer_id, key, tuple(seats), hold_until)

    async def confirm(self, key: str) -> Reservation:
        """See `TravelProvider.confirm`."""
        return _reservation(await asyncio.to_thread(self._context.inventory.confirm, key))

    async def choose_seats(self, key: str, seats: Sequence[SeatChoice]) -> Reservation:
        """See `TravelProvider.choose_seats`."""
        return await asyncio.to_thread(self._choose_seats, key, tuple(seats))

    async def release(self, key: str) -> Reservation:
        """See `TravelProvider.release`."""
        return _reservation(await asyncio.to_thread(self._context.inventory.release, key))

    async def reservation(self, key: str) -> Reservation | None:
        """See `TravelProvider.reservation`."""
        claim = await asyncio.to_thread(self._context.inventory.get, key)
        return _reservation(claim) if claim else None

    def _read(self, offer_id: str) -> tuple[Counter[AnyOffer], Ticket]:
        ticket = read_id(offer_id, self._context.seed)
        counter = self._counters.get(ticket.kind)
        if counter is None:
            raise UnknownOfferError(f"There is no offer {offer_id!r}. Copy the id exactly from a search result.")
        return counter, ticket

    def _offer(self, offer_id: str, late: bool) -> AnyOffer:
        counter, ticket = self._read(offer_id)
        if not late:
            self._check_fresh(ticket)
        return counter.offer(ticket)

    def _requote(self, offer_id: str) -> AnyOffer:
        counter, ticket = self._read(offer_id)
        fresh = ticket.at(self._context.clock())
        counter.check(fresh)
        offer = counter.offer(fresh)
        needs = counter.needs(fresh)
        if needs and offer.left < max(need.count for need in needs):
            raise SoldOutError(f"Only {offer.left} are left of it now. Search again and offer another.")
        return offer

    def _seat_map(self, offer_id: str) -> tuple[SeatMap, ...]:
        counter, ticket = self._read(offer_id)
        if counter is not self._flights:
            raise NoServiceError("Only flights have seats to choose. Use the id of a flight offer.")
        return self._flights.seat_maps(ticket)

    def _reserve(
        self, offer_id: str, key: str, seats: Sequence[SeatChoice], hold_until: datetime | None
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

    def _choose_seats(self, key: str, seats: Sequence[SeatChoice]) -> Reservation:
        known = self._context.inventory.get(key)
        units = self._seat_units(*self._read(known.subject), seats) if known else []
        return _reservation(self._context.inventory.choose(key, units, [choice.dump() for choice in seats]))

    def _seat_units(self, counter: Counter[AnyOffer], ticket: Ticket, seats: Sequence[SeatChoice]) -> list[Unit]:
        if not seats:
            return []
        if counter is not self._flights:
            raise InvalidInputError("Seats can be chosen on flights only. Leave them out.")
        return self._flights.seat_units(ticket, seats)

    def _check_fresh(self, ticket: Ticket) -> None:
        if self._context.clock() >= ticket.expires_at:
            raise OfferExpiredError(
                f"This offer was good until {ticket.expires_at:%Y-%m-%d %H:%M} UTC. Quote it again, show the new price."
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
    world = SampleWorld(Inventory(folder / INVENTORY_FILE, clock=clock), clock=clock, seed=seed)
    try:
        yield world
    finally:
        await asyncio.to_thread(world.close)
