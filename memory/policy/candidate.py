"""What goes into a judgement and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import ConfigDict, Field

from memory.records.notes import MAX_TEXT, TOPICS, Keyword, Record, Scope, Topic

Outcome = Literal["accepted", "normalised", "blocked"]

MAX_QUOTE = 1000
MAX_CONDITION = 120
MAX_KEYWORDS = 3
MAX_TTL_DAYS = 365


class Candidate(Record):
    """A statement proposed for memory, just as the model gave it: any value may be wrong and is judged, not raised."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    topic: str = "other"
    keywords: list[str] = Field(default_factory=list)
    scope: str = "user"
    condition: str | None = None
    confidence: float = 1.0
    ttl_days: int | None = None
    quote: str = ""


class NoteDraft(Record):
    """The checked values of a note that has no id, date or source yet. `ttl_days` is 1..365 or None."""

    text: str = Field(min_length=1, max_length=MAX_TEXT)
    topic: Topic
    keywords: tuple[Keyword, ...] = Field(min_length=1, max_length=MAX_KEYWORDS)
    scope: Scope
    condition: str | None = Field(None, max_length=MAX_CONDITION)
    confidence: float = Field(ge=0, le=1)
    ttl_days: int | None = Field(None, ge=1, le=MAX_TTL_DAYS)
    hard: bool = False
    quote: str = Field(max_length=MAX_QUOTE)


@dataclass(frozen=True, slots=True)
class Gate:
    """What is allowed now: by the deployment, by the user's consent, by the mode of the run.

    Attributes:
        topics: Topics this deployment remembers.
        scopes: Scopes this deployment writes to.
        denied_topics: Topics the user does not want remembered.
        paused: True when the user paused memory: nothing is written.
        min_confidence: Candidates the model is less sure of are refused.
        max_per_turn: Candidates taken in one turn.
    """

    topics: frozenset[Topic] = frozenset(TOPICS)
    scopes: frozenset[Scope] = frozenset({"user", "trip"})
    denied_topics: frozenset[Topic] = frozenset()
    paused: bool = False
    min_confidence: float = 0.5
    max_per_turn: int = 6


@dataclass(frozen=True, slots=True)
class Verdict:
    """What policy says of one candidate.

    Attributes:
        outcome: `accepted` as it is, `normalised` (accepted after repair) or `blocked`.
        code: Why it was blocked: `sensitive:<kind>`, `instruction`, `topic_denied`, `scope_denied`,
            `consent_denied`, `paused`, `too_long`, `limit`, `low_confidence`, `third_party` or `ungrounded`.
        hash: Keyed hash of the normalised text, 32 hexadecimal digits; all that is kept of a blocked text.
        draft: The values of the note to write; None when blocked.
    """

    outcome: Outcome
    code: str | None
    hash: str
    draft: NoteDraft | None
