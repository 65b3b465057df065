"""The sentences of a language, from its data file: a template filled with values, which tables put into words.

`{count:nights}` says a value by the table `nights`: its entry for the value, else `other` with the value in place of
`{}`; a list is said entry by entry. `[, {name}]` is left out where a value is missing. Of several wordings the first
is said of which all values are there; those without values take turns.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache, cached_property
from string import Formatter
from typing import Any

from models.offline.reading.understanding import Kind
from models.offline.tables import WORDING
from models.offline.trips.frames import Status
from models.offline.trips.offers import SEARCH_OF
from text.numbers import WEEKDAYS_JA

_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_FIELD = re.compile(r"\{(\w+)[^}]*\}")
_UNDERSTOOD = re.compile(r"(?<!\S)\*\*([^*\n]+)\*\*")
_MISSING: tuple[Any, ...] = (None, "", (), [])
SPOKEN = ("en", "ja")
"""Languages with sentences; others are answered in the first."""


class Sentences(Formatter):
    """One language. `code` is that of the message, also where it is not a language that is spoken."""

    def __init__(self, code: str, texts: Mapping[str, Any]) -> None:
        self.code = code
        self.texts = texts

    def say(self, key: str, *, turn: int = 0, **values: Any) -> str:
        """Return a sentence, filled; empty where values of each of its wordings are missing.

        Args:
            key: Its name, or that of a table and its entry: "blocked.paused".
            turn: The place of the turn, for the wording that is due.
            values: What it is filled with; a value that is missing says nothing. Raises KeyError for an unknown key.
        """
        table, _, name = key.partition(".")
        text = self.texts[table][name] if name else self.texts[table]
        if isinstance(text, str):
            return self.fill(text, values)
        fitting = [one for one in text if not any(values.get(each) in _MISSING for each in _fields(one))]
        free = [one for one in fitting if not _fields(one)]
        return self.fill(free[turn % len(free)] if fitting == free else fitting[0], values) if fitting else ""

    def fill(self, template: str, values: Mapping[str, Any]) -> str:
        """Return a template filled with values."""

        def part(found: re.Match[str]) -> str:
            return "" if any(values.get(name) in _MISSING for name in _FIELD.findall(found[1])) else found[1]

        return self.vformat(_OPTIONAL.sub(part, template), (), values)

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:  # noqa: ARG002 - theirs
        """Return the value of a field; an offer of another provider may lack it."""
        return kwargs.get(str(key), "")

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value in words, by the table that the field names."""
        table = self.texts.get(format_spec) if format_spec else None
        if isinstance(value, Iterable) and not isinstance(value, str | Mapping):
            words = [self.format_field(each, format_spec if isinstance(table, dict) else "") for each in value]
            if words or not isinstance(table, dict):
                return (table if isinstance(table, str) else str(self.texts["comma"])).join(words)
        if not isinstance(table, dict):
            return str(super().format_field(value, format_spec if table is None else ""))
        name = "none" if value in _MISSING else str(value).lower().replace(" ", "_").replace("-", "_")
        plain = str(value).replace("_", " ")
        return str(table.get(name, table.get("other", "{}"))).replace("{}", plain)

    def knows(self, key: str) -> bool:
        """Return whether there is such a sentence."""
        table, _, name = key.partition(".")
        return name in self.texts[table] if name else table in self.texts

    def joined(self, items: Iterable[object]) -> str:
        """Return those of `items` that are not empty as a list in one line."""
        return self.format_field([each for each in items if each], "")

    def literal(self, key: str) -> list[str]:
        """Return what stands in any reply with the sentence `key`: the longest part of each wording without values."""
        text = self.texts[key]
        wordings = [_OPTIONAL.sub("", one) for one in (text if isinstance(text, list) else [text])]
        return [max(re.split(r"\{[^}]*\}", one), key=len).strip() for one in wordings]

    def is_in(self, key: str, reply: str) -> bool:
        """Return whether `reply` has the sentence `key`."""
        return any(literal and literal in reply for literal in self.literal(key))

    def plain_day(self, day: date, today: date) -> str:
        """Return a day without its weekday, with its year where that is not the running one."""
        return self.say("date_year" if day.year != today.year else "date", day=day)

    def time(self, text: Any, *, beside: Any = None) -> str:
        """Return "2026-12-08 21:15" as "Tue 8 Dec 21:15"; the time alone when it is on the day of `beside`."""
        on, _, time = str(text or "").partition(" ")
        if str(beside)[:10] == on or (beside and "(" in time):
            return time
        try:
            day = date.fromisoformat(on)
        except ValueError:
            return str(text or "")
        return f"{self.say('day_format', day=day, weekday=WEEKDAYS_JA[day.weekday()])} {time}".strip()

    def span(self, first: date, last: date, today: date) -> str:
        """Return two days as "15–22 Dec"; a language has the year before both or behind."""
        if first == last:
            return self.plain_day(first, today)
        one_year = first.year == last.year
        year = self.say("year", day=last) if one_year and last.year != today.year else ""
        if one_year and first.month == last.month:
            return self.say("span_month", first=first, day=last, year=year)
        start, end = (self.say("date", day=day) if one_year else self.plain_day(day, today) for day in (first, last))
        return self.say("span", first=start, end=end, year=year)

    @cached_property
    def decided(self) -> dict[str, tuple[Kind, Status]]:
        """Return how replies and summaries say that a part of a trip is booked or, after that, cancelled."""
        ways: tuple[tuple[str, Status], ...] = (("booked", "booked"), ("cancelled", "dropped"))
        return {self.say(f"decided.{what}", kind=kind): (kind, to) for kind in SEARCH_OF for what, to in ways}


def _fields(template: str) -> list[str]:
    """Return the names of the values that a template can't do without."""
    return _FIELD.findall(_OPTIONAL.sub("", template))


def numbered(lines: Iterable[str]) -> list[str]:
    """Return lines with their numbers: "1. Rome"."""
    return [f"{at}. {line}" for at, line in enumerate(lines, 1)]


@cache
def sentences(code: str) -> Sentences:
    """Return the sentences for messages in the language `code`."""
    name = code if code in SPOKEN else SPOKEN[0]
    return Sentences(code, WORDING.table(name))


def understood_in(reply: str) -> str:
    """Return the line of what was understood in a reply, without its marks; empty where it has none."""
    found = _UNDERSTOOD.search(reply)
    return found[1] if found else ""


def decisions_in(reply: str) -> list[str]:
    """Return what a reply says was booked or cancelled, by its kind: "The flight is booked"."""
    said = (text for code in SPOKEN for text in sentences(code).decided)
    return [text for text in said if f"{text}: " in reply or f"{text}：" in reply]


def question_in(reply: str) -> str:
    """Return the key of the question that a reply ends with, or asks last; empty where it asks none of ours."""
    asked = [(reply.rfind(literal), len(literal), key) for key, literal in _questions() if literal in reply]
    return max(asked)[2] if asked else ""


@cache
def _questions() -> tuple[tuple[str, str], ...]:
    keys = [key for key in sentences(SPOKEN[0]).texts if key.startswith("ask_")]
    found = ((key, literal) for code in SPOKEN for key in keys for literal in sentences(code).literal(key))
    return tuple(pair for pair in found if pair[1])
