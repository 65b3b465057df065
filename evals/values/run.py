"""Measures how many marked values the offline model reads, and how often it reads a value that nobody stated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from evals.figures import Figure, Miss, Part
from evals.values.rows import Counts, Row, rows
from models.offline.reading import read, read_values
from models.offline.reading.understanding import Clause, Kind
from models.offline.trips.frames import Company
from models.offline.trips.merging import company_after
from text.words import fold

_LANGUAGES = {"en": "English", "ja": "Japanese"}
_WISHES = {
    "cabin": "cabin", "stops": "max_stops", "budget": "budget", "bags": "bags", "rooms": "rooms", "airline": "airline",
    "seat": "seat", "meal": "meal", "category": "category", "stars": "stars", "sort": "sort",
}  # fmt: skip
"""The field of each label of a wish. A label counts as read if its field is set, whatever the value."""
_SHOWN = 25
"""The number of misses of a figure that the report shows."""
_DAYS = ("start", "end", "nights", "window", "move", "old")


def figures(part: Part, *, every: int = 1) -> list[Figure]:
    """Return the rates of a part by language: values read, people counted, and nothing read where nothing is stated.

    `every` is the step through the rows. The rows of `looked`, which developers have read, count as part `tune`.
    """
    found: list[Figure] = []
    shown = rows("tune") + rows("looked") if part == "tune" else rows(part)
    read_rows = [(row, checks(row)) for row in shown[::every]]
    for code, language in _LANGUAGES.items():
        checked = [(row, *check) for row, row_checks in read_rows if row.lang == code for check in row_checks]
        people = [check for check in checked if check[1] == "people"]
        values = [check for check in checked if check[1] != "people" and not check[1].startswith("no ")]
        nothing = [check for check in checked if check[1].startswith("no ")]
        found += [
            _figure(part, f"{language}: values read", values, at_least=0.9),
            _figure(part, f"{language}: people counted right", people, at_least=0.9),
            _figure(part, f"{language}: nothing read where nothing is said", nothing, at_least=0.98),
        ]
    return found


def _figure(part: Part, name: str, checked: Sequence[tuple[Row, str, bool, str]], *, at_least: float) -> Figure:
    misses = tuple(Miss(label, row.text, found) for row, label, right, found in checked if not right)
    hits = len(checked) - len(misses)
    return Figure("values", part, name, hits, len(checked), at_least=at_least, misses=misses[:_SHOWN])


def checks(row: Row) -> Iterator[tuple[str, bool, str]]:
    """Yield for each value its label, whether it was read right, and the values read; "no ..." labels for the rest."""
    clauses = [clause for clause in read(row.text, row.context, row.lang).clauses if clause.act not in ("tell", "chat")]
    yield from _check_places(row, clauses)
    yield from _check_days(row, clauses)
    wishes = [clause.wishes for clause in clauses]
    for label, name in _WISHES.items():
        if row.spans(label):
            yield label, any(getattr(each, name) is not None for each in wishes), str(_unread(clauses))
    if row.spans("hours"):
        timed = (each.is_timed or each.overnight is not None or each.sort in ("earliest", "latest") for each in wishes)
        yield "hours", any(timed), str(_unread(clauses))
    kinds = {kind for clause in clauses for kind in clause.kinds}
    for kind in get_args(Kind):
        if row.spans(kind):
            yield kind, kind in kinds, str(sorted(kinds))
        elif kind != "flight" or not row.spans("origin"):  # an origin implies a flight
            yield f"no {kind}", kind not in kinds, str(sorted(kinds))
    who = people(clauses)
    yield ("people" if row.people else "no people"), who == row.people, f"{who}, not {row.people}"


def _check_places(row: Row, clauses: Sequence[Clause]) -> Iterator[tuple[str, bool, str]]:
    places = [place for clause in clauses for place in clause.places]
    found = str([(place.said, place.name, place.role) for place in places])
    for role, label in (("origin", "origin"), ("destination", "destination")):
        may = {role, "unsaid"} if role == "destination" or row.state == "places" else {role}
        named = [(place.said, place.name) for place in places if place.role in may]
        others = {other for place in places if place.role in may for other in place.others}  # to choose between
        said = row.spans(label)
        if said:
            read = (any(_same_place(name, each) for each in named) or _names(name, row) & others for name in said)
            yield label, all(read), found
        else:
            yield f"no {label}", all(place.role != role for place in places), found


def _names(text: str, row: Row) -> set[str]:
    """Return the names of the places in a part of a row."""
    return {place.name for clause in read_values(text, row.context) for place in clause.places}


def _same_place(text: str, names: tuple[str, str]) -> bool:
    words = fold(text).lower()
    return any(name and (fold(name).lower() in words or words in fold(name).lower()) for name in names)


def _check_days(row: Row, clauses: Sequence[Clause]) -> Iterator[tuple[str, bool, str]]:
    dates = [clause.dates for clause in clauses if clause.dates]
    read_as: dict[str, Any] = {
        "start": any(each.start or each.window or each.shift_start for each in dates),
        "end": any(each.end or each.window or each.shift_end or each.longer for each in dates),
        "nights": any(each.nights or each.end for each in dates),
        "oneway": any(each.one_way for each in dates),
    }
    yield from ((label, bool(right), str(dates)) for label, right in read_as.items() if row.spans(label))
    if not any(row.spans(label) for label in _DAYS):
        yield "no dates", not any(each.start or each.end for each in dates), str(dates)


def people(clauses: Sequence[Clause]) -> Counts | None:
    """Return the party that all clauses add up to; None if no clause names people."""
    company: Company | None = None
    for clause in clauses:
        company = company_after(company, clause.party) if clause.party else company
    return (company.adults, company.children, company.infants) if company else None


def _unread(clauses: Sequence[Clause]) -> list[str]:
    return [words for clause in clauses for words in clause.unread]
