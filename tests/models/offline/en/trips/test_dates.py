"""Dates in ordinary words, on Friday 20 November 2026."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from models.offline.calendar_days import Dates
from models.offline.en.trips.dates import read_dates
from models.offline.en.wording import plain
from tests.tables import table

TODAY = date(2026, 11, 20)


def _read(text: str, *, asked: bool = False, month: date | None = None) -> Dates:
    return read_dates(plain(text), TODAY, asked, month)


@table(
    ("text", "start", "end"),
    [
        ("from 2026-12-03 to 2026-12-09", date(2026, 12, 3), date(2026, 12, 9)),
        ("Dec 3-9", date(2026, 12, 3), date(2026, 12, 9)),
        ("December 3rd to the 9th", date(2026, 12, 3), date(2026, 12, 9)),
        ("3-9 December", date(2026, 12, 3), date(2026, 12, 9)),
        ("from the 3rd to the 9th of December", date(2026, 12, 3), date(2026, 12, 9)),
        ("the 3rd to the 9th", date(2026, 12, 3), date(2026, 12, 9)),
        ("28 December to 3 January", date(2026, 12, 28), date(2027, 1, 3)),
        ("the 28th to the 3rd", date(2026, 11, 28), date(2026, 12, 3)),
        ("second week of December", date(2026, 12, 8), date(2026, 12, 14)),
        ("last week of January", date(2027, 1, 25), date(2027, 1, 31)),
        ("this weekend", date(2026, 11, 21), date(2026, 11, 22)),
        ("from Friday to Sunday", date(2026, 11, 27), date(2026, 11, 29)),
        ("tomorrow", date(2026, 11, 21), None),
        ("on March 5", date(2027, 3, 5), None),
        ("in two weeks", date(2026, 12, 4), None),
    ],
)
def test_days(text: str, start: date, end: date | None) -> None:
    found = _read(text)
    assert (found.start, found.end) == (start, end)


@table(
    ("text", "start"),
    [
        ("the second week of next month", date(2026, 12, 8)),
        ("the 2nd week of December", date(2026, 12, 8)),
        ("first week of March", date(2027, 3, 1)),
        ("first week of March 2028", date(2028, 3, 1)),
        ("first week of November", date(2027, 11, 1)),
        ("last week of December", date(2026, 12, 25)),
        ("last week of the month", date(2026, 11, 24)),
        ("at the end of May", date(2027, 5, 25)),
        ("end of February", date(2027, 2, 22)),
        ("mid-June", date(2027, 6, 12)),
        ("the middle of next month", date(2026, 12, 12)),
        ("early next month", date(2026, 12, 1)),
        ("late December", date(2026, 12, 25)),
        ("mid-November", date(2027, 11, 12)),
    ],
)
def test_a_part_of_a_month_is_seven_days(text: str, start: date) -> None:
    found = _read(text)
    assert (found.start, found.end) == (start, start + timedelta(days=6))


def test_a_part_of_this_month_that_has_passed_is_no_range() -> None:
    found = _read("early this month")
    assert (found.start, found.vague) == (None, "November 2026")


def test_a_return_by_a_part_of_a_month_is_its_last_day() -> None:
    found = _read("from 3 May until the end of May")
    assert (found.start, found.end) == (date(2027, 5, 3), date(2027, 5, 31))


@pytest.mark.parametrize(("text", "day"), [("the second week", 8), ("the end", 25), ("Early on.", 1)])
def test_a_part_of_the_month_settled_on(text: str, day: int) -> None:
    month = date(2026, 12, 1)
    found = _read(text, asked=True, month=month)
    assert (found.start, found.end) == (month.replace(day=day), month.replace(day=day + 6))
    assert _read(text).start is None


@pytest.mark.parametrize(
    ("text", "nights"),
    [
        ("tomorrow for 4 nights", 4),
        ("for a week", 7),
        ("for two weeks", 14),
        ("a long weekend", 3),
        ("for ten days", 10),
    ],
)
def test_nights(text: str, nights: int) -> None:
    assert _read(text).nights == nights


@pytest.mark.parametrize(
    ("text", "vague", "month"),
    [
        ("next month", "December 2026", date(2026, 12, 1)),
        ("in March", "March 2027", date(2027, 3, 1)),
        ("next summer", "next summer", None),
    ],
)
def test_a_time_without_days(text: str, vague: str, month: date | None) -> None:
    found = _read(text)
    assert (found.start, found.vague, found.month) == (None, vague, month)


def test_days_take_the_month_already_settled_on() -> None:
    assert _read("the 3rd to the 9th", month=date(2027, 3, 1)).start == date(2027, 3, 3)


def test_bare_numbers_are_days_only_in_answer_to_the_question() -> None:
    assert _read("3 to 9").start is None
    assert _read("3 to 9", asked=True, month=date(2026, 12, 1)).end == date(2026, 12, 9)


@pytest.mark.parametrize("text", ["the 31st of February", "2026-13-40", "the 45th", "no dates here"])
def test_what_is_no_date_gives_none(text: str) -> None:
    assert _read(text).start is None
