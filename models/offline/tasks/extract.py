"""Takes notes from the user's words alone (`ExtractedNotes`), by the same reading as in conversation."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from models.offline.languages import language_of
from models.offline.proposals import proposals


def extract_notes(messages: Iterable[dict[str, Any]], today: date | None) -> list[dict[str, Any]]:
    """Note proposals from messages with the words of the `user`; what is said twice is taken once, the later time."""
    found: dict[str, dict[str, Any]] = {}
    for message in messages:
        said = str(message.get("user", ""))
        language = language_of(said)
        for each in language.statements(said):
            for proposal in proposals(each, said, language, today):
                del proposal["asked"]
                found.pop(proposal["text"].lower(), None)
                found[proposal["text"].lower()] = {**proposal, "confidence": each.confidence}
    return list(found.values())
