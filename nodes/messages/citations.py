"""Which memories an answer says it used: read from the model's closing `<used>` line, checked, and taken out (S2.7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from langchain_core.messages import AIMessage

from graph.state import ShownNote
from models.offline.statements import items_of, key_words
from text import stem
from text.wordlists import word_set

_LINE = re.compile(r"\s*<used>(.*?)(?:</used>|$)", re.DOTALL)
_HANDLE = re.compile(r"[\w-]+")
_FORMS_FROM = 5
"""Letters from which a word is looked for as the beginning of another."""
_OPENING = "<used>"
_TRADE_WORDS = (
    *("airline", "airport", "book", "booking", "city", "date", "day", "departure", "destination", "journey", "night"),
    *("offer", "option", "price", "request", "ticket", "time", "tour", "traveler", "traveller", "vacation", "week"),
    *("year", "旅行", "予約", "日", "時間", "料金", "都市"),
)


@cache
def _trade_stems() -> frozenset[str]:
    """Return the stems of words that answers about travel have whatever they are about."""
    return frozenset(map(stem, (*word_set("generic_words"), *_TRADE_WORDS)))


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer without its marker, the ids of the notes it used, and each false claim with its code."""

    message: AIMessage
    used: list[str] = field(default_factory=list)
    violations: list[dict[str, str]] = field(default_factory=list)


def cite(message: AIMessage, shown: Sequence[ShownNote]) -> Cited:
    """Check an answer's claims against the notes shown.

    A handle that was not shown is `memory_out_of_context`; one whose note left no trace in the answer is
    `memory_declared_not_applied`. Neither counts as used. A trace is a word or a concept of the note that not every
    answer about travel has: "vegetarian" or "without meat", not "flight".
    """
    text = message.text
    claims = [handle for match in _LINE.finditer(text) for handle in _HANDLE.findall(match[1])]
    plain = _LINE.sub("", text).strip()
    by_handle = {note["handle"]: note for note in shown}
    words = _telling(plain) if any(handle in by_handle for handle in claims) else frozenset()
    used: list[str] = []
    violations: list[dict[str, str]] = []
    for handle in dict.fromkeys(claims):
        note = by_handle.get(handle)
        if note is None:
            violations.append({"code": "memory_out_of_context", "handle": handle})
        elif not _traced(_telling(note["text"]) or key_words(note["text"]), words):
            violations.append({"code": "memory_declared_not_applied", "handle": handle})
        else:
            used.append(note["id"])
    cleaned = message.model_copy(update={"content": plain}) if claims or plain != text else message
    return Cited(cleaned, used, violations)


def _telling(text: str) -> frozenset[str]:
    """The words and concepts of `text` that tell one note from another."""
    concepts = {item.name for item in items_of(text) if item.role in ("value", "context", "number")}
    return (key_words(text) | concepts) - _trade_stems()


def _traced(own: frozenset[str], answer: frozenset[str]) -> bool:
    """True when the answer has one of the note's words, in any of its forms ("quiet", "quietest")."""
    return bool(own & answer) or any(
        said.startswith(word) for word in own if len(word) >= _FORMS_FROM for said in answer
    )


class MarkerFilter:
    """Lets the text of one answer through as it is written, and holds back its closing marker."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, token: str) -> str:
        """What may be shown of the answer after one more piece of it."""
        held = self._held + token
        if _OPENING in held:
            self._held = held
            return ""
        end = held.rindex("<") if _may_open(held) else len(held)
        shown = held[:end].rstrip()
        self._held = held[len(shown) :]
        return shown

    def close(self) -> str:
        """What is left to show when the answer is complete."""
        rest, self._held = _LINE.sub("", self._held).rstrip(), ""
        return rest


def _may_open(text: str) -> bool:
    """True when the end of `text` could be the start of the marker."""
    last = text.rfind("<")
    return last >= 0 and _OPENING.startswith(text[last:])
