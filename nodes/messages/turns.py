"""Splits a thread's messages into turns, and selects those that the model sees.

A turn is one real user message and everything up to the next one. Every cut falls between turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.messages.utils import count_tokens_approximately

from config.settings import Settings
from graph.state import State, is_real_user, meta
from nodes.messages.citations import with_marker

SHORTENED = " […] "
_LEFT_OPEN = "Not carried out: the user did not decide on it, and wrote the next message instead."
_LONGEST_TEXT = 4_000


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange; `number` counts the thread's real user messages from 1 (0 if it was not stamped yet).

    A turn is `private` if memory was paused or off in it: nothing is learnt from it.
    """

    number: int
    messages: tuple[AnyMessage, ...]
    private: bool = False


@dataclass(frozen=True, slots=True)
class Transcript:
    """A thread's messages: those before the first turn, such as a summary pair, then the turns."""

    preamble: tuple[AnyMessage, ...]
    turns: tuple[Turn, ...]

    @classmethod
    def of(cls, messages: Sequence[AnyMessage]) -> Transcript:
        """Split `messages` at its real user messages."""
        starts = [index for index, message in enumerate(messages) if is_real_user(message)]
        edges = [*starts, len(messages)]
        slices = [tuple(messages[start:end]) for start, end in pairwise(edges)]
        turns = [Turn(meta(part[0]).get("turn", 0), part, meta(part[0]).get("private", False)) for part in slices]
        return cls(tuple(messages[: edges[0]]), tuple(turns))

    def keep_within(self, most_turns: int, most_tokens: int) -> int:
        """Return how many of the latest turns fit both limits; at least one, unless `most_turns` is 0."""
        count = min(most_turns, len(self.turns))
        spent = count_tokens(self.preamble)
        for index, turn in enumerate(reversed(self.turns[len(self.turns) - count :])):
            spent += count_tokens(turn.messages)
            if spent > most_tokens and index:
                return index
        return count


def count_tokens(messages: Iterable[BaseMessage]) -> int:
    """Return the approximate tokens of `messages`, by characters: close enough for a limit, without a tokenizer."""
    return count_tokens_approximately(list(messages))


def model_view(
    messages: Sequence[AnyMessage], *, most_turns: int, most_tokens: int, most_chars: int
) -> list[AnyMessage]:
    """Return the messages for the model: the latest whole turns within the limits, with calls and results paired."""
    transcript = Transcript.of(paired(messages))
    kept = transcript.keep_within(most_turns, most_tokens) if transcript.turns else 0
    live = [message for turn in transcript.turns[-kept:] for message in turn.messages] if kept else []
    view = [with_marker(message) if isinstance(message, AIMessage) else message for message in live]
    return [shorten(message, most_chars) for message in (*transcript.preamble, *view)]


def paired(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Return `messages` without tool results that have no call; a call without a result gets one that says so.

    This tells the model that a new message left an approval undecided.
    """
    last_result = {m.tool_call_id: index for index, m in enumerate(messages) if isinstance(m, ToolMessage)}
    kept: list[AnyMessage] = []
    called: set[str] = set()
    for index, message in enumerate(messages):
        if not isinstance(message, ToolMessage) or message.tool_call_id in called:
            kept.append(message)
        if isinstance(message, AIMessage):
            ids = [str(call["id"]) for call in message.tool_calls]
            open_ids = [id_ for id_ in ids if last_result.get(id_, -1) <= index]
            kept += [ToolMessage(_LEFT_OPEN, tool_call_id=id_, status="error") for id_ in open_ids]
            called.update(id_ for id_ in ids if id_ not in open_ids)
    return kept


def shorten(message: AnyMessage, most_chars: int) -> AnyMessage:
    """Return `message` without the middle of its text if it is longer than `most_chars`."""
    if not isinstance(message.content, str) or len(message.content) <= most_chars:
        return message
    half = (most_chars - len(SHORTENED)) // 2
    text = f"{message.content[:half]}{SHORTENED}{message.content[-half:]}"
    return message.model_copy(update={"content": text})


def latest_turn(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Return the messages of the running turn, its user message first; empty without a user message."""
    start = next((at for at in reversed(range(len(messages))) if is_real_user(messages[at])), len(messages))
    return list(messages[start:])


def latest_user_message(messages: Sequence[AnyMessage]) -> HumanMessage | None:
    """Return the message that started the running turn."""
    return next((m for m in reversed(messages) if isinstance(m, HumanMessage) and is_real_user(m)), None)


def render_turns(turns: Sequence[Turn], *, tool_chars: int = 400) -> str:
    """Return `turns` as lines that begin with `user:`, `assistant:` or `tool:`; tool results get `tool_chars` each."""
    return "\n".join(_line(message, tool_chars) for turn in turns for message in turn.messages if message.text.strip())


def _line(message: AnyMessage, tool_chars: int) -> str:
    is_tool = isinstance(message, ToolMessage)
    speaker = "tool" if is_tool else "user" if isinstance(message, HumanMessage) else "assistant"
    return f"{speaker}: {' '.join(shorten(message, tool_chars if is_tool else _LONGEST_TEXT).text.split())}"


def turns_allowed(state: State, settings: Settings) -> int:
    """Return how many turns the thread may keep: its own limit, or the settings' limit for the history mode."""
    return state.get("max_turns") or (settings.max_turns if settings.history_mode == "trim" else settings.context_limit)
