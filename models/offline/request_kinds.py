"""Kinds of requests ("flight", "meal"): how they are recognised, and which notes matter for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind: what a request of it says, what a note says that matters for it, and the topics of such notes.

    `limits` lets every hard limit matter, `everything` every note.
    """

    kind: str
    pattern: re.Pattern[str]
    notes: re.Pattern[str] | None
    topics: tuple[str, ...]
    limits: bool
    everything: bool


def read_kinds(entries: Iterable[Mapping[str, Any]], *, words: bool) -> tuple[Kind, ...]:
    """The kinds of a language's table; `words` says that its patterns match whole words."""
    edge = r"\b" if words else ""
    return tuple(
        Kind(
            entry["kind"],
            re.compile(f"{edge}(?:{entry['pattern']}){edge}"),
            re.compile(f"{edge}(?:{entry['notes']}){edge}") if entry["notes"] else None,
            tuple(entry["topics"]),
            entry["limits"],
            entry.get("everything", False),
        )
        for entry in entries
    )
