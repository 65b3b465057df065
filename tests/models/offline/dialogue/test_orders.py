"""Orders of several things at once: each is chosen by its own words, and they share one order."""

from __future__ import annotations

from datetime import date

import pytest

from models.offline.reading.read import read
from models.offline.reading.understanding import Clause, Kind, ReadingContext
from tests.models.offline.desk import at_flights, flight, found


def _read(said: str, about: Kind = "hotel") -> list[str]:
    """Return the orders and choices of a message that answers "Shall I book it?"."""
    context = ReadingContext(
        date(2026, 11, 22), "confirm", date(2027, 5, 14), date(2027, 5, 17),
        trip_open=True, offers_shown=True, about=about, names=("Ryanair", "ANA", "Ramada Barcelona"),
    )  # fmt: skip
    return [_written(clause) for clause in read(said, context).clauses if clause.act in ("choose", "book", "hold")]


def _written(clause: Clause) -> str:
    choice = clause.choice
    number = None if choice is None or choice.ordinal is None else choice.ordinal + 1
    which = choice and (number or choice.sort or choice.name or (choice.that and "that") or None)
    return f"{clause.act} {'+'.join(clause.kinds)} {which}"


CHEAPEST_AND_FIRST = ["book flight cheapest", "book hotel 1"]


@pytest.mark.parametrize(
    ("said", "orders"),
    [
        ("okay go on then, cheapest flight and the first hotel u just showed me", CHEAPEST_AND_FIRST),
        ("the cheapest flight and hotel number 1 please", CHEAPEST_AND_FIRST),
        ("book us the cheapest flight and that hotel", ["book flight cheapest", "book hotel that"]),
        ("book the cheapest economy one and the cheapest suv", ["book flight cheapest", "book car cheapest"]),
        ("cheapest flight, first hotel, cheapest car. all three", [*CHEAPEST_AND_FIRST, "book car cheapest"]),
        ("the first one for the flight and the second for the hotel", ["book flight 1", "book hotel 2"]),
        ("the second hotel and the flight, book them", ["book hotel 2", "book flight None", "book  None"]),
        ("could you book flight 2 and the cheapest car?", ["book flight 2", "book car cheapest"]),
        ("I'll have the cheapest that goes straight there, and the first car", ["book flight cheapest", "book car 1"]),
        ("the ryanair one and the second hotel please", ["book flight Ryanair", "book hotel 2"]),
        ("飛行機は一番安いの、ホテルは一番上のでお願いします", CHEAPEST_AND_FIRST),
        ("プレエコのいちばん安いのと、ホテルは朝食つきの1番目、両方予約したいです", CHEAPEST_AND_FIRST),
        ("飛行機は12時より後のいちばん安いやつ、ホテルは屋上バーの一番上、ツアーも一番上。3つまとめてたのむわ",
         [*CHEAPEST_AND_FIRST, "book activity 1"]),
        ("宿はその中で一番安いやつ、飛行機も一番安いやつで予約して", ["book hotel cheapest", "book flight cheapest"]),
        ("じゃ飛行機いちばん安いやつとホテルは2番目のやつ、予約しちゃって", ["book flight cheapest", "book hotel 2"]),
        ("ホテルは2番目で飛行機は一番早いのにします", ["book hotel 2", "book flight earliest"]),
        ("一番安い便と一番上のホテル、それと一番安い車もまとめて予約で", [*CHEAPEST_AND_FIRST, "book car cheapest"]),
        ("航空券は1つ目、宿は最安のでたのむ", ["book flight 1", "book hotel cheapest"]),
    ],
)  # fmt: skip
def test_each_thing_ordered_is_chosen_by_its_own_words(said: str, orders: list[str]) -> None:
    assert _read(said) == orders


def test_words_for_a_wish_name_the_kind_of_the_part_on_the_table() -> None:
    said = "okay the first hotel pls and an art one on the friday, the cheapest"
    assert _read(said, about="activity") == ["book hotel 1", "book activity cheapest"]


@pytest.mark.parametrize(
    "said",
    [
        "what's the total for the cheapest flight and the second hotel",
        "how much is the cheapest flight and first hotel together?",
        "compare the first flight and the second hotel",
        "I want a cheaper flight and a more central hotel",
        "show me cheaper flights and the best hotels",
        "cheapest flights, cheapest hotels please",
        "cheap flight and cheap hotel",
        "安い飛行機と安いホテル",
        "ホテルの1番と一番安い飛行機、合計いくら？",
        "1番のホテルと一番安い便、どっちが先に埋まりそう？",
    ],
)
def test_a_question_or_a_search_of_several_things_orders_none(said: str) -> None:
    assert _read(said) == []


@pytest.mark.parametrize(
    ("said", "orders"),
    [
        ("the first hotel looks nice. book the cheapest flight", ["choose hotel 1", "book flight cheapest"]),
        ("hold the cheapest flight and book the first hotel", ["hold flight cheapest", "book hotel 1"]),
        ("一番安い飛行機とホテルを予約して", ["book flight+hotel cheapest"]),
        ("飛行機とホテル、両方とも一番目がいいです", ["choose flight+hotel 1"]),
    ],
)
def test_what_is_said_of_one_or_of_all_is_not_divided(said: str, orders: list[str]) -> None:
    assert _read(said) == orders


@pytest.mark.parametrize(
    "said", ["cheapest flight and the second hotel, before I change my mind", "飛行機は最安の、ホテルは2番目でお願い"]
)
def test_both_are_put_up_for_approval(said: str) -> None:
    desk = at_flights()
    desk.say("and a hotel there")
    desk.say(said)
    assert sorted(call["offer_id"] for call in desk.calls) == ["FL.1", "HT.2"]


@pytest.mark.parametrize("said", ["book the cheapest with breakfast", "朝食付きで一番安い所、予約"])
def test_what_only_a_hotel_can_have_describes_a_hotel(said: str) -> None:
    car = {"offer_id": "CR.1", "kind": "car", "summary": "Avis", "price": "$30.00", "name": "Avis", "category": "suv"}
    desk = at_flights(search_cars=found(car))
    desk.say("and a hotel there")
    desk.say("and a rental car there")
    assert [call["name"] for call in desk.calls] == ["search_cars"]
    desk.say(said)
    assert desk.called("book_offer")["offer_id"] == "HT.1"


@pytest.mark.parametrize("said", ["yes please dear, both", "yes please love, both of them", "yes, mate, all of it"])
def test_both_behind_a_form_of_address_is_heard(said: str) -> None:
    desk = at_flights()
    desk.say("and a hotel there")
    desk.say(said)
    assert sorted(call["offer_id"] for call in desk.calls) == ["FL.1", "HT.1"]


@pytest.mark.parametrize(
    "said",
    [
        "book the cheapest business one",
        "take the cheapest business option",
        "book the cheapest of the business ones",
        "ビジネスクラスの一番安いのを予約して",
    ],
)
def test_a_cabin_that_an_order_names_is_searched(said: str) -> None:
    desk = at_flights(search_flights=found(flight(1, cabin="economy"), flight(2, cabin="economy")))
    desk.say(said)
    searched = [call.get("cabin") for call in desk.calls if call["name"] == "search_flights"]
    assert (searched[:1], [call for call in desk.calls if call["name"] == "book_offer"]) == (["business"], [])


@pytest.mark.parametrize("said", ["what's business?", "what would business be?", "what does business cost?"])
def test_the_price_of_a_cabin_is_searched(said: str) -> None:
    desk = at_flights()
    desk.say(said)
    assert desk.called("search_flights")["cabin"] == "business"
