"""Plans what becomes of session notes (`PlanProposal`), by the rules of the consolidation prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from models.offline.statements import names_condition, plan_operations

_UNDATED = date(2000, 1, 1)


@dataclass(frozen=True, slots=True)
class _ListedNote:
    """A note as the prompt lists it."""

    id: str
    text: str
    topic: str
    scope: str
    condition: str
    hard: bool
    last_update_date: date


def plan_consolidation(session: Sequence[dict[str, Any]], known: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return operations as JSON objects that cover every session note exactly once; trip-only notes come first.

    Of two session notes of one date, the one further down was said later.
    """
    oldest_first = sorted(_notes(session), key=lambda note: note.last_update_date)
    return [
        {
            "session_notes": list(operation.session),
            "global_notes": list(operation.targets),
            "reason": operation.reason,
            "op": operation.op,
            "text": operation.text,
        }
        for operation in plan_operations(oldest_first, _notes(known))
    ]


def _notes(lines: Iterable[dict[str, Any]]) -> list[_ListedNote]:
    return [_note(line) for line in lines if line.get("id") and line.get("text")]


def _note(line: dict[str, Any]) -> _ListedNote:
    text, condition = str(line["text"]), str(line.get("when") or "")
    return _ListedNote(
        id=str(line["id"]),
        text=text,
        topic=str(line.get("topic")),
        scope=str(line.get("scope") or "user"),
        condition="" if names_condition(text, condition) else condition,
        hard=bool(line.get("hard")),
        last_update_date=_day(str(line.get("date", ""))),
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return _UNDATED
