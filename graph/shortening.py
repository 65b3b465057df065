"""Shortens a message that is too long to be read, before it is masked or stored."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage

from graph.state import META, meta

_MARGIN = 200
"""Characters that are masked with a shortened message and then cut off, so that no secret is cut in half unseen."""


def shortened(given: Any, messages: Sequence[BaseMessage], limit: int) -> Any:
    """Return an input whose latest user message, if longer than `limit`, is cut to it and a margin.

    `messages` are those of the input. The message keeps its length in its metadata, by which `agent` refuses it.
    """
    at = next((at for at in reversed(range(len(messages))) if isinstance(messages[at], HumanMessage)), None)
    if at is None or len(text := str(messages[at].text)) <= limit:
        return given
    said = {**meta(messages[at]), "length": len(text)}
    short = {
        "role": "user",
        "content": text[: limit + _MARGIN],
        "id": messages[at].id,
        "additional_kwargs": {META: said},
    }
    listed = given["messages"] if isinstance(given["messages"], list) else [given["messages"]]
    return {**given, "messages": [*listed[:at], short, *listed[at + 1 :]]}


def without_margin(given: Any, limit: int) -> Any:
    """Return an input from `shortened`, now masked, without the margin of the shortened message."""

    def cut(message: Any) -> Any:
        extra = message.get("additional_kwargs") if isinstance(message, dict) else None
        is_short = isinstance(extra, dict) and isinstance(extra.get(META), dict) and "length" in extra[META]
        return {**message, "content": str(message["content"])[:limit]} if is_short else message

    return {**given, "messages": list(map(cut, given["messages"]))}
