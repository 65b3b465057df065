"""Proposes statements for memory, with the arguments of the save tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from models.offline.notes.claims import Meaning, meaning_of, parted
from models.offline.notes.corrections import correction
from models.offline.notes.expiry import last_day
from models.offline.notes.statement import Statement
from models.offline.notes.statements import about_others, asks_to_remember

_ABOUT_OTHERS = "other"
_LASTING = frozenset({"document"})
"""Topics whose days say until when a paper is valid, and not how long the statement holds."""


def proposals(
    statement: Statement, today: date | None, *, known: Sequence[tuple[str, str]] = ()
) -> Iterator[dict[str, Any]]:
    """Yield what to save of a statement: the whole sentence, or its halves where each has a condition of its own.

    Args:
        statement: What is worth keeping of the message.
        today: The date; None where it is not known, and nothing ends.
        known: Text and topic of what memory holds, which a correction ("tree nuts, not peanuts") is about.
    """
    corrected = correction(statement.text, known)
    topic = corrected.topic if corrected else statement.topic
    halves = [statement.text] if corrected else parted(statement.text, topic)
    for half in halves:
        text = half if len(halves) == 1 else half[:1].upper() + half[1:]
        meaning = Meaning(corrected.claims, [], corrected.about) if corrected else meaning_of(half, topic)
        until = last_day(text, today) if today and topic not in _LASTING else None
        others = about_others(text)
        yield {
            "text": text,
            "quote": statement.quote,
            "topic": topic,
            "claims": [] if others else meaning.claims,
            "when": [item for item in meaning.when if not (until and item["key"] == "season")],
            "about": _ABOUT_OTHERS if others else meaning.about,
            "scope": "trip" if statement.trip_only else "user",
            "until": until.isoformat() if until else None,
            "asked": asks_to_remember(statement.quote),
        }


def condition_of(text: str, topic: str) -> str:
    """Return under which conditions a statement holds, in words; empty where it always does."""
    return ", ".join(item["value"] for item in meaning_of(text, topic).when)
