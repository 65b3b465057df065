"""An order that hangs on a condition is carried out only where the data of the offer meet it."""

from __future__ import annotations

import pytest

from tests.models.offline.desk import FLIGHTS, Desk, at_flights, flight, found, hotel

WITH_BAG = found(
    flight(1, leaves="07:15", checked_bags=1),
    flight(2, leaves="14:00", stops=["MAD 1 h 00"]),
    flight(3, leaves="20:30"),
)
_HOTELS = found(hotel(1, "Park Inn", amenities=["pool"]), hotel(2, "Grand Linden", breakfast=False))


def _at_hotels() -> Desk:
    desk = Desk({"search_hotels": _HOTELS})
    desk.say("hotel in Lisbon from 8 to 14 December for two")
    return desk


@pytest.mark.parametrize(
    ("said", "booked"),
    [
        ("book number 1 if it comes with a bag, otherwise 3", "FL.1"),
        ("book the second if it has bags, else the first one", "FL.1"),
        ("take number 2 if it's nonstop, otherwise 3", "FL.3"),
        ("reserve the first one as long as it's direct", "FL.1"),
        ("if number 1 has a checked bag, book it", "FL.1"),
        ("book it provided it leaves before 9", "FL.1"),
        ("yes, but only if a bag is included", "FL.1"),
        ("book 2 if it's cheaper than 1, if not number 1", "FL.1"),
        ("take number 3 if it's under 250 dollars, otherwise the cheapest", "FL.1"),
    ],
)
def test_the_offer_that_meets_the_condition_is_put_up(said: str, booked: str) -> None:
    desk = at_flights(search_flights=WITH_BAG)
    desk.say(said)
    assert desk.called("book_offer")["offer_id"] == booked


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("book number 2 if it's direct", "“it's direct” does not hold for Lufthansa"),
        ("yes if it's refundable", "“it's refundable” does not hold for Iberia"),
        ("book the first unless it leaves before 9", "“it leaves before 9” does not hold for Iberia"),
        ("book it if my sister agrees", "whether “my sister agrees” holds"),
        ("take number 3 only if there's wifi", "whether “there's wifi” holds"),
    ],
)
def test_nothing_is_put_up_unless_the_condition_holds(said: str, told: str) -> None:
    desk = at_flights(search_flights=WITH_BAG)
    reply = desk.say(said)
    assert desk.calls == []
    assert told in reply
    assert "Shall I book" in reply


@pytest.mark.parametrize(
    ("said", "booked"),
    [
        ("book number 1 if it has a pool", "HT.1"),
        ("book number 2 if breakfast is included, otherwise 1", "HT.1"),
        ("take the Grand Linden if it can be cancelled for free", "HT.2"),
        ("the Grand Linden if it has parking, if not the Park Inn", "HT.1"),
    ],
)
def test_the_data_of_a_hotel_decide_too(said: str, booked: str) -> None:
    desk = _at_hotels()
    desk.say(said)
    assert desk.called("book_offer")["offer_id"] == booked


@pytest.mark.parametrize(
    "said", ["book number 2 if possible", "if that's ok, book number 2", "book number 2 if it's still available please"]
)
def test_a_courtesy_is_no_condition(said: str) -> None:
    desk = at_flights(search_flights=FLIGHTS)
    desk.say(said)
    assert desk.called("book_offer")["offer_id"] == "FL.2"
