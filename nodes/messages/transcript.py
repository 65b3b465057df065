"""Renders a conversation as text for a model: one line a message, long ones shortened."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage

from nodes.messages.turns import Turn, shorten

_LONGEST_TOOL_TEXT = 400
_LONGEST_TEXT = 4_000


def render_turns(turns: Sequence[Turn]) -> str:
    """Return `turns` as lines that begin with `user:`, `assistant:` or `tool:`."""
    return "\n".join(_line(message) for turn in turns for message in turn.messages if message.text.strip())


def _line(message: AnyMessage) -> str:
    if isinstance(message, ToolMessage):
        return f"tool: {_one_line(shorten(message, _LONGEST_TOOL_TEXT))}"
    speaker = "user" if isinstance(message, HumanMessage) else "assistant"
    return f"{speaker}: {_one_line(shorten(message, _LONGEST_TEXT))}"


def _one_line(message: AnyMessage) -> str:
    return " ".join(message.text.split())
