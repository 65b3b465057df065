"""What the offline concierge reads in a message: requests, statements, trips and concerns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

Intent = Literal[
    "greeting", "thanks", "goodbye", "help", "profile", "recall", "forget", "remember", "source", "forget_all",
    "private", "public", "trip", "restart", "decline", "accept", "lookup", "advice", "smalltalk", "chat",
    "question", "unknown",
]  # fmt: skip
Slot = Literal["destination", "origin", "dates", "people", "purpose", "budget"]

RULES_MEMORY: frozenset[Intent] = frozenset({"private", "public", "source", "forget_all"})
"""What is said to rule over memory says nothing worth keeping itself."""
LONGEST_NOTE = 240
"""Characters of a note, as the save tool asks."""
Undecided = Literal["both", "neither", ""]


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing the user said of themselves that is worth keeping; every word of `text` is the user's.

    `sentence` is the text with its condition, empty where that is the text alone.
    """

    text: str
    quote: str
    topic: str
    trip_only: bool
    condition: str | None
    confidence: float
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class TripDetails:
    """What is said of a trip; None and False where nothing is."""

    destination: str | None = None
    origin: str | None = None
    start: date | None = None
    end: date | None = None
    nights: int | None = None
    vague_dates: str | None = None
    month: date | None = None
    flexible: bool = False
    people: int | None = None
    children: int | None = None
    infants: int | None = None
    purpose: str | None = None
    budget: str | None = None
    kinds: tuple[str, ...] = ()
    one_way: bool = False


@dataclass(frozen=True, slots=True)
class Reading(TripDetails):
    """What one message says of a trip; None and False where it says nothing.

    `month` is the first day of a month named without days; `opens` says that the message asks for a trip,
    `replaces` that it corrects what was said before; `shift` and `longer` are the days by which it moves the trip
    and the nights by which it lengthens it; `children` and `infants` are among the `people`.
    """

    opens: bool = False
    replaces: bool = False
    shift: int = 0
    longer: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """What the user wants with a message; `about` is the rest of the sentence, where the intent has one."""

    intent: Intent
    about: str = ""


@dataclass(frozen=True, slots=True)
class Concern:
    """What a message asks for: its kinds ("flight", "meal"), the topics of notes that matter for them, and its words.

    `limits` says that hard limits matter, `everything` that every note does, as for a whole journey.
    """

    kinds: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    limits: bool = False
    everything: bool = False
    words: frozenset[str] = frozenset()
