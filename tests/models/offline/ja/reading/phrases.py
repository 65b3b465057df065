"""Reads the tables of phrases, and writes what a message is read into as one line that a table can hold.

A line of a table is a message, a tab, and its clauses parted by " / ". A letter before "|" names the context: `*` is a
trip with offers shown; `d`, `e`, `o`, `g`, `p`, `a` answer for dates, end, origin, destination, people, ages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from datetime import date, time
from pathlib import Path
from typing import Any

from models.offline.reading import read
from models.offline.reading.understanding import (
    Choice,
    Clause,
    Dates,
    Money,
    Party,
    Place,
    ReadingContext,
    Wishes,
)

TODAY = date(2026, 11, 22)
"""A Sunday."""
_START, _END = date(2026, 12, 10), date(2026, 12, 13)
_NAMES = ("ANA", "Hotel Aurora", "Hilton Tokyo Shinjuku", "Korean Air", "The Linden House")
CONTEXTS = {
    "": ReadingContext(TODAY),
    "*": ReadingContext(TODAY, start=_START, end=_END, trip_open=True, offers_shown=True, names=_NAMES),
    "d": ReadingContext(TODAY, asked="dates", trip_open=True),
    "e": ReadingContext(TODAY, asked="end", start=_START, trip_open=True),
    "o": ReadingContext(TODAY, asked="origin", trip_open=True),
    "g": ReadingContext(TODAY, asked="destination"),
    "p": ReadingContext(TODAY, asked="people", trip_open=True),
}


def rows(name: str) -> Iterator[tuple[str, str]]:
    """Yield the messages of a table with what they are to be read into."""
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            said, _, wanted = line.partition("\t")
            yield said, wanted


def reading(said: str) -> list[list[str]]:
    """Return what a message, with its context, is read into: the marks of each clause, in alphabetical order."""
    return [sorted(_clause(clause)) for clause in _clauses(said)]


def acts(said: str) -> list[str]:
    """Return the acts of a message with its context."""
    return [clause.act for clause in _clauses(said)]


def _clauses(said: str) -> tuple[Clause, ...]:
    context, bar, text = said.partition("|")
    return read(text, CONTEXTS[context], "ja").clauses if bar else read(said, CONTEXTS[""], "ja").clauses


def marks(wanted: str) -> list[list[str]]:
    """Return what a line of a table wants, in the same form."""
    return [sorted(clause.split()) for clause in wanted.split(" / ")]


def _clause(clause: Clause) -> Iterator[str]:
    yield clause.act + (f":{clause.topic}" if clause.topic else "")
    yield from (f"+{kind}" for kind in clause.kinds)
    yield from map(_place, clause.places)
    yield from _dates(clause.dates or Dates())
    yield from _party(clause.party or Party())
    yield from _wishes(clause.wishes)
    yield from _choice(clause.choice or Choice())
    if clause.conversion:
        amount = "" if clause.conversion.amount is None else f"{clause.conversion.amount:g}"
        yield f"{amount}{clause.conversion.source or ''}={clause.conversion.target or ''}"
    yield from ["another"] if clause.another else []
    yield from (f"?{stretch}" for stretch in clause.unread)


def _place(place: Place) -> str:
    written = {"origin": "{}>", "destination": ">{}", "unsaid": "{}?"}[place.role]
    return written.format(place.name.replace(" ", "_"))


def _dates(dates: Dates) -> Iterator[str]:
    if dates.start or dates.end:
        yield f"{_day(dates.start)}..{_day(dates.end)}"
    if dates.window:
        yield f"[{_day(dates.window[0])},{_day(dates.window[1])}]"
    for mark, value in (("n", dates.nights), ("~", dates.flexible_days)):
        yield from [] if value is None else [f"{mark}{value}"]
    for mark, days in (("s", dates.shift_start), ("e", dates.shift_end), ("l", dates.longer)):
        yield from [f"{mark}{days:+d}"] if days else []
    yield from (name for name in ("one_way", "round_trip", "same", "first") if getattr(dates, name))


def _day(day: date | None) -> str:
    return f"{day:%m-%d}" if day else ""


def _party(party: Party) -> Iterator[str]:
    counts = (("p", party.total), ("a", party.adults), ("c", party.children), ("i", party.infants))
    yield from (f"{mark}{count}" for mark, count in counts if count is not None)
    yield from [f"ages{','.join(map(str, party.ages))}"] if party.ages else []
    yield from (name for name in ("joins", "leaves") if getattr(party, name))


def _wishes(wishes: Wishes) -> Iterator[str]:
    for field in fields(wishes):
        value = getattr(wishes, field.name)
        if value not in (None, ()) and (value is not False or field.name == "overnight"):
            yield f"{field.name}={_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, Money):
        return f"{value.amount:g}{value.currency or ''}{f'/{value.per}' if value.per else ''}"
    if isinstance(value, time):
        return f"{value:%H:%M}"
    return (",".join(value) if isinstance(value, tuple) else str(value)).replace(" ", "_")


def _choice(choice: Choice) -> Iterator[str]:
    if choice.ordinal is not None:
        yield "#last" if choice.ordinal < 0 else f"#{choice.ordinal + 1}"
    yield from [f"sort!{choice.sort}"] if choice.sort else []
    yield from [f"name!{choice.name.replace(' ', '_')}"] if choice.name else []
    yield from [f"at!{choice.hour:%H:%M}"] if choice.hour else []
    yield from [f"ref!{choice.reference}"] if choice.reference else []
    yield from (name for name in ("that", "every") if getattr(choice, name))
