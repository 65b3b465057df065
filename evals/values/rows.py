"""Messages in which their authors marked the values for a search: `{the wife|adult=1}`, `{third of May|start}`.

A row has `text` with its marks, `lang`, and `state`: `start`, `offers`, or the subject of the question before it
(`people`, `dates`, `places`). `self` is true if the author travels too without saying so. Labels of people have a
number: `=` for those who travel, `+` and `-` for those who join or drop out; `age` is in years.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from models.offline.reading.understanding import Party, ReadingContext
from models.offline.trips.merging import company_after

Counts = tuple[int, int, int]
"""Adults, children of 2 to 11 years, and infants."""
_HERE = Path(__file__).parent
_MARK = re.compile(r"\{([^{}|]*)\|([a-z]+)(?:([=+-])(\d+))?\}")
_TODAY = date(2026, 11, 22)
_CONTEXTS = {
    "start": ReadingContext(_TODAY),
    "people": ReadingContext(_TODAY, asked="people", trip_open=True),
    "dates": ReadingContext(_TODAY, asked="dates", trip_open=True),
    "places": ReadingContext(_TODAY, asked="origin", trip_open=True),
    "offers": ReadingContext(_TODAY, asked="confirm", trip_open=True, offers_shown=True),
}
_PEOPLE = ("adult", "child", "infant", "total")
_CHILD, _GROWN = 2, 12


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled span of a message; for people, also its sign and number."""

    start: int
    end: int
    label: str
    sign: str
    number: int


@dataclass(frozen=True)
class Row:
    """A message, the marks of its author, and the state of the conversation before it."""

    text: str
    marks: tuple[Mark, ...]
    lang: str
    state: str
    goes_along: bool

    @property
    def context(self) -> ReadingContext:
        """Return the context in which the message is read."""
        return _CONTEXTS[self.state]

    def spans(self, label: str) -> list[str]:
        """Return the spans with a label."""
        return [self.text[mark.start : mark.end] for mark in self.marks if mark.label == label]

    @cached_property
    def people(self) -> Counts | None:
        """Return the party after the message, starting from one traveller; None if no people are marked."""
        named = [mark for mark in self.marks if mark.label in (*_PEOPLE, "age")]
        if not named:
            return None
        plain = [mark for mark in named if mark.sign == "=" and mark.label != "age"]
        counted = plain or [mark for mark in named if mark.label != "age"]
        count = {label: sum(mark.number for mark in counted if mark.label == label) for label in _PEOPLE}
        total = max((mark.number for mark in counted if mark.label == "total"), default=0)
        count["adult"] += self.goes_along and not total
        ages = [mark.number for mark in named if mark.label == "age"]
        laps, grown = sum(age < _CHILD for age in ages), sum(age >= _GROWN for age in ages)
        if count["adult"]:
            grown = min(grown, count["child"])  # further ages belong to the adults that are counted already
        infants = max(count["infant"], laps)
        young = sum(_CHILD <= age < _GROWN for age in ages)
        children = max(count["child"] - grown - max(0, laps - count["infant"]), young, 0)
        adults = count["adult"] + grown
        if total and (children or infants) and not count["adult"]:
            adults = max(1, total - children - infants)
        signs = {mark.sign for mark in counted}
        party = Party(
            total or None, adults or None, children or None, infants or None,
            tuple(age for age in ages if age < _GROWN), "+" in signs, "-" in signs,
        )  # fmt: skip
        company = company_after(None, party)
        return company.adults, company.children, company.infants


def rows(part: str) -> list[Row]:
    """Return the rows of a part (`tune`, `looked` or `measure`), file by file."""
    paths = sorted((_HERE / part).glob("*.jsonl"))
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return [_row(json.loads(line)) for line in lines]


def _row(record: dict[str, str]) -> Row:
    text, marks, at = "", list[Mark](), 0
    for match in _MARK.finditer(record["text"]):
        text += record["text"][at : match.start()]
        marks.append(Mark(len(text), len(text) + len(match[1]), match[2], match[3] or "", int(match[4] or 0)))
        text, at = text + match[1], match.end()
    goes_along = bool(record.get("self"))
    return Row(text + record["text"][at:], tuple(marks), record["lang"], record["state"], goes_along)
