"""Records to test with."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

from memory.records.notes import Note, Source, note_id


def note(text: str, **values: Any) -> Note:
    """A note of 2 October 2026 that says `text`, with other `values` where they matter."""
    given: dict[str, Any] = {
        "id": note_id(text),
        "topic": "other",
        "keywords": ("word",),
        "created_at": datetime(2026, 10, 2, tzinfo=UTC),
        "last_update_date": date(2026, 10, 2),
        "source": Source(thread_id="t"),
    }
    return Note(text=text, **{**given, **values})


def shows_card(text: str) -> bool:
    """Whether a text holds four or more digits of the card 4111 1111 1111 1111, those of random ids left aside."""
    return re.search(r"[41]111\W?1111|(?<![\w-])[41]111(?![\w-])", text) is not None
