"""Answers the structured schemas that it knows by name, from the prompts that go with them."""

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
    """The tool call that fills the schema `name` from what `messages` hold."""
    texts = [str(message.text) for message in messages]
    digest = hashlib.sha256("\x1f".join((name, *texts)).encode()).hexdigest()[:24]
    call = ToolCall(name=name, args=SCHEMAS[name](texts), id=f"call_{digest}")
    return AIMessage(content="", tool_calls=[call])


def _block(texts: Sequence[str], tag: str) -> str:
    """The text between `<tag>` and `</tag>`, the last such pair; empty when there is none."""
    found = re.findall(rf"<{tag}>\n?(.*?)\n?</{tag}>", "\n".join(texts), re.DOTALL)
    return str(found[-1]).strip() if found else ""


def _json_lines(text: str) -> list[dict[str, Any]]:
    """The JSON objects of `text`, one a line; other lines are left out."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def _extracted(texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return note proposals from the words of the `traveller`; what is said twice is taken once, the later."""
    named = _TODAY.search(texts[0])
    today = date.fromisoformat(named[1]) if named else None
    found: dict[str, dict[str, Any]] = {}
    for message in _json_lines(texts[-1]):
        known = [(each["text"], each["topic"]) for each in found.values()]
        for each in statements(str(message.get("traveller", ""))):
            for proposal in proposals(each, today, known=known):
                del proposal["asked"]
                proposal["kind"] = "traveller"
                proposal["holds"] = "this_trip" if proposal.pop("scope") == "trip" else "always"
                found.pop(proposal["text"].lower(), None)
                found[proposal["text"].lower()] = {**proposal, "confidence": each.confidence}
    return list(found.values())


def _summary(texts: Sequence[str]) -> dict[str, str]:
    """Return a summary in as many words as the request allows; 200 where it doesn't say."""
    allowed = re.search(r"(\d+) (?:words|語)", " ".join(text.split("<previous_summary>")[0] for text in texts))
    most = int(allowed[1]) if allowed else 200
    return summarise(_block(texts, "previous_summary"), _block(texts, "transcript"), most_words=most)


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
"""What answers each schema that is known, by its name."""
