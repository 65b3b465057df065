"""The sentences of a language, from its data file: templates that are filled with values.

`{count:nights}` formats a value by the table `nights`: with its entry for the value, else with its entry `other`, in
which `{}` is the value; a list is formatted item by item. `[, {name}]` is left out if a value is missing. Of several
wordings the first is used that has all its values; wordings without values rotate.
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
"""Languages that have sentences; messages in others are answered in the first one."""


class Sentences(Formatter):
    """The sentences of one language. `code` is the language of the message, even if it is not in `SPOKEN`."""

    def __init__(self, code: str, texts: Mapping[str, Any]) -> None:
        self.code = code
        self.texts = texts

    def say(self, key: str, *, turn: int = 0, **values: Any) -> str:
        """Return a sentence filled with values; empty if each of its wordings lacks a value.

        Args:
            key: The name of the sentence, or those of a table and its entry: "blocked.paused".
            turn: The number of the turn, by which wordings without values rotate.
            values: The values of the fields; a missing one leaves its field empty. Raises KeyError for an unknown key.
        """
        table, _, name = key.partition(".")
        text = self.texts[table][name] if name else self.texts[table]
        if isinstance(text, str):
            return self.fill(text, values)
        complete = [wording for wording in text if not any(values.get(each) in _MISSING for each in _fields(wording))]
        constant = [wording for wording in complete if not _fields(wording)]
        if not complete:
            return ""
        return self.fill(constant[turn % len(constant)] if complete == constant else complete[0], values)

    def fill(self, template: str, values: Mapping[str, Any]) -> str:
        """Return a template filled with values."""

        def part(match: re.Match[str]) -> str:
            return "" if any(values.get(name) in _MISSING for name in _FIELD.findall(match[1])) else match[1]

        return self.vformat(_OPTIONAL.sub(part, template), (), values)

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:  # noqa: ARG002 - theirs
        """Return the value of a field, empty if there is none, since an offer of another provider may lack it."""
        return kwargs.get(str(key), "")

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value formatted by the table that the field names, or by its format specification."""
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
        """Return the non-empty `items` as a list in one line."""
        return self.format_field([each for each in items if each], "")

    def literal(self, key: str) -> list[str]:
        """Return the longest fixed part of each wording of `key`, by which the sentence is recognised in a reply."""
        text = self.texts[key]
        wordings = [_OPTIONAL.sub("", wording) for wording in (text if isinstance(text, list) else [text])]
        return [max(re.split(r"\{[^}]*\}", wording), key=len).strip() for wording in wordings]

    def is_in(self, key: str, reply: str) -> bool:
        """Return whether `reply` contains the sentence `key`."""
        return any(literal and literal in reply for literal in self.literal(key))

    def plain_day(self, day: date, today: date) -> str:
        """Return a day without its weekday, and with its year unless that is the current one."""
        return self.say("date_year" if day.year != today.year else "date", day=day)

    def time(self, text: Any, *, after: Any = None) -> str:
        """Return "2026-12-08 21:15" as "Tue 8 Dec 21:15", or only the time if `after` is on the same day."""
        iso_day, _, time = str(text or "").partition(" ")
        if str(after)[:10] == iso_day or (after and "(" in time):
            return time
        try:
            day = date.fromisoformat(iso_day)
        except ValueError:
            return str(text or "")
        return f"{self.say('day_format', day=day, weekday=WEEKDAYS_JA[day.weekday()])} {time}".strip()

    def span(self, first: date, last: date, today: date) -> str:
        """Return two days as "15–22 Dec", with the year before or after them, as the language has it."""
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
        """Return the phrases for a booked and for a cancelled part of a trip, each with its kind and status."""
        statuses: tuple[tuple[str, Status], ...] = (("booked", "booked"), ("cancelled", "dropped"))
        return {self.say(f"decided.{key}", kind=kind): (kind, to) for kind in SEARCH_OF for key, to in statuses}


def _fields(template: str) -> list[str]:
    """Return the names of the values that a template requires."""
    return _FIELD.findall(_OPTIONAL.sub("", template))


def numbered(lines: Iterable[str]) -> list[str]:
    """Return the lines with numbers: "1. Rome"."""
    return [f"{at}. {line}" for at, line in enumerate(lines, 1)]


@cache
def sentences(code: str) -> Sentences:
    """Return the sentences for messages in the language `code`."""
    name = code if code in SPOKEN else SPOKEN[0]
    return Sentences(code, WORDING.table(name))


def understood_in(reply: str) -> str:
    """Return the line that shows how a reply understood the trip, without its asterisks; empty if it has none."""
    match = _UNDERSTOOD.search(reply)
    return match[1] if match else ""


def decisions_in(reply: str) -> list[str]:
    """Return the phrases in a reply that say what was booked or cancelled: "The flight is booked"."""
    phrases = (text for code in SPOKEN for text in sentences(code).decided)
    return [text for text in phrases if f"{text}: " in reply or f"{text}：" in reply]


def question_in(reply: str) -> str:
    """Return the key of the last question in a reply; empty if it has no question of the data files."""
    matches = [(reply.rfind(literal), len(literal), key) for key, literal in _questions() if literal in reply]
    return max(matches)[2] if matches else ""


@cache
def _questions() -> tuple[tuple[str, str], ...]:
    keys = [key for key in sentences(SPOKEN[0]).texts if key.startswith("ask_")]
    pairs = ((key, literal) for code in SPOKEN for key in keys for literal in sentences(code).literal(key))
    return tuple(pair for pair in pairs if pair[1])
