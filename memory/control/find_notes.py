"""Finding the notes that a person means when they describe one in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.records.notes import Note
from models.offline.statements import key_words
from text import normalise

_ASKING = key_words(
    "forget delete remove erase drop know remember remembered remembering said told mentioned note notes memory "
    "忘れて 削除 消して 覚えて 言った 話した 記憶"
) | set("私僕俺好嫌方事物人時")
"""Words of the asking, which say nothing of what is meant."""
_RUN = re.compile(r"[\u3400-\u9fff々]+|[ァ-ヺー]{2,}")
"""A Japanese word as it is written; `key_words` leaves out those that many preferences are framed in, as ホテル."""


def best_matches(query: str, notes: Sequence[Note]) -> list[Note]:
    """The notes that share the most with `query`; several when they share equally much, none when nothing is shared.

    A query that names nothing ("that one") may mean any of them.
    """
    words = _named(query)
    if not words:
        return list(notes)
    shared = {note.id: _shared(words, note) for note in notes}
    most = max(shared.values(), default=0)
    return [note for note in notes if most and shared[note.id] == most]


def names_something(query: str) -> bool:
    """True when `query` has a content word besides those of the asking."""
    return bool(_named(query))


def is_meant(query: str, note: Note) -> bool:
    """True when `query` plainly means `note`: most of what it names is in the note.

    A hard constraint ("I need a wheelchair") must be named more fully than by its topic.
    """
    words = _named(query)
    labels = frozenset() if note.hard else _labels(note)
    return 2 * len(words & (_said(note) | labels)) > len(words)


def _shared(words: frozenset[str], note: Note) -> int:
    said = _said(note)
    return 2 * len(words & said) + len(words & (_labels(note) - said))


def _named(query: str) -> frozenset[str]:
    words = key_words(query) - _ASKING
    return words or frozenset(_RUN.findall(normalise(query))) - _ASKING


def _said(note: Note) -> frozenset[str]:
    said = f"{note.text} {note.condition or ''}"
    return key_words(said) | frozenset(_RUN.findall(normalise(said)))


def _labels(note: Note) -> frozenset[str]:
    return key_words(" ".join((note.topic, *note.keywords)))
