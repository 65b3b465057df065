"""Bookings: confirmed with their reference, refused, sold out, listed, cancelled."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.offline.desk import FLIGHTS, HOTELS, Desk, at_flights, booked, flight, found, hotel
from tests.models.offline.talker import PROFILE, SYSTEM, memories

REJECTED = "Not carried out: the traveller rejected it."
AMBIGUOUS = (
    "'San Jose' may mean San Jose, CR (SJO) or San Jose, California, US (SJC). Ask which one, then use the code in "
    "brackets."
)


def test_flight_then_hotel_then_what_else_there_is_once() -> None:
    desk = at_flights(book_offer=[booked(), booked("hotel", reference="TC-HOTELS")])
    reply = desk.say("yes")
    assert [call["name"] for call in desk.calls] == ["book_offer"]
    assert "TC-ABCDEF" in reply
    assert reply.endswith("Would you like a hotel for those nights as well?")
    desk.say("yes please")
    assert [call["name"] for call in desk.calls] == ["search_hotels"]
    reply = desk.say("book it")
    assert "TC-HOTELS" in reply
    assert reply.endswith("Would you like travel insurance or something to do there as well?")
    assert desk.say("yes please").endswith("Which of them: insurance, or something to do?")
    assert "insurance" not in desk.say("no thanks")
    assert desk.calls == []


@pytest.mark.parametrize(
    "more", ["my mum is coming too", "my mum decided to come too, can she get on the same flight?"]
)
def test_nobody_is_added_to_a_booking_and_it_is_described_for_those_it_is_for(more: str) -> None:
    desk = at_flights(book_offer=booked())
    desk.say("yes")
    reply = desk.say(more)
    assert "booked for 1 adult; nobody can be added" in reply
    assert "for 2 adults," not in reply
    assert desk.calls == []


@pytest.mark.parametrize(("why", "told"), [("", "I did not do that."), (" They said: too early", "too early")])
def test_a_rejected_approval_is_acknowledged_and_not_repeated(why: str, told: str) -> None:
    desk = at_flights(book_offer=REJECTED + why)
    reply = desk.say("yes")
    assert [call["name"] for call in desk.calls] == ["book_offer"]
    assert told in reply
    assert "What should be different" in reply
    desk.say("later")
    assert [call["name"] for call in desk.calls] == ["search_flights"]


def test_what_was_sold_out_gives_way_to_the_next_best() -> None:
    gone = "Only 0 are left of it now. Search again and offer another."
    desk = at_flights(search_flights=[FLIGHTS, found(flight(2))], book_offer=gone)
    reply = desk.say("yes")
    assert [call["name"] for call in desk.calls] == ["book_offer", "search_flights"]
    assert "That one is gone" in reply
    assert "XX2" in reply
    assert "booked" not in reply


def test_an_undecided_approval_books_nothing() -> None:
    desk = at_flights(
        book_offer="Not carried out: the traveller did not decide on it, and wrote the next message instead."
    )
    reply = desk.say("yes")
    assert "nothing was done" in reply


@pytest.mark.parametrize(
    ("said", "extras"),
    [
        ("one more bag", {"extra_bags": 1}),
        (
            "ok with a window seat on the way out",
            {"seats": [{"segment": 0, "seat": "4A"}]},
        ),
        ("荷物をひとつ追加したい", {"extra_bags": 1}),
        ("and a vegan meal for me", {"requests": ["vegan meal"]}),
        ("and no, make it vegan", {"requests": ["vegan meal"]}),
        ("ベジタリアン食を付けて", {"requests": ["vegetarian meal"]}),
        ("やっぱりビーガン食で", {"requests": ["vegan meal"]}),
        ("how long is the flight?", None),
        ("how much would a bag be?", None),
        ("make it 9 December", None),
    ],
)
def test_what_is_asked_for_at_the_card_puts_up_a_new_one(said: str, extras: dict[str, Any] | None) -> None:
    undecided = "Not carried out: the traveller did not decide on it, and wrote the next message instead."
    offers = found(flight(1, seat_choice="paid", seat_fee="$15.00"))
    desk = Desk({"search_flights": offers, "seat_map": MAP, "book_offer": [undecided, booked()]})
    desk.say("flight to Lisbon from 8 to 14 December for one person")
    desk.say("book number 1")
    desk.say(said)
    expected = [] if extras is None else [{"name": "book_offer", "offer_id": "FL.1", **extras}]
    assert [call for call in desk.calls if call["name"] == "book_offer"] == expected


def test_which_place_is_meant() -> None:
    desk = Desk({"search_flights": [AMBIGUOUS, FLIGHTS, FLIGHTS]})
    reply = desk.say("flight to San Jose from 8 to 14 December for one person")
    assert "1. San Jose, CR (SJO)\n2. San Jose, California, US (SJC)" in reply
    desk.say("California")
    assert desk.called("search_flights")["destination"] == "SJC"
    desk.say("cheaper")
    assert desk.called("search_flights")["destination"] == "SJC"


def test_a_date_in_the_past_asks_for_another() -> None:
    past = "A departure from Berlin on 2026-10-08 is in the past: it is 2026-11-20 there. Ask for a date from today on."
    desk = Desk({"search_flights": [past, FLIGHTS]})
    reply = desk.say("flight to Lisbon from 2026-10-08 to 2026-10-12 for one person")
    assert reply.endswith("Thu 8 Oct is in the past. When would you like to travel?")
    desk.say("8 to 14 December")
    assert desk.called("search_flights")["departing"] == "2026-12-08"


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("No city or airport is called 'Qwrt'. Ask for the name of a larger city nearby.", "no place called Qwrt"),
        ("All flights from A to B then are full in economy. Offer other days.", "Everything is full"),
        (
            "Tokyo, JP (TYO) and Narita, JP (NRT) are 60 km apart, too near to fly. Suggest a train.",
            "too near each other",
        ),
        ("The tool failed in a new way.", "That did not work just now, and nothing was done."),
    ],
)
def test_a_failed_search_says_what_went_wrong(fault: str, told: str) -> None:
    desk = Desk({"search_flights": fault})
    assert told in desk.say("flight to Lisbon from 8 to 14 December for one person")


def test_bookings_are_listed_and_one_is_cancelled() -> None:
    both = {"bookings": [booked("hotel", reference="TC-HOTELS"), booked(reference="TC-FLIGHT")]}
    kept = booked("hotel", "cancelled", "TC-HOTELS", paid="$0.00")
    desk = Desk({"list_bookings": both, "cancel_booking": kept})
    assert "| TC-HOTELS | the hotel | booked | $100.00 |" in desk.say("What have I booked?")
    reply = desk.say("cancel the hotel")
    assert [call["name"] for call in desk.calls] == ["list_bookings", "cancel_booking"]
    assert desk.called("cancel_booking")["booking"] == "TC-HOTELS"
    assert "All you paid goes back to you." in reply


def test_which_of_several_to_cancel_is_asked() -> None:
    both = {"bookings": [booked("hotel", reference="TC-HOTELS"), booked(reference="TC-FLIGHT")]}
    desk = Desk({"list_bookings": both, "cancel_booking": booked(status="cancelled", reference="TC-FLIGHT")})
    desk.say("what have I booked?")
    reply = desk.say("please cancel my booking")
    assert reply.endswith("Which one shall I cancel?")
    desk.say("the flight")
    assert desk.calls == [{"name": "cancel_booking", "booking": "TC-FLIGHT"}]


@pytest.mark.parametrize(
    ("said", "cancelled"),
    [
        ("I have to cancel Edinburgh, I'm not well.", ["TC-EDI"]),
        ("please cancel the Vienna trip", ["TC-HOTELS", "TC-VIENNA"]),
        ("エディンバラをキャンセルしたい", ["TC-EDI"]),
        ("cancel Rome please", []),
    ],
)
def test_what_is_booked_at_a_place_is_cancelled_by_its_name(said: str, cancelled: list[str]) -> None:
    listed = [
        ("TC-EDI", "Mercure, Edinburgh（エディンバラ）"),
        ("TC-HOTELS", "Park Inn, Vienna"),
        ("TC-VIENNA", "Tasting, Vienna"),
    ]
    both = {"bookings": [booked("hotel", reference=name, what=what) for name, what in listed]}
    desk = Desk({"list_bookings": both, "cancel_booking": booked(status="cancelled")})
    desk.say(said)
    assert desk.calls[0]["name"] == "list_bookings"
    assert [call["booking"] for call in desk.calls[1:]] == cancelled


def test_another_flight_than_the_one_booked_changes_the_booking() -> None:
    desk = at_flights(list_bookings={"bookings": [booked()]}, change_booking=booked())
    desk.say("yes")
    desk.say("book number 2 instead")
    assert desk.called("change_booking") == {"name": "change_booking", "booking": "TC-ABCDEF", "new_offer_id": "FL.2"}


@pytest.mark.parametrize(
    "said", ["we'd also like a hotel in Lisbon for those nights", "同じ日程でリスボンのホテルもお願いします"]
)
def test_a_hotel_for_those_nights_is_one_for_the_days_booked_before(said: str) -> None:
    what = "easyJet U2609, BER - LIS, Tue 8 Dec 2026, back Mon 14 Dec 2026, Economy Basic"
    desk = Desk({"list_bookings": {"bookings": [booked(what=what, starts="2026-12-08", ends="2026-12-15")]}})
    desk.say(said)
    given = desk.called("search_hotels")
    assert (given["check_in"], given["check_out"]) == ("2026-12-08", "2026-12-14")


def test_nothing_booked() -> None:
    assert Desk().say("what have I booked?").endswith("\n\nNothing is booked so far.")
    assert Desk().say("what's still booked?").endswith("\n\nNothing is booked so far.")


def test_a_booked_flight_is_changed_to_another() -> None:
    desk = at_flights(
        list_bookings={"bookings": [booked()]}, search_flights=[FLIGHTS, found(flight(4))], change_booking=booked()
    )
    desk.say("yes")
    desk.say("no thanks")
    assert desk.say("make it a day later").endswith("Shall I change it to that one?")
    assert [call["name"] for call in desk.calls] == ["search_flights"]
    assert desk.called("search_flights")["departing"] == "2026-12-09"
    reply = desk.say("yes")
    assert desk.called("change_booking") == {
        "name": "change_booking",
        "booking": "TC-ABCDEF",
        "new_offer_id": "FL.4",
    }
    assert "The reference stays TC-ABCDEF" in reply


def test_a_journey_that_was_only_talked_about_is_dropped() -> None:
    desk = at_flights()
    assert "start over" in desk.say("cancel the trip")
    assert desk.calls == []


def test_what_a_summary_says_was_booked_is_not_looked_for_again() -> None:
    desk = at_flights(search_hotels=HOTELS)
    from langchain_core.messages import AIMessage, HumanMessage

    summary = (
        "Trip: from Berlin, to Lisbon, 8 December 2026 to 14 December 2026 (6 nights)\nTravellers: one traveller\n"
        "Preferences: UNVERIFIED\nConstraints: UNVERIFIED\nOptions: UNVERIFIED\nDecisions: The flight is booked\n"
        "Open questions: UNVERIFIED"
    )
    desk.messages = [HumanMessage("Summarise", id="s"), AIMessage(summary)]
    desk.say("and a hotel there for those days")
    assert [call["name"] for call in desk.calls] == ["search_hotels"]
    assert desk.called("search_hotels")["check_in"] == "2026-12-08"


def test_a_card_number_is_never_asked_for() -> None:
    desk = at_flights()
    replies = [desk.say(text) for text in ("yes", "book it", "how do I pay?", "what have I booked?")]
    assert not any("card" in reply for reply in replies)


def test_the_total_of_what_is_booked() -> None:
    both = {"bookings": [booked("hotel", reference="TC-HOTELS", paid="$1,250.40"), booked(reference="TC-FLIGHT")]}
    desk = Desk({"list_bookings": both})
    assert desk.say("what was the total?").endswith("$1,350.40 in all.")
    mixed = {"bookings": [booked("hotel", reference="TC-HOTELS", paid="€10.00"), booked(reference="TC-FLIGHT")]}
    assert "in all" not in Desk({"list_bookings": mixed}).say("what have I booked?")


PAID: dict[str, Any] = {
    "seat_choice": "paid",
    "seat_fee": "$15.00",
    "bag_fee": "$45.00",
    "misses": ["checked bag included"],
}
MAP = {
    "segments": [
        {"segment": 0, "free": {"window": ["4A"], "aisle": ["3C", "4C (legroom)"], "middle": ["4B"]}},
        {"segment": 1, "free": {"window": ["9F"], "aisle": ["9D"], "middle": ["9E"]}},
    ]
}


def _seated(*notes: str) -> Desk:
    system = SYSTEM + PROFILE.replace("Lisbon", "Berlin") + memories(*notes)
    offers = found(flight(1, **PAID), flight(2))
    return Desk({"search_flights": offers, "seat_map": MAP, "book_offer": booked(seats=["3C", "9D"])}, system=system)


def test_seats_and_bags_that_are_wished_for_are_told_and_booked() -> None:
    desk = _seated("- [n1] seat, 2026-10-01: I always want an aisle seat")
    reply = desk.say("flight to Lisbon from 8 to 14 December for one person")
    assert "seats on the aisle ($15.00 each), checked bags: 1 ($45.00 each way)" in reply
    told = desk.say("yes")
    assert [call["name"] for call in desk.calls][:2] == ["seat_map", "book_offer"]
    given = desk.called("book_offer")
    assert given["seats"] == [{"segment": 0, "seat": "3C"}, {"segment": 1, "seat": "9D"}]
    assert given["extra_bags"] == 1
    assert "Seats: 3C, 9D." in told


def test_two_sit_side_by_side_and_a_seat_asked_for_now_goes_before_memory() -> None:
    desk = _seated("- [n1] seat, 2026-10-01: I always want an aisle seat")
    desk.say("flight to Lisbon from 8 to 14 December for two people")
    desk.say("a window seat this time please")
    desk.say("yes")
    seats = [seat["seat"] for seat in desk.called("book_offer")["seats"]]
    assert seats == ["4A", "4B", "9F", "9E"]


def test_extras_can_be_left_out_and_are_not_promised_where_there_are_none() -> None:
    desk = _seated("- [n1] seat, 2026-10-01: I always want an aisle seat")
    desk.say("flight to Lisbon from 8 to 14 December for one person")
    desk.say("yes, but without extras")
    assert desk.called("book_offer") == {"name": "book_offer", "offer_id": "FL.1"}
    late = found(flight(1, seat_choice="at check-in"))
    desk.answers["search_flights"] = late
    assert "given out at check-in, so I can't promise the aisle" in desk.say("a flight to Rome from 3 to 5 May")
    desk.say("yes")
    assert desk.calls[0]["name"] == "book_offer"


def test_a_seat_map_that_fails_does_not_stop_the_booking() -> None:
    desk = _seated("- [n1] seat, 2026-10-01: I always want an aisle seat")
    desk.answers["seat_map"] = "No seat map is known."
    desk.say("flight to Lisbon from 8 to 14 December for one person")
    assert "The flight is booked" in desk.say("yes")
    assert "seats" not in desk.called("book_offer")


def test_offers_for_fewer_people_are_not_booked_once_a_search_for_all_found_none() -> None:
    desk = Desk({"search_hotels": [HOTELS, found(), found()]})
    desk.say("a hotel in Lisbon, 8 to 14 December, 2 adults")
    desk.say("my mother is joining us")
    desk.say("book the best one")
    assert not [call for call in desk.calls if call["name"] == "book_offer"]


def test_a_yes_to_a_part_without_offers_books_no_other_part() -> None:
    desk = at_flights(search_hotels=[found(), found()])
    desk.say("and a hotel there")
    desk.say("yes, book it")
    assert not [call for call in desk.calls if call["name"] == "book_offer"]


@pytest.mark.parametrize("said", ["book the 9:45 one", "book it for the 21st", "book it for us 3000"])
def test_an_order_books_nothing_that_was_not_seen_and_nothing_beside_a_number_that_nobody_read(said: str) -> None:
    desk = at_flights()
    assert "?" in desk.say(said)
    assert not [call for call in desk.calls if call["name"] == "book_offer"]


@pytest.mark.parametrize("said", ["no, keep the 14th", "帰りは14日のままで"])
def test_the_day_home_that_was_said_first_can_be_kept(said: str) -> None:
    desk = at_flights()
    desk.say("what if I came back on the 11th?")
    desk.say(said)
    given = desk.called("search_flights")
    assert (given["departing"], given["returning"]) == ("2026-12-08", "2026-12-14")


def test_a_yes_that_names_the_place_again_is_a_yes() -> None:
    desk = at_flights()
    desk.say("yes for Lisbon")
    assert desk.called("book_offer")["offer_id"] == "FL.1"


def test_the_nearest_offers_are_shown_if_nothing_meets_a_wish_and_a_yes_takes_the_first() -> None:
    desk = at_flights(search_hotels=[found(), HOTELS])
    reply = desk.say("and a hotel with a pool")
    assert [each.get("features") for each in desk.calls if each["name"] == "search_hotels"] == [["pool"], None]
    assert "None of what I found meets all of that (pool)" in reply
    assert "Park Inn" in reply
    assert "These hotels fit" not in reply
    desk.say("book the first one")
    assert desk.called("book_offer")["offer_id"] == "HT.1"


def test_one_more_wish_that_nothing_meets_is_not_told_by_the_one_before() -> None:
    desk = at_flights(search_hotels=[found(), HOTELS, found(), HOTELS])
    desk.say("and a hotel with a pool")
    desk.say("a gym as well. book the cheapest hotel")
    assert not [each for each in desk.calls if each["name"] == "book_offer"]


def test_a_question_beside_an_open_card_is_about_what_is_put_up() -> None:
    undecided = "Not carried out: the traveller did not decide on it, and wrote the next message instead."
    desk = at_flights(search_hotels=found(hotel(7, "Park Inn")), book_offer=[undecided, booked()])
    desk.say("and a hotel there")
    desk.say("book the cheapest flight, we'll sleep on the hotel")
    assert "$100.00" in desk.say("is that the total for everybody or each?")
    desk.say("right, yes please")
    assert desk.called("book_offer")["offer_id"] == "FL.1"


def test_offers_that_meet_more_of_the_wishes_come_first() -> None:
    near = found(hotel(1, "Park Inn", breakfast=False), hotel(2, "Grand Linden", amenities=["gym"]))
    desk = Desk({"search_hotels": [found(), near]})
    reply = desk.say("a hotel in Lisbon from 8 to 14 December with breakfast, a gym and a pool, just me")
    assert reply.index("Grand Linden") < reply.index("Park Inn")


def test_a_need_is_never_left_out() -> None:
    desk = Desk({"search_hotels": found()})
    reply = desk.say("a hotel in Lisbon from 8 to 14 December with step-free access and a pool, just me")
    searches = [each["features"] for each in desk.calls if each["name"] == "search_hotels"]
    assert [set(each) for each in searches] == [{"step-free access", "pool"}, {"step-free access"}]
    assert "no free room with all of this: pool, step-free access" in reply


def test_the_limit_of_a_price_is_left_out_last() -> None:
    desk = Desk({"search_hotels": [found(), found(note="the cheapest costs $72.00."), HOTELS, HOTELS]})
    desk.say("a hotel in Lisbon from 8 to 14 December with a pool, at most 5 dollars a night, just me")
    searches = [(each.get("features"), each.get("max_per_night")) for each in desk.calls]
    assert searches == [(["pool"], 5.0), (None, 5.0), (None, None)]
    desk.say("make it 9 to 14 December")
    assert desk.calls[0]["features"] == ["pool"]


def test_what_nothing_meets_is_not_booked_before_the_traveller_knows() -> None:
    desk = at_flights(search_hotels=[HOTELS, found(), HOTELS])
    desk.say("and a hotel with a pool")
    reply = desk.say("make it 9 to 14 December and book the cheapest hotel")
    assert not [each for each in desk.calls if each["name"] == "book_offer"]
    assert "(pool" in reply


def test_only_the_part_is_put_up_that_is_ordered_and_not_the_one_put_off() -> None:
    desk = at_flights(search_hotels=HOTELS)
    desk.say("and a hotel there")
    desk.say("take the cheapest hotel, flights we sort later")
    assert [(call["name"], call["offer_id"]) for call in desk.calls] == [("book_offer", "HT.1")]


def test_a_question_for_the_price_of_another_cabin_looks_for_it() -> None:
    desk = at_flights(search_flights=[found(flight(1, cabin="economy")), found(flight(1, cabin="business"))])
    desk.say("how much is it in business?")
    assert desk.called("search_flights")["cabin"] == "business"


def test_a_hold_is_no_booking_whatever_stands_around_it() -> None:
    desk = at_flights(hold_offer=booked(status="held"))
    desk.say("yes, hold the first one for me")
    assert [call["name"] for call in desk.calls] == ["hold_offer"]


def test_a_number_of_people_that_nobody_could_read_is_asked_about_before_a_booking() -> None:
    desk = Desk()
    desk.say("a flight to Lisbon from 8 to 14 December for 3 samurai")
    assert desk.say("book it").endswith("is this for 1 adult?")
    assert not desk.calls
    desk.say("yes")
    assert desk.called("book_offer")["offer_id"] == "FL.1"


@pytest.mark.parametrize(
    ("said", "counted"),
    [
        ("家族でローマへ、ベルリンから12月8日〜14日、大人2人と8歳と3歳の子どもです", True),
        ("子どもたちとローマへ、ベルリンから12月8日〜14日。大人は2人です", False),
        ("with my family from Berlin to Rome, 8 to 14 December. 2 adults and kids aged 8 and 3", True),
    ],
)
def test_a_family_that_is_counted_beside_holds_no_booking_up(said: str, *, counted: bool) -> None:
    desk = Desk()
    desk.say(said)
    desk.say("一番安いのを予約して" if not said.isascii() else "book the cheapest")
    assert [call["name"] for call in desk.calls] == ["book_offer"] * counted


@pytest.mark.parametrize(
    "said",
    [
        "両方お願いします",
        "二つともお願いします",
        "その2つでお願いします",
        "both, please",
        "book the two of them",
        "yes to the two",
    ],
)
def test_taking_both_in_answer_to_the_question_books_both(said: str) -> None:
    desk = Desk()
    assert desk.say("a flight and a hotel in Lisbon, 8 to 14 December, just me").endswith("A number takes another one.")
    desk.say(said)
    assert {call["offer_id"] for call in desk.calls} == {"FL.1", "HT.1"}


def test_a_question_that_only_a_hotel_answers_makes_it_what_an_order_means() -> None:
    desk = Desk()
    desk.say("a flight and a hotel in Lisbon, 8 to 14 December, just me")
    desk.say("I like the flights")
    desk.say("is breakfast included?")
    desk.say("take the cheapest then")
    assert desk.called("book_offer")["offer_id"] == "HT.1"


@pytest.mark.parametrize(
    ("said", "names"), [("大丈夫です、お願いします", ["book_offer"]), ("大丈夫です、ありがとう", [])]
)
def test_it_is_fine_is_a_yes_only_with_a_request(said: str, names: list[str]) -> None:
    desk = at_flights()
    desk.say("リスボンの便の荷物は？")
    desk.say(said)
    assert [call["name"] for call in desk.calls] == names


@pytest.mark.parametrize(
    "said", ["my mate says go with the second one, what do you think", "good, I'll show my wife. bye!"]
)
def test_who_asks_for_an_opinion_or_leaves_orders_nothing(said: str) -> None:
    desk = at_flights()
    desk.say(said)
    assert desk.calls == []


def test_a_bag_that_is_told_with_an_order_is_booked() -> None:
    desk = at_flights()
    desk.say("my pack is heavy so with one checked bag")
    desk.say("book it")
    assert desk.called("book_offer")["extra_bags"] == 1


def test_a_question_about_children_counts_none() -> None:
    desk = at_flights()
    desk.say("does a child pay less?")
    desk.say("book it")
    assert desk.called("book_offer")["offer_id"] == "FL.1"
    assert not [call for call in desk.calls if call["name"] == "search_flights"]


def test_a_route_wants_a_flight_beside_the_parts_that_are_named() -> None:
    desk = Desk()
    desk.say("denver to san francisco 5-9 may two people, plus hotel and rental car")
    assert {call["name"] for call in desk.calls} == {"search_flights", "search_hotels", "search_cars"}


def test_both_are_the_two_that_were_taken_and_no_third() -> None:
    tasting = {"offer_id": "AC.1", "kind": "activity", "summary": "Tasting", "price": "$30.00", "name": "Tasting"}
    desk = at_flights(search_activities=found(tasting))
    desk.say("and a hotel there")
    desk.say("and things to do there")
    assert [call["name"] for call in desk.calls] == ["search_activities"]
    desk.say("飛行機とホテル、両方とも一番目がいいです")
    assert desk.calls == []
    desk.say("両方とも予約して")
    assert sorted(call["offer_id"] for call in desk.calls) == ["FL.1", "HT.1"]


def test_flights_with_stops_are_shown_if_none_is_nonstop() -> None:
    none = "No flight in economy goes from Berlin, DE (BER) to Lisbon, PT (LIS) on 2026-12-08 with at most 0 stops."
    desk = at_flights(search_flights=[FLIGHTS, none, FLIGHTS])
    desk.say("no stops")
    assert [each.get("max_stops") for each in desk.calls] == [0, None]


@pytest.mark.parametrize("asked", ["cancel my booking", "please cancel the hotel", "予約をキャンセルしてください"])
def test_there_is_nothing_to_cancel_where_nothing_is_booked(asked: str) -> None:
    desk = Desk()
    reply = desk.say(asked)
    assert [call["name"] for call in desk.calls] == ["list_bookings"]
    assert "nothing to cancel" in reply or "取り消すものはありません" in reply


@pytest.mark.parametrize(
    ("moved", "back", "asked"),
    [
        ("can we change it to the 9th?", "no, the 8th stays", "Shall I change"),
        ("9日出発に変更して", "いや、8日のままでいいや", "変更してよろしい"),
    ],
)
def test_going_back_to_the_day_that_is_booked_ends_the_change(moved: str, back: str, asked: str) -> None:
    desk = at_flights()
    desk.say("book the first one")
    assert asked in desk.say(moved)
    assert asked not in desk.say(back)
    assert not desk.calls


@pytest.mark.parametrize(
    "said",
    ["Yes please, one case of about 20 kilos.", "book it, our bag has 23kg", "book number 1, it's 30 degrees there",
     "yes go ahead, I've waited 40 minutes already", "はい、20キロくらいのスーツケースが一つです"],
)  # fmt: skip
def test_a_number_of_things_beside_an_order_holds_up_no_booking(said: str) -> None:
    desk = Desk()
    desk.say("I need a flight to Lisbon from 8 to 14 December, 2 adults")
    desk.say(said)
    assert [call["name"] for call in desk.calls] == ["book_offer"]


@pytest.mark.parametrize(
    "said",
    ["Last outfit had me on hold 40 minutes.", "The other agency kept me on hold for an hour.",
     "Lufthansa made me book it three times before it worked.", "they put me on hold and then hung up",
     "前の会社では電話で40分も保留にされました"],
)  # fmt: skip
def test_a_tale_of_what_was_done_before_orders_nothing(said: str) -> None:
    desk = at_flights()
    desk.say(said)
    assert desk.calls == []


@pytest.mark.parametrize(
    "said",
    [
        "cancel the hotel, the flight stays",
        "I want to keep the flight, cancel only the hotel",
        "cancel everything except the flight",
        "please cancel all but the flight",
        "ホテルをキャンセルして、飛行機はそのまま",
        "飛行機は残して、ホテルだけ取り消して",
        "飛行機以外は全部キャンセルして",
        "ホテルはキャンセル、フライトはそのまま使います",
    ],
)
def test_a_part_that_is_kept_is_not_cancelled(said: str) -> None:
    both = {"bookings": [booked("hotel", reference="TC-HOTELS"), booked(reference="TC-FLIGHT")]}
    desk = at_flights(list_bookings=both, cancel_booking=booked("hotel", "cancelled", "TC-HOTELS"))
    desk.say("book number 2")
    desk.say(said)
    assert desk.called("cancel_booking")["booking"] == "TC-HOTELS"


UNDECIDED = "Not carried out: the traveller did not decide on it, and wrote the next message instead."


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("cancel that please", "take number 3"),
        ("oops, cancel", "take number 3"),
        ("ミスった取り消し", "3番を予約して"),
        ("キャンセルで", "3番を予約して"),
        ("いや、やっぱやめる", "3番を予約して"),
    ],
)
def test_cancelling_at_the_card_refuses_it_and_keeps_trip_and_bookings(said: str, then: str) -> None:
    desk = at_flights(book_offer=[booked(), UNDECIDED, booked("hotel")])
    desk.say("book number 2")
    desk.say("yes, a hotel too")
    desk.say("book number 2")
    assert "nothing is booked" not in desk.say(said)
    assert not desk.calls
    desk.say(then)
    assert desk.called("book_offer")["offer_id"] == "HT.3"


@pytest.mark.parametrize("said", ["ちょっと待って、やっぱりやめて2番にして", "やめて2番にする"])
def test_another_number_after_a_no_is_restated(said: str) -> None:
    desk = at_flights(book_offer=[UNDECIDED, booked()])
    desk.say("book number 1")
    assert "XX2" in desk.say(said)
    desk.say("はい")
    assert desk.called("book_offer")["offer_id"] == "FL.2"


@pytest.mark.parametrize("between", [[], ["is breakfast included?"]])
def test_a_yes_to_what_was_shown_last_does_not_bring_back_an_older_card(between: list[str]) -> None:
    desk = at_flights(book_offer=[UNDECIDED, booked("hotel")])
    for said in ("book number 1", "and a hotel there please", *between, "yes"):
        desk.say(said)
    assert desk.called("book_offer")["offer_id"] == "HT.1"


def test_of_two_unclear_counts_the_one_of_this_message_is_asked_about() -> None:
    desk = Desk()
    desk.say("a flight to Lisbon from 8 to 14 December for 3 samurai")
    assert "“Emil” was not clear" in desk.say("Emil isn't coming, book it")


def test_what_an_earlier_conversation_booked_counts_against_the_sum_of_the_trip() -> None:
    what = "easyJet U2609, BER - LIS, Tue 8 Dec 2026, back Mon 14 Dec 2026, Economy Basic"
    there = booked(what=what, starts="2026-12-08", ends="2026-12-14", paid="$400.00")
    desk = Desk({"list_bookings": {"bookings": [there]}})
    for said in ("my flight to Lisbon on the days I have booked", "700 dollars in total for the whole trip"):
        desk.say(said)
    desk.say("a hotel there too, please")
    assert desk.called("search_hotels")["max_per_night"] == 50


@pytest.mark.parametrize(
    "said",
    [
        ["全部でいくら？円で"],
        ["合計は円でいくら？"],
        ["全部でいくら？", "円だと？"],
        ["what's the total in yen?"],
        ["what have I spent in all?", "and in yen?"],
        ["how much is everything in yen?"],
    ],
)
def test_the_total_of_all_bookings_is_converted(said: list[str]) -> None:
    both = [booked(paid="$157.89"), booked("hotel", reference="TC-HOTELS", paid="$149.00")]
    desk = at_flights(book_offer=[*both], list_bookings={"bookings": both})
    for each in ("book number 2", "yes, a hotel too", "book number 2", *said):
        desk.say(each)
    assert desk.called("convert_money")["amount"] == 306.89


def test_after_a_booking_the_days_of_the_trip_are_those_of_the_flight() -> None:
    desk = Desk()
    desk.say("a flight to Lisbon from 7 to 16 December, plus or minus 2 days, just me")
    desk.say("book number 1")
    desk.say("yes, a hotel as well")
    given = desk.called("search_hotels")
    assert (given["check_in"], given["check_out"]) == ("2026-12-08", "2026-12-14")
    desk.say("can you move my return to the 20th?")
    given = desk.called("search_flights")
    assert (given["departing"], given["returning"]) == ("2026-12-08", "2026-12-20")
    assert "flexible_days" not in given
