"""Cancels bookings and exports them as a calendar from `concierge trips`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.memory.resolve import meant_booking
from app.cli.opening import WHICH_BOOKING, BookingName, Json, Speaking, User, as_user
from app.cli.screen import Screen, Told, in_words
from app.cli.trips.show import Shown, shown_booking, title_of, write_shown
from app.cli.wording import counted, say, spoken
from app.json_records import booking_record
from config.errors import ConflictError, InvalidInputError, NotFoundError
from stores.private_files import write_private

if TYPE_CHECKING:
    from travel.booking.record import Booking

_YES = ("y", "yes", "はい")


def cancel_trip(
    what: BookingName,
    user: User = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Cancel a booking or a hold. It shows what is paid back and asks first."""
    # The store is not kept open while a person reads the question.
    shown = as_user(user, lambda speaking: shown_booking(speaking, what))
    if shown.refund is None:
        raise InvalidInputError(f"{shown.booking.reference} can't be cancelled. {shown.final}")
    if not yes and not _agreed(shown):
        kept = {**booking_record(shown.booking, shown.now), "refund": None}
        in_words(kept, say("kept_as_it_was", booking=shown.booking.reference)).show(as_json=as_json)
        return
    booking, refund = _cancelled(shown, user), shown.refund
    what = f"{booking.reference}  {title_of(booking)} ({booking.source})"
    told = say("cancelled", what=what), say("paid_back", back=refund.amount, kept=refund.kept)
    in_words({**booking_record(booking, shown.now), "refund": refund}, *told).show(as_json=as_json)


def _agreed(shown: Shown) -> bool:
    """Show on standard error what would be cancelled, and ask."""
    screen = Screen(sys.stderr)
    write_shown(screen, shown)
    screen.write(say("cancel_it"))
    answer = sys.stdin.readline()
    if not answer:
        screen.line()
        raise InvalidInputError("Nobody answered, so nothing was cancelled. Add --yes to cancel without being asked.")
    return answer.strip().lower() in _YES


def _cancelled(shown: Shown, user: str | None) -> Booking:
    """Return the booking, cancelled for what was shown.

    Raises:
        ConflictError: something else would be paid back by now.
    """
    from memory.records.notes import note_id

    async def cancel(speaking: Speaking) -> Booking:
        ledger = speaking.concierge.bookings(speaking.user_id)
        booking = await ledger.find(shown.booking.id)
        if booking.status == "cancelled" or ledger.refund(booking, spoken()) != shown.refund:
            raise ConflictError(f"{booking.reference} has changed meanwhile, and was left alone. Look at it again.")
        return await ledger.cancel(booking.id, note_id("act", "command line", "cancel", booking.id))

    return as_user(user, cancel)


async def export_trips(
    speaking: Speaking,
    file: Annotated[Path | None, typer.Argument(help="Where to; without it, or with -, to standard output.")] = None,
    booking: Annotated[
        list[str] | None, typer.Option("--booking", "-b", help=f"Only this one; may be repeated. {WHICH_BOOKING}")
    ] = None,
) -> Told:
    """Write what is booked as a calendar (.ics), in the local times of each place."""
    from travel.booking.calendar import calendar

    ledger = speaking.concierge.bookings(speaking.user_id)
    bookings = await ledger.all(cancelled=bool(booking))
    if booking:
        bookings = list({one.id: one for one in (meant_booking(what, bookings) for what in booking)}.values())
    if not bookings:
        raise NotFoundError(say("nothing_for_calendar"))
    text = calendar(bookings)
    found = {"bookings": [one.reference for one in bookings], "source": bookings[0].source}
    if file is None or str(file) == "-":
        return Told({**found, "ics": text}, lambda _: print(text, end="", flush=True))
    write_private(file, text)
    what = f"{counted(len(bookings), 'booking')} ({bookings[0].source})"
    return in_words({**found, "file": str(file)}, say("exported", file=file.resolve(), what=what))
