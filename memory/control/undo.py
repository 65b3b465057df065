"""Undoes one journal entry by restoring each record to its state before it; an undo can itself be undone."""

from collections.abc import Mapping, Sequence
from typing import Any

from config.errors import ConflictError, InvalidInputError, NotFoundError
from memory.policy.refusals import refusal, refused
from memory.records.journal import USED, Change, JournalEntry, Step
from memory.records.notes import Kind
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

    Without an id, undo the latest entry that changed a note, the profile or consent. A session has an entry per note.

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
        for one in reversed(journal):
            is_seen = any(change.kind in _SEEN for change in one.changes)
            if is_seen and one.action != UNDONE and can_undo(one, journal):
                return one
        raise NotFoundError("There is nothing to undo.")
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
        return {**current, **{name: before[name] for name in moved_fields(change.before, change.after)}}
    if change.before is not None and current is not None and change.kind == "note":
        return {**change.before, "last_used_at": current["last_used_at"]}
    return change.before
