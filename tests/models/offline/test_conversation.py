"""Whole conversations with the offline concierge, in English."""

from __future__ import annotations

import re
import sys
from collections import Counter

import pytest

from tests.models.offline.talker import PROFILE, SYSTEM, Talker, memories


def test_it_greets_by_name_and_says_once_that_it_is_offline() -> None:
    talker = Talker(SYSTEM + PROFILE)
    first = talker.say("hi")
    assert "Ana" in first
    assert "offline" in first
    assert "offline" not in talker.say("hello")


def test_a_trip_is_collected_one_question_at_a_time() -> None:
    talker = Talker(SYSTEM + PROFILE)
    asked = [talker.say(text) for text in ("Book me a flight to Paris next month.", "the 3rd to the 9th", "two of us")]
    assert all(reply.count("?") == 1 for reply in asked)
    assert "Which days in December" in asked[0]
    assert "**Lisbon (your home city) → Paris, 3–9 Dec, 2 adults**" in asked[2]
    assert "not connected" in asked[2]


def test_without_a_home_city_it_asks_where_the_journey_starts() -> None:
    talker = Talker()
    assert "start from" in talker.say("I need a flight to Rome")
    assert "Porto → Rome" in talker.say("Porto")


def test_the_last_word_wins() -> None:
    talker = Talker(SYSTEM + PROFILE)
    for text in ("I'd like to go to Paris from 3 to 9 December, just me", "make it Rome instead"):
        reply = talker.say(text)
    assert "Rome" in reply
    assert "Paris" not in reply
    assert "3–9 Dec" in reply
    assert "21–25 Nov" in talker.say("Actually, make it tomorrow for 4 nights")


def test_end_of_stay_is_asked_for_and_understood() -> None:
    talker = Talker(SYSTEM + PROFILE)
    assert "How many nights" in talker.say("I want to fly to Oslo on December 3")
    assert "3–9 Dec" in talker.say("back on the 9th")


def test_a_question_in_between_does_not_change_the_trip() -> None:
    talker = Talker(SYSTEM + PROFILE)
    talker.say("Book me a flight to Paris next month")
    assert "no weather" in talker.say("what's the weather like in Rome?")
    assert "Paris, 3–9 Dec" in talker.say("3rd to 9th")


def test_starting_over_forgets_the_trip_but_not_the_person() -> None:
    talker = Talker(SYSTEM + PROFILE)
    talker.say("Book me a flight to Paris next month")
    talker.say("start over")
    assert "Paris" not in talker.say("I'd like to go to Oslo")


def test_a_preference_beside_a_request_is_kept_and_the_trip_goes_on() -> None:
    talker = Talker(SYSTEM + PROFILE)
    reply = talker.say("I'm vegetarian, and book me a flight to Paris next month")
    assert [note["topic"] for note in talker.saved] == ["meal"]
    assert "vegetarian" in reply
    assert "Which days in December" in reply


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("thanks a lot", "Glad to help"),
        ("bye", "safe travels"),
        ("who are you?", "concierge"),
        ("blorp zib fnord", "journey"),
        ("", "didn't get that"),
    ],
)
def test_small_turns(said: str, word: str) -> None:
    talker = Talker()
    talker.say("hi")
    assert word in talker.say(said)


@pytest.mark.parametrize(
    "said", ["how much is a flight to Rome?", "what are the best hotels in Rome?", "is there a direct train to Porto?"]
)
def test_it_invents_no_price_and_no_schedule(said: str) -> None:
    reply = Talker().say(said)
    assert not re.search(r"[$€£¥]|\d\d", reply)
    assert "offline" in reply


@pytest.mark.parametrize(
    ("note", "said", "handle", "word"),
    [
        (
            "- [n1] transport, 2026-10-01: Refuse to use ride-sharing because of privacy",
            "Find me a way from the airport to the hotel",
            "n1",
            "ride-sharing",
        ),
        ("- [n2] meal, hard, 2026-10-01: I am vegetarian", "Where can we have dinner tonight?", "n2", "vegetarian"),
        (
            "- [n3] seat, 2026-10-01, on overnight flights: Prefers a window seat",
            "Book a flight to Tokyo",
            "n3",
            "on overnight flights",
        ),
        ("- [n4] hotel, 2026-10-01: Hotels with casinos are not for me", "I need a hotel in Faro", "n4", "casinos"),
        ("- [n5] booking, 2026-10-01: I can't stand red-eyes", "Book me a flight to New York", "n5", "red-eyes"),
    ],
)
def test_a_kept_preference_is_taken_into_account(note: str, said: str, handle: str, word: str) -> None:
    reply = Talker(SYSTEM + PROFILE + memories(note)).say(said)
    assert word in reply
    assert reply.splitlines()[-1] == f"<used>{handle}</used>"


def test_a_memory_that_does_not_matter_is_not_recited() -> None:
    reply = Talker(SYSTEM + memories("- [n1] car, 2026-10-01: I only drive automatics")).say("where can I have dinner?")
    assert "automatics" not in reply
    assert "<used>" not in reply


def test_the_message_wins_over_a_memory() -> None:
    talker = Talker(SYSTEM + memories("- [n1] seat, 2026-10-01: I prefer the aisle"))
    reply = talker.say("I want to fly to Rome, and this time I'd like a window seat")
    assert "aisle" not in reply
    assert "window" in reply


def test_the_session_wins_over_what_is_older() -> None:
    shown = memories(
        "- [n1] seat, 2026-10-01: I prefer the aisle",
        session=("- [n2] seat, trip only, 2026-11-20: Window seat this time",),
    )
    reply = Talker(SYSTEM + shown).say("Book a flight to Rome")
    assert "aisle" not in reply
    assert reply.endswith("<used>n2</used>")


_FIFTY = memories(*(f"- [n{number}] meal, 2026-09-01: Likes dish {number} of the house" for number in range(50)))


def _calls(said: str, *, notes: str = "") -> int:
    """Count the calls of functions in a first turn."""
    talker, counted = Talker(SYSTEM + notes), Counter[str]()
    sys.setprofile(lambda _, event, __: counted.update([event]))
    try:
        talker.say(said)
    finally:
        sys.setprofile(None)
    return counted["call"]


def test_a_greeting_reads_no_note() -> None:
    _calls("hi")
    assert _calls("hello", notes=_FIFTY) < 2 * _calls("hello")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I love beaches", "I love museums"),
        ("Flight from Oslo to Rome, 5 to 9 March", "Flight from Berlin to Rome, 5 to 9 March"),
    ],
)
def test_each_note_is_read_once_and_not_at_every_message(first: str, second: str) -> None:
    for text, notes in ((first, ""), (first, _FIFTY), (second, "")):
        _calls(text, notes=notes)
    assert _calls(second, notes=_FIFTY) < 4 * _calls(second)
