"""Details of a trip in any short form, and changes of mind."""

from __future__ import annotations

from datetime import date

import pytest

from models.offline.en.trips.date_shifts import read_shift
from models.offline.en.trips.dates import read_dates
from tests.models.offline.talker import PROFILE, SYSTEM, Talker, memories
from tests.tables import table


def _last(*said: str, system: str = SYSTEM + PROFILE) -> str:
    talker = Talker(system)
    return [talker.say(text) for text in said][-1]


@pytest.mark.parametrize(
    ("said", "details"),
    [
        (("find me a flight to Tokyo on 3 May", "2 people, back on 10 May"), "3 May 2027 to 10 May 2027 (7 nights)"),
        (("fly me to Rome, leaving 28 December and coming back 3 January",), "28 December 2026 to 3 January 2027"),
        (("flight to Oslo on 3 May", "just me", "back on Sunday"), "3 May 2027 to 9 May 2027"),
        (("round trip to Madrid on 3 May", "a week"), "3 May 2027 to 10 May 2027"),
        (("a hotel in Faro from 3 May until 6 May",), "3 May 2027 to 6 May 2027 (3 nights)"),
    ],
)
def test_the_way_back_is_no_new_start(said: tuple[str, ...], details: str) -> None:
    assert details in _last(*said)


@table(
    ("said", "details"),
    [
        ("actually a week later", "10 May 2027 to 17 May 2027 (7 nights)"),
        ("two days earlier please", "1 May 2027 to 8 May 2027 (7 nights)"),
        ("push it back by two days", "5 May 2027 to 12 May 2027 (7 nights)"),
        ("bring it forward a week", "26 April 2027 to 3 May 2027 (7 nights)"),
        ("one more night", "3 May 2027 to 11 May 2027 (8 nights)"),
        ("2 days shorter", "3 May 2027 to 8 May 2027 (5 nights)"),
        ("make it Rome instead", "to Rome"),
        ("make it three people", "3 travellers"),
        ("3 nights", "3 May 2027 to 6 May 2027 (3 nights)"),
    ],
)
def test_a_change_of_mind(said: str, details: str) -> None:
    assert details in _last("flight to Tokyo from 3 May to 10 May", "two of us", said)


@pytest.mark.parametrize("said", ["from Porto", "Porto", "I'd leave from Porto"])
def test_where_the_journey_starts(said: str) -> None:
    assert "from Porto" in _last("I need a flight to Rome", said, system=SYSTEM)


@pytest.mark.parametrize(
    ("said", "people"), [("two of us", "2 travellers"), ("just me", "one traveller"), ("2", "2 travellers")]
)
def test_who_travels(said: str, people: str) -> None:
    talker = Talker(SYSTEM + PROFILE)
    talker.say("I need a flight to Rome tomorrow for 3 nights")
    assert people in talker.say(said)
    assert talker.calls == []


@table(
    ("said", "people"),
    [
        ("just me", "one traveller"),
        ("Only me.", "one traveller"),
        ("It's just me this time", "one traveller"),
        ("just the two of us", "2 travellers"),
        ("me and my wife", "2 travellers"),
        ("Just my husband and me", "2 travellers"),
        ("me, my wife and our two kids", "4 travellers"),
    ],
)
@table("begun", ["I need a flight to Rome", "Flight to Rome on 3 May", "I need to be in Lisbon"])
def test_who_travels_is_a_detail_of_the_trip_whenever_it_is_said(begun: str, said: str, people: str) -> None:
    talker = Talker(SYSTEM + PROFILE)
    talker.say(begun)
    assert people in talker.say(said)
    assert talker.calls == []


@pytest.mark.parametrize("said", ["just me", "Just the two of us.", "me and my wife"])
def test_who_travels_is_no_lasting_note_outside_a_trip_either(said: str) -> None:
    talker = Talker(SYSTEM + PROFILE)
    talker.say(said)
    assert talker.calls == []


@pytest.mark.parametrize("said", ["I always travel solo", "I always travel with my wife"])
def test_who_always_travels_is_a_lasting_note(said: str) -> None:
    talker = Talker(SYSTEM + PROFILE)
    talker.say("Flight to Rome on 3 May")
    talker.say(said)
    assert [(note["text"], note["scope"]) for note in talker.saved] == [(said, "user")]


@pytest.mark.parametrize("home", ["Lisbon", "lisbon", "Lisbon, Portugal"])
def test_a_journey_to_the_home_city_starts_elsewhere(home: str) -> None:
    talker = Talker(SYSTEM + PROFILE.replace("home_city: Lisbon", f"home_city: {home}"))
    reply = talker.say("I need to be in Lisbon the second week of next month")
    assert "to Lisbon, 8 December 2026 to 14 December 2026" in reply
    assert reply.endswith("Where will you start from?")
    assert "home city" not in reply
    talker.say("just me")
    assert "from Porto, to Lisbon, 8 December 2026 to 14 December 2026 (6 nights), one traveller" in talker.say("Porto")


def test_a_hotel_in_the_home_city_needs_no_start() -> None:
    assert "How many people" in _last("a hotel in Lisbon from 3 May until 6 May")


