"""Details of a trip in any short form, and changes of mind."""

from __future__ import annotations

import re

import pytest

from tests.models.offline.talker import PROFILE, SYSTEM, Talker, memories
from tests.tables import table


def _last(*said: str, system: str = SYSTEM + PROFILE) -> str:
    talker = Talker(system)
    return [talker.say(text) for text in said][-1]


@pytest.mark.parametrize(
    ("said", "details"),
    [
        (("find me a flight to Tokyo on 3 May", "2 people, back on 10 May"), "3–10 May 2027"),
        (("fly me to Rome, leaving 28 December and coming back 3 January",), "28 Dec – 3 Jan 2027"),
        (("flight to Oslo on 3 May", "just me", "back on Sunday"), "3–9 May 2027"),
        (("round trip to Madrid on 3 May", "a week"), "3–10 May 2027"),
        (("a hotel in Faro from 3 May until 6 May",), "3–6 May 2027"),
    ],
)
def test_the_way_back_is_no_new_start(said: tuple[str, ...], details: str) -> None:
    assert details in _last(*said)


@table(
    ("said", "details"),
    [
        ("actually a week later", "10–17 May 2027"),
        ("two days earlier please", "1–8 May 2027"),
        ("push it back by two days", "5–12 May 2027"),
        ("bring it forward a week", "26 Apr – 3 May 2027"),
        ("one more night", "3–11 May 2027"),
        ("2 days shorter", "3–8 May 2027"),
        ("make it Rome instead", "→ Rome, 3–10 May 2027"),
        ("make it three people", "3 adults"),
        ("3 nights", "3–6 May 2027"),
    ],
)
def test_a_change_of_mind(said: str, details: str) -> None:
    assert details in _last("flight to Tokyo from 3 May to 10 May", "two of us", said)


@pytest.mark.parametrize("said", ["from Porto", "Porto", "I'd leave from Porto"])
def test_where_the_journey_starts(said: str) -> None:
    assert "Porto → Rome" in _last("I need a flight to Rome", said, system=SYSTEM)


@pytest.mark.parametrize(("said", "people"), [("two of us", "2 adults"), ("just me", "1 adult")])
def test_who_travels(said: str, people: str) -> None:
    talker = Talker(SYSTEM + PROFILE)
    talker.say("I need a flight to Rome tomorrow for 3 nights")
    assert people in talker.say(said)
    assert talker.calls == []


@table(
    ("said", "people"),
    [
        ("just me", "1 adult"),
        ("Only me.", "1 adult"),
        ("It's just me this time", "1 adult"),
        ("just the two of us", "2 adults"),
        ("me and my wife", "2 adults"),
        ("Just my husband and me", "2 adults"),
        ("me, my wife and our two kids", "2 adults + 2 children"),
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
    assert "to Lisbon, 8–14 Dec" in reply
    assert reply.endswith("Where will you start from?")
    assert "home city" not in reply
    talker.say("just me")
    assert "Porto → Lisbon, 8–14 Dec, 1 adult" in talker.say("Porto")


def test_a_hotel_in_the_home_city_needs_no_start() -> None:
    assert "**Lisbon, 3–6 May 2027" in _last("a hotel in Lisbon from 3 May until 6 May")


def test_a_stay_within_a_week_begins_with_it() -> None:
    assert "8–11 Dec" in _last("flight to Rome for 3 nights in the second week of next month")


def test_a_request_to_book_is_answered_honestly() -> None:
    reply = _last("flight to Tokyo from 3 May to 10 May", "two of us", "can you book it?")
    assert "nothing on the table to book" in reply


def test_a_goodbye_is_no_place() -> None:
    talker = Talker(SYSTEM)
    assert "Where will you start from" in talker.say("I need a flight to Rome in May")
    assert "Bye" not in talker.say("bye")


@pytest.mark.parametrize("said", ["my late father loved Lisbon", "my boss is off to Cape Town again"])
def test_where_others_go_answers_no_question(said: str) -> None:
    talker = Talker(SYSTEM)
    talker.say("I need a flight in May")
    assert not {"Lisbon", "Cape Town"} & set(re.findall("Lisbon|Cape Town", talker.say(said)))


def test_an_answer_that_comes_after_another_question_still_counts() -> None:
    talker = Talker(SYSTEM)
    talker.say("I need a flight to Rome in May")
    talker.say("What do you know about me?")
    assert "Lisbon → Rome" in talker.say("from Lisbon")


@pytest.mark.parametrize(
    ("said", "details"),
    [
        ("I live in Berlin and I need to get to Lisbon from 8 to 12 December", "Berlin → Lisbon"),
        ("I'm based in Munich. Fly me to Rome on 3 May for a week", "Munich → Rome"),
        ("my sister lives in Rome and I want to visit her from 3 to 10 May, flying from Porto", "Porto → Rome"),
    ],
)
def test_where_one_lives_is_where_the_journey_starts(said: str, details: str) -> None:
    assert details in _last(said, system=SYSTEM)


def test_a_home_told_before_the_journey_or_midway_counts() -> None:
    assert "Berlin → Lisbon" in _last("I live in Berlin", "I need a flight to Lisbon", system=SYSTEM)
    assert "Berlin → Lisbon" in _last("a flight to Lisbon please", "oh, I live in Berlin", system=SYSTEM)


def test_from_home_asks_where_that_is() -> None:
    assert _last("a flight to Rome", "from home", system=SYSTEM).endswith("Where will you start from?")


@pytest.mark.parametrize(
    ("said", "details"),
    [
        ("a flight to Lisbon around Easter", "26–29 Mar 2027"),
        ("a week or so in Lisbon over Easter", "26 Mar – 2 Apr 2027"),
        ("fly to Vienna for Christmas", "24–27 Dec"),
        ("a trip to Madrid over new year's", "30 Dec – 2 Jan 2027"),
        ("flight to Vienna, Christmas markets, 4 to 6 December", "4–6 Dec"),
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
    assert "Barcelona, 8–14 Dec, 2 adults + 1 child (5), up to €1,500" in reply


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("one way to Milan tomorrow week", "Milan, 28 Nov, one way"),
        ("a return flight Paris - New York, 3 to 10 March", "Paris → New York, 3–10 Mar 2027"),
        ("i wnat to flyy to barcelna on fridai wiht my wife", "Barcelona, from 27 Nov, 2 adults"),
        (
            "We'd love to go somewhere warm in February, maybe Seville. What do you think?",
            "between 1 Feb 2027 and 28 Feb 2027",
        ),
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
    assert "Dublin (your home city) → Rome" in _last("a flight to Rome on 3 May", system=SYSTEM + known)
