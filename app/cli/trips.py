"""Runs `concierge trips`, which always names the source of bookings, so that sample data is not taken for real."""

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
class CancellationQuote:
    """A booking with the refund for cancelling it at `now`, or with the reason why it can't be cancelled."""

    booking: Booking
    refund: Refund | None
    refusal: str
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
        quote = await _quote(ctx, booking)
        record = {
            **booking_record(quote.booking, quote.now),
            "itinerary": itinerary([quote.booking]),
            "refund": quote.refund,
            "rules": _rules(quote),
        }
        return Output(record, lambda screen: _write(screen, quote))
    bookings = await ctx.concierge.bookings(ctx.user_id).all()

    def write(screen: Screen) -> None:
        _write_sources(screen, bookings)
        if bookings:
            screen.line(itinerary_text(bookings, current_language()))
            screen.aside(say("more_of_a_booking"))

    sources = ", ".join(sorted({one.source for one in bookings}))
    return Output({"source": sources, "itinerary": itinerary(bookings)}, write)


async def _quote(ctx: CommandContext, what: str) -> CancellationQuote:
    """Return the quote for the booking that `what` names. Raises the errors of `find_booking`."""
    ledger, now = ctx.concierge.bookings(ctx.user_id), datetime.now(UTC)
    booking = find_booking(what, await ledger.all(cancelled=True))
    if booking.status == "cancelled":
        return CancellationQuote(booking, None, say("is_cancelled"), now)
    try:
        ledger.check_ahead(booking)
    except InvalidInputError as error:
        return CancellationQuote(booking, None, str(error), now)
    return CancellationQuote(booking, ledger.refund(booking, current_language()), "", now)


def cancel_trip(
    what: BookingName,
    user: User = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> Output:
    """Cancel a booking or a hold. It shows what is paid back and asks first."""
    # Do not keep the store open while the user reads the question.
    quote = run_as_user(user, lambda ctx: _quote(ctx, what))
    booking, refund = quote.booking, quote.refund
    if refund is None:
        raise InvalidInputError(f"{booking.reference} can't be cancelled. {quote.refusal}")
    if not yes and not _confirm(quote):
        return text_output(
            {**booking_record(booking, quote.now), "refund": None}, say("kept_as_it_was", booking=booking.reference)
        )
    cancelled = run_as_user(user, lambda ctx: _cancel(ctx, quote))
    what = f"{booking.reference}  {_title(booking)} ({booking.source})"
    lines = say("cancelled", what=what), say("paid_back", back=refund.amount, kept=refund.kept)
    return text_output({**booking_record(cancelled, quote.now), "refund": refund}, *lines)


def _confirm(quote: CancellationQuote) -> bool:
    """Show the booking on standard error, and ask whether to cancel it."""
    screen = Screen(sys.stderr)
    _write(screen, quote)
    screen.write(say("cancel_it"))
    answer = sys.stdin.readline()
    if not answer:
        screen.line()
        raise InvalidInputError("Nobody answered, so nothing was cancelled. Add --yes to cancel without being asked.")
    return answer.strip().lower() in _YES


async def _cancel(ctx: CommandContext, quote: CancellationQuote) -> Booking:
    """Cancel the booking of a quote. Raises ConflictError if its refund has changed since."""
    from memory.records.notes import note_id

    ledger = ctx.concierge.bookings(ctx.user_id)
    booking = await ledger.find(quote.booking.id)
    if booking.status == "cancelled" or ledger.refund(booking, current_language()) != quote.refund:
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
    record = {"bookings": [one.reference for one in bookings], "source": bookings[0].source}
    if file == STREAM:
        return Output({**record, "ics": text}, lambda _: print(text, end="", flush=True))
    write_private(file, text)
    what = f"{counted(len(bookings), 'booking')} ({bookings[0].source})"
    return text_output({**record, "file": str(file)}, say("exported", file=file.resolve(), what=what))


def _write(screen: Screen, quote: CancellationQuote) -> None:
    """Write a booking with its itinerary, receipts and rules."""
    from travel.booking.itinerary import itinerary_text

    booking = quote.booking
    _write_sources(screen, [booking])
    screen.line(f"{booking.reference}  {_title(booking)}", style="bold")
    for name, value in _facts(booking, quote.now).items():
        screen.row(say(f"fact_{name}"), value)
    receipts = [f"{one.number}  {one.at:%Y-%m-%d %H:%M} UTC  {one.amount}  {one.what}" for one in booking.receipts]
    sections = {
        "itinerary": itinerary_text([booking], current_language()).splitlines(),
        "receipts": receipts or [say("nothing_paid")],
        "rules": _rules(quote),
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


def _rules(quote: CancellationQuote) -> list[str]:
    """Return the costs of cancelling and changing, in sentences."""
    from travel.flights import FlightOffer

    refund, offer = quote.refund, quote.booking.offered
    if refund is None:
        return [quote.refusal]
    lines = [say("cancel_pays_back", back=refund.amount, kept=refund.kept, rule=refund.rule)]
    if isinstance(offer, FlightOffer):
        rules = offer.fare.rules
        lines.append(say("change_costs", fee=rules.change_fee) if rules.changeable else say("change_impossible"))
        lines.append(say("bags_included", count=rules.checked_bags, fee=rules.bag_fee))
    return lines


def _state(booking: Booking, now: datetime) -> str:
    """Return the state of a booking in words: booked, held with its deadline, lapsed or cancelled."""
    if booking.status != "held":
        return say(f"state_{booking.status}")
    if booking.is_held(now) and booking.held_until:
        return say("held_until", time=f"{booking.held_until:%Y-%m-%d %H:%M}")
    return say("lapsed")


def _title(booking: Booking) -> str:
    """Return a one-line title in the current language."""
    from travel.summary import summary

    return summary(booking.offered, current_language()).title


def _write_sources(screen: Screen, bookings: Sequence[Booking]) -> None:
    """Write the sources of the bookings, or that there are none."""
    from travel.tables import labelled

    for source in sorted({one.source for one in bookings}):
        screen.aside(say("made_up", source=labelled(source, current_language())) if source == SAMPLE else source)
    if not bookings:
        screen.aside(say("nothing_booked"))
