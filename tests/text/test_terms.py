"""Index terms, names and times for the search of queries."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from memory.recall.query import INSIDE, SOON_AFTER, named, named_time
from tests.tables import table
from text.terms import fold, terms

NOW = datetime(2026, 5, 20, 12)  # a Wednesday


def stems(text: str) -> set[str]:
    return {term for term, _ in terms(text)}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("parrots", "Parrot"),
        ("went", "going"),
        ("children's", "child"),
        ("flew", "flying"),
        ("cafés", "CAFE"),
        ("Ｊａｚｚ", "jazz"),
    ],
)
def test_inflections_of_a_word_share_a_term(first: str, second: str) -> None:
    assert stems(first) == stems(second) != set()


@pytest.mark.parametrize("text", ["", "What did you say about it?", "Don't they?", "…!?", "それはどこですか"])
def test_function_words_are_no_terms(text: str) -> None:
    assert stems(text) == set()


def test_japanese_keeps_its_voiced_marks() -> None:
    assert fold("ガイド") == "ガイド"
    assert stems("ｶﾞｲﾄﾞ") == stems("ガイド")


def test_unspaced_text_is_split_into_bigrams_and_ideographs() -> None:
    assert stems("窓側の席") == {"窓", "側", "席", "窓側", "側の", "の席"}
    assert "鳥" in stems("赤い鳥を見た")


def test_surface_forms_are_kept_with_the_terms() -> None:
    assert terms("Two parrots flew") == [("2", "two"), ("parrot", "parrots"), ("fli", "flew")]


@table(
    ("text", "speakers", "meant"),
    [
        ("what did ana say", {"Ana", "Ben"}, {"Ana"}),
        ("Ana's hotel", {"Ana", "Ben"}, {"Ana"}),
        ("bananas", {"Ana"}, set()),
        ("What will they do?", {"Will"}, set()),
        ("Where did Will go?", {"Will"}, {"Will"}),
        ("the green hotel of Mr Green", {"Anna Green"}, {"Anna Green"}),
        ("the green hotel", {"Anna Green"}, set()),
        ("花子は何と言った？", {"花子", "太郎"}, {"花子"}),
        ("子どもは何歳？", {"花子"}, set()),
        ("anything", {"", " ", "-"}, set()),
    ],
)
def test_speakers_are_recognised_by_their_names(text: str, speakers: set[str], meant: set[str]) -> None:
    assert named(text, speakers) == meant


@table(
    ("query", "inside", "outside"),
    [
        ("in May", date(2025, 5, 31), date(2025, 4, 30)),
        ("on 13 August 2025", date(2025, 8, 13), date(2024, 8, 13)),
        ("August 13th, 2025", date(2025, 8, 13), date(2025, 8, 12)),
        ("2025-08-13", date(2025, 8, 13), date(2025, 8, 12)),
        ("Aug 2025", date(2025, 8, 1), date(2025, 7, 31)),
        ("the trip of 2024", date(2024, 1, 1), date(2023, 12, 31)),
        ("on Tuesday", date(2026, 5, 19), date(2026, 5, 20)),
        ("yesterday", date(2026, 5, 19), date(2026, 5, 18)),
        ("last night", date(2026, 5, 19), date(2026, 5, 18)),
        ("the day before yesterday", date(2026, 5, 18), date(2026, 5, 17)),
        ("last week", date(2026, 5, 11), date(2026, 5, 10)),
        ("this week", date(2026, 5, 18), date(2026, 5, 17)),
        ("last weekend", date(2026, 5, 16), date(2026, 5, 15)),
        ("last month", date(2026, 4, 1), date(2026, 3, 31)),
        ("this month", date(2026, 5, 1), date(2026, 4, 30)),
        ("last year", date(2025, 12, 31), date(2024, 12, 31)),
        ("this year", date(2026, 1, 1), date(2025, 12, 1)),
        ("three weeks ago", date(2026, 4, 29), date(2026, 4, 20)),
        ("a month ago", date(2026, 4, 30), date(2026, 3, 31)),
        ("2 days ago", date(2026, 5, 18), date(2026, 5, 17)),
        ("two years ago", date(2024, 6, 1), date(2023, 6, 1)),
        ("recently", date(2026, 5, 10), date(2026, 5, 1)),
        ("2025年8月13日に", date(2025, 8, 13), date(2025, 8, 12)),
        ("8月の旅行", date(2024, 8, 2), date(2024, 7, 31)),
        ("先週の話", date(2026, 5, 17), date(2026, 5, 10)),
        ("先週末", date(2026, 5, 17), date(2026, 5, 15)),
        ("火曜日に", date(2026, 5, 19), date(2026, 5, 18)),
    ],
)
def test_times_are_parsed(query: str, inside: date, outside: date) -> None:
    asked = named_time(query, NOW)
    assert asked is not None
    assert asked.fit(inside) == INSIDE
    assert asked.fit(outside) == 0


def test_text_up_to_a_fortnight_after_the_time_matches_half() -> None:
    for query in ("in May 2025", "last month"):
        asked = named_time(query, NOW)
        assert asked is not None
        last = date(2025, 5, 31) if asked.month else date(2026, 4, 30)
        assert asked.fit(last + timedelta(days=14)) == SOON_AFTER
        assert asked.fit(last + timedelta(days=15)) == 0


@pytest.mark.parametrize("query", ["May I come?", "the best seat", "45 June bugs", "2025-19-02", "13月"])
def test_other_words_are_no_times(query: str) -> None:
    asked = named_time(query, NOW)
    assert asked is None or asked.month is None


def test_relative_times_need_a_clock() -> None:
    assert named_time("last week", None) is None


@pytest.mark.parametrize("day", [date.min, date.max])
def test_first_and_last_days_of_the_calendar_are_parsed(day: date) -> None:
    for query in ("last month", "in May"):
        asked = named_time(query, NOW)
        assert asked is not None
        assert asked.fit(day) == 0
