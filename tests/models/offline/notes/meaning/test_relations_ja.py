"""When two Japanese notes say the same, and when one takes the other's place."""

from __future__ import annotations

from typing import Any

import pytest

from memory.records.notes import Note
from models.offline.notes.meaning import covers, replaces
from tests.samples import note


def _note(text: str, topic: str, **values: Any) -> Note:
    return note(text, topic=topic, **values)


@pytest.mark.parametrize(
    ("new", "old", "topic"),
    [
        ("これからは通路側で", "いつも窓側を選びます", "seat"),
        ("部屋は低い階がいいです", "部屋は高層階が好きです", "room"),
        ("エコノミーで十分です", "いつもビジネスしか乗りません", "cabin"),
        ("連泊して詰め込まない旅より、詰め込む旅", "のんびりした旅が好きです", "pace"),
        ("ホステルは嫌いです", "ホステルが好きです", "hotel"),
        ("ホステルは好きではありません", "ホステルが好きです", "hotel"),
    ],
)
def test_another_value_or_a_reversed_stance_replaces(new: str, old: str, topic: str) -> None:
    assert replaces(_note(new, topic), _note(old, topic))


@pytest.mark.parametrize(
    ("new", "old", "topic"),
    [
        ("席は前方が好きです", "いつも窓側を選びます", "seat"),
        ("美術館が好きです", "温泉が好きです", "activity"),
        ("いつも窓側を選びます", "いつも窓側を選びます", "seat"),
    ],
)
def test_another_question_replaces_nothing(new: str, old: str, topic: str) -> None:
    assert not replaces(_note(new, topic), _note(old, topic))


def test_under_another_condition_both_hold() -> None:
    assert not replaces(
        _note("窓側がいいです", "seat", when={"flight_time": "overnight"}), _note("通路側が好きです", "seat")
    )


def test_liking_and_disliking_one_thing_are_not_the_same() -> None:
    assert covers(_note("窓側が好きです", "seat"), _note("窓側が好き", "seat"))
    assert not covers(_note("窓側は嫌いです", "seat"), _note("窓側が好きです", "seat"))
    assert covers(_note("高層階の静かな部屋が好き", "room"), _note("静かな部屋が好き", "room"))


def test_disliking_a_part_leaves_the_whole_unsaid() -> None:
    assert not covers(_note("ホステルの相部屋が苦手", "hotel"), _note("ホステルが苦手", "hotel"))
