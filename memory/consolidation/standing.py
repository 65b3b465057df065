"""What a plan would leave active: two statements that can't both hold, or one statement twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from memory.consolidation.plan import WRITES_TEXT, Operation
from memory.records.notes import Note
from models.offline.statements import covers, replaces


def left_standing(operations: Sequence[Operation], staged: Mapping[str, Note], known: Mapping[str, Note]) -> list[str]:
    """What would be active beside its opposite, or twice, once the plan is carried out: the newest wins, once."""
    gone = {key for operation in operations if operation.op in ("SUPERSEDE", "EXPIRE") for key in operation.targets}
    merged = {key for operation in operations if operation.op == "MERGE" for key in operation.targets}
    kept = [operation for operation in operations if operation.op in WRITES_TEXT or operation.op == "CONFIRM"]
    found = []
    for place, operation in enumerate(kept):
        new = _newest(operation, staged)
        for other in known.values():
            if other.id not in gone and other.id not in operation.targets and _outdates(new, other):
                found.append(f"{new.id} and {other.id} can't both hold; the newer of them replaces the other")
            elif operation.op == "ADD" and other.id not in gone | merged and covers(new, other):
                found.append(f"{new.id} says what {other.id} says, and more; merge them")
        for later in kept[place + 1 :]:
            rival = _newest(later, staged)
            if replaces(*sorted((new, rival), key=age, reverse=True)):
                found.append(f"{new.id} and {rival.id} can't both hold; keep the newer of them")
            elif operation.op == later.op == "ADD" and (covers(new, rival) or covers(rival, new)):
                found.append(f"{new.id} and {rival.id} say the same; one operation names both")
    return found


def _outdates(new: Note, known: Note) -> bool:
    """True when `new` and what is known can't both hold; between equal dates the session is the newer."""
    if new.last_update_date >= known.last_update_date:
        return replaces(new, known)
    return replaces(known, new) or replaces(new, known)


def _newest(operation: Operation, staged: Mapping[str, Note]) -> Note:
    newest = max((staged[key] for key in operation.session), key=age)
    return newest.model_copy(update={"text": operation.text}) if operation.text else newest


def age(note: Note) -> tuple[date, datetime, str]:
    """What orders notes from the oldest statement to the newest."""
    return note.last_update_date, note.created_at, note.id
