"""Records that the command line and the HTTP routes return as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields, is_dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from app.api.reply import Reply
    from memory.records.journal import JournalEntry
    from memory.records.trips import Trip
    from travel.booking.record import Booking

Record = dict[str, Any]


class ThreadIds(TypedDict):
    """The user id and thread id that methods of `Concierge` take as keyword arguments."""

    user_id: str
    thread_id: str


_MEMORY = ("shown", "used", "written", "blocked", "forgotten", "consolidated")
_INTERNAL = {"reserved_as", "released", "keys"}
"""Fields of a booking that only the ledger uses."""


def turn_record(reply: Reply, *, user_id: str, thread_id: str) -> Record:
    """Return one turn: the reply, its stop reason, the memory report with whole notes, tool calls and trace."""
    memory = reply.memory
    return {
        "reply": reply.text,
        "run_id": reply.run_id,
        "stop_reason": str(reply.stop_reason),
        "outcome": reply.outcome,
        "thread_id": thread_id,
        "user_id": user_id,
        "memory": {name: getattr(memory, name) for name in _MEMORY},
        "violations": memory.violations,
        "tools": [
            {"name": use.name, "arguments": use.arguments, "outcome": use.outcome}
            | ({"error": use.result} if use.outcome == "failed" else {})
            for use in reply.tools
        ],
        "interrupts": reply.interrupts,
        "trace": [asdict(step) for step in reply.trace],
    }


def entry_record(entry: JournalEntry, journal: Sequence[JournalEntry]) -> Record:
    """Return a journal entry, with whether it was undone and whether it can be undone."""
    from memory.control.undo import can_undo, undone_by

    return {**entry.dump(), "undone": undone_by(entry, journal) is not None, "undoable": can_undo(entry, journal)}


def booking_record(booking: Booking, now: datetime) -> Record:
    """Return a booking as JSON values; money is in minor units with its currency."""
    public = {key: value for key, value in booking.dump().items() if key not in _INTERNAL}
    lapsed = booking.status == "held" and not booking.is_held(now)
    return {**public, "paid": booking.paid.dump(), "status": "lapsed" if lapsed else booking.status}


def trips_without_booking(trips: Sequence[Trip], bookings: Sequence[Booking]) -> list[Trip]:
    """Return the trips that no booking belongs to."""
    booked = {booking.trip_id for booking in bookings}
    return [trip for trip in trips if trip.id not in booked]


def to_json_value(value: Any) -> Any:
    """Convert a record, a dataclass or a date; the `default` of `json.dumps`. Raises TypeError for other types."""
    from memory.records.notes import Record as Stored

    if isinstance(value, Stored):
        return value.dump()
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is not JSON serializable")
