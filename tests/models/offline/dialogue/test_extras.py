"""Extras of a trip: sights beside what is booked, a no to them, cover and totals."""

from __future__ import annotations

import pytest

from models.offline.wording.sentences import understood_in
from tests.models.offline.desk import FLIGHTS, Desk, booked, found, hotel

TOURS = found({
    "offer_id": "AC.1", "kind": "activity", "title": "Yoga in the park", "summary": "Yoga, 2026-12-09",
    "price": "$84.00", "starts": "2026-12-09 18:00", "minutes": 75,
})  # fmt: skip
COVER = found({
    "offer_id": "IN.1", "kind": "insurance", "company": "Assured", "product": "Basic", "price": "$46.20",
    "summary": "Assured Basic, 2026-12-08 to 2026-12-14", "covers": ["medical up to $100,000.00, excess $50.00"],
})  # fmt: skip


def _with_flight() -> Desk:
    desk = Desk({
        "search_flights": FLIGHTS, "book_offer": booked(), "search_activities": TOURS, "search_insurance": COVER,
        "search_hotels": found(hotel(1, "Park Inn"), hotel(2, "Casa Azul")),
        "list_bookings": {"bookings": [
            booked(), booked("hotel", reference="TC-GHIJKL"),
        ], "total": "$200.00"},
    })  # fmt: skip
    desk.say("flights from Berlin to Lisbon, 8 to 14 December, 2 adults")
    desk.say("book number 1")
    return desk


@pytest.mark.parametrize(
    "said", ["are there any tours to Quillabamba Falls?", "九份に行きたいんですけど、ツアーはありますか"]
)
def test_an_unknown_place_beside_things_to_do_is_a_sight_of_the_trip(said: str) -> None:
    desk = _with_flight()
    reply = desk.say(said)
    assert desk.called("search_activities")["city"] == "Lisbon"
    assert "Quillabamba" in reply or "九份" in reply


def test_asking_whether_somebody_may_join_makes_the_party_no_larger() -> None:
    desk = _with_flight()
    desk.say("体験はありますか")
    desk.say("息子でも参加できますか？")
    assert desk.calls == []


@pytest.mark.parametrize("no", ["no thanks", "やっぱりいいです"])
def test_a_no_to_an_extra_ends_it(no: str) -> None:
    desk = _with_flight()
    desk.say("any activities there?")
    desk.say(no)
    assert "Yoga" not in desk.say("what about the visa?")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("what does the insurance cover?", "medical costs up to $100,000.00"),
        ("保険は何が含まれていますか", "医療費$100,000.00まで"),
    ],
)
def test_what_an_insurance_covers_is_told(said: str, answer: str) -> None:
    desk = _with_flight()
    desk.say("and insurance please")
    assert answer in desk.say(said)


def test_the_total_of_several_bookings_is_that_of_the_bookings() -> None:
    desk = _with_flight()
    desk.say("show me my bookings")
    desk.say("any activities there?")
    desk.say("how much is it altogether?")
    assert [call["name"] for call in desk.calls] == ["list_bookings"]


def test_an_offer_of_the_earlier_table_is_taken_by_its_number() -> None:
    desk = Desk({"search_hotels": found(hotel(1, "Park Inn"), hotel(2, "Casa Azul"))})
    desk.say("リスボンのホテルを12月8日から14日まで2人で")
    desk.say("プール付きで")
    assert "Casa Azul" in desk.say("やっぱりプールはいらないので、最初の2番に変えられますか").partition("おすすめ")[2]


def test_a_day_of_a_booked_flight_that_is_asked_for_is_looked_for() -> None:
    desk = _with_flight()
    assert understood_in(desk.say("帰りの便を12月16日に変更できますか")).startswith("Berlin → Lisbon")
    assert desk.called("search_flights")["returning"] == "2026-12-16"


def test_a_child_seat_is_asked_for_with_the_car_and_no_seat_of_a_flight() -> None:
    desk = _with_flight()
    car = {"offer_id": "CR.1", "kind": "car", "company": "Europcar", "category": "economy", "price": "$88.00"}
    desk.answers["search_cars"] = found({**car, "summary": "Europcar, 2026-12-08 to 2026-12-14", "excess": "$900.00"})
    desk.say("レンタカーも借りたいです。チャイルドシートもお願いします")
    assert [call["name"] for call in desk.calls] == ["search_cars"]
    desk.say("1番を予約してください")
    assert desk.called("book_offer")["requests"] == ["チャイルドシート"]


def test_what_is_to_come_later_is_not_booked_now() -> None:
    desk = Desk({"search_flights": FLIGHTS, "search_hotels": found(hotel(1, "Park Inn"))})
    desk.say("ベルリンからリスボン、12月8日から14日、2人、ホテルも")
    desk.say("ホテルより先に飛行機を予約したいです")
    assert [call["offer_id"] for call in desk.calls if call["name"] == "book_offer"] == ["FL.1"]


@pytest.mark.parametrize("said", ["Tom is 7 and Lucy is 3", "just me and them, my husband has to work"])
def test_children_are_told_of_by_their_names(said: str) -> None:
    desk = Desk({"search_flights": FLIGHTS})
    desk.say("flights from Berlin to Lisbon, 8 to 14 December, with my two kids")
    desk.say(said)
    assert "1 adult + 2 children" in desk.say("one checked bag please")
