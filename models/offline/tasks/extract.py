"""Takes notes from the user's words alone (`ExtractedNotes`), by the same reading as in conversation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from models.offline.language import language_of


def extract_notes(messages: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Note proposals from messages with a `text`; a statement said twice is taken once, the later time."""
    found: dict[str, dict[str, Any]] = {}
    for message in messages:
        text = str(message.get("text", ""))
        language = language_of(text)
        for each in language.statements(text):
            found.pop(each.text.lower(), None)
            found[each.text.lower()] = {
                "quote": each.quote,
                "text": each.text,
                "topic": each.topic,
                "keywords": list(each.keywords),
                "scope": "trip" if each.trip_only else "user",
                "condition": each.condition,
                "confidence": each.confidence,
            }
    return list(found.values())
