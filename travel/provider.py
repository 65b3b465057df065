"""The protocol of travel providers. The sample world is one; others implement the same methods."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Literal, Protocol

from pydantic import Field

from config.errors import InvalidInputError
from memory.records.notes import Record
from travel.flights import FlightOffer, SeatMap
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, InsuranceQuery

Capability = Literal["flights", "hotels", "cars", "activities", "insurance", "seat_maps", "reserve", "hold"]

AnyOffer = Annotated[FlightOffer | HotelOffer | CarOffer | ActivityOffer | InsuranceOffer, Field(discriminator="kind")]
"""Any offer; a pydantic `TypeAdapter(AnyOffer)` reads one back from JSON."""


CAPABILITIES: Mapping[Capability, tuple[str, ...]] = {
    "flights": ("search_flights",),
    "hotels": ("search_hotels",),
    "cars": ("search_cars",),
    "activities": ("search_activities",),
    "insurance": ("search_insurance",),
    "seat_maps": ("seat_map", "choose_seats"),
    "reserve": ("reserve", "release", "reservation"),
    "hold": ("reserve", "release", "reservation", "confirm"),
}
"""What a provider can do, and what the concierge then calls beside `country` and `offer`."""


class SeatChoice(Record):
    """A seat on one segment of a flight offer, counted from 0 over all its slices."""

    segment: int = Field(ge=0, le=7)
    seat: str = Field(pattern=r"^[1-9][0-9]?[A-K]$")


class Reservation(Record):
    """What is kept for somebody: all parts of one offer, under the caller's key."""

    key: str
    offer_id: str
    status: Literal["held", "confirmed", "released", "lapsed"]
    held_until: datetime | None
    """When a hold lapses by itself; None once it is confirmed."""
    seats: tuple[SeatChoice, ...]
    source: str


class TravelProvider(Protocol):
    """Searches, quotes and keeps travel. A method whose capability is not declared is not called.

    Every method that names a place raises UnknownPlaceError or AmbiguousPlaceError, every one with dates
    TravelDateError or DateInPastError, and every one with an offer id UnknownOfferError. All are `TravelError`s.
    """

    @property
    def name(self) -> str:
        """Who it is, as told to the traveller."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What it can do."""

    async def country(self, query: str) -> str:
        """Return the country (ISO 3166, two letters) that `query` names or lies in."""

    async def search_flights(self, query: FlightQuery) -> tuple[FlightOffer, ...]:
        """Return flights on offer, the cheapest and shortest first; one offer for each fare of the same flights.

        Raises NoServiceError when nothing flies there then, and SoldOutError when all that flies is full.
        """

    async def search_hotels(self, query: HotelQuery) -> tuple[HotelOffer, ...]:
        """Return rooms on offer, nearest to the centre first. Raises SoldOutError when every house is full."""

    async def search_cars(self, query: CarQuery) -> tuple[CarOffer, ...]:
        """Return cars on offer, the cheapest first. Raises SoldOutError when none is left."""

    async def search_activities(self, query: ActivityQuery) -> tuple[ActivityOffer, ...]:
        """Return things to do, the soonest first. Raises NoServiceError when there is nothing of that interest."""

    async def search_insurance(self, query: InsuranceQuery) -> tuple[InsuranceOffer, ...]:
        """Return cover on offer, the cheapest first. Raises NoServiceError when no product covers all parts."""

    async def offer(self, offer_id: str, *, late: bool = False) -> AnyOffer:
        """Return the offer as it was given, with what is left of it now; with `late`, even one that ran out.

        Raises OfferExpiredError when it ran out.
        """

    async def seat_map(self, offer_id: str) -> tuple[SeatMap, ...]:
        """Return the seats on each segment of a flight offer, even of one that ran out.

        Raises NoServiceError when the offer is not for a flight.
        """

    async def reserve(
        self, offer_id: str, key: str, *, seats: Sequence[SeatChoice] = (), hold_until: datetime | None = None
    ) -> Reservation:
        """Take all parts of the offer, or none. The same `key` again gives the same reservation and takes nothing.

        With `hold_until`, a moment with its zone, it lapses then, unless it is confirmed.

        Raises:
            SoldOutError: when a part has too few left.
            SeatTakenError: when a seat is not to be had.
            OfferExpiredError: when the offer ran out before it was taken, or a hold under this key did.
            ConflictError: when the key was used for another offer, or was released.
        """

    async def confirm(self, key: str) -> Reservation:
        """Make a hold permanent; doing so again changes nothing.

        Raises OfferExpiredError when the hold lapsed, ConflictError when it was released, and NotFoundError when
        nothing was reserved under the key.
        """

    async def choose_seats(self, key: str, seats: Sequence[SeatChoice]) -> Reservation:
        """Exchange the seats of a reservation for these, all or none.

        Raises SeatTakenError when one is not to be had, and keeps the old ones; NotFoundError when the key has nothing.
        """

    async def release(self, key: str) -> Reservation:
        """Release all that was taken under the key; doing so again changes nothing.

        Raises NotFoundError when nothing was reserved under the key.
        """

    async def reservation(self, key: str) -> Reservation | None:
        """Return what is kept under the key."""


def check_provider(provider: TravelProvider) -> None:
    """Raise InvalidInputError where a provider lacks what it needs for the capabilities that it declares."""
    kind = type(provider)
    declared: frozenset[str] = getattr(provider, "capabilities", frozenset())
    if unknown := sorted(set(declared) - set(CAPABILITIES)):
        raise InvalidInputError(f"{kind.__name__} declares {unknown[0]!r}. There are: {', '.join(CAPABILITIES)}.")
    called = [part for one, parts in CAPABILITIES.items() if one in declared for part in parts]
    needed = dict.fromkeys(["name", "capabilities", "country", "offer", *called])
    # What a class inherits from the protocol is a signature that does nothing.
    lacking = [
        part for part in needed if not hasattr(provider, part) or getattr(kind, part, 0) is vars(TravelProvider)[part]
    ]
    if lacking:
        told = ", ".join(lacking)
        raise InvalidInputError(f"{kind.__name__} lacks {told}; `travel.provider.TravelProvider` says what each does.")
