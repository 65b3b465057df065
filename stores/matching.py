"""Finding the notes that a person means when they describe one in words."""

from __future__ import annotations

from collections.abc import Sequence

from stores.notes import Note
from stores.statements import key_words

_ASKING = key_words("forget delete remove erase drop know remember remembered said told mentioned note memory memories")
"""Words of the asking, which say nothing of what is meant."""


def best_matches(query: str, notes: Sequence[Note]) -> list[Note]:
    """The notes that share the most with `query`; several when they share equally much, none when nothing is shared.

    A query without a content word ("forget that") means the first note, so pass the most recent one first.
    """
    words = key_words(query) - _ASKING
    if not words:
        return list(notes[:1])
    shared = {note.id: _shared(words, note) for note in notes}
    most = max(shared.values(), default=0)
    return [note for note in notes if most and shared[note.id] == most]


def names_something(query: str) -> bool:
    """True when `query` has a content word besides those of the asking."""
    return bool(key_words(query) - _ASKING)


def is_meant(query: str, note: Note) -> bool:
    """True when `query` plainly means `note`: it names nothing, or most of what it names is in the note.

    A hard constraint ("I need a wheelchair") must be named more fully than by its topic.
    """
    words = key_words(query) - _ASKING
    if not words:
        return True
    said = key_words(f"{note.text} {note.condition or ''}")
    labels = frozenset() if note.hard else key_words(" ".join((note.topic, *note.keywords)))
    return 2 * len(words & (said | labels)) > len(words)


def _shared(words: frozenset[str], note: Note) -> int:
    said = key_words(f"{note.text} {note.condition or ''}")
    labels = key_words(" ".join((note.topic, *note.keywords)))
    return 2 * len(words & said) + len(words & (labels - said))
