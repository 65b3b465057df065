"""Takes changes back: one journal entry, which restores each of its records, or a note to one of its versions."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from config.errors import ConflictError, InvalidInputError, NotFoundError
from memory.control.edit import demoted, judged
from memory.policy import Gate
from memory.policy.refusals import refusal, refused
from memory.records.journal import USED, Change, JournalEntry, Step, Version, changed, versions_in
from memory.records.notes import Kind, Note
from memory.records.profile import Profile, moved_fields
from memory.records.repository import UserMemory

UNDONE = "undone"
CLEARED = "cleared"

_SEEN: frozenset[Kind] = frozenset({"note", "profile", "consent"})
_FINAL = {
    "forgotten": "What was forgotten is gone for good.",
    "lifted": "It only lets something be learnt again. Forget that again instead.",
    "blocked": "It tells of a refusal, and changed nothing.",
    USED: "It tells what a turn was shown, and changed nothing.",
    CLEARED: "What was cleared is gone for good. `import` brings it back from an export.",
}


async def undo(memory: UserMemory, entry_id: str | None = None) -> JournalEntry:
    """Undo one journal entry and return the entry of the undo, which can be undone in turn.

    Without an id, undo the latest change of a note, the profile or consent. A session has an entry per note.

    Raises:
        NotFoundError: there is no such entry, or nothing to undo.
        InvalidInputError: the entry is final, or the policy refuses a text that the undo would bring back.
        ConflictError: the entry is undone already, or a later one, which the message names, must be undone first.
    """

    async def revise() -> tuple[str, list[Step]]:
        journal = await memory.journal()
        entry = _chosen(journal, entry_id)
        changes = [await _reverted(memory, change, entry, journal) for change in entry.changes]
        step = Step("", "user", UNDONE, tuple(changes), reason=f"took back: {entry.action}", undoes=entry.id)
        return entry.id, [step]

    undone = await memory.revise(revise)
    return next(entry for entry in reversed(await memory.journal()) if entry.undoes == undone)


def can_undo(entry: JournalEntry, journal: Sequence[JournalEntry]) -> bool:
    """Return whether `entry` is neither final nor undone already; later changes may still prevent the undo."""
    return _obstacle(entry) is None and undone_by(entry, journal) is None


def undone_by(entry: JournalEntry, journal: Sequence[JournalEntry]) -> JournalEntry | None:
    """Return the later entry that undid `entry` and was not undone itself, if there is one."""
    undos = [one for one in journal if one.undoes == entry.id]
    return next((one for one in undos if undone_by(one, journal) is None), None)


def _obstacle(entry: JournalEntry) -> str | None:
    if entry.action in _FINAL:
        return _FINAL[entry.action]
    if any(change.kind == "booking" for change in entry.changes):
        return "It was agreed with a seller: cancel or change the booking instead."
    if not entry.changes:
        return "It changed nothing that is remembered."
    if any(change.before is None and change.after is None for change in entry.changes):
        return "Part of what it changed was forgotten since, and is gone for good."
    return None


def _chosen(journal: Sequence[JournalEntry], entry_id: str | None) -> JournalEntry:
    if entry_id is None:
        return _latest(journal)
    entry = next((one for one in journal if one.id == entry_id), None)
    if entry is None:
        raise NotFoundError(f"There is no journal entry {entry_id}. The journal shows the ids.")
    if obstacle := _obstacle(entry):
        raise InvalidInputError(f"Entry {entry.seq} ({entry.action}) can't be undone. {obstacle}")
    if later := undone_by(entry, journal):
        raise ConflictError(
            f"Entry {entry.seq} ({entry.action}) is undone already, by entry {later.seq}. To redo it, undo {later.id}."
        )
    return entry


def _latest(journal: Sequence[JournalEntry]) -> JournalEntry:
    """Return the latest change that was not undone. One that can't be undone hides no earlier one: it is an error."""
    seen = (one for one in reversed(journal) if any(change.kind in _SEEN for change in one.changes))
    changes = [one for one in seen if one.action != UNDONE and not undone_by(one, journal)]
    if not changes:
        raise NotFoundError("There is nothing to undo.")
    if obstacle := _obstacle(changes[0]):
        earlier = [one for one in changes if can_undo(one, journal)][:1]
        hints = [f" The latest change that can be undone is entry {e.seq} ({e.action}): {e.id}." for e in earlier]
        raise InvalidInputError(
            f"The latest change, entry {changes[0].seq} ({changes[0].action}), can't be undone. {obstacle}"
            + "".join(hints)
        )
    return changes[0]


async def _reverted(memory: UserMemory, change: Change, entry: JournalEntry, journal: Sequence[JournalEntry]) -> Change:
    current = await memory.record(change.kind, change.key)
    if not _is_unchanged_since(change, current):
        raise ConflictError(_conflict(change, entry, journal))
    target = _earlier(change, current)
    if target is not None and target != current:
        code = refused(change.kind, target)
        if change.kind == "note" and (await memory.snapshot()).eraser().repeats(target["text"]):
            code = code or "consent_denied"
        if code:
            raise InvalidInputError(f"Entry {entry.seq} ({entry.action}) can't be undone. {refusal(code)}")
    return Change(kind=change.kind, key=change.key, before=current, after=target)


def _conflict(change: Change, entry: JournalEntry, journal: Sequence[JournalEntry]) -> str:
    later = (one for one in journal if one.seq > entry.seq and any(c.key == change.key for c in one.changes))
    undoable = [one for one in later if can_undo(one, journal)]
    start = f"Entry {entry.seq} ({entry.action}) can't be undone yet: its {change.kind} was changed since"
    if not undoable:
        return f"{start}, or is gone. See the history of {change.key}."
    return f"{start}. Undo entry {undoable[-1].seq} ({undoable[-1].action}) first: {undoable[-1].id}."


def _is_unchanged_since(change: Change, current: Mapping[str, Any] | None) -> bool:
    """Return whether `current` is still as the change left it, apart from the time of its last use."""
    if current is None or change.after is None:
        return current is None and change.after is None
    if change.kind == "profile":
        return not set(moved_fields(current, change.after)) & set(moved_fields(change.before, change.after))
    return {**current, "last_used_at": None} == {**change.after, "last_used_at": None}


def _earlier(change: Change, current: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the record before the change; in a profile, only the fields that the change modified are restored."""
    if change.kind == "profile" and current is not None and change.after is not None:
        before = {**Profile().dump(), **(change.before or {})}
        return {**current, **{name: before.get(name) for name in moved_fields(change.before, change.after)}}
    if change.before is not None and current is not None and change.kind == "note":
        return {**change.before, "last_used_at": current["last_used_at"]}
    return change.before


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
