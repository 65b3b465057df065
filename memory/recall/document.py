"""Describes what is searched, and what a search answers; makes documents of notes and of archived turns."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.store.base import Item

from memory.control.erased import ERASED
from memory.records.conversations import ArchivedTurn
from memory.records.notes import Note
from memory.records.reading import decode_label, sound

Kind = Literal["note", "episode", "turn"]


@dataclass(frozen=True, slots=True)
class Document:
    """One text that can be recalled.

    Only turns have neighbours: the turns of the same `thread_id` whose positions lie next to theirs. A turn without a
    thread stands alone. A naive `at` is read as UTC; from `ends` on it is found no more.
    """

    id: str
    kind: Kind
    text: str
    speaker: str = ""
    at: datetime | None = None
    thread_id: str = ""
    position: int = 0
    ends: datetime | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found, how well it fits (0..1), and why.

    `score` is the share of what a document could reach by being first in every list that was asked. `why` is JSON-able:

    - `lists`: for each list that ranks the document, its `rank` (from 1) and the `part` of the score that this gives;
    - `speaker`, `date`: when the query names who spoke or when, and the document fits: `part`, and what `fits`;
    - `statement`: the `part` it has for being a full statement, not a question or a mere exclamation;
    - `matched`: the words of the query that the text itself holds; `nearby`: those that only the two turns before and
      after it hold; `related`: by word of the query, the words of the text that are near it in meaning;
    - `fault`: why meaning was not asked, when the embedder failed.

    The parts add up to `score`.
    """

    document: Document
    score: float
    why: dict[str, Any] = field(hash=False)


def moment(at: datetime | None) -> float:
    """Return seconds since 1970; minus infinity without a date: such a document is the oldest, such a limit none."""
    if at is None:
        return float("-inf")
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def note_text(note: Note) -> str:
    """Return the words of a note by which it is found."""
    return f"{note.text} ({note.condition})" if note.condition else note.text


def archived(items: Sequence[Item], name: str) -> list[Document]:
    """Return the turns of archived conversations, each with who said it and when; `name` is the user's."""
    threads: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: item.key):
        if not item.value.get("private"):
            threads.setdefault(item.namespace[-1], []).append(item)
    return [
        document
        for label, found in threads.items()
        for document in _turns(decode_label(label), sound(ArchivedTurn, found), name)
    ]


def _turns(thread_id: str, turns: Sequence[ArchivedTurn], name: str) -> list[Document]:
    said = [(message, turn.said_at) for turn in turns for message in _spoken(turn.messages)]
    return [
        Document(
            id=f"{thread_id}/{message.id}",
            kind="turn",
            text=str(message.text),
            speaker=message.name or (name if isinstance(message, HumanMessage) else "assistant"),
            at=at,
            thread_id=thread_id,
            position=position,
        )
        for position, (message, at) in enumerate(said)
    ]


def _spoken(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return what was said in a turn, without what the concierge said when all that its tools found was nothing."""
    found = [_is_empty(str(message.text)) for message in messages if isinstance(message, ToolMessage)]
    heard = (HumanMessage,) if found and all(found) else (HumanMessage, AIMessage)
    return [message for message in messages if isinstance(message, heard) and message.text.strip() not in ("", ERASED)]


def _is_empty(text: str) -> bool:
    try:
        told = json.loads(text)
    except ValueError:
        return False
    return isinstance(told, dict) and next((told[name] for name in ("results", "notes") if name in told), None) == []
