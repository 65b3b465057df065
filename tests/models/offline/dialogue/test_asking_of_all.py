"""A question for one of all offers is answered for all, and one about those shown looks for no others."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.offline.desk import Desk, at_flights, found, hotel

NAMES = ("Park Inn", "Grand Linden", "Casa Azul")
HOTELS = found(*(hotel(at, name, amenities=["gym"]) for at, name in enumerate(NAMES, 1)))


def _at_hotels(**answers: Any) -> Desk:
    desk = Desk({"search_hotels": HOTELS, **answers})
    desk.say("a hotel in Lisbon from 8 to 14 December, just me")
    return desk


@pytest.mark.parametrize(
    "said",
    [
        "which ones can be cancelled?",
        "which can I cancel for free?",
        "which of them include breakfast?",
        "which hotels are refundable?",
        "どれがキャンセルできますか",
        "取り消せるのはどれですか",
    ],
)
def test_which_ones_is_answered_for_all(said: str) -> None:
    reply = _at_hotels().say(said)
    assert all(f"{at}. {name}" in reply for at, name in enumerate(NAMES, 1))
    assert "「どれ」" not in reply


@pytest.mark.parametrize(
    "said",
    [
        "which one is the quickest?",
        "which of these takes the least time?",
        "どれが一番速いですか",
    ],
)
def test_which_one_comes_first_is_told_of_all(said: str) -> None:
    desk = at_flights()
    reply = desk.say(said)
    assert "Number 1, Iberia" in reply or "1番のIberia" in reply
    assert desk.calls == []


@pytest.mark.parametrize("said", ["which one is the quietest?", "一番静かなのはどれですか", "どれが一番静かですか"])
def test_what_no_data_tell_is_not_guessed(said: str) -> None:
    desk = _at_hotels()
    reply = desk.say(said)
    assert not any(word in reply for word in ("On the table now", "番号でお選び", "おすすめ"))
    assert desk.calls == []


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("ホテルに駐車場はありますか", "Park Innにはございません"),
        ("そのホテルにはジムがありますか", "はい、Park Inn"),
        ("ホテルは朝食付きですか", "朝食"),
        ("お部屋に浴槽はついていますか", "情報がありません"),
        ("do they have free wifi?", "names nothing else"),
        ("温泉はありますか", "手元のデータにありません"),
    ],
)
def test_what_is_asked_of_those_shown_looks_for_no_others(said: str, answer: str) -> None:
    desk = _at_hotels()
    assert answer in desk.say(said)
    assert desk.calls == []


@pytest.mark.parametrize("said", ["駐車場のあるホテルはありますか", "プール付きのホテルはある？"])
def test_hotels_with_something_are_looked_for(said: str) -> None:
    desk = _at_hotels()
    desk.say(said)
    assert desk.called("search_hotels")["features"]
