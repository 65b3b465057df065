"""Extracts notes from single messages with the offline model: it must keep lasting statements and nothing else.

A row has `id`, `lang`, `text`, `kind`, `keep` and `not`. A lasting row is kept if a note of user scope contains one of
the words of `keep`; it is garbled if such a note contains one of `not`, or is not a substring of the message. The
other kinds (`smalltalk`, `question`, `exam`, `code`, `story`, `opinion`, `third_person`, `quote`, `past`, `trip_only`,
`other_language`) must lead to no note of user scope.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.figures import Figure, Miss, Part
from models.offline.notes import statements
from text import normalise

_HERE = Path(__file__).parent
_TALK = frozenset({"smalltalk", "question", "exam", "code", "story", "opinion"})
_OTHER_KINDS = frozenset({"quote", "trip_only", "other_language", "past"})


def figures(part: Part) -> list[Figure]:
    """Return the rates over all rows of a part."""
    paths = sorted((_HERE / part).glob("*.jsonl"))
    rows = [
        json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    read = [(row, _lasting(row["text"])) for row in rows]
    lasting = [(row, notes) for row, notes in read if row["kind"] == "lasting"]
    lost = [_miss(row, notes) for row, notes in lasting if not any(_contains_any(note, row["keep"]) for note in notes)]
    garbled = [_miss(row, notes) for row, notes in lasting if any(_is_garbled(note, row) for note in notes)]
    kept = len(lasting) - len(lost)
    return [
        Figure("statements", part, "lasting kept", kept, len(lasting), at_least=0.95, misses=tuple(lost)),
        Figure("statements", part, "garbled", len(garbled), len(lasting), at_most=0.0, misses=tuple(garbled)),
        _kept("other talk kept", part, [pair for pair in read if pair[0]["kind"] in _TALK], at_most=0.02),
        _kept("third persons kept", part, [pair for pair in read if pair[0]["kind"] == "third_person"], at_most=0.0),
        _kept("other kinds kept", part, [pair for pair in read if pair[0]["kind"] in _OTHER_KINDS], at_most=0.02),
    ]


def _lasting(text: str) -> list[str]:
    """Return the texts of the notes of user scope."""
    return [statement.text for statement in statements(text) if not statement.trip_only]


def _contains_any(note: str, words: Sequence[str]) -> bool:
    return not words or any(normalise(word).casefold() in normalise(note).casefold() for word in words)


def _is_garbled(note: str, row: dict[str, Any]) -> bool:
    is_substring = normalise(note).casefold() in normalise(row["text"]).casefold()
    return not is_substring or bool(row["not"] and _contains_any(note, row["not"]))


def _kept(name: str, part: Part, read: Sequence[tuple[dict[str, Any], list[str]]], *, at_most: float) -> Figure:
    misses = tuple(_miss(row, notes) for row, notes in read if notes)
    return Figure("statements", part, name, len(misses), len(read), at_most=at_most, misses=misses)


def _miss(row: dict[str, Any], notes: Sequence[str]) -> Miss:
    return Miss(row["id"], row["text"], " | ".join(notes) or "nothing")
