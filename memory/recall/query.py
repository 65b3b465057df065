"""Parses a query into words, the people it names, and a time: "in May", "13 August 2023", "last week", 「先月」.

A date in a query is soft evidence, since people also talk about things that happened days before: documents of that
time rank first, those of the two weeks after it next. Hard limits are the caller's `after` and `before`."""

import re
from calendar import monthrange
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from text.numbers import COUNT, MONTH_NUMBERS, WEEKDAYS, WEEKDAYS_JA, count
from text.numbers import MONTH as ANY_MONTH
from text.terms import fold, is_spaced, stem, terms
from text.words import word_set

INSIDE, SOON_AFTER = 1.0, 0.5
_FORTNIGHT = 14

_MONTH = rf"(?P<month>{ANY_MONTH})"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_ABSOLUTE = tuple(re.compile(pattern) for pattern in (
    rf"\b{_DAY} (?:of )?{_MONTH}\b\.?(?:,? {_YEAR})?",
    rf"\b{_MONTH}\.? {_DAY}\b(?:,? {_YEAR})?",
    rf"\b{_MONTH}\.?,? (?:of )?{_YEAR}\b",
    rf"\b(?:in|of|last|this|since|during|early|late|mid|by|until|around|for) {_MONTH}\b",
    r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b",
    r"(?:(?P<year>(?:19|20)\d\d)年)?(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})日)?",
    rf"\b{_YEAR}\b",
    rf"{_YEAR}年",
    rf"\b(?P<weekday>{'|'.join(WEEKDAYS)})s?\b",
    rf"(?P<weekday>[{WEEKDAYS_JA}])曜",
))  # fmt: skip
_SPANS: dict[str, Callable[[date], tuple[date, date]]] = {
    r"\bthe day before yesterday\b|おととい|一昨日": lambda now: _days(now, 2, 2),
    r"\byesterday\b|昨日|きのう": lambda now: _days(now, 1, 1),
    r"\btoday\b|\bthis (?:morning|afternoon|evening)\b|今日|今朝": lambda now: _days(now, 0, 0),
    r"\blast night\b|昨夜|昨晩": lambda now: _days(now, 1, 1),
    r"\blast weekend\b|先週末": lambda now: _days(now, (now.weekday() + 2) % 7 or 7, (now.weekday() + 1) % 7),
    r"\blast week\b|先週": lambda now: _days(now, now.weekday() + 7, now.weekday() + 1),
    r"\bthis week\b|今週": lambda now: _days(now, now.weekday(), 0),
    r"\blast month\b|先月": lambda now: _months(now, 1),
    r"\bthis month\b|今月": lambda now: _months(now, 0),
    r"\blast year\b|去年|昨年": lambda now: (date(now.year - 1, 1, 1), date(now.year - 1, 12, 31)),
    r"\bthis year\b|今年": lambda now: (date(now.year, 1, 1), date(now.year, 12, 31)),
    r"\b(?:recently|lately|the other day|these days)\b|最近|この前|先日": lambda now: _days(now, 14, 0),
}
_AGO = re.compile(rf"\b({COUNT}) (day|week|month|year)s? ago\b")
_WORD = re.compile(r"\w+")
MOST_TERMS = 64
"""The most distinct terms of a query; the rest of a longer text is ignored."""


@dataclass(frozen=True, slots=True)
class NamedTime:
    """A time that a query names: parts of a date that must match, or a `span` of days; `words` is the wording."""

    words: str
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    span: tuple[date, date] | None = None

    def fit(self, day: date) -> float:
        """Return how well a document of that day fits: `INSIDE`, `SOON_AFTER` or 0."""
        if self._contains(day):
            return INSIDE
        if self.weekday is not None:
            return 0.0
        before = (day.toordinal() - back for back in range(1, _FORTNIGHT + 1))
        return SOON_AFTER if any(self._contains(date.fromordinal(one)) for one in before if one > 0) else 0.0

    def _contains(self, day: date) -> bool:
        if self.span:
            return self.span[0] <= day <= self.span[1]
        named = (self.year, self.month, self.day, self.weekday)
        actual = (day.year, day.month, day.day, day.weekday())
        return all(part in (None, other) for part, other in zip(named, actual, strict=True))


