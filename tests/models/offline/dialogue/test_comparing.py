"""Offers on the table are compared by their data: which comes first, and what they differ in."""

from __future__ import annotations

import pytest

from tests.models.offline.desk import Desk, at_flights, found, hotel


@pytest.fixture
def at_hotels() -> Desk:
    offers = found(
        hotel(1, "Park Inn"), hotel(2, "Grand Linden", breakfast=False, guest_score=9.1), hotel(3, "Casa Azul")
    )
    desk = Desk({"search_hotels": offers})
    desk.say("hotel in Lisbon from 8 to 14 December for two")
    return desk


def _rows(reply: str) -> list[str]:
    return [line.split("|")[1].strip() for line in reply.splitlines() if line.startswith("| ")][1:]


@pytest.mark.parametrize(
    ("said", "rows"),
    [
        ("what's the difference between 1 and 2?", ["1", "2"]),
        ("how do numbers 2 and 3 differ?", ["2", "3"]),
        ("compare the first and the last one please", ["1", "3"]),
        ("number 1 versus number 3?", ["1", "3"]),
        ("can you compare them?", ["1", "2", "3"]),
    ],
)
def test_what_the_offers_differ_in_is_told(said: str, rows: list[str]) -> None:
    desk = at_flights()
    reply = desk.say(said)
    assert desk.calls == []
    assert "This is what they differ in" in reply
    assert _rows(reply) == rows


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("which leaves later, 1 or 3?", "Number 3, Finnair, leaves later."),
        ("is 1 faster than 2?", "Number 1, Iberia, is quicker."),
        ("is number 2 cheaper than number 3?", "Number 2, Lufthansa, costs less."),
        ("which of the two costs less, 2 or 3?", "Number 2, Lufthansa, costs less."),
    ],
)
def test_the_flight_that_comes_first_is_named(said: str, told: str) -> None:
    assert told in at_flights().say(said)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("which is closer to the centre, 2 or 3?", "Number 2, Grand Linden, is closer to the centre."),
        ("which has the better reviews, number 1 or number 2?", "Number 2, Grand Linden, is rated better."),
    ],
)
def test_the_hotel_that_comes_first_is_named(at_hotels: Desk, said: str, told: str) -> None:
    assert told in at_hotels.say(said)


@pytest.mark.parametrize(
    ("said", "told", "rows"),
    [
        (("1番と3番の違いは？",), "違いは次のとおりです", ["1", "3"]),
        (("2番と3番を比べて",), "違いは次のとおりです", ["2", "3"]),
        (("1番と2番はどこが違うの？",), "違いは次のとおりです", ["1", "2"]),
        (("2番は1番より評価が高い？",), "2番", ["1", "2"]),
        (
            ("what's the difference between 1 and 2?", "which of the two is closer to the centre?"),
            "Number 1",
            ["1", "2"],
        ),
        (("1番と2番の違いは？", "どちらが中心に近い？"), "1番", ["1", "2"]),
    ],
)
def test_those_compared_are_told_of_and_stay_the_two(
    at_hotels: Desk, said: tuple[str, ...], told: str, rows: list[str]
) -> None:
    reply = [at_hotels.say(each) for each in said][-1]
    assert at_hotels.calls == []
    assert told in reply
    assert sorted(_rows(reply)) == rows


def test_what_no_data_tell_is_not_guessed() -> None:
    reply = at_flights().say("does number 2 have more legroom than number 1?")
    assert "ahead" not in reply
    assert any(each in reply for each in ("isn't in my data", "doesn't say", "have nothing on that"))


def test_alike_offers_are_called_alike(at_hotels: Desk) -> None:
    assert "alike" in at_hotels.say("which has the better reviews, 1 or 3?")


@pytest.mark.parametrize(
    ("said", "booked"), [("book number 1", "FL.1"), ("the second one please, book it", "FL.2"), ("book 3", "FL.3")]
)
def test_a_choice_compares_nothing(said: str, booked: str) -> None:
    desk = at_flights()
    desk.say(said)
    assert desk.called("book_offer")["offer_id"] == booked
