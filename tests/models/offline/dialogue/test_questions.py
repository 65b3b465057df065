"""Questions are answered for the offer they ask about, and wish for nothing."""

from __future__ import annotations

import pytest

from models.offline.wording.sentences import understood_in
from tests.models.offline.desk import FLIGHTS, Desk, booked, found, hotel
from tests.tables import table

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


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (("is number 3 refundable?",), "Casa Azul"),
        (("is number 3 refundable?", "and number 2?"), "Grand Linden"),
        (("does number 1 have a pool?", "what about the second one?"), "Yes, Grand Linden"),
        (("1番にプールはありますか？", "2番は？"), "はい、Grand Linden"),
        (("1番は返金されますか", "じゃあ最後のは？"), "Casa Azul"),
    ],
)
def test_a_question_that_names_only_another_offer_asks_the_same_of_it(said: tuple[str, ...], answer: str) -> None:
    desk = _at_hotels()
    assert answer in [desk.say(each) for each in said][-1].partition("?")[0]


def test_a_question_that_names_only_a_number_is_for_the_part_asked_about() -> None:
    desk = Desk({"search_hotels": POOLS})
    desk.say("a flight and a hotel in Lisbon from Berlin, 8 to 14 December, just me")
    desk.say("is the hotel refundable?")
    assert "Grand Linden" in desk.say("and number 2?")


@pytest.mark.parametrize("said", ["朝食付きはどれ？", "どれがキャンセルできますか", "which ones have breakfast?"])
def test_which_of_them_is_answered_for_all(said: str) -> None:
    reply = _at_hotels().say(said)
    assert all(f"{at}. {name}" in reply for at, name in ((1, "Park Inn"), (2, "Grand Linden"), (3, "Casa Azul")))


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


def test_an_offer_asked_about_is_told_in_full() -> None:
    assert "Casa Azul（Baixa）" in _at_hotels().say("3番の詳細を教えてください")
    assert "Park Inn" not in _at_hotels().say("tell me more about number 3")


def test_the_offer_at_hand_is_told_again() -> None:
    assert "In full: Park Inn" in _at_hotels().say("what was that hotel again?")


def test_what_is_recommended_is_not_said_of_another_offer() -> None:
    assert "number 1" not in _at_hotels().say("why is number 2 so expensive?")


@pytest.mark.parametrize("said", ["anything cheaper?", "もう少し安いのはないですか"])
def test_that_nothing_is_cheaper_is_said(said: str) -> None:
    assert "$100.00" in _at_hotels().say(said).partition("\n\n|")[0]


PLACES = "'Taiwan' may mean Taipei, TW (TPE) or Tainan, TW (TNN). Ask which one."


def _asked_where(said: str) -> Desk:
    desk = Desk({"search_flights": [PLACES, FLIGHTS, FLIGHTS], "search_hotels": POOLS})
    desk.say(said)
    return desk


def test_a_place_is_asked_about_until_it_is_told_and_goes_by_its_name_from_then_on() -> None:
    desk = _asked_where("羽田から台湾、12月8日から14日、大人2名")
    assert "1. 台北 (TPE)\n2. 台南 (TNN)" in desk.say("車椅子をお願いします")
    assert "台南 (TNN)" in desk.say("2番のホテルは駅から近いですか")
    assert understood_in(desk.say("1番で、窓側の席がいいです")).startswith("羽田 → 台北 (TPE)")
    assert desk.called("search_flights")["destination"] == "TPE"
    desk.say("ホテルも探してください")
    assert desk.called("search_hotels")["city"] == "TPE"


def test_a_service_for_one_of_the_party_is_asked_for_with_the_booking() -> None:
    desk = Desk({"search_flights": FLIGHTS})
    desk.say("羽田から台北、12月8日から14日、大人3名")
    desk.say("母は足が悪いので、車椅子をお願いできますか")
    assert next(call for call in desk.calls if call["name"] == "save_memory_note")["text"] == "母は足が悪い"
    desk.say("1番を予約してください")
    assert desk.called("book_offer")["requests"] == ["車椅子"]


def test_rooms_apart_leave_nobody_behind() -> None:
    desk = Desk({"search_hotels": POOLS})
    desk.say("リスボンのホテルを12月8日から14日まで、大人3名と4歳の子ども1名で")
    assert "大人3名＋お子様1名（4歳）" in desk.say("母とは別の部屋がいいです")


