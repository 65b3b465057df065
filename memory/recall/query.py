"""Takes a query apart into words, the people it names, and a time: "in May", "13 August 2023", "last week", 「先月」.

A date in a query is soft evidence, since people also tell of what happened days before: documents of that time come
first, those of the fortnight after it next. Hard limits are the caller's `after` and `before`."""

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
_TOLD_WITHIN = 14

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
"""So many distinct terms of a query count; a longer text is asked by its beginning."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A time that a query names: parts of a date that must agree, or a span of days; `words` is how it was said."""

    words: str
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    span: tuple[date, date] | None = None

    def fit(self, told: date) -> float:
        """Return how well something told on that day fits: `INSIDE`, `SOON_AFTER` or 0."""
        if self._holds(told):
            return INSIDE
        if self.weekday is not None:
            return 0.0
        before = (told.toordinal() - back for back in range(1, _TOLD_WITHIN + 1))
        return SOON_AFTER if any(self._holds(date.fromordinal(day)) for day in before if day > 0) else 0.0

    def _holds(self, day: date) -> bool:
        if self.span:
            return self.span[0] <= day <= self.span[1]
        asked = (self.year, self.month, self.day, self.weekday)
        said = (day.year, day.month, day.day, day.weekday())
        return all(wanted in (None, given) for wanted, given in zip(asked, said, strict=True))


def asked_time(query: str, now: datetime | None) -> Asked | None:
    """Return the first time that `query` names; relative ones ("last week") need `now`."""
    text = fold(query)
    if now is not None and (relative := _relative(text, now.date())):
        return relative
    found = (match for pattern in _ABSOLUTE if (match := pattern.search(text)))
    return next(filter(None, map(_absolute, found)), None)


def _relative(text: str, now: date) -> Asked | None:
    if match := _AGO.search(text):
        return Asked(match.group(), span=_ago(now, count(match[1]), match[2]))
    for pattern, span in _SPANS.items():
        if match := re.search(pattern, text):
            return Asked(match.group(), span=span(now))
    return None


def _absolute(match: re.Match[str]) -> Asked | None:
    parts = match.groupdict()
    year, month, day, weekday = (parts.get(name) for name in ("year", "month", "day", "weekday"))
    number = (int(month) if month.isdigit() else MONTH_NUMBERS[month]) if month else None
    if (number is not None and not 1 <= number <= 12) or (day and not 1 <= int(day) <= 31):
        return None
    return Asked(
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

    A given name counts in any case. Other parts, and names that are common words ("Will", "May"), count only where
    they are written with a capital inside the sentence.
    """
    folded = fold(text)
    words = _WORD.findall(text)
    said = {_key(word) for word in words}
    capital = {_key(word) for word in words[1:] if word[0].isupper()}
    return frozenset(speaker for speaker in speakers if _is_named(fold(speaker), folded, said, capital))


def _is_named(name: str, folded: str, said: set[str], capital: set[str]) -> bool:
    if not name.strip():
        return False
    if not is_spaced(name):
        return name in folded
    given, *others = _WORD.findall(name) or [""]
    known = capital if given in word_set("stop_words") else said
    return _key(given) in known or any(_key(part) in capital for part in others)


def _key(word: str) -> str:
    return stem(fold(word))


@dataclass(frozen=True, slots=True)
class Query:
    """A query taken apart.

    `forms` gives each distinct term with its written form; `speakers` are the people it names who spoke in the
    documents, `names` the terms of their names; `content` says whether it asks for anything beside names and time.
    """

    text: str
    forms: dict[str, str]
    speakers: frozenset[str]
    names: frozenset[str]
    time: Asked | None
    content: bool

    @property
    def topic(self) -> str:
        """Return the content words without names, or the whole text if there are none."""
        return " ".join(form for term, form in self.forms.items() if term not in self.names) or self.text


def analyse(text: str, speakers: Collection[str], now: datetime | None) -> Query:
    """Take `text` apart; `speakers` are the names known, `now` is what "last week" counts from."""
    forms: dict[str, str] = {}
    for term, form in terms(text):
        if len(forms) < MOST_TERMS:
            forms.setdefault(term, form)
    time = asked_time(text, now)
    of_time = {term for term, _ in terms(time.words)} if time else set()
    if time and time.span:
        # "Last week" in a query is not the "last week" that somebody spoke of back then.
        forms = {term: form for term, form in forms.items() if term not in of_time}
    meant = named(text, speakers)
    names = {_key(part) for speaker in meant for part in _WORD.findall(speaker)} & forms.keys()
    content = bool(forms.keys() - names - of_time) or not (meant or time)
    return Query(text, forms, meant, frozenset(names), time, content)
