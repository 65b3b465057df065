"""Finds the note, entry or booking that a person names by id, the beginning of it, a number, or words."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from app.cli.opening import Speaking, UnclearError
from app.cli.wording import say
from config.errors import InvalidInputError, NotFoundError

if TYPE_CHECKING:
    from memory.records.journal import JournalEntry
    from memory.records.notes import Note
    from travel.booking.record import Booking

SHORTEST = 4
"""Characters that an id must be shortened to at least, so that a word is not taken for one."""


async def one_note(speaking: Speaking, what: str, likely: Literal["any", "used", "unused"] = "any") -> Note:
    """Return the one note that is meant: of those that are `likely` by words, of all by id.

    Raises:
        InvalidInputError: `what` has no word to go by.
        NotFoundError: no note matches.
        UnclearError: several do.
    """
    from memory.control.find_notes import best_matches, names_something
    from memory.control.forget import with_past
    from memory.records.journal import versions_in

    memory, staged = speaking.memory, await staged_notes(speaking)
    used = [*staged, *await memory.notes()]
    # Beside those that are kept, the journal tells of some.
    kept = [*used, *(note for note in await memory.notes(include_inactive=True) if note not in used)]
    every = with_past(kept, [version.note for version in versions_in(await memory.journal())])
    if what.isdecimal() and 1 <= int(what) <= len(speaking.listed):
        what = speaking.listed[int(what) - 1]
    meant = [note for note in every if note.id == what.strip()] or [note for note in every if _begins(note.id, what)]
    if not meant:
        if not names_something(what):
            raise InvalidInputError(say("say_which_note"))
        unused = [note for note in every if note not in used]
        meant = best_matches(what, {"any": every, "used": used, "unused": unused or every}[likely])
    if not meant:
        raise NotFoundError(say("no_such_note"))
    if len(meant) > 1:
        raise UnclearError(meant)
    return meant[0]


async def staged_notes(speaking: Speaking) -> list[Note]:
    """Return what was noted in this conversation and is not kept yet."""
    with suppress(NotFoundError):  # nothing was said in it
        if speaking.thread_id:
            return await speaking.concierge.staged_notes(**speaking.own)
    return []


def meant_entry(what: str, journal: Sequence[JournalEntry]) -> JournalEntry:
    """Return the entry of the journal that `what` names by number, by id, or by the beginning of its id.

    Raises:
        NotFoundError: there is none.
        InvalidInputError: several ids begin so.
    """
    number = what.strip().removeprefix("#")
    found = [entry for entry in journal if what.strip() == entry.id or number == str(entry.seq)]
    found = found or [entry for entry in journal if _begins(entry.id, what)]
    if not found:
        raise NotFoundError(say("no_such_entry", what=what))
    if len(found) > 1:
        raise InvalidInputError(say("several_entries", count=len(found), what=what))
    return found[0]


def meant_booking(what: str, bookings: Sequence[Booking]) -> Booking:
    """Return the booking that `what` names by reference, id or the beginning of it, or by words of its title or kind.

    Raises:
        NotFoundError: there is none.
        InvalidInputError: several match; the message names them.
    """
    wanted = what.strip().casefold()
    exact = [one for one in bookings if wanted in (one.reference.casefold(), one.id)]
    found = exact or [one for one in bookings if _is_called(one, wanted)]
    # Who names a booking by words means one that still stands.
    found = [one for one in found if one.status != "cancelled"] or found
    if not found:
        raise NotFoundError(say("no_such_booking", what=what.strip()))
    if len(found) > 1:
        listed = "; ".join(f"{one.reference} {one.title}" for one in found)
        raise InvalidInputError(say("several_bookings", count=len(found), what=what.strip(), listed=listed))
    return found[0]


def _is_called(booking: Booking, wanted: str) -> bool:
    begun = wanted.removeprefix("tc-")
    if len(begun) >= SHORTEST and booking.reference.casefold().removeprefix("tc-").startswith(begun):
        return True
    told = f"{booking.kind} {booking.title}".casefold()
    return bool(wanted) and (_begins(booking.id, wanted) or all(word in told for word in wanted.split()))


def _begins(id_: str, what: str) -> bool:
    start = what.strip().lower()
    return len(start) >= SHORTEST and any(char.isdigit() or char == "-" for char in start) and id_.startswith(start)
