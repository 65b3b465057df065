"""Details said over a trip that runs: who comes, what a sum is for, when one is there, which car, what is denied."""

from __future__ import annotations

import pytest

from models.offline.wording.sentences import understood_in
from tests.models.offline.desk import Desk, at_flights, booked, flight, found

FAMILY = "flights from Berlin to Faro, 12 to 19 May, me, my husband and two kids aged 5 and 8"


@pytest.mark.parametrize(
    ("said", "company"),
    [
        ("just me and the kids", "1 adult + 2 children (5, 8)"),
        ("actually it's only the kids and me", "1 adult + 2 children (5, 8)"),
        ("without my husband", "1 adult + 2 children (5, 8)"),
        ("my husband isn't coming", "1 adult + 2 children (5, 8)"),
        ("only my husband and I", "2 adults"),
        ("it's just me and my husband", "2 adults"),
        ("leave the kids at home", "2 adults"),
        ("just the four of us", "2 adults + 2 children (5, 8)"),
        ("on my own after all", "1 adult"),
    ],
)
def test_who_comes_changes_who_comes(said: str, company: str) -> None:
    desk = Desk()
    desk.say(FAMILY)
    assert understood_in(desk.say(said)).endswith(company)
    assert all(call["name"] != "save_memory_note" for call in desk.calls)


def test_me_and_the_kids_of_no_trip_counts_nobody() -> None:
    assert "1 adult (tell me" in Desk().say("fly from Berlin to Faro, just me and the kids")


@pytest.mark.parametrize(
    "limit",
    [
        "my total budget is 600 dollars",
        "at most 600 dollars for the 4 nights",
        "600 dollars for the whole stay, no more than that",
        "we have 600 dollars to spend overall",
        "under 600 dollars altogether",
        "up to 150 dollars a night",
        "max 150 dollars",
    ],
)
def test_a_sum_for_the_stay_is_one_for_its_nights(limit: str) -> None:
    desk = Desk()
    line = understood_in(desk.say(f"a hotel in Rome from 3 to 7 May for two, {limit}"))
    assert desk.called("search_hotels")["max_per_night"] == 150
    assert line.endswith(("$600 in all", "$150 a night"))


@pytest.mark.parametrize(
    ("limit", "flight", "hotel"),
    [
        ("the hotel at most 120 a night", "", "up to 120 a night"),
        ("the hotel no more than 600 dollars in total", "", "up to $600 in all"),
        ("at most 400 dollars for the flight", "up to $400", ""),
    ],
)
def test_a_sum_is_for_the_part_beside_it(limit: str, flight: str, hotel: str) -> None:
    line = understood_in(Desk().say(f"flight and hotel Berlin to Rome, 3 to 7 May for two, {limit}"))
    assert (f"flight: {flight}" in line) is bool(flight)
    assert (f"hotel: {hotel}" in line) is bool(hotel)


def test_one_sum_for_several_parts_is_not_given_to_one_of_them() -> None:
    reply = Desk().say("flight and hotel Berlin to Rome, 3 to 7 May for two, total budget 1500 dollars")
    assert "under one sum" in reply
    assert "1,500" not in understood_in(reply)


@pytest.mark.parametrize(
    ("sum_", "shown"),
    [
        ("A$900", "900 AUD"), ("AU$ 900", "900 AUD"), ("C$200", "200 CAD"), ("NZ$250", "250 NZD"), ("S$300", "300 SGD"),
        ("HK$1500", "1,500 HKD"), ("R$800", "800 BRL"), ("US$150", "$150"), ("$150", "$150"), ("400 zł", "400 PLN"),
        ("1500 kr", "1,500 SEK"),
    ],
)  # fmt: skip
def test_a_sign_names_its_currency(sum_: str, shown: str) -> None:
    line = understood_in(Desk().say(f"a hotel in Sydney from 3 to 7 May for two under {sum_} a night"))
    assert line.endswith(f"up to {shown} a night")


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("I need to be there by 10am", "landing before 10:00"),
        ("we have to be in Lisbon before noon", "landing before 12:00"),
        ("I must be there by eleven", "landing before 11:00"),
        ("and home by six", "home before 18:00"),
        ("I want to leave after 9", "leaving after 09:00"),
        ("leaving before 10am please", "leaving before 10:00"),
    ],
)
def test_an_hour_is_of_leaving_or_of_being_there(said: str, wish: str) -> None:
    assert wish in understood_in(at_flights().say(said))


