"""Restores earlier versions of notes, and notes that are no longer in use."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from config.errors import InvalidInputError
from memory.control.edit import demoted, judged, lifted, revised
from memory.control.versions import Version, history
from memory.policy import Gate
from memory.records.journal import Change, Step, changed
from memory.records.notes import Note
from memory.records.repository import UserMemory


async def restore(memory: UserMemory, note_id: str, seq: int | None = None, *, gate: Gate, now: datetime) -> Note:
    """Put an earlier version of a note, or a note that is no longer in use, back in use."""

    async def revise() -> tuple[Note, list[Step]]:
        told = [version for version in await history(memory, note_id) if version.note.id == note_id]
        every = {note.id: note for note in await memory.notes(include_inactive=True)}
        current = every.get(note_id)
        chosen = _version(told, current, note_id, seq, now)
        rivals = _replacing(current or chosen, every)
        expires_at = chosen.expires_at if chosen.expires_at and chosen.expires_at > now else None
        supersedes = tuple(dict.fromkeys([*chosen.supersedes, *(note.id for note in rivals)]))
        after = chosen.model_copy(
            update={"status": "active", "superseded_by": None, "supersedes": supersedes, "expires_at": expires_at,
                    "last_update_date": now.date(), "last_used_at": current.last_used_at if current else None}
        )  # fmt: skip
        await judged(memory, after, gate, now)
        steps = [changed(current, after), *_stepping_back(after, rivals, every)]
        steps += await demoted(memory, current or chosen, after, gate, rivals)
        return after, [*await lifted(memory, after), Step("", "user", "restored", tuple(steps))]

    return await revised(memory, revise)


def _version(told: Sequence[Version], current: Note | None, note_id: str, seq: int | None, now: datetime) -> Note:
    if seq is not None:
        named = [version.note for version in told if version.seq == seq]
        if not named:
            known = ", ".join(str(version.seq) for version in told)
            raise InvalidInputError(f"Note {note_id} has no version {seq}; it has {known}.")
        return named[-1]
    if current is None or not current.is_live(now):
        return current or told[-1].note
    earlier = [version.note for version in told if _content(version.note) != _content(current)]
    if not earlier:
        raise InvalidInputError(f"Note {note_id} is in use and has no earlier version.")
    return earlier[-1]


def _content(note: Note) -> tuple[object, ...]:
    return note.text, note.topic, note.when, note.scope, note.claims, note.expires_at, note.pinned


def _replacing(note: Note, every: dict[str, Note]) -> list[Note]:
    """Return what is in use instead of `note`: the active end of the chain that replaced it."""
    seen: set[str] = {note.id}
    at = note.superseded_by
    while at and at in every and at not in seen:
        seen.add(at)
        if every[at].status == "active":
            return [every[at]]
        at = every[at].superseded_by
    return []


def _stepping_back(after: Note, rivals: Sequence[Note], every: dict[str, Note]) -> list[Change]:
    """Return the changes to the chain: rivals are replaced, and no other note claims to have replaced `after`."""
    moved = []
    for note in every.values():
        update: dict[str, object] = {}
        if note in rivals:
            update |= {"status": "superseded", "superseded_by": after.id}
        if after.id in note.supersedes and note.id != after.id:
            update["supersedes"] = tuple(key for key in note.supersedes if key != after.id)
        if update:
            moved.append(changed(note, note.model_copy(update=update)))
    return moved
