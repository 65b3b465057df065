"""Runs `concierge trips`: bookings, always with their source, so that sample data is not taken for real."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.memory.files import STREAM
from app.cli.memory.resolve import find_booking
from app.cli.opening import WHICH_BOOKING, BookingName, CommandContext, User, run_as_user
from app.cli.screen import Output, Screen, text_output
from app.cli.wording import counted, current_language, say
from app.json_records import Record, booking_record, trips_without_booking
from config.errors import ConflictError, InvalidInputError, NotFoundError
from stores.private_files import write_private
from travel.sample import SAMPLE

if TYPE_CHECKING:
    from travel.booking.pricing import Refund
    from travel.booking.record import Booking

_YES = ("y", "yes", "はい")


@dataclass(frozen=True, slots=True)
class Shown:
    """One booking, what cancelling it at `now` would pay back, or why it can't be cancelled."""

    booking: Booking
    refund: Refund | None
    final: str
    now: datetime


async def list_trips(
    ctx: CommandContext,
    everything: Annotated[bool, typer.Option("--all", help="Cancelled bookings and lapsed holds too.")] = False,
) -> Output:
    """List bookings by the day they start, and the journeys that are remembered beside them."""
    ledger, now = ctx.concierge.bookings(ctx.user_id), datetime.now(UTC)
    bookings = await ledger.all(cancelled=everything)
    trips = trips_without_booking(await ctx.memory.trips(), await ledger.all(cancelled=True))

    def write(screen: Screen) -> None:
        _write_sources(screen, bookings)
        for one in bookings:
            screen.line(f"{one.reference}  {_title(one)}")
            money = say("paid", money=one.paid) if one.receipts else say("price", money=one.price)
            screen.line(f"           {_state(one, now)}, {money}", style="dim")
        if trips:
            screen.aside(say("journeys"))
        for trip in trips:
            facts = [trip.status, trip.flight.airline if trip.flight else "", trip.hotel.name if trip.hotel else ""]
            route = {"start": trip.start, "end": trip.end, "origin": trip.origin, "destination": trip.destination}
            screen.line("  " + say("journey", **route, facts=", ".join(filter(None, facts))))

    return Output({"bookings": [booking_record(one, now) for one in bookings], "trips": trips}, write)


async def show_trip(
    ctx: CommandContext,
    booking: Annotated[str | None, typer.Argument(help=f"{WHICH_BOOKING} Without it, everything day by day.")] = None,
) -> Output:
    """Show a booking with its itinerary, receipts and rules, or the itinerary of everything that is booked."""
    from travel.booking.itinerary import itinerary, itinerary_text

    if booking is not None:
        shown = await _shown(ctx, booking)
        record = {
            **booking_record(shown.booking, shown.now),
            "itinerary": itinerary([shown.booking]),
            "refund": shown.refund,
            "rules": _rules(shown),
        }
        return Output(record, lambda screen: _write(screen, shown))
    bookings = await ctx.concierge.bookings(ctx.user_id).all()

    def write(screen: Screen) -> None:
        _write_sources(screen, bookings)
        if bookings:
            screen.line(itinerary_text(bookings, current_language()))
            screen.aside(say("more_of_a_booking"))

    sources = ", ".join(sorted({one.source for one in bookings}))
    return Output({"source": sources, "itinerary": itinerary(bookings)}, write)


async def _shown(ctx: CommandContext, what: str) -> Shown:
    """Return the booking that is meant; see `meant_booking` for what it raises."""
    ledger, now = ctx.concierge.bookings(ctx.user_id), datetime.now(UTC)
    booking = find_booking(what, await ledger.all(cancelled=True))
    if booking.status == "cancelled":
        return Shown(booking, None, say("is_cancelled"), now)
    try:
        ledger.check_ahead(booking)
    except InvalidInputError as error:
        return Shown(booking, None, str(error), now)
    return Shown(booking, ledger.refund(booking, current_language()), "", now)


