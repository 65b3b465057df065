"""Proposes statements for memory, with the arguments of the save tool."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from models.offline.expiry import last_day
from models.offline.language import Language
from models.offline.readings import Statement
from models.offline.statements import Meaning, meaning_of, parted

_ABOUT_OTHERS = "other"
_LASTING = frozenset({"document"})
"""Topics whose days say until when a paper is valid, and not how long the statement holds."""


def proposals(statement: Statement, said: str, language: Language, today: date | None) -> Iterator[dict[str, Any]]:
    """Yield what to save of a statement: the whole sentence, or its parts where each has a condition of its own.

    Args:
        statement: What is worth keeping of the message.
        said: The message.
        language: The language of the message.
        today: The date; None where it is not known, and nothing ends.
    """
    parts = [statement.text] if statement.condition else parted(statement.text, statement.topic)
    for part in parts:
        text = statement.sentence or part if len(parts) == 1 else part[:1].upper() + part[1:]
        meaning = meaning_of(part, statement.topic, statement.condition)
        until = last_day(text, language, today) if today and statement.topic not in _LASTING else None
        others = language.about_others(text)
        yield {
            "text": text,
            "quote": statement.quote,
            "topic": statement.topic,
            "claims": [] if others else meaning.claims,
            "when": [item for item in meaning.when if not (until and item["key"] == "season")],
            "about": _ABOUT_OTHERS if others else meaning.about,
            "scope": "trip" if statement.trip_only else "user",
            "until": until.isoformat() if until else None,
            "asked": language.asks_to_remember(statement.quote) or language.asks_to_remember(said),
        }


def noted_condition(statement: Statement) -> str:
    """Return the condition of a statement as a note of it shows it; empty where it always holds."""
    return condition_of(meaning_of(statement.text, statement.topic, statement.condition))


def condition_of(meaning: Meaning) -> str:
    """Return the conditions in words."""
    return ", ".join(item["value"] for item in meaning.when)
