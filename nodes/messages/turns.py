"""Splits a thread's messages into turns, and chooses which of them a model is given.

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
_LEFT_OPEN = "Not carried out: the traveller did not decide on it, and wrote the next message instead."
_LONGEST_TEXT = 4_000


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange; `number` counts the thread's real user messages from 1 (0 where it was never stamped).

    A `private` turn was said while memory was paused or off: nothing is learnt from it.
    """

    number: int
    messages: tuple[AnyMessage, ...]
    private: bool = False


@dataclass(frozen=True, slots=True)
class Transcript:
    """A thread's live messages: the synthetic pair in front (or nothing), then the turns."""

    preamble: tuple[AnyMessage, ...]
    turns: tuple[Turn, ...]

    @classmethod
    def of(cls, messages: Sequence[AnyMessage]) -> Transcript:
        """Split `messages` at its real user messages."""
        starts = [index for index, message in enumerate(messages) if is_real_user(message)]
        edges = [*starts, len(messages)]
        said = [(meta(messages[start]), tuple(messages[start:end])) for start, end in pairwise(edges)]
        turns = [Turn(known.get("turn", 0), whole, known.get("private", False)) for known, whole in said]
        return cls(tuple(messages[: edges[0]]), tuple(turns))

    def keep_within(self, most_turns: int, most_tokens: int) -> int:
        """Return how many of the latest turns stay: at most `most_turns`, of them one at least whatever its tokens."""
        kept = min(most_turns, len(self.turns))
        spent = count_tokens(self.preamble)
        for count, turn in enumerate(reversed(self.turns[len(self.turns) - kept :])):
            spent += count_tokens(turn.messages)
            if spent > most_tokens and count:
                return count
        return kept


def count_tokens(messages: Iterable[BaseMessage]) -> int:
    """Return the tokens of `messages`, by characters: no tokenizer, no download, near enough for a cap."""
    return count_tokens_approximately(list(messages))


def model_view(
    messages: Sequence[AnyMessage], *, most_turns: int, most_tokens: int, most_chars: int
) -> list[AnyMessage]:
    """Return what a model is given of a thread: its last turns, whole, within the tokens, calls and results paired."""
    transcript = Transcript.of(paired(messages))
    kept = transcript.keep_within(most_turns, most_tokens) if transcript.turns else 0
    live = [message for turn in transcript.turns[-kept:] for message in turn.messages] if kept else []
    view = [with_marker(message) if isinstance(message, AIMessage) else message for message in live]
    return [shorten(message, most_chars) for message in (*transcript.preamble, *view)]


def paired(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Return `messages` without tool results that lost their call; a call without a result gets one that says so.

    That is how the model learns that a question of approval was left open by a new message.
    """
    answered = {m.tool_call_id: place for place, m in enumerate(messages) if isinstance(m, ToolMessage)}
    kept: list[AnyMessage] = []
    asked: set[str] = set()
    for place, message in enumerate(messages):
        if not isinstance(message, ToolMessage) or message.tool_call_id in asked:
            kept.append(message)
        if isinstance(message, AIMessage):
            ids = [str(call["id"]) for call in message.tool_calls]
            lost = [id_ for id_ in ids if answered.get(id_, -1) <= place]
            kept += [ToolMessage(_LEFT_OPEN, tool_call_id=id_, status="error") for id_ in lost]
            asked.update(id_ for id_ in ids if id_ not in lost)
    return kept


def shorten(message: AnyMessage, most_chars: int) -> AnyMessage:
    """Return `message`, with the middle of an overlong text left out."""
    if not isinstance(message.content, str) or len(message.content) <= most_chars:
        return message
    half = (most_chars - len(SHORTENED)) // 2
    text = f"{message.content[:half]}{SHORTENED}{message.content[-half:]}"
    return message.model_copy(update={"content": text})


def latest_user_message(messages: Sequence[AnyMessage]) -> HumanMessage | None:
    """Return the message that started the running turn."""
    return next((m for m in reversed(messages) if isinstance(m, HumanMessage) and is_real_user(m)), None)


def render_turns(turns: Sequence[Turn], *, tool_chars: int = 400) -> str:
    """Return `turns` as lines that begin with `user:`, `assistant:` or `tool:`, a tool's answer within `tool_chars`."""
    return "\n".join(_line(message, tool_chars) for turn in turns for message in turn.messages if message.text.strip())


def _line(message: AnyMessage, tool_chars: int) -> str:
    is_tool = isinstance(message, ToolMessage)
    speaker = "tool" if is_tool else "user" if isinstance(message, HumanMessage) else "assistant"
    return f"{speaker}: {' '.join(shorten(message, tool_chars if is_tool else _LONGEST_TEXT).text.split())}"


def turns_allowed(state: State, settings: Settings) -> int:
    """Return how many turns the thread may keep between two turns: its own limit, or that of the settings' mode."""
    return state.get("max_turns") or (settings.max_turns if settings.history_mode == "trim" else settings.context_limit)
