"""Builds notes, claims and evidence for tests."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

from memory.policy.candidate import is_hard
from memory.records.notes import FREE, USER, Claim, Evidence, Note, Stance, note_id
from memory.schema import load_schema
from models.offline.notes.claims import meaning_of, parted
from models.schemas import history_summary
from nodes.capture import vocabulary

SCHEMA = load_schema()
VOCABULARY = vocabulary(SCHEMA)
"""The closed lists of the schema that ships."""
HistorySummary = history_summary(VOCABULARY.headings)
"""The summary of the schema that ships."""
TITLES = {language: {name: getattr(one, language) for name, one in SCHEMA.summary.items()} for language in ("en", "ja")}
"""The headings of its summary, by language."""
WORDS = {language: SCHEMA.domain.words(language) for language in ("en", "ja")}
"""The words of the schema that ships, by language."""


def note(text: str, *claims: Claim, condition: str = "", **values: Any) -> Note:
    """Return a note of 2 October 2026 with this text; `values` overrides its other fields."""
    defaults: dict[str, Any] = {
        "id": note_id(text),
        "topic": "other",
        "claims": claims,
        "when": {FREE: condition} if condition else {},
        "created_at": datetime(2026, 10, 2, tzinfo=UTC),
        "last_update_date": date(2026, 10, 2),
        "evidence": said(""),
    }
    return Note(text=text, **{**defaults, **values})


def stated(text: str, topic: str, condition: str | None = None, **values: Any) -> Note:
    """Return a note with the claims that the offline model reads in `text`."""
    meaning = meaning_of(text, topic, condition)
    claims = tuple(Claim.model_validate({"about": meaning.about, **claim}) for claim in meaning.claims)
    hard = is_hard(claims, topic, SCHEMA)
    when = {item["key"]: item["value"] for item in meaning.when}
    return note(text, **{"topic": topic, "claims": claims, "when": when, "hard": hard, **values})


def all_stated(text: str, topic: str) -> list[Note]:
    """Return the notes that the offline model makes of a text, one for each condition."""
    return [stated(part, topic) for part in parted(text, topic)]


def shows_card(text: str) -> bool:
    """Return whether a text contains digits of the card 4111 1111 1111 1111, ignoring those within random ids."""
    return re.search(r"[41]111\W?1111|(?<![\w-])[41]111(?![\w-])", text) is not None


def claim(attribute: str, value: str, stance: Stance = "prefers", about: str = USER) -> Claim:
    return Claim(attribute=attribute, value=value, stance=stance, about=about)


def said(quote: str, thread_id: str = "t") -> tuple[Evidence, ...]:
    """Return evidence with a single quote."""
    return (Evidence(quote=quote, thread_id=thread_id),)
