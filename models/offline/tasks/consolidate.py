"""Plans what becomes of session notes (`PlanProposal`), by the rules of the consolidation prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from memory.consolidation import deterministic_operations
from memory.records.notes import SCOPES, TOPICS, Note, Source

_DAY = date(2000, 1, 1)


def plan_consolidation(session: Sequence[dict[str, Any]], kept: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Operations as JSON objects that cover every session note exactly once; trip-only notes are dropped first."""
    operations = deterministic_operations(_notes(session), _notes(kept))
    return [
        {
            "session_notes": list(operation.session),
            "global_notes": list(operation.targets),
            "reason": operation.reason,
            "op": operation.op,
            "text": operation.text,
        }
        for operation in operations
    ]


def _notes(lines: Iterable[dict[str, Any]]) -> list[Note]:
    """The listed notes; of two of one date, the one further down was said later."""
    return [_note(line, place) for place, line in enumerate(lines) if line.get("id") and line.get("text")]


def _note(line: dict[str, Any], place: int) -> Note:
    day = _day(str(line.get("date", "")))
    topic, scope = str(line.get("topic")), str(line.get("scope"))
    said = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(milliseconds=place)
    return Note.model_validate(
        {
            "id": str(line["id"]),
            "text": str(line["text"]),
            "topic": topic if topic in TOPICS else "other",
            "keywords": ("note",),
            "scope": scope if scope in SCOPES else "user",
            "condition": line.get("condition") or None,
            "hard": bool(line.get("hard")),
            "created_at": said,
            "last_update_date": day,
            "confirmations": int(line.get("confirmations") or 0),
            "source": Source(thread_id=""),
        }
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return _DAY
