"""Shows bookings on the screen and as JSON, always with their source, so that sample data is not taken for real."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from app.cli.json_records import Record
from app.cli.screen import Screen
from travel.places import SAMPLE

if TYPE_CHECKING:
    from memory.records.trips import Trip
    from travel.booking.pricing import Refund
    from travel.booking.record import Booking

_INTERNAL = {"reserved_as", "released", "keys"}


@dataclass(frozen=True, slots=True)
class Shown:
    """One booking, what cancelling it at `now` would pay back, or why it can't be cancelled."""

    booking: Booking
    refund: Refund | None
    final: str
    now: datetime


def state_of(booking: Booking, now: datetime) -> str:
    """Return how a booking stands: `booked`, `held until …`, `lapsed` or `cancelled`."""
    if booking.status != "held":
        return booking.status
    if booking.is_held(now) and booking.held_until:
        return f"held until {booking.held_until:%Y-%m-%d %H:%M} UTC, not paid"
    return "lapsed: it was held and not booked in time"


def booking_record(booking: Booking, now: datetime) -> Record:
    """Return one booking as plain JSON values; money is in minor units with its currency."""
    known = {key: value for key, value in booking.dump().items() if key not in _INTERNAL}
    lapsed = booking.status == "held" and not booking.is_held(now)
    return {**known, "paid": booking.paid.dump(), "status": "lapsed" if lapsed else booking.status}


def shown_record(shown: Shown) -> Record:
    """Return one booking with its itinerary, and what cancelling would pay back; `refund` is null where it can't be."""
    from travel.booking.itinerary import itinerary

    return {
        **booking_record(shown.booking, shown.now),
        "itinerary": itinerary([shown.booking]),
        "refund": shown.refund.dump() if shown.refund else None,
        "rules": rules_of(shown),
    }


def write_overview(screen: Screen, bookings: Sequence[Booking], trips: Sequence[Trip], now: datetime) -> None:
    """List bookings, and journeys beside them."""
    _label(screen, bookings)
    if not bookings:
        screen.aside("nothing is booked yet")
    for one in bookings:
        screen.line(f"{one.reference}  {one.title}")
        money = f"paid {one.paid}" if one.receipts else f"price {one.price}"
        screen.line(f"           {state_of(one, now)}, {money}", style="dim")
    if trips:
        screen.aside("journeys remembered, without a booking here:")
    for trip in trips:
        facts = [trip.status, trip.flight.airline if trip.flight else "", trip.hotel.name if trip.hotel else ""]
        told = ", ".join(filter(None, facts))
        screen.line(f"  {trip.start} to {trip.end}  {trip.origin} - {trip.destination} ({told})")


def write_itinerary(screen: Screen, bookings: Sequence[Booking]) -> None:
    """Write everything that is booked, day by day."""
    from travel.booking.itinerary import itinerary_text

    _label(screen, bookings)
    if not bookings:
        screen.aside("nothing is booked yet")
        return
    screen.line(itinerary_text(bookings))
    screen.aside("with a booking's reference, `concierge trips show` tells its receipts and rules")


def write_shown(screen: Screen, shown: Shown) -> None:
    """Write all that is known of one booking."""
    from travel.booking.itinerary import itinerary_text

    booking = shown.booking
    _label(screen, [booking])
    screen.line(f"{booking.reference}  {booking.title}", style="bold")
    for name, value in _facts(booking, shown.now).items():
        screen.line(f"  {name:<12} {value}")
    if days := itinerary_text([booking]):
        _section(screen, "itinerary (local times)", days.splitlines())
    receipts = [f"{one.number}  {one.at:%Y-%m-%d %H:%M} UTC  {one.amount}  {one.what}" for one in booking.receipts]
    _section(screen, "receipts", receipts or ["none: nothing was paid"])
    _section(screen, "rules", rules_of(shown))


def rules_of(shown: Shown) -> list[str]:
    """Return what cancelling and changing cost, in sentences."""
    told = [shown.final] if shown.final else []
    if shown.refund:
        refund = shown.refund
        told.append(f"Cancelling now pays back {refund.amount} and keeps {refund.kept}. {refund.rule}")
        told += _flight_rules(shown.booking)
    return told


def _flight_rules(booking: Booking) -> list[str]:
    from travel.flights import FlightOffer

    offer = booking.offered
    if not isinstance(offer, FlightOffer):
        return []
    rules = offer.fare.rules
    fee = f"for {rules.change_fee} each, and the difference in price" if rules.changeable else "not possible"
    return [f"Changing: {fee}.", f"Checked bags included: {rules.checked_bags}; one more is {rules.bag_fee}."]


def _facts(booking: Booking, now: datetime) -> Record:
    seats = [f"{one.segment}:{one.seat}" if one.segment else one.seat for one in booking.seats]
    facts = {
        "state": state_of(booking, now),
        "offered for": str(booking.price),
        "paid": str(booking.paid),
        "travellers": booking.travellers,
        "seats": ", ".join(seats),
        "extra bags": booking.extra_bags,
        "requests": ", ".join(booking.requests),
        "earns with": booking.loyalty,
        "booked in": f"conversation {booking.thread_id}",
    }
    return {name: value for name, value in facts.items() if value}


def _section(screen: Screen, name: str, lines: Sequence[str]) -> None:
    screen.line(f"  {name}:")
    for line in lines:
        screen.line(f"    {line}")


def _label(screen: Screen, bookings: Sequence[Booking]) -> None:
    """Say where all this comes from."""
    for source in sorted({one.source for one in bookings}):
        screen.aside(f"{source}: made up, nothing is really booked or paid" if source == SAMPLE else source)
