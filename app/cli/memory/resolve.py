"""Finds the note, journal entry or booking that a user names by id, id prefix, number or words."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from app.cli.opening import CommandContext, UnclearError
from app.cli.wording import say
from config.errors import InvalidInputError, NotFoundError

if TYPE_CHECKING:
    from memory.records.journal import JournalEntry
    from memory.records.notes import Note
    from travel.booking.record import Booking

MIN_ID_CHARS = 4
"""Minimum length of an id prefix, so that a short word is not taken for one."""


async def find_note(ctx: CommandContext, what: str, likely: Literal["any", "used", "unused"] = "any") -> Note:
    """Return the one note that `what` names: by id among all notes, or by words among those that are `likely`.

    Raises:
        InvalidInputError: `what` has no words to search for.
        NotFoundError: no note matches.
        UnclearError: several notes match.
    """
    from memory.control.find_notes import best_matches, names_something
    from memory.control.forget import with_past
    from memory.records.journal import versions_in

    memory, staged = ctx.memory, await staged_notes(ctx)
    used = [*staged, *await memory.notes()]
    stored = [*used, *(note for note in await memory.notes(include_inactive=True) if note not in used)]
    # The journal holds notes that are no longer stored.
    all_notes = with_past(stored, [version.note for version in versions_in(await memory.journal())])
    if what.isdecimal() and 1 <= int(what) <= len(ctx.listed):
        what = ctx.listed[int(what) - 1]
    matches = [note for note in all_notes if note.id == what.strip()]
    matches = matches or [note for note in all_notes if _is_id_prefix(note.id, what)]
    if not matches:
        if not names_something(what):
            raise InvalidInputError(say("say_which_note"))
        unused = [note for note in all_notes if note not in used]
        matches = best_matches(what, {"any": all_notes, "used": used, "unused": unused or all_notes}[likely])
    if not matches:
        raise NotFoundError(say("no_such_note"))
    if len(matches) > 1:
        raise UnclearError(matches)
    return matches[0]


async def staged_notes(ctx: CommandContext) -> list[Note]:
    """Return the staged notes of this conversation."""
    with suppress(NotFoundError):  # the conversation has no messages yet
        if ctx.thread_id:
            return await ctx.concierge.staged_notes(**ctx.ids)
    return []


def find_entry(what: str, journal: Sequence[JournalEntry]) -> JournalEntry:
    """Return the journal entry that `what` names by number, by id, or by a prefix of its id.

    Raises:
        NotFoundError: no entry matches.
        InvalidInputError: several ids have this prefix.
    """
    number = what.strip().removeprefix("#")
    matches = [entry for entry in journal if what.strip() == entry.id or number == str(entry.seq)]
    matches = matches or [entry for entry in journal if _is_id_prefix(entry.id, what)]
    if not matches:
        raise NotFoundError(say("no_such_entry", what=what))
    if len(matches) > 1:
        raise InvalidInputError(say("several_entries", count=len(matches), what=what))
    return matches[0]


def find_booking(what: str, bookings: Sequence[Booking]) -> Booking:
    """Return the booking that `what` names by its reference or id, a prefix of either, or words of its title or kind.

    Raises:
        NotFoundError: no booking matches.
        InvalidInputError: several bookings match; the message names them.
    """
    query = what.strip().casefold()
    matches = [booking for booking in bookings if query in (booking.reference.casefold(), booking.id)]
    matches = matches or [booking for booking in bookings if _matches(booking, query)]
    # Prefer bookings that are not cancelled.
    matches = [booking for booking in matches if booking.status != "cancelled"] or matches
    if not matches:
        raise NotFoundError(say("no_such_booking", what=what.strip()))
    if len(matches) > 1:
        listed = "; ".join(f"{booking.reference} {booking.title}" for booking in matches)
        raise InvalidInputError(say("several_bookings", count=len(matches), what=what.strip(), listed=listed))
    return matches[0]


def _matches(booking: Booking, query: str) -> bool:
    prefix = query.removeprefix("tc-")
    if len(prefix) >= MIN_ID_CHARS and booking.reference.casefold().removeprefix("tc-").startswith(prefix):
        return True
    text = f"{booking.kind} {booking.title}".casefold()
    return bool(query) and (_is_id_prefix(booking.id, query) or all(word in text for word in query.split()))


def _is_id_prefix(id_: str, what: str) -> bool:
    """Return whether `id_` starts with `what`, which must be long enough and have a digit or a dash."""
    prefix = what.strip().lower()
    return len(prefix) >= MIN_ID_CHARS and any(c.isdigit() or c == "-" for c in prefix) and id_.startswith(prefix)
