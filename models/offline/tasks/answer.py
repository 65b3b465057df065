"""Answers the structured schemas that it knows by name, from the prompts that go with them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolCall

_TODAY = re.compile(r"(?:today is|今日は) ?(\d{4}-\d{2}-\d{2})", re.IGNORECASE)


def answer_schema(name: str, messages: Sequence[BaseMessage]) -> AIMessage:
    """The tool call that fills the schema `name` from what `messages` hold."""
    text = "\n".join(str(message.text) for message in messages)
    digest = hashlib.sha256(f"{name}\x1f{text}".encode()).hexdigest()[:24]
    call = ToolCall(name=name, args=_ANSWERS[name](text), id=f"call_{digest}")
    return AIMessage(content="", tool_calls=[call])


def block(text: str, tag: str) -> str:
    """The text between `<tag>` and `</tag>`, the last such pair; empty when there is none."""
    found = re.findall(rf"<{tag}>\n?(.*?)\n?</{tag}>", text, re.DOTALL)
    return str(found[-1]).strip() if found else ""


def json_lines(text: str) -> list[dict[str, Any]]:
    """The JSON objects of `text`, one a line; lines that are none are left out."""
    found = []
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def _summary(text: str) -> dict[str, Any]:
    from models.offline.tasks.summarise import summarise

    return summarise(block(text, "previous_summary"), block(text, "transcript"))


def _episode(text: str) -> dict[str, Any]:
    from models.offline.tasks.episode import summarise_episode

    return summarise_episode(block(text, "previous_summary"), block(text, "transcript"))


def _plan(text: str) -> dict[str, Any]:
    from models.offline.tasks.consolidate import plan_consolidation

    return {
        "operations": plan_consolidation(
            json_lines(block(text, "session_notes")), json_lines(block(text, "global_notes"))
        )
    }


def _extracted(text: str) -> dict[str, Any]:
    from models.offline.tasks.extract import extract_notes

    return {"notes": extract_notes(json_lines(block(text, "user_words")), _today(text))}


def _today(text: str) -> date | None:
    """The date that the prompt names; None where it names none."""
    found = _TODAY.search(text.split("<user_words>")[0])
    return date.fromisoformat(found[1]) if found else None


_ANSWERS: dict[str, Callable[[str], dict[str, Any]]] = {
    "HistorySummary": _summary,
    "EpisodeSummary": _episode,
    "PlanProposal": _plan,
    "ExtractedNotes": _extracted,
}
SCHEMAS: tuple[str, ...] = tuple(_ANSWERS)
"""Names of the schemas that can be answered."""
