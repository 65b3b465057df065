"""Describes the documents and the hits of a search, and makes documents of notes and archived turns."""

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

    Only turns have neighbours: the turns of the same `thread_id` with adjacent positions. A turn without a thread has
    none. A naive `at` is read as UTC; from `ends` on the document is not found any more.
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

    `score` is 1 for a document that is first in every ranking with every bonus. `why` is JSON-able:

    - `lists`: for each ranking with the document, its `rank` (from 1) and the `part` of the score this contributes;
    - `speaker`, `date`: if the query names a speaker or a time that the document `fits`, that and the `part`;
    - `statement`: the `part` for being a full statement, not a question or a mere exclamation;
    - `matched`: the words of the query in the text itself; `nearby`: those that are only in the two turns before and
      after it; `related`: by word of the query, the words of the text with a similar meaning;
    - `fault`: if the embedder failed, why there is no ranking by meaning.

    The parts add up to `score`.
    """

    document: Document
    score: float
    why: dict[str, Any] = field(hash=False)


def moment(at: datetime | None) -> float:
    """Return seconds since 1970; minus infinity for None, so that undated documents are oldest and limits are open."""
    if at is None:
        return float("-inf")
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def note_text(note: Note) -> str:
    """Return the text by which a note is searched."""
    return f"{note.text} ({note.condition})" if note.condition else note.text


def archived(items: Sequence[Item], name: str) -> list[Document]:
    """Return the messages of archived turns as documents with speaker and time; `name` is the user's name."""
    threads: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: item.key):
        if not item.value.get("private"):
            threads.setdefault(item.namespace[-1], []).append(item)
    return [
        document
        for label, turns in threads.items()
        for document in _turns(decode_label(label), sound(ArchivedTurn, turns), name)
    ]


def _turns(thread_id: str, turns: Sequence[ArchivedTurn], name: str) -> list[Document]:
    messages = [(message, turn.said_at) for turn in turns for message in _spoken(turn.messages)]
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
        for position, (message, at) in enumerate(messages)
    ]


def _spoken(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return the messages of user and concierge in a turn; only the user's if every tool call had an empty result."""
    empty = [_is_empty(str(message.text)) for message in messages if isinstance(message, ToolMessage)]
    kinds = (HumanMessage,) if empty and all(empty) else (HumanMessage, AIMessage)
    return [message for message in messages if isinstance(message, kinds) and message.text.strip() not in ("", ERASED)]


def _is_empty(text: str) -> bool:
    try:
        result = json.loads(text)
    except ValueError:
        return False
    return (
        isinstance(result, dict) and next((result[name] for name in ("results", "notes") if name in result), None) == []
    )
