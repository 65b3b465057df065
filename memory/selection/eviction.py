"""Chooses the notes to evict when a person has more of them than the limit allows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time

from memory.records.notes import Note

_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Limits:
    """How many live notes a user may have, and after how many days without use one is worth half (0: never)."""

    most: int
    half_life_days: float = 0.0


def evictions(notes: Sequence[Note], *, most: int, half_life_days: float, now: datetime) -> list[Note]:
    """Return the least useful live notes beyond `most`, the least useful first.

    Hard constraints and pinned notes count towards the limit and are never among them, so fewer notes than asked for
    may be found.

    Args:
        notes: Notes in any order; those that are not live at `now` don't count.
        most: Live notes that may stay, 0 or more.
        half_life_days: Days without use after which a note is worth half; 0 for no decay.
        now: The time in UTC.
    """
    live = [note for note in notes if note.is_live(now)]
    free = [note for note in live if not note.hard and not note.pinned]
    ranked = sorted(
        free,
        key=lambda note: (usefulness(note, half_life_days=half_life_days, now=now), note.last_update_date, note.id),
    )
    return ranked[: max(len(live) - most, 0)]


def usefulness(note: Note, *, half_life_days: float, now: datetime) -> float:
    """Confidence times confirmations, halved for every `half_life_days` since the note was last used or updated."""
    return note.confidence * note.confirmations * freshness(note, half_life_days=half_life_days, now=now)


def freshness(note: Note, *, half_life_days: float, now: datetime) -> float:
    """Return what is left of a note's worth, 0..1: half after `half_life_days` without use, all where that is 0."""
    if half_life_days <= 0:
        return 1.0
    updated = datetime.combine(note.last_update_date, time(), tzinfo=UTC)
    last = max(updated, note.last_used_at) if note.last_used_at else updated
    days = max((now - last).total_seconds() / _DAY, 0.0)
    return float(0.5 ** (days / half_life_days))
