"""Extras of a trip: sights beside what is booked, a no to them, cover and totals."""

from __future__ import annotations

import pytest

from models.offline.wording.sentences import understood_in
from tests.models.offline.desk import FLIGHTS, Desk, booked, flight, found, hotel
from tests.tables import table

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


@table(
    ("said", "requests"),
    [
        ("book the first hotel, and ask them for a shower seat please", ["a shower seat"]),
        ("Book the first one. Let the hotel know it's our anniversary.", ["it's our anniversary"]),
        ("Book number 1. Tell the hotel we have a baby.", ["we have a baby"]),
        ("1番のホテルを予約して、誕生日だとホテルに伝えてください", ["誕生日"]),
        ("1番のホテルで予約お願いします。新婚旅行だってホテルに伝えておいてほしいです", ["新婚旅行"]),
    ],
)
def test_what_a_hotel_is_to_be_told_goes_with_the_booking(said: str, requests: list[str]) -> None:
    desk = _with_flight()
    desk.say("a hotel in Lisbon for the same days")
    desk.say(said)
    booking = desk.called("book_offer")
    assert (booking["offer_id"], booking["requests"]) == ("HT.1", requests)


def test_whom_a_hotel_is_told_of_changes_nobody() -> None:
    desk = _with_flight()
    desk.say("a hotel in Lisbon for the same days")
    desk.say("Book number 1. Tell the hotel we have a baby.")
    assert understood_in(desk.say("cars as well")).endswith("2 adults, car")


@table("said", ["ask for more options", "can I ask for a refund?", "tell them no", "一番安いのはどれかホテルに聞いて"])
def test_what_asks_nothing_of_a_hotel_is_no_request(said: str) -> None:
    desk = Desk({"search_hotels": found(hotel(1, "Park Inn"), hotel(2, "Casa Azul")), "book_offer": booked("hotel")})
    desk.say("a hotel in Lisbon from 8 to 14 December for two")
    desk.say(said)
    desk.say("book number 1")
    assert not desk.called("book_offer").get("requests")


@table(
    "said",
    [
        "And a hotel. In Baixa, 8 to 14 December",
        "ホテルも。バイシャで12/8から12/14、1泊300ドルくらいまでで",
        "ツアーもある？12/11がいいな",
    ],
)
def test_days_of_another_part_move_no_flight_that_is_booked(said: str) -> None:
    desk = _with_flight()
    desk.say(said)
    assert "search_flights" not in {call["name"] for call in desk.calls}
    desk.say("book the first one")
    assert [call["name"] for call in desk.calls] == ["book_offer"]
    assert not desk.called("book_offer")["offer_id"].startswith("FL")


def test_two_that_were_picked_are_put_up_together() -> None:
    desk = Desk({"search_flights": FLIGHTS, "search_hotels": found(hotel(1, "Park Inn"), hotel(2, "Casa Azul"))})
    desk.say("flights from Berlin to Lisbon, 8 to 14 December, 2 adults, and a hotel")
    desk.say("The first hotel on your list will do nicely. And the second of the flights, book that.")
    assert [call["offer_id"] for call in desk.calls] == ["HT.1", "FL.2"]


@table(
    "said",
    [
        "And a minivan with pick-up at the airport, same days",
        "And a minivan, pickup and drop off at the airport, same days",
    ],
)
def test_where_a_car_is_picked_up_wants_no_hotel(said: str) -> None:
    desk = _with_flight()
    desk.answers["search_cars"] = found()
    desk.say(said)
    assert {call["name"] for call in desk.calls} == {"search_cars"}


CAR = {
    "offer_id": "CR.1", "kind": "car", "company": "Hertz", "category": "midsize", "automatic": True,
    "summary": "Hertz, midsize", "price": "$100.00", "per_day": "$10.00", "meets": [], "misses": [],
}  # fmt: skip


@pytest.mark.parametrize(
    "said", ["Yes to both, with two checked bags on the flight", "both please, and two bags for the flight"]
)
def test_both_are_booked_and_what_goes_with_each_goes_with_that_alone(said: str) -> None:
    desk = Desk({"search_cars": found(CAR)})
    desk.say("Flight to Lisbon from 8 to 14 December and a rental car for the same days, just me")
    desk.say("First flight please, and whichever automatic is cheapest")
    desk.say(said)
    calls = {call["offer_id"]: call for call in desk.calls if call["name"] == "book_offer"}
    assert calls["FL.1"].get("extra_bags") == 2
    assert "requests" not in calls["FL.1"]
    assert "CR.1" in calls


@pytest.mark.parametrize(
    "said",
    ["For the future: aisle seat, always.", "going forward, aisle seat please", "aisle seats from now on",
     "今後はいつも通路側でお願いします"],
)  # fmt: skip
def test_a_wish_for_every_journey_is_noted_and_changes_no_booking(said: str) -> None:
    desk = _with_flight()
    desk.say(said)
    assert [call["name"] for call in desk.calls] == ["save_memory_note"]


