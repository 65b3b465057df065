"""Returns the history of a note, version by version, and restores an earlier version."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from config.errors import InvalidInputError, NotFoundError
from memory.control.edit import demoted, judged
from memory.policy import Gate
from memory.records.journal import Change, Step, Version, changed, versions_in
from memory.records.notes import Note
from memory.records.repository import UserMemory


async def history(memory: UserMemory, note_id: str) -> list[Version]:
    """Return every version of a note and of the notes that it replaced or that replaced it, oldest first.

    Raises:
        NotFoundError: there is no such note and never was, or it was forgotten.
    """
    journalled = versions_in(await memory.journal())
    notes = await memory.notes(include_inactive=True)
    chain = _chain(note_id, [*(version.note for version in journalled), *notes])
    found = [version for version in journalled if version.note.id in chain]
    missing = chain - {version.note.id for version in found}
    others = [note for note in notes if note.id in missing]
    found += [Version(0, "", one.created_at, "system", "kept", "", one.latest.thread_id, one) for one in others]
    if not found:
        raise NotFoundError(f"There is no note {note_id}. The list of all notes, used or not, shows the ids.")
    return sorted(found, key=lambda version: (version.seq, version.note.created_at, version.note.id))


def _chain(note_id: str, notes: Iterable[Note]) -> set[str]:
    """Return `note_id` and the ids of all notes that replaced it or that it replaced, directly or indirectly."""
    links = [{note.id, *note.supersedes, *filter(None, [note.superseded_by])} for note in notes]
    chain = {note_id}
    while new := set().union(*(link for link in links if link & chain)) - chain:
        chain |= new
    return chain


async def restore(memory: UserMemory, note_id: str, seq: int | None = None, *, gate: Gate, now: datetime) -> Note:
    """Put a version of a note back in use: number `seq`, or the last one (of a live note, the last that differs)."""

    async def revise() -> tuple[Note, list[Step]]:
        versions = [version for version in await history(memory, note_id) if version.note.id == note_id]
        every = {note.id: note for note in await memory.notes(include_inactive=True)}
        current = every.get(note_id)
        chosen = _version(versions, current, note_id, seq, now)
        rivals = _replacement(current or chosen, every)
        expires_at = chosen.expires_at if chosen.expires_at and chosen.expires_at > now else None
        supersedes = tuple(dict.fromkeys([*chosen.supersedes, *(note.id for note in rivals)]))
        after = chosen.model_copy(
            update={"status": "active", "superseded_by": None, "supersedes": supersedes, "expires_at": expires_at,
                    "last_update_date": now.date(), "last_used_at": current.last_used_at if current else None}
        )  # fmt: skip
        await judged(memory, after, gate, now)
        changes = [changed(current, after), *_relinked(after, rivals, every)]
        changes += await demoted(memory, current or chosen, after, gate, rivals)
        return after, [*await memory.lifted(after.text), Step("", "user", "restored", tuple(changes))]

    return await memory.revise(revise)


def _version(versions: Sequence[Version], current: Note | None, note_id: str, seq: int | None, now: datetime) -> Note:
    if seq is not None:
        matches = [version.note for version in versions if version.seq == seq]
        if not matches:
            known = ", ".join(str(version.seq) for version in versions)
            raise InvalidInputError(f"Note {note_id} has no version {seq}; it has {known}.")
        return matches[-1]
    if current is None or not current.is_live(now):
        return current or versions[-1].note
    earlier = [version.note for version in versions if _content(version.note) != _content(current)]
    if not earlier:
        raise InvalidInputError(f"Note {note_id} is in use and has no earlier version.")
    return earlier[-1]


def _content(note: Note) -> tuple[object, ...]:
    return note.text, note.topic, note.when, note.scope, note.claims, note.expires_at, note.pinned


def _replacement(note: Note, every: dict[str, Note]) -> list[Note]:
    """Return the active note that replaced `note`, directly or indirectly, in a list; an empty list if none did."""
    seen = {note.id}
    while (by := note.superseded_by) in every and by not in seen:
        seen.add(by)
        note = every[by]
        if note.status == "active":
            return [note]
    return []


def _relinked(after: Note, rivals: Sequence[Note], every: dict[str, Note]) -> list[Change]:
    """Return the changes to other notes: `after` replaces `rivals`, and no note replaces `after` any more."""
    changes = []
    for note in every.values():
        supersedes = tuple(key for key in note.supersedes if key != after.id or note.id == after.id)
        replaced = {"status": "superseded", "superseded_by": after.id} if note in rivals else {}
        if replaced or supersedes != note.supersedes:
            changes.append(changed(note, note.model_copy(update={**replaced, "supersedes": supersedes})))
    return changes
