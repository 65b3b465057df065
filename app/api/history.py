"""Records that describe a conversation to its user: its messages, its status and its summary."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage

from graph.state import is_real_user, meta
from memory.records.conversations import Conversation

RoleName = Literal["user", "assistant", "tool", "system"]
_ROLES: dict[str, RoleName] = {"human": "user", "ai": "assistant", "tool": "tool"}
"""Role of a message's author, by message type."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One message.

    Attributes:
        id: The message's id.
        role: Role of its author.
        text: Its text.
        turn: The turn it belongs to, from 1; 0 for a synthetic message.
        at: Its time, ISO 8601 in UTC; None if that was not recorded.
        mode: Memory mode of the turn: `on`, `paused` or `off`; None if that was not recorded.
        synthetic: True if the system wrote it to replace earlier turns.
        kind: Kind of a synthetic message: `summary_request` or `summary`.
        covers: First and last turn that a summary stands for; empty otherwise.
        tool_calls: Calls that an assistant message makes, each with `name` and `args`.
    """

    id: str
    role: RoleName
    text: str
    turn: int
    at: str | None
    mode: Literal["on", "paused", "off"] | None = None
    synthetic: bool = False
    kind: str | None = None
    covers: tuple[int, ...] = ()
    tool_calls: tuple[dict[str, Any], ...] = field(default=())


@dataclass(frozen=True, slots=True)
class ThreadStatus:
    """How a conversation can continue other than with a message.

    Attributes:
        waiting: The approval requests that wait for `resume`, as in `Reply.interrupts`.
        is_unfinished: True if a run was stopped or crashed; `resume` finishes it, `drop_unfinished_turn` undoes it.
        can_ask_again: True if a message left an approval undecided; `ask_again` requests it again.
    """

    waiting: tuple[Any, ...] = ()
    is_unfinished: bool = False
    can_ask_again: bool = False


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """A conversation that its user can continue.

    Attributes:
        thread_id: Its id.
        title: The first user message, at most 80 characters; empty if there is none or it can't be read.
        last_at: Time of the latest user message, ISO 8601 in UTC.
        turns: Number of user messages.
    """

    thread_id: str
    title: str
    last_at: str
    turns: int


_MAX_TITLE_CHARS = 80


def summarize(conversation: Conversation, history: Iterable[HistoryEntry]) -> ConversationSummary:
    """Return the summary of a conversation from its history."""
    asked = [entry for entry in history if entry.role == "user" and not entry.synthetic]
    first = " ".join(asked[0].text.split()) if asked else ""
    title = first if len(first) <= _MAX_TITLE_CHARS else f"{first[: _MAX_TITLE_CHARS - 1]}…"
    last = (asked[-1].at if asked else None) or conversation.session_at.isoformat()
    return ConversationSummary(conversation.thread_id, title, last, len(asked))


def entries(messages: Iterable[AnyMessage]) -> list[HistoryEntry]:
    """Return `messages` as entries in the same order, without repeated ids."""
    by_id: dict[str, HistoryEntry] = {}
    turn = 0
    for message in messages:
        metadata = meta(message)
        turn = metadata.get("turn", turn) if is_real_user(message) else turn
        calls = message.tool_calls if isinstance(message, AIMessage) else []
        entry = HistoryEntry(
            id=message.id or "",
            role=_ROLES.get(message.type, "system"),
            text=str(message.text),
            turn=0 if metadata.get("synthetic") else turn,
            at=metadata.get("at"),
            mode=metadata.get("mode"),
            synthetic=bool(metadata.get("synthetic")),
            kind=metadata.get("kind"),
            covers=tuple(metadata.get("covers", ())),
            tool_calls=tuple({"name": call["name"], "args": call["args"]} for call in calls),
        )
        by_id.setdefault(entry.id, entry)
    return list(by_id.values())
