"""Questions are answered for the offer they ask about, and wish for nothing."""

from __future__ import annotations

import pytest

from models.offline.wording.sentences import understood_in
from tests.models.offline.desk import Desk, found, hotel

POOLS = found(hotel(1, "Park Inn"), hotel(2, "Grand Linden", amenities=["pool"]), hotel(3, "Casa Azul"))


def _at_hotels() -> Desk:
    desk = Desk({"search_hotels": POOLS})
    desk.say("a hotel in Lisbon from 8 to 14 December, just me")
    return desk


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("does the first one have a pool?", "No, Park Inn"),
        ("is there a pool at number 3?", "No, Casa Azul"),
        ("does the Grand Linden have a pool?", "Yes, Grand Linden"),
        ("1番にプールはありますか？", "Park Inn"),
    ],
)
def test_the_offer_asked_about_is_answered_for(said: str, answer: str) -> None:
    assert answer in _at_hotels().say(said)


def test_what_a_yes_would_book_is_named_beside_other_names() -> None:
    assert "Shall I book number 1, Park Inn?" in _at_hotels().say("does the first one have a pool?")


def test_a_question_about_offers_that_are_not_there_wishes_for_nothing() -> None:
    desk = Desk()
    desk.say("a hotel in Lisbon please, just me")
    desk.say("does the first one have a pool?")
    assert "pool" not in understood_in(desk.say("from 8 to 14 December"))


def test_a_number_of_rooms_and_their_kind_are_both_read() -> None:
    desk = Desk({"search_hotels": POOLS})
    reply = desk.say("two connecting rooms in Lisbon from 8 to 14 December for 4")
    assert desk.called("search_hotels")["rooms"] == 2
    assert "connecting rooms" in reply


@pytest.mark.parametrize(
    "said",
    [
        "we need somewhere to stay as well, with a kitchen ideally, walking distance to the centre",
        "I need a car too, automatic if possible, and big enough for the pram",
        "we'd love a room with a sea view",
        "we need two connecting rooms",
    ],
)
def test_what_is_wanted_of_the_trip_under_way_is_no_note(said: str) -> None:
    desk = Desk()
    desk.say("flights from Berlin to Lisbon, 8 to 14 December, just me")
    desk.say(said)
    assert "save_memory_note" not in [call["name"] for call in desk.calls]


@pytest.mark.parametrize("said", ["I need an aisle seat because of my knee", "I hate hostels", "I'm allergic to nuts"])
def test_what_says_more_than_the_trip_is_noted(said: str) -> None:
    desk = Desk()
    desk.say("flights from Berlin to Lisbon, 8 to 14 December, just me")
    desk.say(said)
    assert "save_memory_note" in [call["name"] for call in desk.calls]
