"""A booking is moved only with a yes: a stay is booked anew and the old one cancelled, a flight is changed."""

from __future__ import annotations

import pytest

from tests.models.offline.desk import Desk, at_flights, flight, found


def test_a_flight_is_changed_for_those_it_is_booked_for() -> None:
    desk = at_flights()
    desk.say("yes")
    assert "booked for 1 adult" in desk.say("my mum is coming too")
    desk.say("can I fly back a day later?")
    assert desk.called("search_flights")["adults"] == 1


@pytest.mark.parametrize(
    "said", ["予約に一人追加できますか？", "この予約にもう1名足せますか", "妹も同じ便に乗れますか？"]
)
def test_nobody_can_be_added_to_a_booked_flight(said: str) -> None:
    desk = at_flights()
    desk.say("yes")
    assert "1名で予約済みで、予約に人を足したり" in desk.say(said)


def test_the_seats_are_those_wished_for_the_flight_of_the_seat_map() -> None:
    segments = [{"segment": 0, "free": {"window": ["4A"], "aisle": ["3C"], "middle": []}}]
    first, second = (found(flight(at, seat_choice="free")) for at in (1, 2))
    desk = Desk({"search_flights": [first, second], "seat_map": {"segments": segments}})
    desk.say("flight to Lisbon from 8 to 14 December for one person, a window seat")
    desk.say("and another flight to Rome from 8 to 14 January, an aisle seat")
    desk.say("book the flight to Lisbon")
    assert desk.called("book_offer")["seats"][0]["seat"] == "4A"


@pytest.mark.parametrize("said", ["I need to go out Wed 9", "Wed 9 out, Mon 14 back", "can I leave on Wed instead?"])
def test_a_short_weekday_is_a_day_of_the_trip(said: str) -> None:
    desk = at_flights()
    desk.say("yes")
    desk.say(said)
    assert desk.called("search_flights")["departing"] == "2026-12-09"
