"""When two Japanese notes say the same, and when one takes the other's place."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from memory.records.notes import Note, Source, Topic, note_id
from models.offline.statements import replaces, same_statement, says_more


def _note(text: str, topic: Topic, **values: Any) -> Note:
    return Note(
        id=note_id(text), text=text, topic=topic, keywords=("語",), created_at=datetime(2026, 10, 2, tzinfo=UTC),
        last_update_date=date(2026, 10, 2), source=Source(thread_id="t"), **values,
    )  # fmt: skip


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
def test_another_value_or_a_reversed_stance_replaces(new: str, old: str, topic: Topic) -> None:
    assert replaces(_note(new, topic), _note(old, topic))


@pytest.mark.parametrize(
    ("new", "old", "topic"),
    [
        ("席は前方が好きです", "いつも窓側を選びます", "seat"),
        ("美術館が好きです", "温泉が好きです", "activity"),
        ("いつも窓側を選びます", "いつも窓側を選びます", "seat"),
    ],
)
def test_another_question_replaces_nothing(new: str, old: str, topic: Topic) -> None:
    assert not replaces(_note(new, topic), _note(old, topic))


def test_under_another_condition_both_hold() -> None:
    assert not replaces(_note("窓側がいいです", "seat", condition="夜行便では"), _note("通路側が好きです", "seat"))


def test_liking_and_disliking_one_thing_are_not_the_same() -> None:
    assert same_statement(_note("窓側が好きです", "seat"), _note("窓側が好き", "seat"))
    assert not same_statement(_note("窓側は嫌いです", "seat"), _note("窓側が好きです", "seat"))
    assert says_more(_note("高層階の静かな部屋が好き", "room"), _note("静かな部屋が好き", "room"))


def test_disliking_a_part_leaves_the_whole_unsaid() -> None:
    assert not says_more(_note("ホステルの相部屋が苦手", "hotel"), _note("ホステルが苦手", "hotel"))
