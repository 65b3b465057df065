"""The record of a booking, with its receipts."""

import base64
import hashlib
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Literal

from pydantic import Field, TypeAdapter

from memory.records.notes import Record
from travel.money import Money
from travel.provider import AnyOffer, SeatChoice

Kind = Literal["flight", "hotel", "car", "activity", "insurance"]
Status = Literal["held", "booked", "cancelled"]
_OFFER: TypeAdapter[AnyOffer] = TypeAdapter(AnyOffer)


class Receipt(Record):
    """A payment if `amount` is positive, a refund if it is negative."""

    number: str
    at: datetime
    what: str
    amount: Money


class Booking(Record):
    """A booking or hold of one offer. `reference` is its name for people; `starts` and `ends` are local dates."""

    stored_as = "booking"
    id: str
    reference: str
    kind: Kind
    status: Status
    offer: dict[str, Any]
    title: str
    starts: date
    ends: date
    travellers: int = Field(ge=1)
    price: Money
    receipts: tuple[Receipt, ...] = ()
    seats: tuple[SeatChoice, ...] = ()
    extra_bags: int = Field(0, ge=0, le=9)
    forfeited: Money | None = None
    """After changes: the amounts that earlier fares would have kept, plus the change fees; never refunded."""
    requests: tuple[str, ...] = ()
    loyalty: str | None = None
    """The loyalty programme in which it earns points; the membership number stays in the profile."""
    trip_id: str = ""
    """The trip that it is part of; empty if it has none."""
    thread_id: str
    created_at: datetime
    held_until: datetime | None = None
    reserved_as: str
    """The key of its reservation at the provider."""
    released: tuple[str, ...] = ()
    """Keys of earlier reservations, which must be released."""
    keys: tuple[str, ...] = ()
    """Keys of the actions that were applied to it, each at most once."""
    source: str

    @property
    def paid(self) -> Money:
        """The sum of payments so far, minus refunds."""
        return sum((receipt.amount for receipt in self.receipts), self.price * 0)

    @property
    def offered(self) -> AnyOffer:
        """The offer at the time of booking."""
        return _OFFER.validate_python(self.offer)

    def seats_on(self, segment: int) -> str:
        """Return its seats on a segment, as in "12A, 12B"; empty if there are none."""
        return ", ".join(choice.seat for choice in self.seats if choice.segment == segment)

    def with_seats(self, seats: Sequence[SeatChoice]) -> tuple[SeatChoice, ...]:
        """Return all its seats, after replacing those on the segments of `seats`."""
        segments = {choice.segment for choice in seats}
        kept = [choice for choice in self.seats if choice.segment not in segments]
        return tuple(sorted([*seats, *kept], key=lambda choice: choice.segment))

    def is_held(self, now: datetime) -> bool:
        """Return True if it is a hold that has not expired."""
        return self.status == "held" and self.held_until is not None and self.held_until > now


def reference_of(booking_id: str) -> str:
    """Return the short reference of a booking for people, as in `TC-7F3K9Q`."""
    digest = hashlib.sha256(booking_id.encode()).digest()
    return f"TC-{base64.b32encode(digest).decode()[:6]}"
