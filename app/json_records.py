"""Shapes what programs read as JSON, from the command line and over HTTP."""

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
    """Who speaks in which conversation, as the methods of `Concierge` take it."""

    user_id: str
    thread_id: str


_MEMORY = ("shown", "used", "written", "blocked", "forgotten", "consolidated")
_INTERNAL = {"reserved_as", "released", "keys"}
"""What of a booking is nobody's business but the ledger's."""


def turn_record(reply: Reply, *, user_id: str, thread_id: str) -> Record:
    """Return one turn: the reply, why it ended, what memory did, each note whole, and the tools that were called."""
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
    """Return one entry of the journal, and whether it is undone or may be."""
    from memory.control.undo import can_undo, undone_by

    return {**entry.dump(), "undone": undone_by(entry, journal) is not None, "undoable": can_undo(entry, journal)}


def booking_record(booking: Booking, now: datetime) -> Record:
    """Return one booking as plain JSON values; money is in minor units with its currency."""
    known = {key: value for key, value in booking.dump().items() if key not in _INTERNAL}
    lapsed = booking.status == "held" and not booking.is_held(now)
    return {**known, "paid": booking.paid.dump(), "status": "lapsed" if lapsed else booking.status}


def trips_without_booking(trips: Sequence[Trip], bookings: Sequence[Booking]) -> list[Trip]:
    """Return the journeys that none of the bookings belongs to."""
    booked = {one.trip_id for one in bookings}
    return [trip for trip in trips if trip.id not in booked]


def to_json_value(value: Any) -> Any:
    """Return a record, a dataclass or a date as JSON values. Raises TypeError for anything else."""
    from memory.records.notes import Record as Stored

    if isinstance(value, Stored):
        return value.dump()
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is no JSON")
