"""The plan that code makes on its own when a model's plan is unsound: nothing lost, nothing raw (S6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.consolidation.plan import Operation
from memory.consolidation.promotion import PROMOTED_AFTER, stated_field
from memory.records.notes import Note
from memory.records.profile import Profile
from models.offline.statements import covers, replaces, same_statement


@dataclass(slots=True)
class _Group:
    """Session notes that say the same; `leader` is the one that says most, dated as the newest of them."""

    leader: Note
    members: list[str]
    overridden: list[Note]
    """Older notes of the session that it takes the place of, directly or through another."""


def deterministic_operations(
    session: Sequence[Note], global_notes: Sequence[Note], *, profile: Profile | None = None
) -> tuple[Operation, ...]:
    """Drop trip-only notes, fold repeats, replace what S1.3 lets be replaced, add the rest; promote what is stable.

    Args:
        session: The session's notes; of two of one date, the one created later is the newer.
        global_notes: The live notes that they may touch.
        profile: The user's profile; fields that it fills are not filled again. Unknown means empty.
    """
    newest = sorted(session, key=lambda note: (note.last_update_date, note.created_at, note.id), reverse=True)
    operations = [_drop([note.id], "It holds for one trip only.") for note in newest if note.scope == "trip"]
    groups: list[_Group] = []
    for note in newest:
        if note.scope == "trip":
            continue
        newer = next((group for group in groups if not _same(group, note) and _overrides(group, note)), None)
        if newer is not None:
            newer.overridden.append(note)
        elif home := next((group for group in groups if _same(group, note)), None):
            _joined(home, note)
        else:
            groups.append(_Group(note, [note.id], []))
    # What replaces comes first, so that nothing else takes the note that has to go.
    groups.sort(key=lambda group: not _replaced(group, global_notes))
    taken: set[str] = set()
    for group in groups:
        operation = _settle(group, [other for other in global_notes if other.id not in taken])
        taken.update(operation.targets)
        gone = [note.id for note in group.overridden if note.id not in operation.session]
        operations += [*(_drop([key], "It was replaced later in the session.") for key in gone), operation]
    return (*operations, *_promotions(operations, global_notes, profile or Profile()))


def _same(group: _Group, note: Note) -> bool:
    return covers(group.leader, note) or covers(note, group.leader)


def _joined(group: _Group, note: Note) -> None:
    group.members.append(note.id)
    if not covers(group.leader, note):
        group.leader = note.model_copy(
            update={"last_update_date": group.leader.last_update_date, "created_at": group.leader.created_at}
        )


def _overrides(group: _Group, note: Note) -> bool:
    return any(replaces(one, note) for one in (group.leader, *group.overridden))


def _replaced(group: _Group, global_notes: Sequence[Note]) -> list[Note]:
    """The known notes whose place the group takes, whichever of its notes does it."""
    new = group.leader
    found = [other for other in global_notes if any(_takes_over(one, other) for one in (new, *group.overridden))]
    return [other for other in found if _takes_over(new, other) or not (covers(new, other) or covers(other, new))]


def _drop(session: Sequence[str], reason: str) -> Operation:
    return Operation(op="DROP", session=tuple(session), reason=reason)


def _takes_over(new: Note, old: Note) -> bool:
    return new.last_update_date >= old.last_update_date and replaces(new, old)


def _settle(group: _Group, global_notes: Sequence[Note]) -> Operation:
    new, session = group.leader, tuple(group.members)
    replaced = _replaced(group, global_notes)
    newer = [other for other in global_notes if other.last_update_date > new.last_update_date]
    if any(replaces(other, new) or replaces(new, other) for other in newer):
        return _drop(session, "What is known is newer, and says otherwise.")
    fuller = [other for other in global_notes if covers(other, new)]
    shorter = [other for other in global_notes if covers(new, other) and other not in fuller]
    if replaced:
        same = [other for other in (*fuller, *shorter) if covers(new, other) and other not in replaced]
        targets = tuple(other.id for other in (*replaced, *same))
        # A note that was itself replaced stands for what it had taken the place of.
        through = (one.id for one in group.overridden if any(_takes_over(one, old) for old in replaced))
        session = (*session, *(key for key in through if not all(_takes_over(new, old) for old in replaced)))
        return Operation(op="SUPERSEDE", session=session, targets=targets, reason=_REPLACES, text=new.text)
    if len(fuller) == 1 and not shorter:
        return Operation(op="CONFIRM", session=session, targets=(fuller[0].id,), reason="It is known already.")
    if fuller or shorter:
        return _merge(session, new, fuller, shorter)
    return Operation(op="ADD", session=session, reason="It is new.", text=new.text)


_REPLACES = "It replaces what was known."


def _merge(session: tuple[str, ...], new: Note, fuller: Sequence[Note], shorter: Sequence[Note]) -> Operation:
    """One note for all that say the same; of several that say more, each in its own way, one alone is confirmed."""
    fullest = next((one for one in fuller if all(covers(one, other) for other in fuller)), None)
    if fuller and fullest is None:
        return Operation(op="CONFIRM", session=session, targets=(fuller[0].id,), reason="It is known already.")
    best = fullest or new
    if fullest is not None and same_statement(fullest, new) and len(fuller) == 1:
        best = fullest
    targets = tuple(other.id for other in (*fuller, *shorter) if covers(best, other))
    reason = "Several notes say the same." if fuller else "It says the same in more detail."
    return Operation(op="MERGE", session=session, targets=targets, reason=reason, text=best.text)


def _promotions(operations: Sequence[Operation], known: Sequence[Note], profile: Profile) -> list[Operation]:
    """A promotion for each empty field of the profile that a note confirmed often enough states."""
    confirmed = {operation.targets[0] for operation in operations if operation.op == "CONFIRM"}
    touched = {key for operation in operations for key in operation.targets} - confirmed
    fields: set[str] = set()
    found = []
    for note in sorted(known, key=lambda one: (-one.confirmations, one.id)):
        stated = stated_field(note)
        sessions = note.confirmations + (note.id in confirmed)
        if stated is None or note.id in touched or sessions < PROMOTED_AFTER or stated[0] in fields:
            continue
        if getattr(profile, stated[0]) is None:
            fields.add(stated[0])
            found.append(Operation(op="PROMOTE", targets=(note.id,), reason="It was confirmed often enough."))
    return found
