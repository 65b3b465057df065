"""Of places and days to choose between none is taken without a word: the reply asks which, or compares all of them."""

from __future__ import annotations

import pytest

from models.offline.wording.sentences import question_in, understood_in
from tests.models.offline.desk import Desk, booked, flight, found


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("should we fly to Porto or Faro from Berlin, 12 to 15 May, the two of us?", "Porto or Faro"),
        ("flights from Berlin to either Naples or Bari, 12 to 15 May for two", "Naples or Bari"),
        ("two of us from Berlin, 12 to 15 May, maybe Dublin or Edinburgh", "Dublin or Edinburgh"),
        ("a hotel in Ghent or in Antwerp from 12 to 15 May for two", "Ghent or Antwerp"),
        ("fly from Bremen or Hamburg to Rome, 12 to 15 May, one adult", "Bremen or Hamburg"),
        ("a few days in May for two, no idea where. Porto? Faro? What do you reckon?", "Porto or Faro"),
        ("we want to fly from Berlin on 12 May. rome? bari? naples?", "Rome or Bari or Naples"),
        ("5月に2人で旅行したいです。ポルト？ファロ？", "ポルトかファロ"),
        ("羽田からベルリンかアムステルダム、5月12日から15日、二人", "ベルリンかアムステルダム"),
    ],
)
def test_of_places_to_choose_between_the_reply_asks_which(said: str, named: str) -> None:
    desk = Desk()
    reply = desk.say(said)
    assert desk.calls == []
    assert question_in(reply) == "ask_either"
    assert named in reply


@pytest.mark.parametrize(
    ("answer", "first", "other"),
    [
        ("Faro", "Faro", "Porto"),
        ("let's try the first", "Porto", "Faro"),
        ("the second one", "Faro", "Porto"),
        ("whichever is cheaper", "Porto", "Faro"),
    ],
)
def test_the_place_taken_is_searched_and_the_other_named(answer: str, first: str, other: str) -> None:
    desk = Desk()
    desk.say("flights from Berlin to Porto or Faro, 12 to 15 May for two")
    reply = desk.say(answer)
    assert desk.called("search_flights")["destination"] == first
    assert f"say “{other}”" in reply


@pytest.mark.parametrize(
    ("opening", "answer"),
    [
        ("flights from Berlin to Porto or Madrid, 12 to 15 May for two", "both"),
        ("flights from Berlin to Porto or Madrid, 12 to 15 May for two", "both of them please"),
        ("compare flights from Berlin to Porto or Madrid, 12 to 15 May for two", ""),
        ("ベルリンからポルトかマドリード、5月12日から15日の便、二人", "両方"),
        ("ベルリンからポルトかマドリード、5月12日から15日、両方の便を見せて。二人", ""),
    ],
)
def test_both_places_are_searched_and_a_number_or_a_place_decides(opening: str, answer: str) -> None:
    desk = Desk({"search_flights": [found(flight(1), flight(2), flight(3)), found(flight(4), flight(5), flight(6))]})
    reply = desk.say(opening)
    reply = desk.say(answer) if answer else reply
    assert [each["destination"] for each in desk.calls] == ["Porto", "Madrid"]
    assert question_in(reply) == "ask_number"
    assert not [each for each in desk.calls if each["name"] == "book_offer"]
    reply = desk.say("マドリードにします。" if "ポルト" in opening else "Madrid it is")
    assert "4" in reply
    desk.say("4番を予約して" if "ポルト" in opening else "book number 4")
    assert desk.called("book_offer")["offer_id"] == "FL.4"


@pytest.mark.parametrize("answer", ["yes", "book it", "book the cheapest", "はい"])
def test_no_yes_books_one_of_the_alternatives(answer: str) -> None:
    desk = Desk({"search_flights": [found(flight(1), flight(2), flight(3)), found(flight(4), flight(5), flight(6))]})
    desk.say("compare flights from Berlin to Porto or Madrid, 12 to 15 May for two")
    desk.say(answer)
    assert not [each for each in desk.calls if each["name"] == "book_offer"]


def test_a_booked_alternative_leaves_the_others() -> None:
    desk = Desk({
        "search_flights": [found(flight(1), flight(2), flight(3)), found(flight(4), flight(5), flight(6))],
        "book_offer": booked(),
    })  # fmt: skip
    desk.say("compare flights from Berlin to Porto or Madrid, 12 to 15 May for two")
    reply = desk.say("book number 4")
    assert "number 1" not in reply
    desk.say("yes")
    assert not [each for each in desk.calls if each["name"] == "book_offer"]


def test_another_place_than_those_named_is_taken_too() -> None:
    desk = Desk()
    desk.say("flights from Berlin to Porto or Faro, 12 to 15 May for two")
    desk.say("neither, Madrid please")
    assert desk.called("search_flights")["destination"] == "Madrid"


@pytest.mark.parametrize(
    ("said", "open_days", "asked"),
    [
        ("flights Berlin to Rome on 12 or 19 May, one way, just me", "12 or 19 May", "ask_dates"),
        ("flights Berlin to Rome in May or June for 3 nights, just me", "in May or June", "ask_dates"),
        (
            "flights Berlin to Rome on Friday or maybe Saturday, one way, for me",
            "Friday or maybe Saturday",
            "ask_dates",
        ),
        ("flights Berlin to Rome 12 May, back 15 or 16 May, just me", "15 or 16 May", "ask_end"),
        ("flights Berlin to Rome 12 May for 3 or 4 nights, just me", "3 or 4 nights", "ask_end"),
    ],
)
def test_of_days_to_choose_between_the_reply_asks_which(said: str, open_days: str, asked: str) -> None:
    desk = Desk()
    reply = desk.say(said)
    assert desk.calls == []
    assert f"“{open_days}”" in reply
    assert question_in(reply) == asked


@pytest.mark.parametrize(
    "said",
    [
        "flights from Berlin to Rome, 12 to 15 May for two, window or aisle",
        "flights from Berlin to Rome, 12 to 15 May for two, direct or with one stop",
        "flights from Berlin to Rome, 12 to 15 May for one or two people, no, two",
    ],
)
def test_other_alternatives_leave_the_journey_alone(said: str) -> None:
    desk = Desk()
    assert understood_in(desk.say(said)).startswith("Berlin → Rome, 12–15 May")
    assert desk.called("search_flights")


@pytest.mark.parametrize("said", ["Porto?", "what about Porto?", "ポルトは？"])
def test_a_single_place_asked_about_is_taken(said: str) -> None:
    desk = Desk()
    desk.say("Berlin to Faro, 12 to 15 May, the two of us")
    desk.say(said)
    assert desk.called("search_flights")["destination"] == "Porto"
