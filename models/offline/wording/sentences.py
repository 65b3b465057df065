"""The sentences of a language, filled with values; of several wordings each turn takes another."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from models.offline.reading.understanding import Kind
from text.numbers import WEEKDAYS_JA

_FOLDER = Path(__file__).parent
_KINDS: tuple[Kind, ...] = ("flight", "hotel", "car", "activity", "insurance")
_SLOT = re.compile(r"\{[\w.:%]+\}")
_UNDERSTOOD = re.compile(r"^\*\*(.+)\*\*", re.MULTILINE)
SPOKEN = ("en", "ja")
"""Languages with sentences; others are answered in the first."""


@dataclass(frozen=True)
class Sentences:
    """One language. `code` is that of the message, also where it is not a language that is spoken."""

    code: str
    texts: dict[str, Any]

    def say(self, key: str, *, turn: Any = 0, **values: Any) -> str:
        """Return the sentence `key`, filled. Raises KeyError for an unknown key or a missing value."""
        text = self.texts[key]
        chosen = text[turn % len(text)] if isinstance(text, list) else text
        return str(chosen.format(**values) if values else chosen)

    def literal(self, key: str) -> list[str]:
        """Return what stands in any reply with the sentence `key`: the longest part of each wording without values."""
        text = self.texts[key]
        return [max(_SLOT.split(one), key=len).strip() for one in (text if isinstance(text, list) else [text])]

    def is_in(self, key: str, reply: str) -> bool:
        """Return whether `reply` has the sentence `key`."""
        return any(literal and literal in reply for literal in self.literal(key))

    def values_of(self, key: str) -> list[str]:
        """Return the names of the values that a sentence takes."""
        return re.findall(r"\{(\w+)", str(self.texts[key]))

    def knows(self, key: str) -> bool:
        """Return whether there is such a sentence."""
        return key in self.texts

    def joined(self, items: Iterable[object]) -> str:
        """Return `items` as a list in one line."""
        return str(self.texts["comma"]).join(str(item) for item in items)

    def plain_day(self, day: date, today: date) -> str:
        """Return a day without its weekday, with its year where that is not the running one."""
        return self.say("date_year" if day.year != today.year else "date", day=day)

    def day(self, day: date) -> str:
        """Return a day for a table: "Thu 3 Dec"."""
        return self.say("day_format", day=day, weekday=WEEKDAYS_JA[day.weekday()])

    def time(self, text: Any, *, beside: Any = None) -> str:
        """Return "2026-12-08 21:15" as "Tue 8 Dec 21:15"; the time alone when it is on the day of `beside`."""
        on, _, time = str(text).partition(" ")
        if str(beside)[:10] == on or (beside and "(" in time):
            return time
        try:
            return f"{self.day(date.fromisoformat(on))} {time}".strip()
        except ValueError:
            return str(text)

    def span(self, first: date, last: date, today: date) -> str:
        """Return two days as "15–22 Dec"; a language has the year before both or behind."""
        one_year = first.year == last.year
        year = self.say("year", day=last) if one_year and last.year != today.year else ""
        if one_year and first.month == last.month:
            return self.say("span_month", first=first, day=last, year=year)
        start, end = (self.say("date", day=day) if one_year else self.plain_day(day, today) for day in (first, last))
        return self.say("span", first=start, end=end, year=year)

    def counted(self, key: str, count: int) -> str:
        """Return a count in words: "1 night", "3 nights"."""
        return self.say(f"{key}_one") if count == 1 else self.say(key, count=count)

    def kinds_decided(self, decisions: str) -> tuple[Kind, ...]:
        """Return the parts of a trip that the decisions of a history summary settle."""
        return tuple(dict.fromkeys(kind for text, kind in self.decided if text in decisions))

    @cached_property
    def decided(self) -> list[tuple[str, Kind]]:
        """Return how replies and summaries say that a part of a trip is booked or cancelled."""
        return [
            (self.say(f"decided_{what}", kind=self.say(f"kind_{kind}")), kind)
            for kind in _KINDS
            for what in ("booked", "cancelled")
        ]


@cache
def sentences(code: str) -> Sentences:
    """Return the sentences for messages in the language `code`."""
    name = code if code in SPOKEN else SPOKEN[0]
    return Sentences(code, tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8")))


def understood_in(reply: str) -> str:
    """Return the line of what was understood in a reply, without its marks; empty where it has none."""
    found = _UNDERSTOOD.search(reply)
    return found[1] if found else ""


def decisions_in(reply: str) -> list[str]:
    """Return what a reply says was booked or cancelled, by its kind: "The flight is booked"."""
    return [
        text for code in SPOKEN for text, _ in sentences(code).decided if f"{text}: " in reply or f"{text}：" in reply
    ]


def question_in(reply: str) -> str:
    """Return the key of the question that a reply ends with, or asks last; empty where it asks none of ours."""
    asked = [(reply.rfind(literal), len(literal), key) for key, literal in _questions() if literal in reply]
    return max(asked)[2] if asked else ""


@cache
def _questions() -> tuple[tuple[str, str], ...]:
    spoken = [sentences(code) for code in SPOKEN]
    return tuple(
        (key, literal)
        for one in spoken
        for key in one.texts
        if key.startswith("ask_")
        for literal in one.literal(key)
        if literal
    )
