"""A language of the offline concierge: its tables, and the functions that read it, imported when a text is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from models.offline.readings import Concern, Reading, Request, Slot, Statement, Undecided
from models.offline.tables import table
from models.offline.tasks.headings import by_heading
from models.offline.travel.request import OfferRequest
from text.numbers import WEEKDAYS_JA


@dataclass(frozen=True, slots=True)
class Readers:
    """The functions that read one language; `Language` says what they do."""

    request: Callable[[str], Request]
    statements: Callable[[str], Sequence[Statement]]
    about_others: Callable[[str], bool]
    asks_to_remember: Callable[[str], bool]
    without_request: Callable[[str], str]
    asks_not_to_remember: Callable[[str], bool]
    undecided: Callable[[str], Undecided]
    cases: Callable[[str], list[tuple[str, str]]]
    read_trip: Callable[[str, date, Slot | None, date | None, bool], Reading]
    read_offer_request: Callable[[str], OfferRequest]
    concern: Callable[[str, Sequence[str]], Concern]
    relevant_kinds: Callable[[str], frozenset[str]]
    search_terms: Callable[[str], str]
    content_words: Callable[[str], frozenset[str]]
    polarity: Callable[[str], int]
    picked: Callable[[str, Sequence[str]], int | None]
    refusals: Callable[[Sequence[str]], str]
    """The words of notes that refuse something, in the form that the patterns of `ways` match."""


@dataclass(frozen=True)
class Language:
    """One language. Every method is a pure function of its arguments."""

    code: str
    load_readers: Callable[[], Readers]
    reads: int
    """Characters of a message that are read; what comes after them is not."""
    readable: Callable[[str], str]
    """Return as much of a message as is read."""
    fold: Callable[[str], str]
    """Return a text in the form that `over` matches."""
    hello: re.Pattern[str]
    over: re.Pattern[str]
    from_now_on: re.Pattern[str]
    travellers: re.Pattern[str]
    """What the part of restated trip details that says who travels holds."""
    destination_part: re.Pattern[str]
    summary: str
    """What a trip heading of a history summary is read as, with its travellers."""
    date_format: str
    day_format: str
    comma: str
    ways: Mapping[str, str]
    """Ways of getting about, each with the pattern of its words."""
    refused_ways: str
    """What joins the ways that are refused."""
    remaining_ways: str
    """The sentence part for three ways that remain."""
    restate: Callable[[str], str]
    """Return the user's words as said back to them ("I am vegetarian" becomes "you are vegetarian")."""
    fit: Callable[[str, dict[str, object]], dict[str, object]] = lambda _, values: values
    """Return the values of a reply as the language writes them."""

    @cached_property
    def readers(self) -> Readers:
        """The functions that read the language."""
        return self.load_readers()

    @cached_property
    def replies(self) -> dict[str, str]:
        """The replies by their keys."""
        return table(self.code, "replies") | table(self.code, "travel")

    def say(self, key: str, **values: object) -> str:
        """Return the reply `key`, filled. Raises KeyError for an unknown key or a missing value."""
        return self.replies[key].format(**self.fit(key, values)) if values else self.replies[key]

    def request(self, text: str) -> Request:
        """Return what the user wants with `text`."""
        return Request("greeting") if self._greets(text) else self.readers.request(self.readable(text))

    def statements(self, text: str) -> list[Statement]:
        """Return the statements worth keeping in `text`, at most six, in their order."""
        return [] if self._greets(text) else list(self.readers.statements(self.readable(text)))

    def about_others(self, text: str) -> bool:
        """Return True when `text` says something of somebody who does not travel along."""
        return self.readers.about_others(text)

    def asks_to_remember(self, text: str) -> bool:
        """Return True when `text` asks in so many words to remember something."""
        return self.readers.asks_to_remember(self.readable(text))

    def asked_to_keep(self, text: str) -> str:
        """Return the words that `text` asks to remember, or to heed from now on; empty where it asks for nothing."""
        asked = self.asks_to_remember(text) or self.from_now_on.search(self.readable(text))
        return self.readers.without_request(self.readable(text)) if asked else ""

    def asks_not_to_remember(self, text: str) -> bool:
        """Return True when `text` asks that what it says not be kept ("don't save this, but …")."""
        return self.readers.asks_not_to_remember(self.readable(text))

    def undecided(self, text: str) -> Undecided:
        """Return `both` when `text` answers a choice with "it depends" or takes both, `neither` when it takes none."""
        return self.readers.undecided(text)

    def cases(self, text: str) -> list[tuple[str, str]]:
        """Return the cases of "aisle on short flights, window at night": what is taken, and when."""
        return self.readers.cases(text)

    def read_trip(self, text: str, today: date, asked: Slot | None, month: date | None, running: bool) -> Reading:
        """Return what `text` says of a trip.

        `asked` is the detail asked for last, `month` the month already settled on, `running` whether a trip is open.
        """
        if self._greets(text):
            return Reading()
        return self.readers.read_trip(self.readable(text), today, asked, month, running)

    def read_offer_request(self, text: str) -> OfferRequest:
        """Return what `text` asks of offers and bookings."""
        return self.readers.read_offer_request(self.readable(text))

    def read_summary(self, text: str, today: date) -> Reading:
        """Return what the trip heading of a history summary says of the trip."""
        parts = by_heading(text)
        told = self.summary.format(trip=parts.get("trip", ""), travellers=parts.get("travellers", ""))
        return self.readers.read_trip(told.split("Superseded:")[0], today, None, None, False)

    def starts_over(self, text: str) -> bool:
        """Return True when `text` drops the trip that was being planned."""
        return bool(self.over.search(self.fold(text)))

    def asks_for_trip(self, text: str) -> bool:
        """Return True when `text` asks for a journey or says something of one."""
        return self.read_trip(text, date(2000, 1, 1), None, None, False).opens

    def restated_details(self, text: str) -> str:
        """Return the trip details in a reply that restates them, or an empty string."""
        frames = (self.say(key).split("{details}") for key in ("summary", "have"))
        return next((text.split(head, 1)[1].split(tail, 1)[0] for head, tail in frames if head in text), "")

    def split_travellers(self, details: str) -> tuple[str, str]:
        """Return trip details without who travels, and who travels."""
        parts = details.split(self.comma)
        people = [part for part in parts if self.travellers.search(part)]
        return self.comma.join(part for part in parts if part not in people), "".join(people)

    def destination(self, details: str) -> str | None:
        """Return where the trip of restated `details` goes."""
        found = (self.destination_part.fullmatch(part) for part in details.split(self.comma))
        return next((match[1] for match in found if match), None)

    def format_date(self, day: date) -> str:
        """Return a date in words: "3 December 2026"."""
        return self.date_format.format(day=day)

    def format_day(self, day: date) -> str:
        """Return a date for a table, with its weekday: "Thu 3 Dec"."""
        return self.day_format.format(day=day, weekday_ja=WEEKDAYS_JA[day.weekday()])

    def concern(self, text: str, kinds: Sequence[str]) -> Concern:
        """Return what `text` asks for, empty for mere talk; `kinds` are the parts of the running trip ("flight")."""
        return self.readers.concern(self.readable(text), kinds)

    def relevant_kinds(self, text: str) -> frozenset[str]:
        """Return the kinds of requests that a note with this `text` matters for, by its words."""
        return self.readers.relevant_kinds(text)

    def search_terms(self, text: str) -> str:
        """Return the words of a question about earlier conversations that are worth searching for."""
        return self.readers.search_terms(self.readable(text))

    def content_words(self, text: str) -> frozenset[str]:
        """Return the stems of the words that carry meaning."""
        return self.readers.content_words(text)

    def polarity(self, text: str) -> int:
        """Return 1 for a liking, -1 for a refusal or dislike, 0 where it can't be told."""
        return self.readers.polarity(text)

    def picked(self, text: str, choices: Sequence[str]) -> int | None:
        """Return the index of the one of `choices` that `text` picks ("the second", "the window one"), or None."""
        return self.readers.picked(text, choices)

    def alternatives(self, refusals: Sequence[str]) -> tuple[str, str] | None:
        """Return the ways of getting about that `refusals` rule out, and three that remain; None for none."""
        said = self.readers.refusals(refusals)
        out = [name for name, pattern in self.ways.items() if re.search(pattern, said)]
        left = [name for name in self.ways if name not in out]
        if not out or len(left) < 3:
            return None
        return self.refused_ways.join(out), self.remaining_ways.format(*left)

    def _greets(self, text: str) -> bool:
        return bool(self.hello.match(text.strip()))