def test_a_stay_within_a_week_begins_with_it() -> None:
    assert "8 December 2026 to 11 December 2026 (3 nights)" in _last(
        "flight to Rome for 3 nights in the second week of next month"
    )


def test_a_request_to_book_is_answered_honestly() -> None:
    reply = _last("flight to Tokyo from 3 May to 10 May", "two of us", "can you book it?")
    assert "nothing has been reserved" in reply


def test_a_day_of_return_before_the_start_is_read_after_it() -> None:
    found = read_dates("leaving december 30 and back on january 2", date(2026, 11, 20))
    assert (found.start, found.end) == (date(2026, 12, 30), date(2027, 1, 2))


@pytest.mark.parametrize(
    ("said", "days", "nights"),
    [("a week later", 7, 0), ("a couple of days sooner", -2, 0), ("another night", 0, 1), ("later on", 0, 0)],
)
def test_steps(said: str, days: int, nights: int) -> None:
    assert read_shift(said)[:2] == (days, nights)


def test_a_goodbye_is_no_place() -> None:
    talker = Talker(SYSTEM)
    assert "Where will you start from" in talker.say("I need a flight to Rome in May")
    assert "Bye" not in talker.say("bye")


def test_an_answer_that_comes_after_another_question_still_counts() -> None:
    talker = Talker(SYSTEM)
    talker.say("I need a flight to Rome in May")
    talker.say("What do you know about me?")
    assert "from Lisbon" in talker.say("from Lisbon")


@pytest.mark.parametrize(
    ("said", "details"),
    [
        ("I live in Berlin and I need to get to Lisbon from 8 to 12 December", "from Berlin, to Lisbon"),
        ("I'm based in Munich. Fly me to Rome on 3 May for a week", "from Munich, to Rome"),
        ("my sister lives in Rome and I want to visit her from 3 to 10 May, flying from Porto", "from Porto, to Rome"),
    ],
)
def test_where_one_lives_is_where_the_journey_starts(said: str, details: str) -> None:
    assert details in _last(said, system=SYSTEM)


def test_a_home_told_before_the_journey_or_midway_counts() -> None:
    assert "from Berlin, to Lisbon" in _last("I live in Berlin", "I need a flight to Lisbon", system=SYSTEM)
    assert "from Berlin, to Lisbon" in _last("a flight to Lisbon please", "oh, I live in Berlin", system=SYSTEM)


def test_from_home_asks_where_that_is() -> None:
    assert _last("a flight to Rome", "from home", system=SYSTEM).endswith("Where will you start from?")


@pytest.mark.parametrize(
    ("said", "details"),
    [
        ("a flight to Lisbon around Easter", "26 March 2027 to 29 March 2027 (3 nights)"),
        ("a week or so in Lisbon over Easter", "26 March 2027 to 2 April 2027 (7 nights)"),
        ("fly to Vienna for Christmas", "24 December 2026 to 27 December 2026"),
        ("a trip to Madrid over new year's", "30 December 2026 to 2 January 2027"),
        ("flight to Vienna, Christmas markets, 4 to 6 December", "4 December 2026 to 6 December 2026"),
    ],
)
def test_holidays_are_days(said: str, details: str) -> None:
    assert details in _last(said)


def test_a_whole_family_in_one_message_is_counted_and_nothing_of_it_is_a_note() -> None:
    talker = Talker(SYSTEM + PROFILE)
    reply = talker.say(
        "I'd like to fly to Barcelona with my wife and our 5 year old daughter in the second week of next month, and "
        "I'm allergic to peanuts, budget about 1500 euros all in"
    )
    assert [note["text"] for note in talker.saved] == ["I'm allergic to peanuts"]
    assert "to Barcelona, 8 December 2026 to 14 December 2026 (6 nights), 3 travellers, budget: 1500 euros" in reply


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("one way to Milan tomorrow week", "to Milan, on 28 November 2026, one way"),
        ("a return flight Paris - New York, 3 to 10 March", "from Paris, to New York, 3 March 2027 to 10 March 2027"),
        ("i wnat to flyy to barcelna on fridai wiht my wife", "to Barcelona, from 27 November 2026 on, 2 travellers"),
        ("We'd love to go somewhere warm in February, maybe Seville. What do you think?", "in February 2027"),
    ],
)
def test_how_people_begin(said: str, told: str) -> None:
    talker = Talker(SYSTEM + PROFILE)
    assert told in talker.say(said)
    assert talker.saved == []


def test_a_sum_alone_is_no_note() -> None:
    talker = Talker(SYSTEM + PROFILE)
    talker.say("a flight to Rome on 3 May, and ideally not more than 1200 pounds")
    assert talker.saved == []
    talker.say("I never pay more than 150 euros a night for a hotel")
    assert len(talker.saved) == 1


def test_a_word_is_no_place() -> None:
    talker = Talker(SYSTEM)
    talker.say("I want to travel")
    assert "Activities" not in talker.say("activities maybe")
    assert "First" not in talker.say("the first please")


def test_where_one_lives_is_known_from_memory() -> None:
    known = memories("- [n1] other, 2026-10-01: I'm based in Dublin")
    assert "from Dublin (your home city), to Rome" in _last("a flight to Rome on 3 May", system=SYSTEM + known)
