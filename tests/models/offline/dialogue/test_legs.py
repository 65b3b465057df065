"""Of a journey of several legs the first is searched, and the reply names the others as still to do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.offline.desk import Desk, at_flights, booked, found

FIRST = {"origin": "Vienna", "destination": "Rome", "departing": "2027-03-03"}


def _searched(desk: Desk) -> dict[str, Any]:
    call = desk.called("search_flights")
    return {name: call[name] for name in ("origin", "destination", "departing", "returning") if name in call}


@pytest.mark.parametrize(
    ("said", "later"),
    [
        ("Vienna to Rome on 3 March, then Rome to Athens on 8 March and back to Vienna on 12 March, just me",
         ["Rome to Athens on 8 March", "back to Vienna on 12 March"]),
        ("flights for one: Vienna to Rome 3 March, Rome to Athens 8 March, Athens to Vienna 12 March",
         ["Rome to Athens 8 March", "Athens to Vienna 12 March"]),
        ("multi-city: Vienna-Rome 3 March, Rome-Athens 8 March, 1 adult", ["Rome-Athens 8 March"]),
        ("fly from Vienna to Rome on 3 March. After that on to Athens on 8 March. On 12 March back to Vienna. 1 adult",
         ["on to Athens on 8 March", "On 12 March back to Vienna"]),
        ("fly from Vienna to Rome on 3 March and from Rome to Athens on 8 March, just me",
         ["from Rome to Athens on 8 March"]),
        ("fly from Vienna to Rome on 3 March, from there to Athens on 8 March, then home on 12 March, just me",
         ["to Athens on 8 March", "home on 12 March"]),
        ("Vienna to Rome on 3 March, then on to Athens on 8 March, and Athens back to Vienna on 12 March, just me",
         ["on to Athens on 8 March", "Athens back to Vienna on 12 March"]),
        ("fly from Vienna to Rome on 3 March and return from Naples on 10 March, just me",
         ["return from Naples on 10 March"]),
    ],
)  # fmt: skip
def test_the_first_leg_is_searched_and_the_others_are_named(said: str, later: list[str]) -> None:
    desk = Desk()
    reply = desk.say(said)
    assert _searched(desk) == FIRST
    assert "one journey at a time" in reply
    for each in later:
        assert each in reply


@pytest.mark.parametrize(
    "said",
    [
        "fly Vienna to Rome on 3 March and back to Vienna on 8 March, just me",
        "flight Vienna to Rome 3 March, then return from Rome on 8 March, just me",
        "fly from Vienna to Rome on 3 March and come back to Vienna on the 8th, one adult",
        "Vienna to Rome, 3 March, then home on 8 March, just me",
        "fly from Vienna to Rome 3 to 8 March for one, then find me a museum there",
    ],
)
def test_there_and_back_is_one_journey(said: str) -> None:
    desk = Desk()
    reply = desk.say(said)
    assert _searched(desk) == {**FIRST, "returning": "2027-03-08"}
    assert "one journey at a time" not in reply


def test_stays_one_after_another_begin_with_the_first() -> None:
    desk = Desk()
    reply = desk.say("a hotel in Rome 3-6 March, then in Florence 6-9 March, for two")
    assert (desk.called("search_hotels")["city"], desk.called("search_hotels")["guests"]) == ("Rome", 2)
    assert "Florence 6-9 March" in reply


@pytest.mark.parametrize(
    ("said", "tool", "given", "later"),
    [
        ("Book a hotel in Rome 3 to 5 March and a separate flight from Vienna to Oslo 10 to 12 April, just me",
         "search_hotels", {"city": "Rome", "check_in": "2027-03-03"}, "flight from Vienna to Oslo 10 to 12 April"),
        ("I need a car in Lisbon 9 to 12 March and a hotel in Porto 12 to 15 March",
         "search_cars", {"city": "Lisbon"}, "a hotel in Porto 12 to 15 March"),
        ("Flight from Vienna to Rome 3 to 8 March and a hotel in Florence for those days, just me",
         "search_flights", {**FIRST, "returning": "2027-03-08"}, "a hotel in Florence for those days"),
        ("ウィーンからローマ、3月3日から8日の飛行機、ホテルはフィレンツェで、一人",
         "search_flights", {**FIRST, "returning": "2027-03-08"}, "ホテルはフィレンツェで"),
        ("3月5日から8日までローマのホテルと、それとは別に1月15日から17日の東京からソウルの飛行機、一人",
         "search_hotels", {"city": "Rome", "check_in": "2027-03-05"}, "1月15日から17日の東京からソウルの飛行機"),
        ("2月10日から12日に金沢、14日から16日に仙台のホテルを、二人で",
         "search_hotels", {"city": "Kanazawa", "check_in": "2027-02-10", "guests": 2}, "14日から16日に仙台のホテルを"),
    ],
)  # fmt: skip
def test_parts_in_several_places_begin_with_the_first(
    said: str, tool: str, given: dict[str, object], later: str
) -> None:
    desk = Desk({"search_cars": found()})
    reply = desk.say(said)
    assert given.items() <= desk.called(tool).items()
    assert {each["name"] for each in desk.calls} == {tool}
    assert later in reply


@pytest.mark.parametrize(
    "said",
    [
        "Flight from Vienna to Rome 3 to 8 March and a hotel in Rome, just me",
        "Flight from Vienna to Rome 3 to 8 March and a hotel in the centre, just me",
        "ウィーンからローマ、3月3日から8日の飛行機、ホテルはローマで、一人",
    ],
)
def test_parts_in_one_place_are_one_trip(said: str) -> None:
    desk = Desk()
    desk.say(said)
    assert {each["name"] for each in desk.calls} == {"search_flights", "search_hotels"}


def test_after_a_stay_the_next_part_is_searched() -> None:
    desk = Desk({"book_offer": booked()})
    desk.say("a hotel in Rome 3 to 6 March and a hotel in Florence 6 to 9 March, for two")
    assert "Shall I go on with it?" in desk.say("book number 1")
    desk.say("yes")
    assert desk.called("search_hotels")["city"] == "Florence"


def test_after_a_booking_the_next_leg_is_offered_until_none_is_left() -> None:
    desk = Desk({"book_offer": [booked(), booked(reference="TC-SECOND")]})
    desk.say("Vienna to Rome on 3 March, then Rome to Athens on 8 March and back to Vienna on 12 March, just me")
    assert "Shall I go on with it?" in desk.say("book number 1")
    desk.say("yes")
    assert _searched(desk) == {"origin": "Rome", "destination": "Athens", "departing": "2027-03-08"}


def test_a_leg_said_later_begins_on_its_own_day() -> None:
    desk = at_flights()
    desk.say("then from Lisbon to Madrid on 12 December, one way")
    assert _searched(desk) == {"origin": "Lisbon", "destination": "Madrid", "departing": "2026-12-12"}


def test_a_place_put_right_is_no_leg() -> None:
    desk = Desk()
    desk.say("fly from Vienna to Rome on 3 March, no, to Athens, one way, just me")
    assert _searched(desk) == {**FIRST, "destination": "Athens"}


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("yes", "2027-03-15"),
        ("yes, but on the 16th", "2027-03-16"),
        ("and now Athens", "2027-03-15"),
        ("do Athens on the 17th instead, wanna stay 2 days longer", "2027-03-17"),
    ],
)
def test_the_next_leg_is_taken_up_by_a_yes_or_its_goal_and_may_be_moved(said: str, day: str) -> None:
    desk = Desk({"book_offer": booked()})
    desk.say("Vienna to Rome on 3 March one way, then Rome to Athens on 15 March also one way. 1 person")
    desk.say("book number 1")
    desk.say(said)
    assert _searched(desk) == {"origin": "Rome", "destination": "Athens", "departing": day}


def test_an_airport_is_named_without_the_word() -> None:
    desk = Desk()
    desk.say("from London City to Berlin, 9 to 11 December, just me")
    given = desk.called("search_flights")
    assert (given["origin"], given["destination"]) == ("London City Airport", "Berlin")