def cancel_trip(
    what: BookingName,
    user: User = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> Output:
    """Cancel a booking or a hold. It shows what is paid back and asks first."""
    # The store is not kept open while a person reads the question.
    shown = run_as_user(user, lambda ctx: _shown(ctx, what))
    booking, refund = shown.booking, shown.refund
    if refund is None:
        raise InvalidInputError(f"{booking.reference} can't be cancelled. {shown.final}")
    if not yes and not _agreed(shown):
        return text_output(
            {**booking_record(booking, shown.now), "refund": None}, say("kept_as_it_was", booking=booking.reference)
        )
    cancelled = run_as_user(user, lambda ctx: _cancelled(ctx, shown))
    what = f"{booking.reference}  {_title(booking)} ({booking.source})"
    told = say("cancelled", what=what), say("paid_back", back=refund.amount, kept=refund.kept)
    return text_output({**booking_record(cancelled, shown.now), "refund": refund}, *told)


def _agreed(shown: Shown) -> bool:
    """Show on standard error what would be cancelled, and ask."""
    screen = Screen(sys.stderr)
    _write(screen, shown)
    screen.write(say("cancel_it"))
    answer = sys.stdin.readline()
    if not answer:
        screen.line()
        raise InvalidInputError("Nobody answered, so nothing was cancelled. Add --yes to cancel without being asked.")
    return answer.strip().lower() in _YES


async def _cancelled(ctx: CommandContext, shown: Shown) -> Booking:
    """Cancel for what was shown. Raises ConflictError where something else would be paid back by now."""
    from memory.records.notes import note_id

    ledger = ctx.concierge.bookings(ctx.user_id)
    booking = await ledger.find(shown.booking.id)
    if booking.status == "cancelled" or ledger.refund(booking, current_language()) != shown.refund:
        raise ConflictError(f"{booking.reference} has changed meanwhile, and was left alone. Look at it again.")
    return await ledger.cancel(booking.id, note_id("act", "command line", "cancel", booking.id))


async def export_trips(
    ctx: CommandContext,
    file: Annotated[Path, typer.Argument(help="Where to; without it, or with -, to standard output.")] = STREAM,
    booking: Annotated[
        list[str] | None, typer.Option("--booking", "-b", help=f"Only this one; may be repeated. {WHICH_BOOKING}")
    ] = None,
) -> Output:
    """Write what is booked as a calendar (.ics), in the local times of each place."""
    from travel.booking.itinerary import calendar

    bookings = await ctx.concierge.bookings(ctx.user_id).all(cancelled=bool(booking))
    if booking:
        bookings = list({one.id: one for one in (find_booking(what, bookings) for what in booking)}.values())
    if not bookings:
        raise NotFoundError(say("nothing_for_calendar"))
    text = calendar(bookings)
    found = {"bookings": [one.reference for one in bookings], "source": bookings[0].source}
    if file == STREAM:
        return Output({**found, "ics": text}, lambda _: print(text, end="", flush=True))
    write_private(file, text)
    what = f"{counted(len(bookings), 'booking')} ({bookings[0].source})"
    return text_output({**found, "file": str(file)}, say("exported", file=file.resolve(), what=what))


def _write(screen: Screen, shown: Shown) -> None:
    """Write all that is known of one booking."""
    from travel.booking.itinerary import itinerary_text

    booking = shown.booking
    _write_sources(screen, [booking])
    screen.line(f"{booking.reference}  {_title(booking)}", style="bold")
    for name, value in _facts(booking, shown.now).items():
        screen.row(say(f"fact_{name}"), value)
    receipts = [f"{one.number}  {one.at:%Y-%m-%d %H:%M} UTC  {one.amount}  {one.what}" for one in booking.receipts]
    sections = {
        "itinerary": itinerary_text([booking], current_language()).splitlines(),
        "receipts": receipts or [say("nothing_paid")],
        "rules": _rules(shown),
    }
    for name, lines in sections.items():
        if lines:
            screen.line(f"  {say(name)}:")
        for line in lines:
            screen.line(f"    {line}")


def _facts(booking: Booking, now: datetime) -> Record:
    seats = [f"{one.segment}:{one.seat}" if one.segment else one.seat for one in booking.seats]
    facts = {
        "state": _state(booking, now),
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


def _rules(shown: Shown) -> list[str]:
    """Return what cancelling and changing cost, in sentences."""
    from travel.flights import FlightOffer

    refund, offer = shown.refund, shown.booking.offered
    if refund is None:
        return [shown.final]
    told = [say("cancel_pays_back", back=refund.amount, kept=refund.kept, rule=refund.rule)]
    if isinstance(offer, FlightOffer):
        rules = offer.fare.rules
        told.append(say("change_costs", fee=rules.change_fee) if rules.changeable else say("change_impossible"))
        told.append(say("bags_included", count=rules.checked_bags, fee=rules.bag_fee))
    return told


def _state(booking: Booking, now: datetime) -> str:
    """Return how a booking stands: booked, held until when, lapsed or cancelled."""
    if booking.status != "held":
        return say(f"state_{booking.status}")
    if booking.is_held(now) and booking.held_until:
        return say("held_until", time=f"{booking.held_until:%Y-%m-%d %H:%M}")
    return say("lapsed")


def _title(booking: Booking) -> str:
    """Return what was booked in one line, in the language that is spoken."""
    from travel.summary import summary

    return summary(booking.offered, current_language()).title


def _write_sources(screen: Screen, bookings: Sequence[Booking]) -> None:
    """Say where all this comes from, or that there is nothing."""
    from travel.tables import labelled

    for source in sorted({one.source for one in bookings}):
        screen.aside(say("made_up", source=labelled(source, current_language())) if source == SAMPLE else source)
    if not bookings:
        screen.aside(say("nothing_booked"))
