"""A booking is moved only with a yes: a stay is booked anew and the old one cancelled, a flight is changed."""

from __future__ import annotations

from typing import Any

import pytest

from models.offline.wording.sentences import understood_in
from tests.models.offline.desk import HOTELS, Desk, at_flights, booked, flight, found, hotel


def _with_both_booked(**answers: Any) -> Desk:
    """A desk at which a flight and the hotel Park Inn are booked, 8 to 14 December."""
    stay = booked("hotel", reference="TC-HOTELS", starts="2026-12-08", ends="2026-12-14")
    again = found(hotel(9, "Park Inn", price="$700.00"))
    usual = {
        "book_offer": [booked(), stay, booked("hotel", reference="TC-LONGER")],
        "search_hotels": [HOTELS, again, again], "cancel_booking": booked("hotel", "cancelled", "TC-HOTELS"),
    }  # fmt: skip
    desk = at_flights(**usual, **answers)
    for said in ("yes", "yes please", "book it"):
        desk.say(said)
    return desk


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("can we stay one night longer at the hotel?", ("2026-12-08", "2026-12-15")),
        ("could we extend the hotel by a night", ("2026-12-08", "2026-12-15")),
        ("move the hotel a day later", ("2026-12-09", "2026-12-15")),
        ("change the hotel to 3 nights", ("2026-12-08", "2026-12-11")),
        ("ホテルだけ1泊延ばしたい", ("2026-12-08", "2026-12-15")),
        ("宿泊を1日延長できますか", ("2026-12-08", "2026-12-15")),
    ],
)
def test_a_booked_stay_is_booked_anew_and_the_old_one_cancelled_after_a_yes(said: str, days: tuple[str, str]) -> None:
    desk = _with_both_booked()
    reply = desk.say(said)
    (search,) = desk.calls
    assert (search["check_in"], search["check_out"], search["chain"]) == (*days, "Park Inn")
    assert "$700.00" in reply
    assert reply.endswith(("cancel the old one instead?", "元の予約を取り消しましょうか？"))
    assert ("8–14 Dec" if said.isascii() else "12月8日〜14日") in understood_in(reply)  # the trip itself stays
    desk.say("yes" if said.isascii() else "はい")
    assert [call["name"] for call in desk.calls] == ["book_offer", "cancel_booking"]
    assert (desk.calls[0]["offer_id"], desk.calls[1]["booking"]) == ("HT.9", "TC-HOTELS")


@pytest.mark.parametrize(
    ("said", "no", "days"),
    [
        ("やっぱり帰りを1日延ばせる？", "いや、やめておく", "12月8日〜14日"),
        ("can I fly back a day later?", "no, leave it", "8–14 Dec"),
    ],
)
def test_a_no_leaves_the_trip_on_its_booked_days(said: str, no: str, days: str) -> None:
    desk = _with_both_booked()
    desk.say(said)
    assert desk.called("search_flights")["returning"] == "2026-12-15"
    assert days in understood_in(desk.say(no))
    assert not desk.calls


def test_a_night_more_of_a_hotel_on_the_table_leaves_the_booked_flight() -> None:
    desk = at_flights(search_hotels=HOTELS)
    desk.say("yes")
    desk.say("yes please")
    reply = desk.say("one night longer")
    assert desk.called("search_hotels")["check_out"] == "2026-12-15"
    assert "8–14 Dec, 1 adult, hotel: 8–15 Dec" in understood_in(reply)


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


@pytest.mark.parametrize(
    "said",
    ["Yes, change it.", "yes change po", "change it", "変更OK、お願い", "変更お願いします", "はい、変更してください"],
)
def test_a_yes_in_other_words_changes_the_flight(said: str) -> None:
    desk = at_flights(change_booking=booked())
    desk.say("yes")
    assert desk.say("can I fly back a day later?").endswith("Shall I change it to that one?")
    desk.say(said)
    assert desk.called("change_booking")["new_offer_id"] == "FL.1"


@pytest.mark.parametrize(
    "said", ["can it be changed again later?", "change it to the 20th", "change my seat to the aisle"]
)
def test_a_change_of_something_else_is_no_yes(said: str) -> None:
    desk = at_flights(change_booking=booked(), seat_map={"segments": []})
    desk.say("yes")
    desk.say("can I fly back a day later?")
    desk.say(said)
    assert "change_booking" not in {call["name"] for call in desk.calls}


def test_a_yes_to_something_else_replaces_no_stay() -> None:
    desk = _with_both_booked(search_insurance=found())
    desk.say("can we stay one night longer at the hotel?")
    for said in ("is the new one refundable?", "book the travel insurance too", "make it two nights longer"):
        desk.say(said)
        assert not {"book_offer", "cancel_booking"} & {call["name"] for call in desk.calls}


def test_a_change_is_not_proposed_while_no_other_flight_was_shown() -> None:
    desk = at_flights()
    desk.say("yes")
    assert "change it to that one" not in desk.say("My boss moved it. The return stays Mon 14. Damage?")
    assert not desk.calls


@pytest.mark.parametrize("said", ["I need to go out Wed 9", "Wed 9 out, Mon 14 back", "can I leave on Wed instead?"])
def test_a_short_weekday_is_a_day_of_the_trip(said: str) -> None:
    desk = at_flights()
    desk.say("yes")
    desk.say(said)
    assert desk.called("search_flights")["departing"] == "2026-12-09"


def test_days_of_several_parts_are_theirs_while_the_flight_keeps_its_own() -> None:
    desk = at_flights(search_cars=found())
    desk.say("yes")
    desk.say("a hotel and a car from 9 to 12 December, please")
    hotels, cars = desk.called("search_hotels"), desk.called("search_cars")
    assert (
        (hotels["check_in"], hotels["check_out"]) == (cars["pick_up"], cars["drop_off"]) == ("2026-12-09", "2026-12-12")
    )


def test_what_was_not_understood_is_asked_about_before_a_change() -> None:
    desk = at_flights(change_booking=booked())
    desk.say("yes")
    desk.say("xyzzy 9 out, and the return stays Mon 14")
    desk.say("change the flight to 9 December")
    assert "“9 out” was not clear to me" in desk.say("yes, change it")
    desk.say("yes")
    assert desk.called("change_booking")


def test_a_no_to_another_car_keeps_the_booked_one() -> None:
    car = {"offer_id": "CR.1", "kind": "car", "company": "Hertz", "category": "compact", "price": "$90.00"}
    others = [{**car, "offer_id": f"CR.{category}", "category": category} for category in ("suv", "van")]
    bookings = [booked(), booked("car", reference="TC-CARCAR")]
    desk = at_flights(book_offer=bookings, search_cars=[found(car), *map(found, others)])
    for said in ("yes", "a rental car too, please", "yes"):
        desk.say(said)
    for said in ("change the car to an SUV", "change the car to a van"):
        assert "A car booking can't be moved" in desk.say(said)
        desk.say("no")
        assert not desk.calls