@pytest.mark.parametrize(
    "said",
    [
        "When I travel with my mother I need a hotel with a lift, please remember that",
        "母と行くときはエレベーターのあるホテルがいいです。覚えておいてください",
    ],
)
def test_what_is_to_be_remembered_asks_for_no_offers(said: str) -> None:
    desk = Desk({"search_flights": FLIGHTS, "search_hotels": POOLS})
    desk.say("flights from Berlin to Lisbon, 8 to 14 December, 2 adults")
    desk.say(said)
    assert [call["name"] for call in desk.calls] == ["save_memory_note"]


@pytest.mark.parametrize(
    "said",
    [
        "the 4 year old gets her own seat, right?",
        "our 4 year old is too wriggly for a lap",
        "my daughter turns 8 on 2 January, does that change anything?",
        "does a child pay less?",
    ],
)
def test_what_is_said_of_one_child_changes_neither_the_party_nor_the_days(said: str) -> None:
    desk = Desk()
    desk.say("flights to Lisbon from 8 to 14 December for 2 adults and 2 kids (7 and 4)")
    before = desk.called("search_flights")
    desk.say(said)
    desk.say("in business class, please")
    assert desk.called("search_flights") == {**before, "cabin": "business"}


def test_a_question_for_an_offer_of_which_nothing_was_found_says_so() -> None:
    desk = Desk({"search_hotels": found()})
    desk.say("a flight and a hotel with a pool in Lisbon from 8 to 14 December, at most 50 a night, just me")
    assert "no free room" in desk.say("is breakfast included in the second hotel?")


def test_what_was_paid_is_told_of_the_bookings_and_not_of_the_offers() -> None:
    desk = Desk({"list_bookings": {"bookings": [booked("hotel"), booked(reference="TC-GHIJKL")]}})
    desk.say("flights to Lisbon from 8 to 14 December, just me")
    reply = desk.say("what have I booked so far and what did it all cost?")
    assert "$200.00 in all" in reply
    assert "Iberia" not in reply.split("Shall I")[0]


def test_an_insurance_included_is_that_of_the_car_at_hand() -> None:
    car = {
        "offer_id": "CR.1", "kind": "car", "summary": "Avis", "price": "$90.00", "per_day": "$30.00", "company": "Avis",
        "category": "economy", "excess": "$1,000.00", "cover": "basic", "pick_up": "2026-12-08",
        "drop_off": "2026-12-11",
    }  # fmt: skip
    desk = Desk({"search_cars": found(car)})
    desk.say("flights to Lisbon from 8 to 14 December, just me")
    desk.say("book the first")
    desk.say("and a rental car there for 3 days")
    assert "$1,000.00" in desk.say("is the insurance included?")


def test_what_the_data_of_no_offer_tell_is_not_left_to_the_hotel() -> None:
    desk = _at_hotels()
    assert "hotel or the airline" in desk.say("when was the Grand Linden built?")
    assert "hotel or the airline" not in desk.say("who won the world cup in 1998?")


def test_where_nothing_is_booked_nothing_is_cancelled() -> None:
    desk = _at_hotels()
    desk.say("cancel the hotel then")
    assert "cancel" in desk.say("cancel the hotel then")


@table(
    "said",
    [
        "can i get that as a calendar file",
        "can we take it as an ics file",
        "get it as a calendar export please",
        "could I have this in my calendar?",
        "それをカレンダーのファイルでもらえますか",
        "予定をカレンダー形式でもらえる？",
        "カレンダーに入れたいんですが",
    ],
)
def test_a_request_for_the_calendar_is_no_order(said: str) -> None:
    desk = Desk({"export_calendar": {"entries": 1, "calendar": "BEGIN"}})
    desk.say("a flight to Lisbon from 8 to 14 December, just me")
    desk.say(said)
    assert [call["name"] for call in desk.calls] == ["export_calendar"]


@table(
    "said",
    [
        "and if it has cancellation also?",
        "does it include cancellation?",
        "is cancellation in there too?",
        "キャンセル補償もある？",
        "取り消しの補償も入っていますか",
    ],
)
def test_a_part_of_the_cover_is_no_question_about_cancelling(said: str) -> None:
    pays = {"medical": "$500,000.00", "cancellation": "$4,000.00"}
    cover = {"offer_id": "IN.1", "kind": "insurance", "summary": "Standard", "price": "$88.00", "pays_up_to": pays}
    desk = Desk({"search_insurance": found({**cover, "name": "Standard", "covers": pays})})
    desk.say("insurance for Lisbon from 8 to 14 December, just me")
    reply = desk.say(said)
    assert not any(words in reply for words in ("can't be cancelled", "取り消せません"))
    assert {call["name"] for call in desk.calls} <= {"search_insurance"}
