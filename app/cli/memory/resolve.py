"""Finds the note, entry or booking that a person names by id, the beginning of it, a number, or words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.cli.opening import UnclearError
from app.cli.screen import Screen, Told
from app.cli.wording import say
from config.errors import InvalidInputError, NotFoundError

if TYPE_CHECKING:
    from app.api.user_memory import OwnMemory
    from memory.records.journal import JournalEntry
    from memory.records.notes import Note
    from travel.booking.record import Booking

SHORTEST = 4
"""Characters that an id must be shortened to at least, so that a word is not taken for one."""


def meant_notes(what: str, notes: Sequence[Note]) -> list[Note]:
    """Return the notes that `what` names by id or the beginning of it, or describes best in words.

    Raises:
        InvalidInputError: `what` has no word to go by.
        NotFoundError: no note matches.
    """
    from memory.control.find_notes import best_matches, names_something

    named = _named(what, notes)
    if named:
        return named
    if not names_something(what):
        raise InvalidInputError(say("say_which_note"))
    found = best_matches(what, notes)
    if not found:
        raise NotFoundError(say("no_such_note"))
    return found


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


async def one_note(what: str, memory: OwnMemory) -> Note:
    """Return the one note, of any status, that is meant.

    Raises:
        InvalidInputError: `what` has no word to go by.
        NotFoundError: no note matches.
        UnclearError: several do.
    """
    return only(meant_notes(what, await of_any_status(memory)))


def only(meant: Sequence[Note]) -> Note:
    """Return the one note that is meant. Raises UnclearError, with all of them, where it may be another."""
    if len(meant) == 1:
        return meant[0]

    def write(screen: Screen) -> None:
        screen.notes(meant, none="")
        screen.aside(say("which_id"))

    raise UnclearError(Told({"status": "which_one", "notes": meant}, write))


async def of_any_status(memory: OwnMemory) -> list[Note]:
    """Return all notes that are kept, those in use first, and then those that only the journal tells of."""
    from memory.control.forget import with_past
    from memory.records.journal import told_notes

    live = await memory.notes()
    kept = [*live, *(note for note in await memory.notes(include_inactive=True) if note not in live)]
    return with_past(kept, told_notes(await memory.journal()))


def _named(what: str, notes: Sequence[Note]) -> list[Note]:
    exact = [note for note in notes if note.id == what.strip()]
    return exact or [note for note in notes if _begins(note.id, what)]


def _begins(id_: str, what: str) -> bool:
    start = what.strip().lower()
    return len(start) >= SHORTEST and any(char.isdigit() or char == "-" for char in start) and id_.startswith(start)
