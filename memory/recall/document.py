"""Describes what is searched, and what a search answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

Kind = Literal["note", "episode", "turn"]


@dataclass(frozen=True, slots=True)
class Document:
    """One text that can be recalled.

    Only turns have neighbours: the turns of the same `thread_id` whose positions lie next to theirs. A turn without a
    thread stands alone. A naive `at` is read as UTC.
    """

    id: str
    kind: Kind
    text: str
    speaker: str = ""
    at: datetime | None = None
    thread_id: str = ""
    position: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found, how well it fits (0..1), and why.

    `score` is the share of what a document could reach by being first in every list that was asked. `why` is JSON-able:

    - `lists`: for each list that ranks the document, its `rank` (from 1) and the `part` of the score that this gives;
    - `speaker`, `date`: when the query names who spoke or when, and the document fits: `part`, and what `fits`;
    - `statement`: the `part` it has for being a full statement, not a question or a mere exclamation;
    - `matched`: the words of the query that the text itself holds; `nearby`: those that only the two turns before and
      after it hold; `related`: by word of the query, the words of the text that are near it in meaning;
    - `fault`: why meaning was not asked, when the embedder failed.

    The parts add up to `score`.
    """

    document: Document
    score: float
    why: dict[str, Any] = field(hash=False)


def moment(at: datetime | None) -> float:
    """Return seconds since 1970; minus infinity for a document without a date, which counts as the oldest."""
    if at is None:
        return float("-inf")
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