def named_time(query: str, now: datetime | None) -> NamedTime | None:
    """Return the first time that `query` names; relative ones ("last week") need `now`."""
    text = fold(query)
    if now is not None and (relative := _relative(text, now.date())):
        return relative
    matches = (match for pattern in _ABSOLUTE if (match := pattern.search(text)))
    return next(filter(None, map(_absolute, matches)), None)


def _relative(text: str, now: date) -> NamedTime | None:
    if match := _AGO.search(text):
        return NamedTime(match.group(), span=_ago(now, count(match[1]), match[2]))
    for pattern, span in _SPANS.items():
        if match := re.search(pattern, text):
            return NamedTime(match.group(), span=span(now))
    return None


def _absolute(match: re.Match[str]) -> NamedTime | None:
    parts = match.groupdict()
    year, month, day, weekday = (parts.get(name) for name in ("year", "month", "day", "weekday"))
    number = (int(month) if month.isdigit() else MONTH_NUMBERS[month]) if month else None
    if (number is not None and not 1 <= number <= 12) or (day and not 1 <= int(day) <= 31):
        return None
    return NamedTime(
        match.group().strip(),
        year=int(year) if year else None,
        month=number,
        day=int(day) if day else None,
        weekday=(WEEKDAYS.index(weekday) if weekday in WEEKDAYS else WEEKDAYS_JA.index(weekday)) if weekday else None,
    )


def _days(now: date, first: int, last: int) -> tuple[date, date]:
    return now - timedelta(days=first), now - timedelta(days=last)


def _months(now: date, back: int) -> tuple[date, date]:
    year, month = divmod(now.year * 12 + now.month - 1 - back, 12)
    return date(year, month + 1, 1), date(year, month + 1, monthrange(year, month + 1)[1])


def _ago(now: date, count: int, unit: str) -> tuple[date, date]:
    if unit == "day":
        return _days(now, count, count)
    if unit == "week":
        return _days(now, 7 * count + 3, 7 * count - 3)
    if unit == "month":
        return _months(now, count)
    return date(now.year - count, 1, 1), date(now.year - count, 12, 31)


def named(text: str, speakers: Collection[str]) -> frozenset[str]:
    """Return those of `speakers` whose name, or a part of it, is in `text`.

    A given name matches in upper or lower case. Other parts, and names that are common words ("Will", "May"), match
    only if they are capitalised and not the first word.
    """
    folded = fold(text)
    words = _WORD.findall(text)
    every = {_key(word) for word in words}
    capitalised = {_key(word) for word in words[1:] if word[0].isupper()}
    return frozenset(speaker for speaker in speakers if _is_named(fold(speaker), folded, every, capitalised))


def _is_named(name: str, folded: str, every: set[str], capitalised: set[str]) -> bool:
    if not name.strip():
        return False
    if not is_spaced(name):
        return name in folded
    given, *others = _WORD.findall(name) or [""]
    candidates = capitalised if given in word_set("stop_words") else every
    return _key(given) in candidates or any(_key(part) in capitalised for part in others)


def _key(word: str) -> str:
    return stem(fold(word))


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    `forms` maps each distinct term to its written form; `speakers` are the people it names who spoke in the documents,
    `names` the terms of their names; `content` is whether it has words besides names and a time.
    """

    text: str
    forms: dict[str, str]
    speakers: frozenset[str]
    names: frozenset[str]
    time: NamedTime | None
    content: bool

    @property
    def topic(self) -> str:
        """Return the content words without names, or the whole text if there are no such words."""
        return " ".join(form for term, form in self.forms.items() if term not in self.names) or self.text


def analyse(text: str, speakers: Collection[str], now: datetime | None) -> Query:
    """Parse `text`; `speakers` are the speakers in the documents, and "last week" is relative to `now`."""
    forms: dict[str, str] = {}
    for term, form in terms(text):
        if len(forms) < MOST_TERMS:
            forms.setdefault(term, form)
    time = named_time(text, now)
    time_terms = {term for term, _ in terms(time.words)} if time else set()
    if time and time.span:
        # "Last week" in a query is another week than "last week" in an old document, so the words must not match.
        forms = {term: form for term, form in forms.items() if term not in time_terms}
    people = named(text, speakers)
    names = {_key(part) for speaker in people for part in _WORD.findall(speaker)} & forms.keys()
    content = bool(forms.keys() - names - time_terms) or not (people or time)
    return Query(text, forms, people, frozenset(names), time, content)
