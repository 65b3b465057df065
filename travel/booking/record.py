"""One booking: what was bought, for how much, and what became of it."""

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
    """One movement of money: paid when positive, paid back when negative."""

    number: str
    at: datetime
    what: str
    amount: Money


class Booking(Record):
    """What one traveller bought. `reference` is what people call it by; `starts` and `ends` are dates there."""

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
    """What fares that it had before it was changed would have kept, with the fees of the changes."""
    requests: tuple[str, ...] = ()
    loyalty: str | None = None
    """The programme that it earns in; its number stays in the profile."""
    trip_id: str = ""
    """The trip that it is part of; empty for what makes none."""
    thread_id: str
    created_at: datetime
    held_until: datetime | None = None
    reserved_as: str
    """The key of the reservation that holds it at the provider."""
    released: tuple[str, ...] = ()
    """Reservations that it no longer needs."""
    keys: tuple[str, ...] = ()
    """The acts that made it what it is, each of which happens once."""
    source: str

    @property
    def paid(self) -> Money:
        """What was paid so far, without what was paid back."""
        return sum((receipt.amount for receipt in self.receipts), self.price * 0)

    @property
    def offered(self) -> AnyOffer:
        """The offer as it was bought."""
        return _OFFER.validate_python(self.offer)

    def seats_on(self, segment: int) -> str:
        """Return its seats on a segment, as in "12A, 12B"; empty where there are none."""
        return ", ".join(choice.seat for choice in self.seats if choice.segment == segment)

    def with_seats(self, seats: Sequence[SeatChoice]) -> tuple[SeatChoice, ...]:
        """Return all its seats, with these in place of those that it has on the same segments."""
        named = {choice.segment for choice in seats}
        kept = [one for one in self.seats if one.segment not in named]
        return tuple(sorted([*seats, *kept], key=lambda one: one.segment))

    def is_held(self, now: datetime) -> bool:
        """Return True while it is kept and not paid."""
        return self.status == "held" and self.held_until is not None and self.held_until > now


def reference_of(booking_id: str) -> str:
    """Return what people call a booking by, as in `TC-7F3K9Q`."""
    digest = hashlib.sha256(booking_id.encode()).digest()
    return f"TC-{base64.b32encode(digest).decode()[:6]}"
