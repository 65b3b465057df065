"""Finds the notes that a person means when they describe them in words."""

import re
from collections.abc import Sequence
from functools import cache

from memory.policy.wording import content_words, overlap
from memory.records.notes import USER, Note
from text import normalise, stem
from text.words import fold, words

_SHORTEST = 2
"""The fewest letters of a word that may name a person ("Al")."""
_RUN = re.compile(r"[\u3400-\u9fff々]+|[ァ-ヺー]{2,}|\d{3,}")
"""A run of kanji or katakana, or a number of three digits or more."""


def best_matches(query: str, notes: Sequence[Note]) -> list[Note]:
    """Return the notes that share the most words with `query`: several if they tie, none if no note shares any.

    A query without content words ("that one") may mean any note, so all are returned.
    """
    named = _named(query)
    if not named:
        return list(notes)
    shared = {note.id: len(named & _stated(note)) + len(named & (_stated(note) | _labels(note))) for note in notes}
    most = max(shared.values(), default=0)
    return [note for note in notes if most and shared[note.id] == most]


def names_something(query: str) -> bool:
    """Return whether `query` has a content word besides those of the request itself ("forget", "note")."""
    return bool(_named(query))


def names(text: str, note: Note) -> bool:
    """Return whether `text` has a word, in any form, of the text, topic, claims or people of `note`."""
    if _named(text) & (_stated(note) | _labels(note)) or any(run in note.text for run in _RUN.findall(normalise(text))):
        return True
    shared = overlap(note.text, text)
    return bool(shared.size) and shared.share < 1


def is_meant(query: str, note: Note) -> bool:
    """Return whether `query` plainly means `note`: more than half of its content words are in the note.

    For a hard constraint ("I need a wheelchair") only the words of its text and condition count.
    """
    named = _named(query)
    labels = frozenset() if note.hard else _labels(note)
    return 2 * len(named & (_stated(note) | labels)) > len(named)


def _named(query: str) -> frozenset[str]:
    return _words(query) - _request_words()


def _stated(note: Note) -> frozenset[str]:
    return _words(f"{note.text} {note.condition}")


def _labels(note: Note) -> frozenset[str]:
    people = {stem(fold(name)) for claim in note.claims if claim.about != USER for name in words(claim.about)}
    return _words(" ".join((note.topic, *(claim.value for claim in note.claims)))) | people


def _words(text: str) -> frozenset[str]:
    plain = normalise(text)
    return frozenset({*map(stem, content_words(plain, _SHORTEST)), *_RUN.findall(plain)})


@cache
def _request_words() -> frozenset[str]:
    return _words(
        "forget delete remove erase drop know remember remembered remembering said told mentioned note notes memory "
        "about please prefer like want 忘れて 削除 消して 覚えて 言った 話した 記憶 私 僕 俺 好き 嫌い 方 事 物 人 時"
    )
