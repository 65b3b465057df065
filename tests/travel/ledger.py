"""Offers of the sample world, and a store whose writes fail on request, for the tests of the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from langgraph.store.base import Op, Result
from langgraph.store.memory import InMemoryStore

from memory.records.profile import Profile
from memory.records.repository import UserMemory
from tests.conftest import Clock
from travel.booking.ledger import Bookings
from travel.flights import FlightOffer
from travel.offers import HotelOffer
from travel.queries import FlightQuery, HotelQuery, Party
from travel.sample.world import SampleWorld

THERE, BACK = date(2026, 12, 10), date(2026, 12, 17)


class FailingStore(InMemoryStore):
    """A store whose next writes fail, as if the process died or the disk were full."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = 0

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        listed = list(ops)
        if self.fails and len(listed) > 1:
            self.fails -= 1
            raise OSError("no space left on device")
        return await super().abatch(listed)


def ledger(store: InMemoryStore, world: SampleWorld, clock: Clock, user: str = "ana") -> Bookings:
    return Bookings(UserMemory(store, user, clock=clock), world, clock=clock)


async def with_profile(store: InMemoryStore, clock: Clock, **values: object) -> None:
    await UserMemory(store, "ana", clock=clock).set_profile(Profile.model_validate(values), step="profile")


async def flights(world: SampleWorld, **values: object) -> list[FlightOffer]:
    """Return return flights from London to New York, or others by the `values` of the query."""
    query = {"origin": "London", "destination": "New York", "departing": THERE, "returning": BACK, **values}
    return list(await world.search_flights(FlightQuery.model_validate(query)))


async def flight(world: SampleWorld, family: str = "standard", adults: int = 1, **values: object) -> FlightOffer:
    offers = await flights(world, party=Party(adults=adults), max_stops=0, **values)
    return next(offer for offer in offers if offer.fare.family == family)


async def hotel(
    world: SampleWorld, city: str = "New York", first: date = THERE, last: date = BACK, *, free: bool = True
) -> HotelOffer:
    """Return the first room with free cancellation, or without."""
    offers = await world.search_hotels(HotelQuery(city=city, check_in=first, check_out=last))
    return next(offer for offer in offers if (offer.free_cancellation_until is not None) == free)
