"""Describes what changes from run to run: who is speaking, and what memory may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MemoryMode = Literal["on", "paused", "off"]


@dataclass(frozen=True, slots=True)
class Context:
    """The run's context, given by the caller, never by the model.

    Attributes:
        user_id: Who is speaking. An authenticated identity, where there is one, wins over it.
        memory_mode: `on`; `paused` (read, write nothing); `off` (temporary chat: neither).
        workspace: Name of the memory shared with others who name it; None shares nothing.
        language: Language of prompts and replies; None takes the setting.
    """

    user_id: str | None = None
    memory_mode: MemoryMode = "on"
    workspace: str | None = None
    language: Literal["en", "ja"] | None = None