@pytest.mark.parametrize("said", ["She's called Isla, the wee one. 7lb 2oz!", "The baby weighed 8 pounds 3."])
def test_a_weight_adds_no_bag(said: str) -> None:
    desk = _with_flight()
    desk.say(said)
    assert desk.calls == []


@pytest.mark.parametrize("said", ["cool, list me everything ive got booked", "sum up what you've booked for me"])
def test_all_that_is_booked_is_listed(said: str) -> None:
    desk = _with_flight()
    desk.say(said)
    assert [call["name"] for call in desk.calls] == ["list_bookings"]


@pytest.mark.parametrize("said", ["with room for three suitcases", "one with leg room", "something with enough room"])
def test_room_in_a_car_wants_no_hotel(said: str) -> None:
    desk = Desk({"search_cars": found(CAR)})
    desk.say(f"I need a rental car in Lisbon from 8 to 14 December for 2 adults, {said}")
    assert [call["name"] for call in desk.calls] == ["search_cars"]


@pytest.mark.parametrize(("choice", "promised"), [("at check-in", False), ("paid", True), ("free", True)])
@pytest.mark.parametrize("said", ["with an aisle seat please", "通路側の席で"])
def test_a_seat_that_is_given_at_check_in_is_not_promised(said: str, choice: str, promised: bool) -> None:
    desk = Desk({"search_flights": found(flight(1, seat_choice=choice, seat_fee="$15.00"))})
    desk.say("flights from Berlin to Lisbon, 8 to 14 December, just me")
    reply = desk.say(said)
    assert ("when we book" in reply or "予約のときに手配" in reply) == promised
    assert ("at check-in" in reply or "搭乗手続き" in reply) != promised


MAP = {
    "segments": [
        {"segment": 0, "free": {"window": ["4A"], "aisle": ["3C", "4C"], "middle": ["4B"]}},
        {"segment": 1, "free": {"window": ["9F"], "aisle": ["9D"], "middle": ["9E"]}},
    ]
}


@pytest.mark.parametrize(
    ("company", "said", "seats"),
    [
        ("just me", "get me an aisle seat for the outbound", ["3C"]),
        ("just me", "and I'd like to sit at the window on the way back", ["9F"]),
        ("just me", "window on the way out and aisle on the way back", ["4A", "9D"]),
        ("just me", "a window seat please", ["4A", "9F"]),
        ("just me", "帰りは窓側がいいな", ["9F"]),
        ("just me", "行きは窓側、帰りは通路側で", ["4A", "9D"]),
        ("two adults", "he wants the window and I want the aisle", ["4A", "4C", "9F", "9D"]),
        ("two adults", "夫は窓側、私は通路側がいいです", ["4A", "4C", "9F", "9D"]),
        ("two adults", "my wife needs the aisle", ["3C", "9D"]),
        ("two adults", "母は窓側がいいです", ["4A", "9F"]),
        ("two adults", "window seats for my wife and me please", ["4A", "4B", "9F", "9E"]),
    ],
)
def test_a_seat_for_one_way_or_one_traveller_is_taken_for_no_other(company: str, said: str, seats: list[str]) -> None:
    undecided = "Not carried out: the traveller did not decide on it, and wrote the next message instead."
    offers = found(flight(1, seat_choice="paid", seat_fee="$15.00"))
    desk = Desk({"search_flights": offers, "seat_map": MAP, "book_offer": [undecided, booked()]})
    desk.say(f"flight to Lisbon from 8 to 14 December for {company}")
    desk.say("book number 1")
    desk.say(said)
    assert [seat["seat"] for seat in desk.called("book_offer")["seats"]] == seats


@pytest.mark.parametrize("said", ["change my seat to the aisle", "座席を通路側に変えて"])
def test_another_seat_on_a_booked_flight_changes_no_day(said: str) -> None:
    desk = Desk({"search_flights": found(flight(1, seat_choice="paid", seat_fee="$15.00")), "seat_map": MAP})
    desk.say("flight to Lisbon from 8 to 14 December for one person")
    desk.say("book number 1")
    desk.say(said)
    assert [seat["seat"] for seat in desk.called("choose_seats")["seats"]] == ["3C", "9D"]


def test_an_offer_ordered_with_its_extras_is_put_up_with_them() -> None:
    desk = Desk({"search_flights": found(flight(1, seat_choice="paid", seat_fee="$15.00")), "seat_map": MAP})
    desk.say("ベルリンからリスボンへの航空券を12月8日から14日まで、1人です")
    desk.say("1番を荷物2つと窓側で予約")
    call = desk.called("book_offer")
    assert (call["extra_bags"], [seat["seat"] for seat in call["seats"]]) == (2, ["4A", "9F"])
