"""Plans what becomes of session notes (`PlanProposal`), by the rules of the consolidation prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from models.offline.statements import plan_operations, single_valued_topics

_UNDATED = date(2000, 1, 1)


@dataclass(frozen=True, slots=True)
class _Source:
    workspace: str = ""


@dataclass(frozen=True, slots=True)
class _ListedNote:
    """A note as the prompt lists it."""

    id: str
    text: str
    topic: str
    scope: str
    condition: str | None
    hard: bool
    single_valued: bool
    last_update_date: date
    confirmations: int
    source: _Source = _Source()


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
    topic = str(line.get("topic"))
    return _ListedNote(
        id=str(line["id"]),
        text=str(line["text"]),
        topic=topic,
        scope=str(line.get("scope") or "user"),
        condition=line.get("condition") or None,
        hard=bool(line.get("hard")),
        single_valued=topic in single_valued_topics(),
        last_update_date=_day(str(line.get("date", ""))),
        confirmations=int(line.get("confirmations") or 0),
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return _UNDATED
