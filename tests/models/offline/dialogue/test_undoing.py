"""The last change of a trip is taken back on request, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from models.offline.wording.sentences import understood_in
from tests.models.offline.desk import Desk, at_flights, booked

TRIP = "flights from Edinburgh to Porto, 20 to 23 May 2027, me, my wife and our two girls, 4 and 9"
REISE = "東京から札幌へ12月20日から23日まで、大人2人"


@pytest.mark.parametrize(
    ("said", "change", "back"),
    [
        (TRIP, "oh and my mother in law might come too", "scratch that, she can't make it"),
        (TRIP, "business class please", "undo that"),
        (TRIP, "a day later", "hmm, ignore what I just said"),
        (TRIP, "from Glasgow instead", "scratch that please"),
        (REISE, "ビジネスクラスで", "今のなしで"),
        (REISE, "一日ずらして", "やっぱりさっきのは取り消してください"),
    ],
)
def test_the_last_change_is_taken_back(said: str, change: str, back: str) -> None:
    desk = Desk()
    first = understood_in(desk.say(said))
    assert understood_in(desk.say(change)) != first
    assert understood_in(desk.say(back)) == first


def test_a_question_between_is_no_change() -> None:
    desk = Desk()
    first = understood_in(desk.say(TRIP))
    desk.say("business class please")
    desk.say("how far is the airport from the centre?")
    assert understood_in(desk.say("scratch that")) == first


def test_what_began_the_trip_is_not_undone() -> None:
    desk = Desk()
    desk.say(TRIP)
    desk.say("scratch that")
    assert "Porto" in understood_in(desk.say("business class please"))


BOOKED = {"bookings": [booked()]}


def _after_booking(**answers: Any) -> Desk:
    desk = at_flights(list_bookings=BOOKED, **answers)
    desk.say("book number 2")
    return desk


@pytest.mark.parametrize(
    "said",
    [
        "oh dear, I've changed my mind, we don't want it any more",
        "sorry, I can't travel after all",
        "we no longer need it",
        "I'm having second thoughts",
        "ugh, I booked it by mistake",
        "we shouldn't have bought that",
        "undo that please",
    ],
)
def test_second_thoughts_after_a_booking_put_up_its_cancellation(said: str) -> None:
    desk = _after_booking()
    desk.say(said)
    assert desk.called("cancel_booking")["booking"] == "TC-ABCDEF"


@pytest.mark.parametrize(
    "said", ["no thanks", "not today", "my brother can't come", "I changed my mind, find me a hotel there please"]
)
def test_a_no_to_what_comes_next_cancels_nothing(said: str) -> None:
    desk = _after_booking()
    desk.say(said)
    assert all(call["name"] != "cancel_booking" for call in desk.calls)


def test_second_thoughts_about_what_is_on_the_table_cancel_nothing() -> None:
    desk = _after_booking()
    desk.say("and a hotel for those nights")
    desk.say("I changed my mind")
    assert desk.calls == []


def test_second_thoughts_about_one_of_several_bookings_ask_which() -> None:
    both = {"bookings": [booked(), booked("hotel", reference="TC-HOTEL1")]}
    desk = at_flights(list_bookings=both, book_offer=[booked(), booked("hotel", reference="TC-HOTEL1")])
    desk.say("book number 2")
    desk.say("and a hotel for those nights")
    desk.say("book the Casa Azul")
    assert "Which one shall I cancel?" in desk.say("I don't want it any more")
