"""Plans by rule what becomes of session notes: repeats are folded, contradictions replaced, the rest added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from models.offline.statements.relations import StatedNote, covers, replaces

PlannedOp = Literal["ADD", "MERGE", "SUPERSEDE", "CONFIRM", "DROP", "EXPIRE"]


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
    """Session notes that say the same: the newest, the fullest, and those that the newest replaced."""

    newest: StatedNote
    fullest: StatedNote
    members: list[str]
    replaced: list[str] = field(default_factory=list)

    def takes(self, older: StatedNote) -> bool:
        """Take in an older note that the group repeats or replaces; return False for any other."""
        if covers(self.fullest, older) or covers(older, self.fullest):
            self.members.append(older.id)
            self.fullest = self.fullest if covers(self.fullest, older) else older
        elif replaces(self.fullest, older):
            self.replaced.append(older.id)
        else:
            return False
        return True

    def replaces(self, old: StatedNote) -> bool:
        """Return True when the group was said since `old` and takes its place."""
        return self.newest.last_update_date >= old.last_update_date and replaces(self.fullest, old)


def plan_operations(session: Sequence[StatedNote], known: Sequence[StatedNote]) -> list[PlannedOperation]:
    """Drop trip-only notes, fold repeats, replace what is contradicted, and add the rest.

    Args:
        session: The session's notes, the oldest first.
        known: The live notes that they may touch.
    """
    groups: list[_Group] = []
    operations = []
    for note in session[::-1]:
        if note.scope == "trip":
            operations.append(PlannedOperation("DROP", (note.id,), reason="It holds for one trip only."))
        elif not any(group.takes(note) for group in groups):
            groups.append(_Group(note, note, [note.id]))
    # What replaces comes first, so that nothing else takes the note that has to go.
    groups.sort(key=lambda group: not any(group.replaces(old) for old in known))
    taken: set[str] = set()
    for group in groups:
        operation = _settle(group, [old for old in known if old.id not in taken])
        taken.update(operation.targets)
        reason = "It was replaced later in the session."
        operations += [*(PlannedOperation("DROP", (key,), reason=reason) for key in group.replaced), operation]
    return operations


def _settle(group: _Group, known: Sequence[StatedNote]) -> PlannedOperation:
    new, session = group.fullest, tuple(group.members)
    newer = [old for old in known if old.last_update_date > group.newest.last_update_date]
    if any(replaces(old, new) or replaces(new, old) for old in newer):
        return PlannedOperation("DROP", session, reason="What is known is newer, and says otherwise.")
    replaced = [old for old in known if group.replaces(old)]
    shorter = [old for old in known if covers(new, old) and old not in replaced]
    targets = tuple(old.id for old in (*replaced, *shorter))
    if any(old.hard for old in replaced) and not new.hard:  # a limit that is over leaves nothing in its place
        return PlannedOperation("EXPIRE", session, targets, "It says that what was known is over.")
    if replaced:
        return PlannedOperation("SUPERSEDE", session, targets, "It replaces what was known.", new.text)
    if fuller := [old for old in known if covers(old, new)]:
        return PlannedOperation("CONFIRM", session, (fuller[0].id,), "It is known already.")
    if shorter:
        return PlannedOperation("MERGE", session, targets, "It says the same in more detail.", new.text)
    return PlannedOperation("ADD", session, reason="It is new.", text=new.text)
