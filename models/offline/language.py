"""What a language brings to the offline concierge: one object per language, chosen by the latest message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal, Protocol

from models.offline.travel.request import OfferRequest

Intent = Literal[
    "greeting",
    "thanks",
    "goodbye",
    "help",
    "profile",
    "recall",
    "forget",
    "remember",
    "source",
    "forget_all",
    "private",
    "public",
    "trip",
    "restart",
    "decline",
    "accept",
    "lookup",
    "advice",
    "smalltalk",
    "chat",
    "question",
    "unknown",
]
Slot = Literal["destination", "origin", "dates", "people", "purpose", "budget"]

RULES_MEMORY: frozenset[Intent] = frozenset({"private", "public", "source", "forget_all"})
"""What is said to rule over memory says nothing worth keeping itself."""
LONGEST_NOTE = 240
"""Characters of a note, as the save tool asks."""
Undecided = Literal["both", "neither", ""]


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing the user said of themselves that is worth keeping; every word of `text` is the user's."""

    text: str
    quote: str
    topic: str
    keywords: tuple[str, ...]
    trip_only: bool
    condition: str | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What one message says of a trip; None and False where it says nothing.

    `month` is the first day of a month named without days; `opens` says that the message asks for a trip,
    `replaces` that it corrects what was said before; `shift` and `longer` are the days by which it moves the trip
    and the nights by which it lengthens it; `children` and `infants` are among the `people`.
    """

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


class Language(Protocol):
    """All that depends on the language. Every method is a pure function of its arguments."""

    code: str
    reads: int
    """Characters of a message that are read; what comes after them is not."""

    def say(self, key: str, **values: object) -> str:
        """The reply `key`, filled. Raises KeyError for an unknown key or a missing value."""

    def request(self, text: str) -> Request:
        """What the user wants with `text`."""

    def statements(self, text: str) -> list[Statement]:
        """Statements worth keeping in `text`, at most six, in their order."""

    def asks_to_remember(self, text: str) -> bool:
        """True when `text` asks in so many words to remember something."""

    def asked_to_keep(self, text: str) -> str:
        """Return the words that `text` asks to remember, or to heed from now on; empty where it asks for nothing."""

    def asks_not_to_remember(self, text: str) -> bool:
        """True when `text` asks that what it says not be kept ("don't save this, but …")."""

    def undecided(self, text: str) -> Undecided:
        """`both` when `text` answers a choice with "it depends" or takes both, `neither` when it takes none."""

    def cases(self, text: str) -> list[tuple[str, str]]:
        """The cases of "aisle on short flights, window at night": what is taken, and when."""

    def read_trip(self, text: str, today: date, asked: Slot | None, month: date | None, running: bool) -> Reading:
        """What `text` says of a trip.

        `asked` is the detail asked for last, `month` the month already settled on, `running` whether a trip is open.
        """

    def read_offer_request(self, text: str) -> OfferRequest:
        """What `text` asks of offers and bookings."""

    def read_summary(self, text: str, today: date) -> Reading:
        """What the trip heading of a history summary says of the trip."""

    def starts_over(self, text: str) -> bool:
        """True when `text` drops the trip that was being planned."""

    def asks_for_trip(self, text: str) -> bool:
        """True when `text` asks for a journey or says something of one."""

    def restated_details(self, text: str) -> str:
        """The trip details in a reply that restates them, or an empty string."""

    def split_travellers(self, details: str) -> tuple[str, str]:
        """Trip details without who travels, and who travels."""

    def destination(self, details: str) -> str | None:
        """Where the trip of restated `details` goes."""

    def format_date(self, day: date) -> str:
        """A date in words."""

    def format_day(self, day: date) -> str:
        """A date in a table, with its weekday."""

    def concern(self, text: str, kinds: Sequence[str]) -> Concern:
        """What `text` asks for; `kinds` are the parts of the running trip ("flight", "hotel"). Empty for mere talk."""

    def relevant_kinds(self, text: str) -> frozenset[str]:
        """Kinds of requests that a note with this `text` matters for, by its words."""

    def search_terms(self, text: str) -> str:
        """The words of a question about earlier conversations that are worth searching for."""

    def content_words(self, text: str) -> frozenset[str]:
        """Stems of the words that carry meaning."""

    def polarity(self, text: str) -> int:
        """1 for a liking, -1 for a refusal or dislike, 0 where it can't be told."""

    def picked(self, text: str, choices: Sequence[str]) -> int | None:
        """Index of the one of `choices` that `text` picks ("the second", "the window one"), or None."""

    def restate(self, text: str) -> str:
        """The user's words as said back to them ("I am vegetarian" becomes "you are vegetarian")."""

    def alternatives(self, refusals: Sequence[str]) -> tuple[str, str] | None:
        """Ways of getting about that `refusals` rule out, and those that remain; None when they rule out none."""


_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")


def language_of(text: str) -> Language:
    """The language that `text` is written in: Japanese for text with kana or kanji, else English."""
    return _japanese() if _JAPANESE.search(text) else _english()


def all_languages() -> tuple[Language, ...]:
    """All languages."""
    return _english(), _japanese()


@cache
def _english() -> Language:
    from models.offline.en.language import English

    return English()


@cache
def _japanese() -> Language:
    from models.offline.ja.language import Japanese

    return Japanese()
