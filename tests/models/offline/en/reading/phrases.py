"""Reads the tables of phrases, and lists what a message is read into as marks that a row can name.

A row is a message with its context in brackets, and a line after "=": acts (`!confirm` for one that is not to be), and
`key=value` for values that any of its clauses has (`key=-` for one that none has), with "_" for blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, time
from pathlib import Path
from typing import Any

from models.offline.reading import read
from models.offline.reading.understanding import Choice, Clause, Dates, Party, ReadingContext, Understanding

TODAY = date(2026, 11, 22)
"""A Sunday."""
_WISHES = {
    "cabin": "cabin", "max_stops": "stops", "depart_after": "after", "depart_before": "before",
    "return_after": "rafter", "return_before": "rbefore", "arrive_before": "arrive_before", "bags": "bags",
    "seat": "seat", "meal": "meal", "stars": "stars", "category": "category", "sort": "sort", "rooms": "rooms",
    "airline": "airline", "chain": "chain",
}  # fmt: skip
_LISTS = ("features", "requests", "interests", "parts", "dropped")
_CHOICE = {
    "sort": "csort",
    "name": "name",
    "hour": "hour",
    "price": "price",
    "reference": "ref",
    "that": "that",
    "every": "every",
}


def rows(name: str) -> Iterator[tuple[str, str]]:
    """Yield the messages of a table, each with its context, and what is wanted of it."""
    said = ""
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            yield said, line[2:]
        elif not line.startswith("# "):
            said = line


def missed(said: str, wanted: str) -> list[str]:
    """Return what is wanted of a message and not read."""
    parts = re.fullmatch(r"(.*?)(?: \[([^\]]*)\])?", said)
    assert parts
    found = read(parts[1], _context(parts[2] or ""))
    acts = {clause.act for clause in found.clauses}
    marks = {f"{key}={value}" for key, value in _marks(found)}
    return [want for want in wanted.split() for each in _each(want) if not _holds(each, acts, marks)]


def _each(want: str) -> list[str]:
    key, _, values = want.partition("=")
    return [f"{key}={value}" for value in values.split(",")] if key in {*_LISTS, "kinds"} else [want]


def _holds(want: str, acts: set[Any], marks: set[str]) -> bool:
    if want == "-":
        return True
    if "=" not in want:
        return (want[1:] not in acts) if want.startswith("!") else want in acts
    if want.endswith("=-"):
        return not any(mark.startswith(want[:-1]) for mark in marks)
    return want in marks


def _context(flags: str) -> ReadingContext:
    given: dict[str, Any] = {}
    for flag in flags.split():
        key, _, value = flag.partition("=")
        if key == "shown":
            given |= {"offers_shown": True, "trip_open": True}
        elif key == "window":
            given[key] = tuple(map(date.fromisoformat, value.split("..")))
        elif key == "names":
            given[key] = tuple(value.replace("_", " ").split("|"))
        else:
            given[key] = date.fromisoformat(value) if key in {"start", "end"} else value
    return ReadingContext(TODAY, **given)


def _marks(found: Understanding) -> Iterator[tuple[str, str]]:
    yield "lang", found.language
    for clause in found.clauses:
        for key, value in _values(clause):
            if value is not None and value is not False and value != "":
                yield key, _written(value)


def _written(value: Any) -> str:
    if isinstance(value, time):
        return value.isoformat()[:5]
    if isinstance(value, bool | float):
        return f"{value:g}"
    return str(value).replace(" ", "_")


def _values(clause: Clause) -> Iterator[tuple[str, Any]]:
    for place in clause.places:
        yield "origin" if place.role == "origin" else "to", place.name
    yield from (("kinds", kind) for kind in clause.kinds)
    yield "topic", clause.topic
    yield "another", clause.another
    yield from _when(clause.dates or Dates())
    yield from _who(clause.party or Party())
    yield from _like(clause)
    yield from _which(clause.choice or Choice())
    if clause.conversion:
        yield from (("amount", clause.conversion.amount), ("source", clause.conversion.source))
        yield "target", clause.conversion.target


def _when(dates: Dates) -> Iterator[tuple[str, Any]]:
    yield from (("start", dates.start), ("end", dates.end), ("nights", dates.nights), ("flex", dates.flexible_days))
    yield from (("same", dates.same), ("oneway", dates.one_way))
    yield from ((key, getattr(dates, key) or None) for key in ("shift_start", "shift_end", "longer"))
    if dates.window:
        yield "window", "..".join(day.isoformat() for day in dates.window)


def _who(party: Party) -> Iterator[tuple[str, Any]]:
    yield from ((key, getattr(party, key)) for key in ("total", "adults", "children", "infants", "joins", "leaves"))
    yield "ages", ",".join(map(str, party.ages))


def _like(clause: Clause) -> Iterator[tuple[str, Any]]:
    wishes = clause.wishes
    yield from ((mark, getattr(wishes, name)) for name, mark in _WISHES.items())
    yield from ((name, value) for name in _LISTS for value in getattr(wishes, name))
    yield "area", (wishes.area or "").removeprefix("the ")
    yield "overnight", {True: "yes", False: "no", None: None}[wishes.overnight]
    if wishes.budget:
        yield from (("budget", wishes.budget.amount), ("cur", wishes.budget.currency), ("per", wishes.budget.per))


def _which(choice: Choice) -> Iterator[tuple[str, Any]]:
    if choice.ordinal is not None:
        yield "pick", choice.ordinal + 1 if choice.ordinal >= 0 else -1
    yield from ((mark, getattr(choice, name)) for name, mark in _CHOICE.items())
