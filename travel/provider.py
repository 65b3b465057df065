"""The protocol that travel providers, such as the sample world, implement."""

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
"""Capabilities, with the methods that the concierge calls for each, in addition to `country` and `offer`."""


class SeatChoice(Record):
    """A seat on one segment of a flight offer, counted from 0 over all its slices."""

    segment: int = Field(ge=0, le=7)
    seat: str = Field(pattern=r"^[1-9][0-9]?[A-K]$")


class Reservation(Record):
    """A reservation of all parts of one offer, under the caller's key."""

    key: str
    offer_id: str
    status: Literal["held", "confirmed", "released", "lapsed"]
    held_until: datetime | None
    """When a hold expires; None once it is confirmed."""
    seats: tuple[SeatChoice, ...]
    source: str


class TravelProvider(Protocol):
    """Searches, quotes and reserves travel. Only methods of declared capabilities are called.

    Methods that take a place raise UnknownPlaceError or AmbiguousPlaceError; those that take dates, TravelDateError
    or DateInPastError; those that take an offer id, UnknownOfferError. All are `TravelError`s.
    """

    @property
    def name(self) -> str:
        """Name to show to travellers."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Capabilities that this provider supports."""

    async def country(self, query: str) -> str:
        """Return the country (ISO 3166, two letters) that `query` names, or in which the place lies."""

    async def search_flights(self, query: FlightQuery) -> tuple[FlightOffer, ...]:
        """Return flight offers, the cheapest and shortest first; one offer for each fare of the same flights.

        Raises NoServiceError if there are no such flights, and SoldOutError if all are full.
        """

    async def search_hotels(self, query: HotelQuery) -> tuple[HotelOffer, ...]:
        """Return hotel offers, nearest to the centre first. Raises SoldOutError if every hotel is full."""

    async def search_cars(self, query: CarQuery) -> tuple[CarOffer, ...]:
        """Return car offers, the cheapest first. Raises SoldOutError if no car is left."""

    async def search_activities(self, query: ActivityQuery) -> tuple[ActivityOffer, ...]:
        """Return activity offers, the soonest first. Raises NoServiceError if none has such an interest."""

    async def search_insurance(self, query: InsuranceQuery) -> tuple[InsuranceOffer, ...]:
        """Return insurance offers, the cheapest first. Raises NoServiceError if no product covers all parts."""

    async def offer(self, offer_id: str, *, late: bool = False) -> AnyOffer:
        """Return the offer at its quoted price, with its current `left`; with `late`, even if it has expired.

        Raises OfferExpiredError if it has expired.
        """

    async def seat_map(self, offer_id: str) -> tuple[SeatMap, ...]:
        """Return the seats on each segment of a flight offer, even if the offer has expired.

        Raises NoServiceError if the offer is not for a flight.
        """

    async def reserve(
        self, offer_id: str, key: str, *, seats: Sequence[SeatChoice] = (), hold_until: datetime | None = None
    ) -> Reservation:
        """Reserve all parts of the offer, or none. Idempotent: `key` always returns the same reservation.

        With `hold_until`, which is timezone-aware, the reservation expires then unless it is confirmed.

        Raises:
            SoldOutError: if too few of a part are left.
            SeatTakenError: if a seat is not available.
            OfferExpiredError: if the offer, or a hold under this key, has expired.
            ConflictError: if the key was used for another offer, or was released.
        """

    async def confirm(self, key: str) -> Reservation:
        """Make a hold permanent. Idempotent.

        Raises OfferExpiredError if the hold has expired, ConflictError if it was released, and NotFoundError if
        nothing was reserved under the key.
        """

    async def choose_seats(self, key: str, seats: Sequence[SeatChoice]) -> Reservation:
        """Replace the seats of a reservation by these.

        Raises SeatTakenError, and keeps the old seats, if one is not available; NotFoundError if nothing was reserved.
        """

    async def release(self, key: str) -> Reservation:
        """Release the reservation under the key. Idempotent.

        Raises NotFoundError if nothing was reserved under the key.
        """

    async def reservation(self, key: str) -> Reservation | None:
        """Return the reservation under the key, or None."""


def check_provider(provider: TravelProvider) -> None:
    """Raise InvalidInputError if a provider lacks a method for one of its capabilities, or declares an unknown one."""
    kind = type(provider)
    declared: frozenset[str] = getattr(provider, "capabilities", frozenset())
    if unknown := sorted(set(declared) - set(CAPABILITIES)):
        raise InvalidInputError(f"{kind.__name__} declares {unknown[0]!r}. There are: {', '.join(CAPABILITIES)}.")
    methods = [method for capability, named in CAPABILITIES.items() if capability in declared for method in named]
    needed = dict.fromkeys(["name", "capabilities", "country", "offer", *methods])
    # A subclass of the protocol inherits its empty methods, which do not count.
    missing = [
        name for name in needed if not hasattr(provider, name) or getattr(kind, name, 0) is vars(TravelProvider)[name]
    ]
    if missing:
        names = ", ".join(missing)
        raise InvalidInputError(f"{kind.__name__} lacks {names}; `travel.provider.TravelProvider` says what each does.")
