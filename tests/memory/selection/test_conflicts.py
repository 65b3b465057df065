"""Which notes can't both guide an answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memory.records.notes import Source
from memory.selection.conflicts import clashes
from tests.samples import note
from tests.tables import table

AISLE = note("I prefer aisle seats", topic="seat")
WINDOW = note("I prefer window seats", topic="seat")


def _clash(one: Any, other: Any, message: str, **more: Any) -> bool:
    found = clashes([one, other], message, **more)
    assert found in ([], [(one, other)])
    return bool(found)


@table(
    "message",
    [
        "Find me a flight to Rome",
        "I need to fly to Oslo on Friday",
        "Plan a trip to Lisbon for us",
        "Which seat should I take?",
        "Aisle or window?",
        "I want to go to Rome in May",
        "ローマへ行きたいです",
        "来週の夜行便を探して",
    ],
)
def test_two_seats_clash_where_a_seat_matters(message: str) -> None:
    assert _clash(AISLE, WINDOW, message)


@pytest.mark.parametrize(
    "message",
    [
        "Hello!",
        "Where can we have dinner tonight?",
        "Is a quiet hotel to be had near the station?",
        "What is the time?",
        "",
        "こんにちは",
        "静かなホテルはありますか",
    ],
)
def test_seats_do_not_matter_for_everything(message: str) -> None:
    assert not _clash(AISLE, WINDOW, message)


@pytest.mark.parametrize(
    "message", ["Book me a flight with an aisle seat", "A middle seat on that flight is fine", "窓側でお願いします"]
)
def test_a_message_that_says_which_one_is_the_answer(message: str) -> None:
    assert not _clash(AISLE, WINDOW, message)


@pytest.mark.parametrize(
    ("one", "other", "topic", "message"),
    [
        ("I love hostels", "I hate hostels", "hotel", "Where should I stay in Rome?"),
        ("Hotels under 200 EUR", "Hotels under 300 EUR", "budget", "Find me a hotel in Rome"),
        ("I like a high floor", "I want a low floor", "room", "Find me a hotel in Rome"),
        ("I always fly economy", "I fly business class", "cabin", "a flight to Oslo, please"),
        ("ホステルが好き", "ホステルは嫌い", "hotel", "ローマのホテルを探して"),
        ("通路側の席が好き", "窓側の席が好き", "seat", "ローマ行きの便を探して"),
    ],
)
def test_different_answers_and_opposite_stances_clash(one: str, other: str, topic: Any, message: str) -> None:
    assert _clash(note(one, topic=topic), note(other, topic=topic), message)


@pytest.mark.parametrize(
    ("one", "other", "topic"),
    [
        ("I prefer aisle seats", "I like to sit near the front", "seat"),
        ("I love sushi", "I love ramen", "meal"),
        ("I like hiking", "I like museums", "activity"),
        ("I prefer aisle seats", "My mother prefers window seats", "seat"),
    ],
)
def test_notes_that_both_hold_do_not(one: str, other: str, topic: Any) -> None:
    assert not _clash(note(one, topic=topic), note(other, topic=topic), "Plan a trip to Rome")


SHORT = note("Aisle seat", topic="seat", condition="on short flights")
NIGHT = note("Window seat", topic="seat", condition="on overnight flights")


@pytest.mark.parametrize(
    ("one", "other", "message", "expected"),
    [
        (SHORT, NIGHT, "Find me a flight to Rome", False),
        (SHORT, NIGHT, "Find me an overnight flight to Rome", False),
        (SHORT, NIGHT, "Find me a short overnight flight to Rome", True),
        (SHORT, WINDOW, "Find me a short flight to Rome", False),
        (NIGHT, note("Aisle seat", topic="seat", condition="on red-eyes"), "a flight to Rome", True),
        (note("Aisle seats on short flights", topic="seat"), NIGHT, "a short overnight flight", True),
    ],
)
def test_conditions_let_notes_live_side_by_side_until_both_are_met(
    one: Any, other: Any, message: str, expected: bool
) -> None:
    assert _clash(one, other, message) is expected


def test_what_the_workspace_says_against_the_users_own_stance_is_asked() -> None:
    shared = note(
        "We never book hostels", topic="hotel", scope="workspace", source=Source(thread_id="t", workspace="acme")
    )
    assert _clash(note("I love hostels", topic="hotel"), shared, "Where should I stay in Rome?")


@pytest.mark.parametrize("changed", [{"status": "superseded"}, {"scope": "trip"}])
def test_what_holds_no_longer_or_for_one_trip_only_clashes_with_nothing(changed: dict[str, Any]) -> None:
    assert not _clash(AISLE, WINDOW.model_copy(update=changed), "Find me a flight to Rome")


def test_what_was_said_in_this_conversation_settles_it() -> None:
    other = note("I like to sit near the front", topic="seat")
    assert not _clash(AISLE, WINDOW, "Find me a flight", answers=[note("aisle", topic="seat")])
    assert _clash(AISLE, WINDOW, "Find me a flight", answers=[other])


def test_a_later_note_that_says_when_which_one_holds_settles_it() -> None:
    later = NIGHT.model_copy(update={"created_at": datetime(2026, 11, 2, tzinfo=UTC)})
    assert clashes([AISLE, WINDOW, later], "Find me a flight to Rome") == []
    assert clashes([AISLE, WINDOW, NIGHT], "Find me a flight to Rome") == [(AISLE, WINDOW)]
