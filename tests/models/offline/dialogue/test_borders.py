"""The borders of what is put up for approval: what does not say clearly what to book is asked about."""

from __future__ import annotations

import pytest

from tests.models.offline.desk import FLIGHTS, Desk, at_flights, booked, found

TRIP = "flights from Berlin to Lisbon from 8 to 14 December for two, and a hotel"
TRIP_JA = "ベルリンからリスボンへ12月8日から14日まで、大人2人、ホテルもお願いします"


@pytest.mark.parametrize(
    ("trip", "said", "asks"),
    [
        (TRIP, "book the cheapest", "Shall I book"),
        (TRIP, "book number 2", "Shall I book"),
        (TRIP_JA, "一番安いとこ予約で", "予約して"),
    ],
)
def test_an_order_that_may_mean_either_of_two_parts_is_asked_about(trip: str, said: str, asks: str) -> None:
    desk = Desk()
    desk.say(trip)
    reply = desk.say(said)
    assert desk.calls == []
    assert asks in reply


@pytest.mark.parametrize("said", ["book both", "book the cheapest flight"])
def test_an_order_that_names_its_parts_is_put_up(said: str) -> None:
    desk = Desk()
    desk.say(TRIP)
    desk.say(said)
    assert [call["name"] for call in desk.calls][:1] == ["book_offer"]


def test_a_part_of_which_nothing_was_found_is_not_forgotten_when_the_other_is_booked() -> None:
    desk = Desk({"search_hotels": found(note="")})
    desk.say(f"{TRIP} with a pool")
    reply = desk.say("book both")
    assert [call["name"] for call in desk.calls] == ["book_offer"]
    assert "no free room with all of this: pool" in reply
    assert reply.endswith("Which other days would do?")


@pytest.mark.parametrize("said", ["does number 7 have a stop?", "7番は直行ですか"])
def test_a_question_about_an_offer_that_is_not_shown_is_answered_for_no_other(said: str) -> None:
    desk = at_flights()
    reply = desk.say(said)
    assert "3" in reply
    assert "Iberia flies" not in reply


def test_a_bag_each_is_one_for_everybody() -> None:
    desk = Desk({"search_flights": FLIGHTS})
    desk.say("flights from Berlin to Lisbon, 8 to 14 December, 2 adults")
    desk.say("a bag each please")
    desk.say("book it")
    assert desk.called("book_offer")["extra_bags"] == 2


def test_what_a_bag_costs_more_is_told() -> None:
    desk = at_flights(add_bags=booked(extra_bags=1, paid="$190.00"))
    desk.say("yes")
    assert "$90.00 on top" in desk.say("add one more bag")


def test_what_is_cancelled_takes_no_other_booking_with_it() -> None:
    listed = {"bookings": [booked(), booked("hotel", reference="TC-OTHERS")]}
    desk = at_flights(list_bookings=listed, cancel_booking=booked(status="cancelled"))
    desk.say("yes")
    desk.say("cancel it")
    cancelled = [call["booking"] for call in desk.calls if call["name"] == "cancel_booking"]
    assert cancelled == ["TC-ABCDEF"]
