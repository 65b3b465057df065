"""Makes the context and the input of a run from what a caller says of it, and tells what kind of run it is."""

from __future__ import annotations

from typing import Any, cast
from uuid import uuid4

from langchain_core.messages import HumanMessage

from config.errors import InvalidInputError
from graph.context import Context, MemoryMode
from graph.state import META, Input, MessageMeta
from memory.records.reading import encode_label


def run_context(
    user_id: str, memory_mode: MemoryMode = "on", language: str | None = None, workspace: str | None = None
) -> Context:
    """Return the context of a run. Raises InvalidInputError for what cannot name a user, a mode or a language."""
    encode_label(user_id)  # raises for what cannot name a user
    if memory_mode not in ("on", "paused", "off"):
        raise InvalidInputError(f"memory_mode is {memory_mode!r}; use 'on', 'paused' or 'off'.")
    if language not in (None, "en", "ja"):
        raise InvalidInputError(f"language is {language!r}; use 'en' or 'ja'.")
    return Context(user_id=user_id, memory_mode=memory_mode, workspace=workspace, language=cast(Any, language))


def is_silent(given: Any) -> bool:
    """Return True for a run that only ends the session: nobody asked, nothing is said."""
    return isinstance(given, dict) and not given.get("messages")


def turn_input(message: str, mode: MemoryMode, end_session: bool) -> Input:
    """Return the input of a turn. The message itself says how private it is, whatever run has to answer it."""
    private = {} if mode == "on" else {META: MessageMeta(mode=mode)}
    asked = HumanMessage(message, id=str(uuid4()), additional_kwargs=private)
    return Input(messages=[asked], end_session=end_session)