@pytest.mark.parametrize(
    ("said", "category"),
    [
        ("what's the biggest one?", "van"),
        ("do you have something bigger?", "suv"),
        ("the smallest please", "economy"),
        ("anything smaller?", "compact"),
        ("a van please", "van"),
    ],
)
def test_cars_are_measured_by_their_size(said: str, category: str) -> None:
    desk = Desk()
    desk.say("a midsize rental car in Nice from 5 to 9 May")
    desk.say(said)
    assert desk.called("search_cars")["category"] == category


@pytest.mark.parametrize(
    "said",
    [
        "flight from Berlin to Rome 3 to 7 May for one, no night at the airport please",
        "flight from Berlin to Rome 3 to 7 May for one, I don't want to sleep at the airport",
    ],
)
def test_what_is_denied_is_not_looked_for(said: str) -> None:
    desk = Desk()
    desk.say(said)
    assert [name for call in desk.calls if (name := call["name"]).startswith("search")] == ["search_flights"]


@pytest.mark.parametrize(
    "said",
    [
        "haha I'd rather swim to Iceland than fly easyJet again",
        "I'd sooner crawl to Rome than take a bus",
        "I would rather eat my hat than go to Paris in August",
    ],
)
def test_what_is_only_compared_begins_no_search(said: str) -> None:
    desk = Desk()
    assert understood_in(desk.say(said)) == ""
    assert not any(call["name"].startswith("search") for call in desk.calls)


def test_what_one_would_rather_do_is_looked_for() -> None:
    desk = Desk()
    desk.say("I'd rather fly to Rome than Paris, 3 to 7 May from Berlin for one")
    assert desk.called("search_flights")["destination"] == "Rome"


def test_a_landing_on_the_next_day_is_not_one_before_an_hour() -> None:
    late = {**flight(2)["outbound"], "arrives": "2026-12-09 08:00"}
    early = {**flight(3)["outbound"], "arrives": "2026-12-08 09:30"}
    desk = Desk({"search_flights": found(flight(2, outbound=late), flight(3, outbound=early))})
    reply = desk.say("flights from Berlin to Lisbon, 8 to 14 December, just me, landing before 10:00")
    assert "Finnair" in reply
    assert "Lufthansa" not in reply


def test_a_night_flight_lands_before_an_hour_if_all_land_on_the_next_day() -> None:
    late = {**flight(2)["outbound"], "arrives": "2026-12-09 08:00"}
    desk = Desk({"search_flights": found(flight(2, outbound=late))})
    reply = desk.say("flights from Berlin to Lisbon, 8 to 14 December, just me, landing before 10:00")
    assert "meets all" not in reply


def test_what_lands_first_is_nearest_if_nothing_lands_in_time() -> None:
    early = {**flight(3)["outbound"], "arrives": "2026-12-08 11:00"}
    desk = Desk({"search_flights": found(flight(2), flight(3, outbound=early))})
    reply = desk.say("flights from Berlin to Lisbon, 8 to 14 December, just me, landing before 10:00")
    assert "meets all" in reply
    assert reply.index("Finnair") < reply.index("Lufthansa")


@pytest.mark.parametrize("said", ["my meeting is at 10am", "会議は10時からです", "a table for two at 7pm"])
def test_an_appointment_adds_no_flight_to_a_stay_and_moves_no_booked_one(said: str) -> None:
    desk = Desk()
    desk.say("a hotel in Lisbon from 8 to 14 December, just me")
    assert "flight" not in understood_in(desk.say(said))
    desk = at_flights(book_offer=booked())
    desk.say("book number 1")
    desk.say(said)
    assert not [each for each in desk.calls if each["name"] == "search_flights"]


def test_an_appointment_bounds_both_flights_of_the_day() -> None:
    line = understood_in(at_flights().say("I have to be at the client's at 10am and I'm done at 4pm"))
    assert "landing before 09:00" in line
    assert "home after 17:00" in line
