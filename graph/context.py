"""Defines the context of a run: the user, and what memory may do."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, Self, get_args

from config.errors import InvalidInputError

MemoryMode = Literal["on", "paused", "off"]


@dataclass(frozen=True, slots=True)
class Context:
    """The run's context, given by the caller, never by the model.

    Attributes:
        user_id: Id of the user. An authenticated identity takes precedence over it.
        memory_mode: `on`; `paused` (read, write nothing); `off` (temporary chat: neither).
        workspace: Name of a memory shared with the other users of the workspace; None shares nothing.
        language: Language of prompts and replies; None uses the setting.
    """

    user_id: str | None = None
    memory_mode: MemoryMode = "on"
    workspace: str | None = None
    language: Literal["en", "ja"] | None = None

    @classmethod
    def of(cls, configurable: Mapping[str, Any]) -> Self:
        """Return the context of a run that was given none, from `config.configurable`."""
        return cls(**{field.name: configurable[field.name] for field in fields(cls) if field.name in configurable})

    def checked(self) -> Self:
        """Return this context. Raises InvalidInputError for a value that is not allowed."""
        for name, value in (("user_id", self.user_id), ("workspace", self.workspace)):
            if not (value is None or isinstance(value, str)):
                raise InvalidInputError(f"{name} is {value!r}; it must be a text.")
        if self.memory_mode not in (modes := get_args(MemoryMode)):
            raise InvalidInputError(f"memory_mode is {self.memory_mode!r}; use one of {', '.join(modes)}.")
        if self.language not in (None, "en", "ja"):
            raise InvalidInputError(f"language is {self.language!r}; use 'en' or 'ja'.")
        return self
