"""Shows a conversation to its person: every message with what is known of it, and what may come next."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage

from graph.state import is_real_user, meta
from memory.records.conversations import Conversation

RoleName = Literal["user", "assistant", "tool", "system"]
_ROLES: dict[str, RoleName] = {"human": "user", "ai": "assistant", "tool": "tool"}
"""Who speaks in a message, by its type."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One message.

    Attributes:
        id: The message's id.
        role: Who speaks.
        text: What was said.
        turn: The turn it belongs to, from 1; 0 for a synthetic message.
        at: When it was said, ISO 8601 in UTC; None where that was not recorded.
        mode: What memory did when it was said: `on`, `paused` or `off`; None where that was not recorded.
        synthetic: True when the machine wrote it in place of earlier turns.
        kind: What a synthetic message is: `summary_request` or `summary`.
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
class Standing:
    """What may come next in a conversation besides a message.

    Attributes:
        waiting: The questions that wait for `resume`, as `Reply.interrupts` tells them.
        is_cut_short: True when a run was stopped or crashed, which `resume` finishes and `drop_unfinished_turn` undoes.
        is_left_open: True when a message left a question of approval open, which `ask_again` puts up anew.
    """

    waiting: tuple[Any, ...] = ()
    is_cut_short: bool = False
    is_left_open: bool = False


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """A conversation that can be gone on with.

    Attributes:
        thread_id: Its id.
        title: What it began with, at most 80 characters; empty where it broke off before, or can't be read.
        last_at: When the user spoke last, ISO 8601 in UTC.
        turns: How many messages the user sent.
    """

    thread_id: str
    title: str
    last_at: str
    turns: int


_LONGEST_TITLE = 80


def summary_of(conversation: Conversation, said: Iterable[HistoryEntry]) -> ConversationSummary:
    """Return a conversation and its history in short."""
    own = [entry for entry in said if entry.role == "user" and not entry.synthetic]
    first = " ".join(own[0].text.split()) if own else ""
    title = first if len(first) <= _LONGEST_TITLE else f"{first[: _LONGEST_TITLE - 1]}…"
    last = (own[-1].at if own else None) or conversation.session_at.isoformat()
    return ConversationSummary(conversation.thread_id, title, last, len(own))


def entries(messages: Iterable[AnyMessage]) -> list[HistoryEntry]:
    """Return `messages` as entries, each once, in the order given."""
    told: dict[str, HistoryEntry] = {}
    turn = 0
    for message in messages:
        known = meta(message)
        turn = known.get("turn", turn) if is_real_user(message) else turn
        calls = message.tool_calls if isinstance(message, AIMessage) else []
        entry = HistoryEntry(
            id=message.id or "",
            role=_ROLES.get(message.type, "system"),
            text=str(message.text),
            turn=0 if known.get("synthetic") else turn,
            at=known.get("at"),
            mode=known.get("mode"),
            synthetic=bool(known.get("synthetic")),
            kind=known.get("kind"),
            covers=tuple(known.get("covers", ())),
            tool_calls=tuple({"name": call["name"], "args": call["args"]} for call in calls),
        )
        told.setdefault(entry.id, entry)
    return list(told.values())
