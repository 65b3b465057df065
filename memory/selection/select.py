"""Which notes one turn is shown: hard constraints first, then the best by relevance and recency, within limits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from memory.records.notes import Note

Strategy = Literal["recent", "relevant", "blended"]

_WORD = re.compile(r"\w+")
_RECENCY = 0.3
"""What being newest is worth beside being the most relevant."""


def select(
    notes: Sequence[Note],
    *,
    message: str,
    strategy: Strategy,
    k: int,
    tokens: int,
    scores: Mapping[str, float] | None = None,
    weights: Mapping[str, float] | None = None,
) -> list[Note]:
    """The notes to show, hard constraints first, newest first inside each part.

    Args:
        notes: Live notes in any order.
        message: The latest user message; its words count towards relevance.
        strategy: `recent`, `relevant`, or `blended` (relevance, and recency for a third of it).
        k: Most notes that are not hard constraints.
        tokens: Budget of all texts together; hard constraints are shown even beyond it.
        scores: Similarity by note id where a search was made; shared words alone otherwise.
        weights: What is left of each note's worth by note id, 0..1, where memory fades; 1 where it does not.
    """
    newest = sorted(notes, key=lambda note: (note.last_update_date, note.created_at, note.id), reverse=True)
    hard = [note for note in newest if note.hard]
    soft = [note for note in newest if not note.hard]
    left = tokens - sum(map(cost, hard))
    chosen: set[str] = set()
    for note in _ranked(soft, message, strategy, scores or {}, weights or {})[:k]:
        if cost(note) <= left:
            chosen.add(note.id)
            left -= cost(note)
    return [*hard, *(note for note in soft if note.id in chosen)]


def needs_scores(notes: Sequence[Note], *, k: int, strategy: Strategy) -> bool:
    """True when a choice by meaning has to be made at all."""
    return strategy != "recent" and sum(not note.hard for note in notes) > k


def cost(note: Note) -> int:
    """Tokens of one rendered note, by characters (about four to a token, plus its label)."""
    return len(note.text) // 4 + len(note.condition or "") // 4 + 12


def _ranked(
    notes: Sequence[Note], message: str, strategy: Strategy, scores: Mapping[str, float], weights: Mapping[str, float]
) -> list[Note]:
    if strategy == "recent":
        return sorted(notes, key=lambda note: -weights.get(note.id, 1.0))
    words = set(_WORD.findall(message.lower()))
    found = {note.id: scores.get(note.id, 0.0) + _shared(note, words) for note in notes}
    relevance = {key: worth * weights.get(key, 1.0) for key, worth in found.items()}
    by_relevance = sorted(notes, key=lambda note: -relevance[note.id])
    if strategy == "relevant":
        return by_relevance
    # Notes come newest first: the newest gains `_RECENCY` of the best relevance, the oldest nothing.
    best = max(relevance.values(), default=0.0) or 1.0
    worth = {
        note.id: relevance[note.id] / best + _RECENCY * (1 - place / len(notes)) for place, note in enumerate(notes)
    }
    return sorted(notes, key=lambda note: -worth[note.id])


def _shared(note: Note, words: set[str]) -> float:
    own = {note.topic, *note.keywords, *_WORD.findall(note.text.lower())}
    return len(own & words) / (len(words) or 1)
