"""Answers the known structured-output schemas from the prompts that go with them."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolCall

from models.offline.notes import proposals, statements
from models.offline.tasks.consolidate import plan_consolidation
from models.offline.tasks.summarise import summarise, summarise_episode

_TODAY = re.compile(r"(?:today is|今日は) ?(\d{4}-\d{2}-\d{2})", re.IGNORECASE)


def answer_schema(name: str, messages: Sequence[BaseMessage]) -> AIMessage:
    """Return a message with the tool call that fills the schema `name` from the prompt in `messages`."""
    texts = [str(message.text) for message in messages]
    digest = hashlib.sha256("\x1f".join((name, *texts)).encode()).hexdigest()[:24]
    call = ToolCall(name=name, args=SCHEMAS[name](texts), id=f"call_{digest}")
    return AIMessage(content="", tool_calls=[call])


def _block(texts: Sequence[str], tag: str) -> str:
    """Return the text of the last `<tag>` element; empty if there is none."""
    matches = re.findall(rf"<{tag}>\n?(.*?)\n?</{tag}>", "\n".join(texts), re.DOTALL)
    return str(matches[-1]).strip() if matches else ""


def _json_lines(text: str) -> list[dict[str, Any]]:
    """Return the JSON objects of `text`, one per line; other lines are skipped."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def _extracted(texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return note proposals from the `traveller`'s messages; of proposals with the same text, the last one is kept."""
    today_match = _TODAY.search(texts[0])
    today = date.fromisoformat(today_match[1]) if today_match else None
    notes: dict[str, dict[str, Any]] = {}
    for message in _json_lines(texts[-1]):
        known = [(each["text"], each["topic"]) for each in notes.values()]
        for each in statements(str(message.get("traveller", ""))):
            for proposal in proposals(each, today, known=known):
                del proposal["asked"]
                proposal["kind"] = "traveller"
                proposal["holds"] = "this_trip" if proposal.pop("scope") == "trip" else "always"
                notes.pop(proposal["text"].lower(), None)
                notes[proposal["text"].lower()] = {**proposal, "confidence": each.confidence}
    return list(notes.values())


def _summary(texts: Sequence[str]) -> dict[str, str]:
    """Return a summary within the number of words that the prompt allows; 200 by default."""
    limit = re.search(r"(\d+) (?:words|語)", " ".join(text.split("<previous_summary>")[0] for text in texts))
    most_words = int(limit[1]) if limit else 200
    return summarise(_block(texts, "previous_summary"), _block(texts, "transcript"), most_words=most_words)


SCHEMAS: dict[str, Callable[[Sequence[str]], dict[str, Any]]] = {
    "HistorySummary": _summary,
    "EpisodeSummary": lambda texts: summarise_episode(_block(texts, "previous_summary"), _block(texts, "transcript")),
    "PlanProposal": lambda texts: {
        "operations": plan_consolidation(
            *(_json_lines(_block(texts, tag)) for tag in ("session_notes", "global_notes"))
        )
    },
    "ExtractedNotes": lambda texts: {"notes": _extracted(texts)},
}
"""For each known schema, by name, the function that returns its fields from the texts of the messages."""
