"""Returns the history of a note: every version in the journal, its own and those linked to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from config.errors import NotFoundError
from memory.records.journal import Actor, JournalEntry
from memory.records.notes import Note
from memory.records.repository import UserMemory


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a note, as a journal entry left it.

    Attributes:
        seq: The number of the entry; 0 for a note that no entry tells of.
        entry_id: The id of the entry, which `undo` takes; empty for such a note.
        at: When it became so, in UTC.
        actor: Who did it.
        action: What was done.
        reason: Why, where that was said.
        thread_id: The conversation in which it happened; empty where in none.
        note: The note from then on; its last state where the entry removed it.
        removed: True when the entry took the note away.
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


async def history(memory: UserMemory, note_id: str) -> list[Version]:
    """Return every version of a note and of those it replaced or was replaced by, oldest first.

    Raises:
        NotFoundError: no such note is or was kept; of a forgotten one nothing is known.
    """
    told = versions_told(await memory.journal())
    kept = await memory.notes(include_inactive=True)
    chain = _linked(note_id, [*(version.note for version in told), *kept])
    found = [version for version in told if version.note.id in chain]
    found += [_untold(note) for note in kept if note.id in chain and not any(v.note.id == note.id for v in found)]
    if not found:
        raise NotFoundError(f"There is no note {note_id}. `concierge memory list --all` shows the ids.")
    return sorted(found, key=lambda version: (version.seq, version.note.created_at, version.note.id))


def versions_told(journal: Sequence[JournalEntry]) -> list[Version]:
    """Return the versions of all notes that a journal tells of, oldest first."""
    return [
        Version(
            seq=entry.seq,
            entry_id=entry.id,
            at=entry.at,
            actor=entry.actor,
            action=entry.action,
            reason=entry.reason,
            thread_id=entry.thread_id,
            note=Note.model_validate(change.after or change.before),
            removed=change.after is None,
        )
        for entry in journal
        for change in entry.changes
        if change.kind == "note" and (change.after or change.before)
    ]


def _untold(note: Note) -> Version:
    thread = note.latest.thread_id
    return Version(0, "", note.created_at, "system", "kept", "", thread, note)


def _linked(note_id: str, notes: Iterable[Note]) -> set[str]:
    """Return the ids of `note_id` and of every note that a chain of replacing ties to it."""
    ties: dict[str, set[str]] = {}
    for note in notes:
        for other in (*note.supersedes, *filter(None, [note.superseded_by])):
            ties.setdefault(note.id, set()).add(other)
            ties.setdefault(other, set()).add(note.id)
    chain: set[str] = set()
    waiting = [note_id]
    while waiting:
        one = waiting.pop()
        if one not in chain:
            chain.add(one)
            waiting += ties.get(one, ())
    return chain
