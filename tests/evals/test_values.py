"""Marked messages: the parsing of their marks, and the checks of the values read."""

from __future__ import annotations

from datetime import date
from typing import get_args

import pytest

from evals.figures import Part
from evals.values.rows import Mark, Row, rows
from evals.values.run import checks, figures

_SAMPLE = 25


def _row(text: str, *marks: Mark, state: str = "start", goes_along: bool = False) -> Row:
    return Row(text, marks, "en", state, goes_along)


def _people(*named: tuple[str, str, int], goes_along: bool = False) -> tuple[int, int, int] | None:
    return _row("", *(Mark(0, 0, label, sign, number) for label, sign, number in named), goes_along=goes_along).people


@pytest.mark.parametrize(
    ("named", "counts"),
    [
        ([("adult", "=", 2), ("child", "=", 2), ("age", "=", 4), ("age", "=", 7)], (2, 2, 0)),
        ([("total", "=", 4), ("child", "=", 1), ("infant", "=", 1)], (2, 1, 1)),
        ([("adult", "=", 1), ("child", "=", 2), ("age", "=", 15), ("age", "=", 1)], (2, 0, 1)),
        ([("adult", "+", 1)], (2, 0, 0)),
        ([("child", "-", 1), ("adult", "=", 2)], (2, 0, 0)),
    ],
)
def test_party_is_counted_from_the_marks(named: list[tuple[str, str, int]], counts: tuple[int, int, int]) -> None:
    assert _people(*named) == counts


def test_author_counts_as_a_traveller_unless_a_total_is_marked() -> None:
    assert _people(("adult", "=", 1), goes_along=True) == (2, 0, 0)
    assert _people(("total", "=", 2), goes_along=True) == (2, 0, 0)
    assert _people(("origin", "", 0)) is None


def test_checks_name_each_value_by_its_label() -> None:
    text = "from Leeds to Faro for two, something frobnicated"
    marks = [
        Mark(text.index(span), text.index(span) + len(span), label, "=" if number else "", number)
        for span, label, number in (("Leeds", "origin", 0), ("Faro", "destination", 0), ("two", "total", 2))
    ]
    right = {label: is_right for label, is_right, _ in checks(_row(text, *marks, Mark(28, 49, "cabin", "", 0)))}
    assert (right["origin"], right["destination"], right["people"], right["cabin"]) == (True, True, True, False)
    assert right["no dates"]


@pytest.mark.slow
def test_each_part_has_both_languages_and_cases_for_each_figure() -> None:
    for part in ("tune", "looked", "measure"):
        assert {row.lang for row in rows(part)} == {"en", "ja"}
    for part in get_args(Part):
        assert all(figure.cases for figure in figures(part, every=_SAMPLE))


def test_rows_are_read_on_the_day_their_authors_assumed() -> None:
    assert {row.context.today for row in rows("tune")} == {date(2026, 11, 22)}
