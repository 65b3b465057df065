"""Plans by rule what becomes of session notes: repeats are folded, contradictions replaced, the rest added."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from models.offline.statements.note import StatedNote
from models.offline.statements.profile_fields import stated_field
from models.offline.statements.relations import covers, replaces, same_statement

PlannedOp = Literal["ADD", "MERGE", "SUPERSEDE", "CONFIRM", "DROP", "PROMOTE"]
PROMOTED_AFTER = 3
"""Sessions that must have confirmed a note before it is stable enough for the profile."""


@dataclass(frozen=True, slots=True)
class PlannedOperation:
    """One operation of a plan: the session notes it rests on, the notes it touches, its reason, and its new text."""

    op: PlannedOp
    session: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    reason: str = ""
    text: str | None = None


@dataclass(slots=True)
class _Group:
    """Session notes that say the same; `leader` is the one that says most, `day` the day of the newest of them."""

    leader: StatedNote
    day: date
    members: list[str]
    overridden: list[StatedNote]
    """Older notes of the session that it takes the place of, directly or through another."""

    @property
    def dated(self) -> list[tuple[StatedNote, date]]:
        """The leader and the notes it overrides, each with its day."""
        return [(self.leader, self.day), *((one, one.last_update_date) for one in self.overridden)]


def plan_operations(
    session: Sequence[StatedNote], known: Sequence[StatedNote], *, filled: Collection[str] = ()
) -> list[PlannedOperation]:
    """Drop trip-only notes, fold repeats, replace what is contradicted, add the rest; promote what is stable.

    Args:
        session: The session's notes, the oldest first.
        known: The live notes that they may touch.
        filled: The fields of the profile that hold a value already; they are not filled again.
    """
    operations = [_drop([note.id], "It holds for one trip only.") for note in session[::-1] if note.scope == "trip"]
    groups = _grouped([note for note in session[::-1] if note.scope != "trip"])
    # What replaces comes first, so that nothing else takes the note that has to go.
    groups.sort(key=lambda group: not _replaced(group, known))
    taken: set[str] = set()
    for group in groups:
        operation = _settle(group, [other for other in known if other.id not in taken])
        taken.update(operation.targets)
        gone = [note.id for note in group.overridden if note.id not in operation.session]
        operations += [*(_drop([key], "It was replaced later in the session.") for key in gone), operation]
    return [*operations, *_promotions(operations, known, filled)]


def _grouped(newest: Sequence[StatedNote]) -> list[_Group]:
    """Return the notes, the newest first, in groups that say the same or were replaced by a newer one."""
    groups: list[_Group] = []
    for note in newest:
        newer = next((group for group in groups if not _same(group, note) and _overrides(group, note)), None)
        if newer is not None:
            newer.overridden.append(note)
        elif home := next((group for group in groups if _same(group, note)), None):
            home.members.append(note.id)
            if not covers(home.leader, note):
                home.leader = note
        else:
            groups.append(_Group(note, note.last_update_date, [note.id], []))
    return groups


def _same(group: _Group, note: StatedNote) -> bool:
    return covers(group.leader, note) or covers(note, group.leader)


def _overrides(group: _Group, note: StatedNote) -> bool:
    return any(replaces(one, note) for one in (group.leader, *group.overridden))


def _replaced(group: _Group, known: Sequence[StatedNote]) -> list[StatedNote]:
    """The known notes whose place the group takes, whichever of its notes does it."""
    new = group.leader
    found = [other for other in known if any(_takes_over(*one, other) for one in group.dated)]
    return [
        other for other in found if _takes_over(new, group.day, other) or not (covers(new, other) or covers(other, new))
    ]


def _drop(session: Sequence[str], reason: str) -> PlannedOperation:
    return PlannedOperation("DROP", session=tuple(session), reason=reason)


def _takes_over(new: StatedNote, day: date, old: StatedNote) -> bool:
    return day >= old.last_update_date and replaces(new, old)


def _settle(group: _Group, known: Sequence[StatedNote]) -> PlannedOperation:
    new, session = group.leader, tuple(group.members)
    replaced = _replaced(group, known)
    newer = [other for other in known if other.last_update_date > group.day]
    if any(replaces(other, new) or replaces(new, other) for other in newer):
        return _drop(session, "What is known is newer, and says otherwise.")
    fuller = [other for other in known if covers(other, new)]
    shorter = [other for other in known if covers(new, other) and other not in fuller]
    if replaced:
        same = [other for other in (*fuller, *shorter) if covers(new, other) and other not in replaced]
        targets = tuple(other.id for other in (*replaced, *same))
        # A note that was itself replaced stands for what it had taken the place of.
        through = [one.id for one, day in group.dated[1:] if any(_takes_over(one, day, old) for old in replaced)]
        direct = all(_takes_over(new, group.day, old) for old in replaced)
        session = session if direct else (*session, *through)
        return PlannedOperation("SUPERSEDE", session=session, targets=targets, reason=_REPLACES, text=new.text)
    if len(fuller) == 1 and not shorter:
        return PlannedOperation("CONFIRM", session=session, targets=(fuller[0].id,), reason="It is known already.")
    if fuller or shorter:
        return _merge(session, new, fuller, shorter)
    return PlannedOperation("ADD", session=session, reason="It is new.", text=new.text)


_REPLACES = "It replaces what was known."


def _merge(
    session: tuple[str, ...], new: StatedNote, fuller: Sequence[StatedNote], shorter: Sequence[StatedNote]
) -> PlannedOperation:
    """One note for all that say the same; of several that say more, each in its own way, one alone is confirmed."""
    fullest = next((one for one in fuller if all(covers(one, other) for other in fuller)), None)
    if fuller and fullest is None:
        return PlannedOperation("CONFIRM", session=session, targets=(fuller[0].id,), reason="It is known already.")
    best = fullest or new
    if fullest is not None and same_statement(fullest, new) and len(fuller) == 1:
        best = fullest
    targets = tuple(other.id for other in (*fuller, *shorter) if covers(best, other))
    reason = "Several notes say the same." if fuller else "It says the same in more detail."
    return PlannedOperation("MERGE", session=session, targets=targets, reason=reason, text=best.text)


def _promotions(
    operations: Sequence[PlannedOperation], known: Sequence[StatedNote], filled: Collection[str]
) -> list[PlannedOperation]:
    """Return a promotion for each empty field of the profile that a note confirmed often enough states."""
    confirmed = {operation.targets[0] for operation in operations if operation.op == "CONFIRM"}
    touched = {key for operation in operations for key in operation.targets} - confirmed
    fields = set(filled)
    found = []
    for note in sorted(known, key=lambda one: (-one.confirmations, one.id)):
        sessions = note.confirmations + (note.id in confirmed)
        if note.id in touched or sessions < PROMOTED_AFTER:
            continue
        stated = stated_field(note)
        if stated and stated[0] not in fields:
            fields.add(stated[0])
            found.append(PlannedOperation("PROMOTE", targets=(note.id,), reason="It was confirmed often enough."))
    return found
