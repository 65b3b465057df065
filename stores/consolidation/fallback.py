"""The plan that code makes on its own when a model's plan is unsound: nothing lost, nothing raw (S6.4)."""

from __future__ import annotations

from collections.abc import Sequence

from stores.consolidation.plan import Operation
from stores.notes import Note
from stores.statements import replaces, same_statement, says_more


def deterministic_operations(session: Sequence[Note], global_notes: Sequence[Note]) -> tuple[Operation, ...]:
    """Drop trip-only notes, fold repeats, replace what S1.3 lets be replaced, add the rest; newest first."""
    newest = sorted(session, key=lambda note: (note.last_update_date, note.created_at, note.id), reverse=True)
    lasting = [note for note in newest if note.scope != "trip"]
    operations = [_drop(note, "It holds for one trip only.") for note in newest if note.scope == "trip"]
    kept: list[Note] = []
    folded: dict[str, list[str]] = {}
    for note in lasting:
        same = next((other for other in kept if same_statement(note, other) or says_more(other, note)), None)
        newer = next((other for other in kept if replaces(other, note)), None)
        if same is not None:
            folded[same.id].append(note.id)
        elif newer is not None:
            operations.append(_drop(note, "It was replaced later in the session."))
        else:
            kept.append(note)
            folded[note.id] = [note.id]
    taken: set[str] = set()
    for note in kept:
        free = [other for other in global_notes if other.id not in taken]
        operation = _settle(note, tuple(folded[note.id]), free)
        taken.update(operation.targets)
        operations.append(operation)
    return tuple(operations)


def _drop(note: Note, reason: str) -> Operation:
    return Operation(op="DROP", session=(note.id,), reason=reason)


def _settle(note: Note, session: tuple[str, ...], global_notes: Sequence[Note]) -> Operation:
    for other in global_notes:
        if same_statement(note, other) or says_more(other, note):
            return Operation(op="CONFIRM", session=session, targets=(other.id,), reason="It is known already.")
    for other in global_notes:
        if says_more(note, other):
            reason = "It says the same in more detail."
            return Operation(op="MERGE", session=session, targets=(other.id,), reason=reason, text=note.text)
    replaced = tuple(other.id for other in global_notes if replaces(note, other))
    if replaced:
        reason = "It replaces what was known."
        return Operation(op="SUPERSEDE", session=session, targets=replaced, reason=reason, text=note.text)
    return Operation(op="ADD", session=session, reason="It is new.", text=note.text)
