"""Lists and shows bookings from `concierge trips`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.json_records import print_json
from app.cli.memory.resolve import meant_booking
from app.cli.opening import as_user
from app.cli.options import WHICH_BOOKING, Json, User
from app.cli.screen import Screen
from app.cli.trips.tickets import Shown, shown_record, write_itinerary, write_overview, write_shown
from app.cli.wording import say, spoken
from app.json_records import booking_record
from config.errors import InvalidInputError

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from memory.records.trips import Trip
    from travel.booking.ledger import Bookings
    from travel.booking.pricing import Refund
    from travel.booking.record import Booking


@dataclass(frozen=True, slots=True)
class Overview:
    """Bookings by the day they start, and the journeys that none of them belongs to, the latest first."""

    bookings: list[Booking]
    trips: list[Trip]
    now: datetime


async def overview(concierge: Concierge, user_id: str, *, everything: bool = False) -> Overview:
    """Return what is booked and what journeys are remembered; cancelled and lapsed ones with `everything`.

    Raises:
        SetupError: travel is switched off.
    """
    ledger = concierge.bookings(user_id)
    every = await ledger.all(cancelled=True)
    booked = every if everything else await ledger.all()
    own = {one.trip_id for one in every}
    trips = [trip for trip in await concierge.memory(user_id).trips() if trip.id not in own]
    return Overview(booked, trips, datetime.now(UTC))


async def shown_booking(concierge: Concierge, user_id: str, what: str) -> Shown:
    """Return one booking with everything about it.

    Raises:
        NotFoundError: no booking matches.
        InvalidInputError: several do.
    """
    ledger = concierge.bookings(user_id)
    booking = meant_booking(what, await ledger.all(cancelled=True))
    refund, final = _refund(ledger, booking)
    return Shown(booking, refund, final, datetime.now(UTC))


def _refund(ledger: Bookings, booking: Booking) -> tuple[Refund | None, str]:
    """Return what cancelling would pay back, or why it can't be cancelled."""
    if booking.status == "cancelled":
        return None, say("is_cancelled")
    try:
        ledger.check_ahead(booking)
    except InvalidInputError as error:
        return None, str(error)
    return ledger.refund(booking, spoken()), ""


def list_trips(
    user: User = None,
    everything: Annotated[bool, typer.Option("--all", help="Cancelled bookings and lapsed holds too.")] = False,
    as_json: Json = False,
) -> None:
    """List bookings by the day they start, and the journeys that are remembered beside them."""
    found = as_user(user, lambda concierge, user_id: overview(concierge, user_id, everything=everything))
    if as_json:
        bookings = [booking_record(one, found.now) for one in found.bookings]
        print_json({"bookings": bookings, "trips": [trip.dump() for trip in found.trips]})
    else:
        write_overview(Screen(), found.bookings, found.trips, found.now)


def show_trip(
    booking: Annotated[str | None, typer.Argument(help=f"{WHICH_BOOKING} Without it, everything day by day.")] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Show a booking with its itinerary, receipts and rules, or the itinerary of everything that is booked."""
    if booking is None:
        _show_itinerary(user, as_json=as_json)
        return
    shown = as_user(user, lambda concierge, user_id: shown_booking(concierge, user_id, booking))
    if as_json:
        print_json(shown_record(shown))
    else:
        write_shown(Screen(), shown)


def _show_itinerary(user: str | None, *, as_json: bool) -> None:
    from travel.booking.itinerary import itinerary

    bookings = as_user(user, lambda concierge, user_id: concierge.bookings(user_id).all())
    if as_json:
        sources = sorted({one.source for one in bookings})
        print_json({"source": ", ".join(sources), "itinerary": itinerary(bookings)})
    else:
        write_itinerary(Screen(), bookings)
