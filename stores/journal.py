"""The journal: the append-only log of every change to a user's memory, and what undo and history read."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from stores.notes import Record

Kind = Literal["note", "profile", "trip", "episode"]
Actor = Literal["user", "agent", "consolidation", "system"]


class Change(Record):
    """One record before and after; None means that it was not there, or is no longer."""

    kind: Kind
    key: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class JournalEntry(Record):
    """One step of memory. `seq` orders a user's entries from 1; `id` is derived, so that a step is written once.

    A `blocked` entry has a policy code and a keyed hash of the refused text. A `forgotten` entry, and the entries of
    what it forgot, hold no text.
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

    def without_text(self, key: str) -> JournalEntry:
        """A copy in which the record `key` is named and no longer told."""
        changes = tuple(
            change.model_copy(update={"before": None, "after": None}) if change.key == key else change
            for change in self.changes
        )
        return self.model_copy(update={"changes": changes, "reason": ""})
