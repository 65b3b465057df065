"""Masks what is never needed in messages and other data that a caller sends, in whatever form it comes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, SystemMessage, ToolMessage

from memory.policy.redact import is_short, redact

_SAID = frozenset({"content", "text", "messages"})
"""Keys whose texts somebody said; under any other key a text without blanks may be an id."""
_ASSISTANT = frozenset({"ai", "assistant", "AIMessage", "AIMessageChunk"})
_MACHINES = _ASSISTANT | {"system", "tool", "SystemMessage", "ToolMessage"}
_PEOPLE = frozenset({"user", "human"})


class Masking:
    """Walks through data in the order of the conversation: an answer is read with the question before it.

    Attributes:
        is_open: True when a text that may be an answer came before any question.
    """

    def __init__(self, before: str = "") -> None:
        self.is_open = False
        self._before = before

    def masked(self, value: Any, *, said: bool = False) -> Any:
        """Return `value` with the texts in it masked that people wrote; the same object where there are none.

        Args:
            value: Messages, their dictionary and tuple forms, or data made of dictionaries, lists and texts.
            said: True when a text in it was said by somebody, and is no id.
        """
        if isinstance(value, str):
            return self._text(value, said=said)
        if isinstance(value, BaseMessage):
            return self._message(value)
        if isinstance(value, Mapping):
            return self._mapping(value)
        if isinstance(value, list | tuple):
            return self._list(value, said=said)
        return value

    def _text(self, text: str, *, said: bool) -> str:
        if not said and not re.search(r"\s", text):
            return text
        self.is_open = self.is_open or (said and not self._before and is_short(text))
        return redact(text, self._before if said else "").text

    def _message(self, message: BaseMessage) -> BaseMessage:
        if isinstance(message, AIMessage | SystemMessage | ToolMessage):
            self._before = message.text if isinstance(message, AIMessage) else self._before
            return message
        content = self.masked(message.content, said=True)
        return message if content is message.content else message.model_copy(update={"content": content})

    def _mapping(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        by = given.get("role") or given.get("type")
        if "content" in given and by in _MACHINES:
            self._before = str(given["content"]) if by in _ASSISTANT else self._before
            return given
        found = {key: self.masked(value, said=key in _SAID) for key, value in given.items()}
        return given if all(found[key] is value for key, value in given.items()) else found

    def _list(self, value: Any, *, said: bool) -> Any:
        if len(value) == 2 and isinstance(value[0], str) and value[0] in _MACHINES | _PEOPLE | _SAID:
            if value[0] in _MACHINES:
                self._before = str(value[1]) if value[0] in _ASSISTANT else self._before
                return value
            said = True
        found = [self.masked(one, said=said) for one in value]
        if all(new is old for new, old in zip(found, value, strict=True)):
            return value
        if isinstance(value, list):
            return found
        return value._make(found) if hasattr(value, "_make") else tuple(found)
