"""The contract gate: what can be repaired in a candidate is repaired (S4.1)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final, Literal

from memory.policy.candidate import MAX_CONDITION, MAX_KEYWORDS, MAX_QUOTE, MAX_TTL_DAYS, Candidate
from memory.policy.hard import is_hard
from memory.records.notes import SCOPES, TOPICS, Scope, Topic
from text.words import key_terms

UNKNOWN_SCOPE: Final = "unknown"
_MAX_KEYWORD = 40


@dataclass(frozen=True, slots=True)
class Shaped:
    """A candidate in the shape of a note. `repaired` says that something had to be changed for it."""

    text: str
    topic: Topic
    keywords: tuple[str, ...]
    scope: Scope | Literal["unknown"]
    condition: str | None
    condition_too_long: bool
    confidence: float
    ttl_days: int | None
    hard: bool
    quote: str
    repaired: bool


def shape(candidate: Candidate) -> Shaped:
    """`candidate` with everything repairable put right; lengths that cannot be cut are left for the judge."""
    text = _tidy(candidate.text)
    topic = _topic(candidate.topic)
    keywords = _keywords(candidate.keywords) or key_terms(text, MAX_KEYWORDS) or (topic,)
    condition = _tidy(candidate.condition or "") or None
    confidence = _confidence(candidate.confidence)
    ttl_days = None if candidate.ttl_days is None else min(max(candidate.ttl_days, 1), MAX_TTL_DAYS)
    quote = _tidy(candidate.quote)[:MAX_QUOTE].rstrip()
    scope = candidate.scope.strip().lower()
    known_scope = scope if scope in SCOPES else UNKNOWN_SCOPE
    kept = (text, topic, list(keywords), known_scope, condition, confidence, ttl_days, quote)
    given = (
        candidate.text, candidate.topic, candidate.keywords, candidate.scope, candidate.condition, candidate.confidence,
        candidate.ttl_days, candidate.quote,
    )  # fmt: skip
    return Shaped(
        text=text,
        topic=topic,
        keywords=keywords,
        scope=known_scope,
        condition=condition,
        condition_too_long=len(condition or "") > MAX_CONDITION,
        confidence=confidence,
        ttl_days=ttl_days,
        hard=is_hard(" ".join(filter(None, [text, condition])), topic),
        quote=quote,
        repaired=kept != given,
    )


def _tidy(text: str) -> str:
    """One line without control, zero-width or direction characters."""
    shown = "".join(char if char.isprintable() else " " if char.isspace() else "" for char in text)
    return " ".join(shown.split())


def _topic(topic: str) -> Topic:
    name = topic.strip().lower()
    return name if name in TOPICS else "other"


def _confidence(value: float) -> float:
    return 0.0 if math.isnan(value) else min(max(value, 0.0), 1.0)


def _keywords(given: list[str]) -> tuple[str, ...]:
    words = [word for item in given for word in re.findall(r"[^\W_]+(?:[-'][^\W_]+)*", _tidy(item).lower())]
    return tuple(dict.fromkeys(word for word in words if len(word) <= _MAX_KEYWORD))[:MAX_KEYWORDS]
