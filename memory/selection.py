"""Selects the notes that a prompt shows, and those to evict when a person has more than the limit allows.

A prompt shows all notes if they fit into the budget, else hard constraints and a balance of topics.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Literal

from memory.records.notes import Note

Strategy = Literal["all", "recent", "relevant", "blended"]

_DAY = 86_400.0
_RECENCY, _CONFIRMED = 0.3, 0.2
"""Weights of recency and of confirmations; relevance has the weight 1."""
_OFTEN = 5
"""The number of confirmations beyond which more of them don't count."""
_TOPIC_REPEATED = 0.8
"""The factor on a note's rank for each better note of the same topic."""


def select(
    notes: Sequence[Note],
    *,
    strategy: Strategy,
    tokens: int,
    scores: Mapping[str, float] | None = None,
    weights: Mapping[str, float] | None = None,
) -> list[Note]:
    """Choose the live notes to show, newest first.

    If they exceed the budget of `tokens`, `recent` chooses by date, `relevant` by score, `blended` by score,
    confirmations and date with a balance of topics; hard constraints are always shown. `all` ignores the budget.
    `scores` (similarity to the conversation) and `weights` (see `freshness`) are by note id, both 0..1.
    """
    newest = sorted(notes, key=lambda note: (note.last_update_date, note.created_at, note.id), reverse=True)
    if strategy == "all" or fits(newest, tokens):
        return newest
    remaining = tokens - sum(cost(note) for note in newest if note.hard)
    chosen = {note.id for note in newest if note.hard}
    for note in _ranked([note for note in newest if not note.hard], strategy, scores or {}, weights or {}):
        if cost(note) <= remaining:
            chosen.add(note.id)
            remaining -= cost(note)
    return [note for note in newest if note.id in chosen]


def fits(notes: Sequence[Note], tokens: int) -> bool:
    """Return whether `notes` together cost no more than `tokens`."""
    return sum(map(cost, notes)) <= tokens


def cost(note: Note) -> int:
    """Return the tokens of one rendered note, by characters (four to a token, fewer in scripts without spaces)."""
    shown = f"{note.text}{note.condition}{note.latest.question if note.own_words else ''}"
    wide = sum(ord(char) > 0x2E80 for char in shown)
    return (len(shown) - wide) // 4 + wide + 12


def _ranked(
    notes: Sequence[Note], strategy: Strategy, scores: Mapping[str, float], weights: Mapping[str, float]
) -> list[Note]:
    if strategy == "recent":
        return sorted(notes, key=lambda note: -weights.get(note.id, 1.0))
    best = max((scores.get(note.id, 0.0) for note in notes), default=0.0) or 1.0
    worth = {note.id: scores.get(note.id, 0.0) / best * weights.get(note.id, 1.0) for note in notes}
    if strategy == "relevant":
        return sorted(notes, key=lambda note: -worth[note.id])
    for place, note in enumerate(notes):
        confirmed = min(note.confirmations, _OFTEN) / _OFTEN
        worth[note.id] += _RECENCY * (1 - place / len(notes)) + _CONFIRMED * confirmed
    ranked = sorted(notes, key=lambda note: -worth[note.id])
    seen: Counter[str] = Counter()
    for note in ranked:
        worth[note.id] *= _TOPIC_REPEATED ** seen[note.topic]
        seen[note.topic] += 1
    return sorted(ranked, key=lambda note: -worth[note.id])


@dataclass(frozen=True, slots=True)
class Limits:
    """How many live notes a user may have, and after how many days without use a note's value halves (0: never)."""

    most: int
    half_life_days: float = 0.0


def evictions(notes: Sequence[Note], limits: Limits, now: datetime) -> list[Note]:
    """Return the live notes to evict so that a user keeps within the limit, the least useful first.

    Hard constraints and pinned notes count towards the limit but are never evicted, so the limit may stay exceeded.
    """
    live = least_useful_first([note for note in notes if note.is_live(now)], limits, now)
    return [note for note in live if not note.hard and not note.pinned][: max(len(live) - limits.most, 0)]


def least_useful_first(notes: Iterable[Note], limits: Limits, now: datetime) -> list[Note]:
    """Return `notes` in the order in which they are evicted; hard constraints and pinned notes come last."""

    def worth(note: Note) -> tuple[bool, bool, float, date, str]:
        useful = usefulness(note, half_life_days=limits.half_life_days, now=now)
        return note.hard, note.pinned, useful, note.last_update_date, note.id

    return sorted(notes, key=worth)


def usefulness(note: Note, *, half_life_days: float, now: datetime) -> float:
    """Return confidence times confirmations, halved for every `half_life_days` since the last use or update."""
    return note.confidence * note.confirmations * freshness(note, half_life_days=half_life_days, now=now)


def freshness(note: Note, *, half_life_days: float, now: datetime) -> float:
    """Return the share of a note's value left by disuse, 0..1: halved every `half_life_days`; 1 if that is 0."""
    if half_life_days <= 0:
        return 1.0
    updated = datetime.combine(note.last_update_date, time(), tzinfo=UTC)
    last_used = max(updated, note.last_used_at) if note.last_used_at else updated
    days = max((now - last_used).total_seconds() / _DAY, 0.0)
    return float(0.5 ** (days / half_life_days))
