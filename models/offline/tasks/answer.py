"""Answers the structured schemas that it knows by name, from the prompts that go with them."""

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
    texts = [str(message.text) for message in messages]
    digest = hashlib.sha256("\x1f".join((name, *texts)).encode()).hexdigest()[:24]
    call = ToolCall(name=name, args=_ANSWERS[name](texts), id=f"call_{digest}")
    return AIMessage(content="", tool_calls=[call])


def block(texts: Sequence[str], tag: str) -> str:
    """The text between `<tag>` and `</tag>`, the last such pair; empty when there is none."""
    found = re.findall(rf"<{tag}>\n?(.*?)\n?</{tag}>", "\n".join(texts), re.DOTALL)
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


def _summary(texts: Sequence[str]) -> dict[str, Any]:
    from models.offline.tasks.summarise import summarise

    return summarise(block(texts, "previous_summary"), block(texts, "transcript"))


def _episode(texts: Sequence[str]) -> dict[str, Any]:
    from models.offline.tasks.episode import summarise_episode

    return summarise_episode(block(texts, "previous_summary"), block(texts, "transcript"))


def _plan(texts: Sequence[str]) -> dict[str, Any]:
    from models.offline.tasks.consolidate import plan_consolidation

    return {
        "operations": plan_consolidation(
            json_lines(block(texts, "session_notes")), json_lines(block(texts, "global_notes"))
        )
    }


def _extracted(texts: Sequence[str]) -> dict[str, Any]:
    from models.offline.tasks.extract import extract_notes

    return {"notes": extract_notes(json_lines(texts[-1]), _today(texts[0]))}


def _today(text: str) -> date | None:
    """The date that the prompt names; None where it names none."""
    found = _TODAY.search(text)
    return date.fromisoformat(found[1]) if found else None


_ANSWERS: dict[str, Callable[[Sequence[str]], dict[str, Any]]] = {
    "HistorySummary": _summary,
    "EpisodeSummary": _episode,
    "PlanProposal": _plan,
    "ExtractedNotes": _extracted,
}
SCHEMAS: tuple[str, ...] = tuple(_ANSWERS)
"""Names of the schemas that can be answered."""
