"""The plan by rule, for when a model's plan is unsound."""

from __future__ import annotations

from collections.abc import Sequence

from memory.consolidation.plan import Operation
from memory.records.notes import Note
from memory.records.profile import Profile
from models.offline.statements import plan_operations


def deterministic_operations(
    session: Sequence[Note], global_notes: Sequence[Note], *, profile: Profile | None = None
) -> tuple[Operation, ...]:
    """Drop trip-only notes, fold repeats, replace what is contradicted, add the rest; promote what is stable.

    Args:
        session: The session's notes; of two of one date, the one created later is the newer.
        global_notes: The live notes that they may touch.
        profile: The user's profile; fields that it fills are not filled again. Unknown means empty.
    """
    oldest_first = sorted(session, key=lambda note: (note.last_update_date, note.created_at, note.id))
    filled = {name for name, value in (profile or Profile()) if value is not None}
    planned = plan_operations(oldest_first, global_notes, filled=filled)
    return tuple(
        Operation(op=one.op, session=one.session, targets=one.targets, reason=one.reason, text=one.text)
        for one in planned
    )
