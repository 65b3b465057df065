"""Returns the history of a note, version by version, and puts an earlier one back in use."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from config.errors import InvalidInputError, NotFoundError
from memory.control.edit import demoted, judged
from memory.policy import Gate
from memory.records.journal import Change, Step, Version, changed, versions_in
from memory.records.notes import Note
from memory.records.repository import UserMemory


async def history(memory: UserMemory, note_id: str) -> list[Version]:
    """Return every version of a note and of those it replaced or was replaced by, oldest first.

    Raises:
        NotFoundError: no such note is or was kept; of a forgotten one nothing is known.
    """
    told = versions_in(await memory.journal())
    kept = await memory.notes(include_inactive=True)
    chain = _linked(note_id, [*(version.note for version in told), *kept])
    found = [version for version in told if version.note.id in chain]
    told_of = {version.note.id for version in found}
    untold = [note for note in kept if note.id in chain - told_of]
    found += [Version(0, "", one.created_at, "system", "kept", "", one.latest.thread_id, one) for one in untold]
    if not found:
        raise NotFoundError(f"There is no note {note_id}. The list of all notes, used or not, shows the ids.")
    return sorted(found, key=lambda version: (version.seq, version.note.created_at, version.note.id))


def _linked(note_id: str, notes: Iterable[Note]) -> set[str]:
    """Return the ids of `note_id` and of every note that a chain of replacing ties to it."""
    ties = [{note.id, *note.supersedes, *filter(None, [note.superseded_by])} for note in notes]
    chain = {note_id}
    while grown := set().union(*(tie for tie in ties if tie & chain)) - chain:
        chain |= grown
    return chain


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
        return after, [*await memory.lifted(after.text), Step("", "user", "restored", tuple(steps))]

    return await memory.revise(revise)


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
    seen = {note.id}
    while (by := note.superseded_by) in every and by not in seen:
        seen.add(by)
        note = every[by]
        if note.status == "active":
            return [note]
    return []


def _stepping_back(after: Note, rivals: Sequence[Note], every: dict[str, Note]) -> list[Change]:
    """Return the changes to the chain: rivals are replaced, and no other note claims to have replaced `after`."""
    moved = []
    for note in every.values():
        supersedes = tuple(key for key in note.supersedes if key != after.id or note.id == after.id)
        replaced = {"status": "superseded", "superseded_by": after.id} if note in rivals else {}
        if replaced or supersedes != note.supersedes:
            moved.append(changed(note, note.model_copy(update={**replaced, "supersedes": supersedes})))
    return moved
