"""Finds the notes that a person means when they describe one in words."""

import re
from collections.abc import Sequence
from functools import cache

from memory.policy.wording import content_words, overlap
from memory.records.notes import USER, Note
from text import normalise, stem
from text.words import fold, words

_SHORTEST = 2
"""Letters from which a word may name a person ("Al")."""
_RUN = re.compile(r"[\u3400-\u9fff々]+|[ァ-ヺー]{2,}|\d{3,}")
"""A Japanese word as it is written, or a number that may be somebody's."""


def best_matches(query: str, notes: Sequence[Note]) -> list[Note]:
    """Return the notes that share the most with `query`; several that share equally much, or none.

    A query that names nothing ("that one") may mean any of them.
    """
    named = _named(query)
    if not named:
        return list(notes)
    shared = {note.id: len(named & _said(note)) + len(named & (_said(note) | _labels(note))) for note in notes}
    most = max(shared.values(), default=0)
    return [note for note in notes if most and shared[note.id] == most]


def names_something(query: str) -> bool:
    """Return whether `query` has a content word besides those of the asking."""
    return bool(_named(query))


def names(said: str, note: Note) -> bool:
    """Return whether `said` has a word of `note`, in whatever form, or of what it is about."""
    if _named(said) & (_said(note) | _labels(note)) or any(run in note.text for run in _RUN.findall(normalise(said))):
        return True
    shared = overlap(note.text, said)
    return bool(shared.size) and shared.share < 1


def is_meant(query: str, note: Note) -> bool:
    """Return whether `query` plainly means `note`: most of what it names is in the note.

    A hard constraint ("I need a wheelchair") must be named more fully than by its topic.
    """
    named = _named(query)
    labels = frozenset() if note.hard else _labels(note)
    return 2 * len(named & (_said(note) | labels)) > len(named)


def _named(query: str) -> frozenset[str]:
    return _words(query) - _asking()


def _said(note: Note) -> frozenset[str]:
    return _words(f"{note.text} {note.condition}")


def _labels(note: Note) -> frozenset[str]:
    people = {stem(fold(name)) for claim in note.claims if claim.about != USER for name in words(claim.about)}
    return _words(" ".join((note.topic, *(claim.value for claim in note.claims)))) | people


def _words(text: str) -> frozenset[str]:
    spoken = normalise(text)
    return frozenset({*map(stem, content_words(spoken, _SHORTEST)), *_RUN.findall(spoken)})


@cache
def _asking() -> frozenset[str]:
    return _words(
        "forget delete remove erase drop know remember remembered remembering said told mentioned note notes memory "
        "about please prefer like want 忘れて 削除 消して 覚えて 言った 話した 記憶 私 僕 俺 好き 嫌い 方 事 物 人 時"
    )
