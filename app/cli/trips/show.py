"""Lists and shows bookings, always with their source, so that sample data is not taken for real."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.memory.resolve import meant_booking
from app.cli.opening import WHICH_BOOKING, Speaking
from app.cli.screen import Screen, Told
from app.cli.wording import say, spoken
from app.json_records import Record, booking_record
from config.errors import InvalidInputError
from travel.sample import SAMPLE

if TYPE_CHECKING:
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


async def overview(speaking: Speaking, *, everything: bool) -> Overview:
    """Return what is booked and what journeys are remembered; cancelled and lapsed ones with `everything`.

    Raises:
        SetupError: travel is switched off.
    """
    ledger = speaking.concierge.bookings(speaking.user_id)
    every = await ledger.all(cancelled=True)
    booked = every if everything else await ledger.all()
    own = {one.trip_id for one in every}
    trips = [trip for trip in await speaking.memory.trips() if trip.id not in own]
    return Overview(booked, trips, datetime.now(UTC))


async def shown_booking(speaking: Speaking, what: str) -> Shown:
    """Return one booking with everything about it.

    Raises:
        NotFoundError: no booking matches.
        InvalidInputError: several do.
    """
    ledger = speaking.concierge.bookings(speaking.user_id)
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


async def list_trips(
    speaking: Speaking,
    everything: Annotated[bool, typer.Option("--all", help="Cancelled bookings and lapsed holds too.")] = False,
) -> Told:
    """List bookings by the day they start, and the journeys that are remembered beside them."""
    found = await overview(speaking, everything=everything)
    bookings = [booking_record(one, found.now) for one in found.bookings]
    return Told({"bookings": bookings, "trips": found.trips}, lambda screen: write_overview(screen, found))


async def show_trip(
    speaking: Speaking,
    booking: Annotated[str | None, typer.Argument(help=f"{WHICH_BOOKING} Without it, everything day by day.")] = None,
) -> Told:
    """Show a booking with its itinerary, receipts and rules, or the itinerary of everything that is booked."""
    from travel.booking.itinerary import itinerary

    if booking is not None:
        shown = await shown_booking(speaking, booking)
        return Told(shown_record(shown), lambda screen: write_shown(screen, shown))
    bookings = await speaking.concierge.bookings(speaking.user_id).all()
    sources = sorted({one.source for one in bookings})
    record = {"source": ", ".join(sources), "itinerary": itinerary(bookings)}
    return Told(record, lambda screen: write_itinerary(screen, bookings))


@dataclass(frozen=True, slots=True)
class Shown:
    """One booking, what cancelling it at `now` would pay back, or why it can't be cancelled."""

    booking: Booking
    refund: Refund | None
    final: str
    now: datetime


def state_of(booking: Booking, now: datetime) -> str:
    """Return how a booking stands: booked, held until when, lapsed or cancelled."""
    if booking.status != "held":
        return say(f"state_{booking.status}")
    if booking.is_held(now) and booking.held_until:
        return say("held_until", time=f"{booking.held_until:%Y-%m-%d %H:%M}")
    return say("lapsed")


def title_of(booking: Booking) -> str:
    """Return what was booked in one line, in the language that is spoken."""
    from travel.summary import summary

    return summary(booking.offered, spoken()).title


def shown_record(shown: Shown) -> Record:
    """Return one booking with its itinerary, and what cancelling would pay back; `refund` is null where it can't be."""
    from travel.booking.itinerary import itinerary

    return {
        **booking_record(shown.booking, shown.now),
        "itinerary": itinerary([shown.booking]),
        "refund": shown.refund.dump() if shown.refund else None,
        "rules": rules_of(shown),
    }


def write_overview(screen: Screen, found: Overview) -> None:
    """List bookings, and journeys beside them."""
    _label(screen, found.bookings)
    if not found.bookings:
        screen.aside(say("nothing_booked"))
    for one in found.bookings:
        screen.line(f"{one.reference}  {title_of(one)}")
        money = say("paid", money=one.paid) if one.receipts else say("price", money=one.price)
        screen.line(f"           {state_of(one, found.now)}, {money}", style="dim")
    if found.trips:
        screen.aside(say("journeys"))
    for trip in found.trips:
        facts = [trip.status, trip.flight.airline if trip.flight else "", trip.hotel.name if trip.hotel else ""]
        route = {"start": trip.start, "end": trip.end, "origin": trip.origin, "destination": trip.destination}
        screen.line("  " + say("journey", **route, facts=", ".join(filter(None, facts))))


def write_itinerary(screen: Screen, bookings: Sequence[Booking]) -> None:
    """Write everything that is booked, day by day."""
    from travel.booking.itinerary import itinerary_text

    _label(screen, bookings)
    if not bookings:
        screen.aside(say("nothing_booked"))
        return
    screen.line(itinerary_text(bookings, spoken()))
    screen.aside(say("more_of_a_booking"))


def write_shown(screen: Screen, shown: Shown) -> None:
    """Write all that is known of one booking."""
    from travel.booking.itinerary import itinerary_text

    booking = shown.booking
    _label(screen, [booking])
    screen.line(f"{booking.reference}  {title_of(booking)}", style="bold")
    for name, value in _facts(booking, shown.now).items():
        screen.row(say(f"fact_{name}"), value)
    if days := itinerary_text([booking], spoken()):
        _section(screen, say("itinerary"), days.splitlines())
    receipts = [f"{one.number}  {one.at:%Y-%m-%d %H:%M} UTC  {one.amount}  {one.what}" for one in booking.receipts]
    _section(screen, say("receipts"), receipts or [say("nothing_paid")])
    _section(screen, say("rules"), rules_of(shown))


def rules_of(shown: Shown) -> list[str]:
    """Return what cancelling and changing cost, in sentences."""
    told = [shown.final] if shown.final else []
    if shown.refund:
        refund = shown.refund
        told.append(say("cancel_pays_back", back=refund.amount, kept=refund.kept, rule=refund.rule))
        told += _flight_rules(shown.booking)
    return told


def _flight_rules(booking: Booking) -> list[str]:
    from travel.flights import FlightOffer

    offer = booking.offered
    if not isinstance(offer, FlightOffer):
        return []
    rules = offer.fare.rules
    changing = say("change_costs", fee=rules.change_fee) if rules.changeable else say("change_impossible")
    return [changing, say("bags_included", count=rules.checked_bags, fee=rules.bag_fee)]


def _facts(booking: Booking, now: datetime) -> Record:
    seats = [f"{one.segment}:{one.seat}" if one.segment else one.seat for one in booking.seats]
    facts = {
        "state": state_of(booking, now),
        "offered": str(booking.price),
        "paid": str(booking.paid),
        "travellers": booking.travellers,
        "seats": ", ".join(seats),
        "bags": booking.extra_bags,
        "requests": ", ".join(booking.requests),
        "earns": booking.loyalty,
        "booked_in": say("from_conversation", thread=booking.thread_id),
    }
    return {name: value for name, value in facts.items() if value}


def _section(screen: Screen, name: str, lines: Sequence[str]) -> None:
    screen.line(f"  {name}:")
    for line in lines:
        screen.line(f"    {line}")


def _label(screen: Screen, bookings: Sequence[Booking]) -> None:
    """Say where all this comes from."""
    from travel.tables import labelled

    for source in sorted({one.source for one in bookings}):
        screen.aside(say("made_up", source=labelled(source, spoken())) if source == SAMPLE else source)
