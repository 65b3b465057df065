"""Describes the plan that says what becomes of each session note."""

from datetime import date, datetime
from typing import Literal

from pydantic import Field

from memory.records.episodes import Episode
from memory.records.notes import Note, Record

Op = Literal["ADD", "MERGE", "SUPERSEDE", "CONFIRM", "DROP", "EXPIRE", "PROMOTE"]
WRITES_TEXT: frozenset[Op] = frozenset({"ADD", "MERGE", "SUPERSEDE"})


class Operation(Record):
    """One operation: the session notes it rests on, the global notes it touches, its reason, and its new text.

    Without a text the newest of its notes stands in its own words.
    """

    op: Op
    session: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    reason: str = Field("", max_length=300)
    text: str | None = None


class Plan(Record):
    """A checked plan for one session, made against one revision of the user's memory.

    `origin` is `claims` where code decided all of it, `model` where a model had a part.
    """

    session_id: str
    revision: int
    origin: Literal["model", "claims"]
    operations: tuple[Operation, ...]
    faults: tuple[str, ...] = ()
    """What was refused of a model's proposals, and why."""
    episode: Episode | None = None
    """What is remembered of the session as a whole."""

    def step(self, index: int) -> str:
        """Return the name under which operation `index` is journalled, the same in every attempt."""
        return f"consolidate:{self.session_id}:{index}"


def keep(note: Note, reason: str = "") -> Operation:
    """Return the safe operation: a lasting note is added, a note for one trip goes with its trip."""
    if note.scope == "trip":
        return Operation(op="DROP", session=(note.id,), reason=reason or "It holds for this trip only.")
    return Operation(op="ADD", session=(note.id,), reason=reason or "It says something new.")


def age(note: Note) -> tuple[date, datetime, str]:
    """Return what orders notes from the oldest statement to the newest."""
    return note.last_update_date, note.created_at, note.id
