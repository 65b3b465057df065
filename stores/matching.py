"""Finding the notes that a person means when they describe one in words."""

from __future__ import annotations

from collections.abc import Sequence

from stores.notes import Note
from stores.statements import key_words


def best_matches(query: str, notes: Sequence[Note]) -> list[Note]:
    """The notes that share the most with `query`; several when they share equally much, none when nothing is shared.

    A query without a content word ("forget that") means the first note, so pass the most recent one first.
    """
    words = key_words(query)
    if not words:
        return list(notes[:1])
    shared = {note.id: _shared(words, note) for note in notes}
    most = max(shared.values(), default=0)
    return [note for note in notes if most and shared[note.id] == most]


def _shared(words: frozenset[str], note: Note) -> int:
    said = key_words(f"{note.text} {note.condition or ''}")
    labels = key_words(" ".join((note.topic, *note.keywords)))
    return 2 * len(words & said) + len(words & (labels - said))
