"""Describes the journal: the append-only log of every change to a user's memory, which undo and history read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pydantic import Field, ValidationError

from memory.records.notes import Kind, Note, Record

Actor = Literal["user", "agent", "consolidation", "system"]

USED = "used"
"""The action of a step that tells what a turn was shown and used. It is an account, and changes nothing remembered."""


class Change(Record):
    """One record before and after; None means that it was not there, or is no longer."""

    kind: Kind
    key: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None

    def without_record(self) -> Change:
        """Return this change with its record named and no longer told."""
        return self.model_copy(update={"before": None, "after": None})


class Usage(Record):
    """Notes, by id, that one turn was shown and used; each false claim of use with its `code` and `handle`."""

    shown: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    violations: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of memory: its name, under which it happens once, and what the journal tells of it.

    Without a name it is named after its action and its place in the journal. `undoes` is the id of an entry.
    """

    name: str
    actor: Actor
    action: str
    changes: tuple[Change, ...] = ()
    reason: str = ""
    thread_id: str = ""
    code: str | None = None
    hash: str | None = None
    usage: Usage | None = None
    undoes: str | None = None


def use_step(thread_id: str, message_id: str) -> str:
    """Return the name of the step that tells what the answer to a message was shown and used."""
    return f"used:{thread_id}:{message_id}"


def refusal_step(thread_id: str, turn: int, code: str, digest: str) -> str:
    """Return the name of the step that tells of something refused in a turn."""
    return f"blocked:{thread_id}:{turn}:{code}:{digest}"


class JournalEntry(Record):
    """One step of memory. `seq` orders a user's entries from 1; `id` is derived, so that a step is written once.

    A `blocked` entry has a policy code and a keyed hash of the refused text. A `forgotten` entry, and the entries of
    what it forgot, hold no text. A `used` entry tells what one turn was shown.
    """

    id: str
    seq: int = Field(ge=1)
    at: datetime
    actor: Actor
    action: str
    reason: str = ""
    thread_id: str = ""
    changes: tuple[Change, ...] = ()
    code: str | None = None
    hash: str | None = None
    usage: Usage | None = None
    undoes: str | None = None


def changed(before: Record | None, after: Record | None) -> Change:
    """Return the change from one version of a record to the next; None is for where there is none."""
    told = [one.dump() if one else None for one in (before, after)]
    return gone(after or before).model_copy(update={"before": told[0], "after": told[1]})


def gone(record: Record | None) -> Change:
    """Return the change that takes a record away and tells nothing of it."""
    assert record is not None
    key = getattr(record, "id", record.stored_as)  # without an id there is one of its kind
    return Change(kind=record.stored_as, key=key, before=None, after=None)


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a note: the note from a journal entry on, what the entry tells of it, and whether it took it away.

    A note that no entry tells of has the `seq` 0 and no `entry_id`.
    """

    seq: int
    entry_id: str
    at: datetime
    actor: Actor
    action: str
    reason: str
    thread_id: str
    note: Note
    removed: bool = False


def versions_in(entries: Sequence[JournalEntry]) -> list[Version]:
    """Return every state of a note that the journal tells, oldest first; of one that an entry took away, its last."""
    found = []
    for one, change in ((entry, change) for entry in entries for change in entry.changes if change.kind == "note"):
        about = (one.seq, one.id, one.at, one.actor, one.action, one.reason, one.thread_id)
        if state := change.after or change.before:
            with suppress(ValidationError):  # an entry may tell of what was malformed
                found.append(Version(*about, Note.model_validate(state), removed=change.after is None))
    return found
