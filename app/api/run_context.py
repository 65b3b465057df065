"""Makes the context of a run from what a caller says of it, and tells what kind of run it is."""

from __future__ import annotations

from typing import Any, cast

from config.errors import InvalidInputError
from graph.context import Context, MemoryMode
from memory.records.namespaces import encode_label


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
