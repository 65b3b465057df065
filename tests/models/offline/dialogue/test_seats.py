"""Seats are taken as wished for, on the ways named; what can't be had is named or asked for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.offline.desk import Desk, booked, flight, found

PAID = flight(1, seat_choice="paid", seat_fee="$15.00")
MAP = {
    "segments": [
        {"segment": 0, "free": {"window": ["4A"], "aisle": ["3C", "9C (legroom)"], "middle": ["4B"]}},
        {"segment": 1, "free": {"window": ["9F"], "aisle": ["9D"], "middle": ["9E"]}},
    ]
}


def _desk(**more: Any) -> Desk:
    return Desk({"search_flights": found(PAID), "seat_map": MAP, "choose_seats": booked(), **more})


@pytest.mark.parametrize(
    ("first", "then", "segment"),
    [
        ("an aisle seat", "window seat on the way back too", 1),
        ("a window seat", "I want the aisle on the way home as well", 1),
        ("a window seat", "and an aisle seat on the outbound please", 0),
        ("a window seat out please", "window seat back please", 1),
        ("窓側の席で", "帰りも窓側にして", 1),
        ("窓側の席で", "帰国便も通路側にしてください", 1),
        ("通路側で", "行きの便は窓側に変更して", 0),
    ],
)
def test_another_seat_on_one_way_leaves_that_on_the_other(first: str, then: str, segment: int) -> None:
    desk = _desk()
    desk.say("flight to Lisbon from 8 to 14 December for one person")
    desk.say(f"book number 1, {first}" if first.isascii() else f"1番を予約、{first}")
    desk.say(then)
    assert [seat["segment"] for seat in desk.called("choose_seats")["seats"]] == [segment]


@pytest.mark.parametrize("said", ["window seat on the way back please", "帰りも窓側にして"])
def test_seats_that_are_given_at_check_in_are_not_chosen(said: str) -> None:
    desk = _desk(search_flights=found(flight(1, seat_choice="at check-in")))
    desk.say("flight to Lisbon from 8 to 14 December for one person")
    desk.say("book number 1")
    reply = desk.say(said)
    assert [call["name"] for call in desk.calls] == ["seat_map"]
    assert "at check-in" in reply or "搭乗手続き" in reply


@pytest.mark.parametrize(
    "said", ["extra legroom", "an exit row seat", "more room for my legs", "足元の広い席", "足元にゆとりのある席"]
)
def test_legroom_is_taken_where_it_is_free_and_else_asked_for(said: str) -> None:
    desk = _desk()
    english, japanese = f"flight to Lisbon from 8 to 14 December, {said}", f"リスボンへ12月8日から14日まで1人、{said}で"
    reply = desk.say(english if said.isascii() else japanese)
    assert "did not understand" not in reply
    assert "条件に入れていません" not in reply
    desk.say("yes, book it" if said.isascii() else "はい、予約して")
    call = desk.called("book_offer")
    assert call["seats"] == [{"segment": 0, "seat": "9C"}]
    assert "legroom" in call["requests"][0] or "足元" in call["requests"][0]


@pytest.mark.parametrize("said", ["a window seat with extra legroom", "窓側で足元の広い席"])
def test_what_is_wished_for_beside_a_side_is_asked_for(said: str) -> None:
    desk = _desk()
    desk.say("flight to Lisbon from 8 to 14 December for one person")
    desk.say(f"book number 1 with {said}" if said.isascii() else f"1番を{said}で予約")
    call = desk.called("book_offer")
    assert [seat["seat"] for seat in call["seats"]] == ["4A", "9F"]
    assert call["requests"] == ["extra legroom"]


def test_a_seat_that_no_map_shows_is_asked_for_and_none_is_moved() -> None:
    desk = _desk()
    desk.say("flight to Lisbon from 8 to 14 December for one person, a seat at the back")
    desk.say("book it")
    assert "seats" not in desk.called("book_offer")
    assert desk.called("book_offer")["requests"] == ["seat at the back"]
    assert "can't be had" in desk.say("put me at the back on the way home")
    assert all(call["name"] != "choose_seats" for call in desk.calls)


def test_what_is_asked_for_is_named_once_it_is_booked() -> None:
    desk = _desk(book_offer=booked(requests=["vegetarian meal"]))
    desk.say("flight to Lisbon from 8 to 14 December for one person, with a vegetarian meal")
    assert "not promised: vegetarian meal" in desk.say("book it")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("book number 1 with a bassinet and priority boarding", ("bassinet", "priority boarding")),
        ("book it including lounge access and a limousine", ("lounge access", "limousine")),
    ],
)
def test_every_extra_that_nobody_could_read_is_named(said: str, words: tuple[str, ...]) -> None:
    desk = _desk()
    desk.say("flight to Lisbon from 8 to 14 December for one person")
    reply = desk.say(said)
    assert all(each in reply.partition("did not understand")[2] for each in words)
