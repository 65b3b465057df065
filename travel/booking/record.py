"""One booking: what was bought, for how much, and what became of it."""

from __future__ import annotations

import base64
import hashlib
from datetime import date, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from pydantic import Field, TypeAdapter

from memory.records.notes import Record
from travel.flights import FlightOffer
from travel.money import Money
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
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
        total = Money(amount=0, currency=self.price.currency)
        for receipt in self.receipts:
            total = total + receipt.amount
        return total

    @property
    def offered(self) -> AnyOffer:
        """The offer as it was bought."""
        return _OFFER.validate_python(self.offer)

    def is_held(self, now: datetime) -> bool:
        """Return True while it is kept and not paid."""
        return self.status == "held" and self.held_until is not None and self.held_until > now


def in_order(booking: Booking) -> tuple[date, datetime, str]:
    """Return what bookings are sorted by: the day they start."""
    return booking.starts, booking.created_at, booking.id


def reference_of(booking_id: str) -> str:
    """Return what people call a booking by, as in `TC-7F3K9Q`."""
    digest = hashlib.sha256(booking_id.encode()).digest()
    return f"TC-{base64.b32encode(digest).decode()[:6]}"


def title_of(offer: AnyOffer) -> str:
    """Return one line that says what is bought."""
    match offer:
        case FlightOffer():
            there, back = offer.outbound, offer.inbound
            ways = f"{there.segments[0].origin} - {there.segments[-1].destination}"
            numbers = " ".join(segment.flight_number for segment in offer.segments)
            until = f", back {back.departs.day}" if back else ""
            return f"{offer.airline} {numbers}, {ways}, {there.departs.day}{until}, {offer.fare.name}"
        case HotelOffer():
            return (
                f"{offer.name}, {offer.city}, {offer.check_in.day} to {offer.check_out.day}, {offer.room} {offer.bed}"
            )
        case CarOffer():
            return f"{offer.company} {offer.model}, {offer.city}, {offer.pick_up.day} to {offer.drop_off.day}"
        case ActivityOffer():
            return f"{offer.title}, {offer.city}, {offer.starts}"
        case InsuranceOffer():
            return f"{offer.company} {offer.product} ({offer.level}), {offer.starts} to {offer.ends}"


def days_of(offer: AnyOffer) -> tuple[date, date]:
    """Return the first and the last day of what is bought."""
    match offer:
        case FlightOffer():
            # Across the date line, one lands the day before.
            leaves = offer.outbound.departs.day
            return leaves, max(leaves, offer.slices[-1].arrives.day)
        case HotelOffer():
            return offer.check_in.day, offer.check_out.day
        case CarOffer():
            return offer.pick_up.day, offer.drop_off.day
        case ActivityOffer():
            return offer.starts.day, offer.starts.day
        case InsuranceOffer():
            return offer.starts, offer.ends


def has_begun(offer: AnyOffer, now: datetime) -> bool:
    """Return True from when the flight leaves, the room or car is due, the activity or the cover starts."""
    match offer:
        case FlightOffer():
            return now >= offer.outbound.departs.utc
        case HotelOffer():
            return now >= offer.check_in.utc
        case CarOffer():
            return now >= offer.pick_up.utc
        case ActivityOffer():
            return now >= offer.starts.utc
        case InsuranceOffer():
            return now.astimezone(ZoneInfo(offer.expires_at.zone)).date() >= offer.starts


def travellers_of(offer: AnyOffer) -> int:
    """Return how many it is for."""
    match offer:
        case FlightOffer():
            return offer.party.size
        case ActivityOffer():
            return offer.people
        case InsuranceOffer():
            return offer.travellers
        case _:
            return 1
