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
"""The action of a step that records which notes a turn was shown and used; it changes no remembered record."""


class Change(Record):
    """One record before and after a change; None if it did not exist, or if its content must not be revealed."""

    kind: Kind
    key: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None

    def without_record(self) -> Change:
        """Return this change with the kind and key of its record, but without its content."""
        return self.model_copy(update={"before": None, "after": None})


class Usage(Record):
    """The ids of the notes that a turn was shown and used, and false claims of use, each with `code` and `handle`."""

    shown: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    violations: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step to write to memory and journal. A step with the same `name` is written only once.

    Without a name it is named after its action and its number in the journal. `undoes` is the id of an entry.
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
    """Return the name of the step that records the notes shown and used for the answer to a message."""
    return f"used:{thread_id}:{message_id}"


def refusal_step(thread_id: str, turn: int, code: str, digest: str) -> str:
    """Return the name of the step that records a refusal in a turn."""
    return f"blocked:{thread_id}:{turn}:{code}:{digest}"


class JournalEntry(Record):
    """One step that was written. `seq` numbers a user's entries from 1; `id` is derived from the name of the step.

    A `blocked` entry has a policy code and a keyed hash of the refused text. A `forgotten` entry has no text, nor have
    earlier entries of the forgotten records. A `used` entry has the usage of one turn.
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
    """Return the change from `before` to `after`; None if there is no record, which only one of them may be."""
    record = after or before
    assert record is not None
    old, new = (one.dump() if one else None for one in (before, after))
    return gone(record).model_copy(update={"before": old, "after": new})


def gone(record: Record) -> Change:
    """Return the change that deletes a record and does not reveal its content."""
    key = getattr(record, "id", record.stored_as)  # a record without an id is the only one of its kind
    return Change(kind=record.stored_as, key=key, before=None, after=None)


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a note, with the journal entry that wrote it, or that `removed` it.

    For a note that is in no entry, `seq` is 0 and `entry_id` is empty.
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
    """Return all versions of notes in the journal, oldest first; for a removal, the last version before it."""
    versions = []
    for one, change in ((entry, change) for entry in entries for change in entry.changes if change.kind == "note"):
        origin = (one.seq, one.id, one.at, one.actor, one.action, one.reason, one.thread_id)
        if state := change.after or change.before:
            with suppress(ValidationError):  # the entry may hold a malformed note
                versions.append(Version(*origin, Note.model_validate(state), removed=change.after is None))
    return versions
