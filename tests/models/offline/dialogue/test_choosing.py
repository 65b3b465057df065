"""From the details to one offer: searching, comparing, changing one's mind, taking one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.offline.desk import FLIGHTS, HOTELS, Desk, at_flights, booked, flight, found, hotel
from tests.models.offline.talker import PROFILE, SYSTEM, memories
from tests.tables import table


def test_what_is_known_is_searched_at_once_and_said_in_a_line() -> None:
    desk = Desk()
    reply = desk.say("I need to be in Lisbon the second week of next month")
    assert "**Berlin (your home city) → Lisbon, 8–14 Dec, 1 adult (tell me if there are more of you)**" in reply
    assert desk.called("search_flights")["adults"] == 1
    desk.say("two of us")
    assert desk.called("search_flights") == {
        "name": "search_flights", "origin": "Berlin", "destination": "Lisbon", "departing": "2026-12-08",
        "returning": "2026-12-14", "adults": 2,
    }  # fmt: skip


def test_party_and_cabin_that_memory_knows_are_not_asked() -> None:
    known = memories(
        "- [n1] companions, 2026-10-01: I always travel with my wife", "- [n2] cabin, 2026-10-01: I fly business class"
    )
    desk = Desk(system=SYSTEM + PROFILE.replace("Lisbon", "Berlin") + known)
    reply = desk.say("I need a flight to Lisbon from 8 to 14 December")
    given = desk.called("search_flights")
    assert (given["adults"], given["cabin"]) == (2, "business")
    assert "2 adults (as you usually do), business (as you usually do)" in reply


def test_children_are_told_apart_from_adults() -> None:
    desk = Desk()
    desk.say("flight to Lisbon from 8 to 14 December")
    desk.say("me, my wife and our two kids")
    given = desk.called("search_flights")
    assert (given["adults"], given["children"]) == (2, 2)


def test_a_note_that_this_conversation_overruled_is_not_called_used() -> None:
    known = memories("- [n7] seat, 2026-10-01: I like window seats")
    answer = found(flight(2, meets=["aisle seat"]), flight(1, misses=["aisle seat"]), flight(3))
    desk = Desk({"search_flights": answer}, system=SYSTEM + PROFILE + known)
    desk.say("I prefer aisle seats now")
    assert "<used>" not in desk.say("a flight to Rome from 3 to 5 May")


def test_three_in_a_table_and_one_recommended_for_the_wish_that_decided() -> None:
    known = memories("- [n7] seat, 2026-10-01: I always want an aisle seat")
    answer = found(flight(2, meets=["aisle seat"]), flight(1, misses=["aisle seat"]), flight(3))
    desk = Desk({"search_flights": answer}, system=SYSTEM + PROFILE.replace("Lisbon", "Berlin") + known)
    reply = desk.say("flight to Lisbon from 8 to 14 December for one person")
    rows = [line for line in reply.splitlines() if line.startswith("| ")]
    assert len(rows) == 4
    assert "✓ aisle seat" in rows[1]
    assert "✗ aisle seat" in rows[2]
    assert "I'd take number 1: it has what you like (aisle seat)" in reply
    assert "no checked bag, changes for $60.00, no refund, for 1 adult, $200.00 in all" in reply.replace(" each", "")
    assert "n7" in reply.splitlines()[-1]


def test_the_refund_is_told_alike_in_the_offer_and_in_the_answer() -> None:
    terms = "not refundable; in full within 24 hours of booking (a week or more ahead)"
    desk = Desk({"search_flights": found(flight(1, refund=terms))}, system=SYSTEM)
    assert "no refund after 24 hours" in desk.say("flight from Berlin to Lisbon from 8 to 14 December for one person")
    told = desk.say("what is the refund?")
    assert "in full within 24 hours of booking (a week or more ahead), after that no refund" in told


def test_no_price_is_said_that_no_tool_answered() -> None:
    desk = at_flights()
    reply = desk.messages[-1].text
    assert {part for part in reply.replace("|", " ").split() if part.startswith("$")} <= {
        "$100.00", "$200.00", "$300.00", "$60.00",
    }  # fmt: skip


def test_sample_data_is_said_once() -> None:
    desk = at_flights()
    for text in ("cheaper", "later", "the second one", "yes", "a different hotel"):
        desk.say(text)
    assert sum("sample data" in message.text for message in desk.messages if message.type == "ai") == 1


@table(
    ("said", "given"),
    [
        ("cheaper", {"sort": "cheapest"}),
        ("earlier", {"sort": "earliest"}),
        ("later please", {"sort": "latest"}),
        ("no stops", {"max_stops": 0}),
        ("in business class", {"cabin": "business"}),
        ("actually two people", {"adults": 2}),
        ("a day later", {"departing": "2026-12-09", "returning": "2026-12-15"}),
        ("one more night", {"returning": "2026-12-15"}),
        ("show me others", {"limit": 10}),
    ],
)
def test_a_changed_mind_searches_anew_with_all_else_kept(said: str, given: dict[str, Any]) -> None:
    desk = at_flights()
    desk.say(said)
    usual = {
        "name": "search_flights", "origin": "Berlin", "destination": "Lisbon", "departing": "2026-12-08",
        "returning": "2026-12-14", "adults": 1,
    }  # fmt: skip
    assert desk.calls == [{**usual, **given}]


def test_changes_of_mind_add_up() -> None:
    desk = at_flights()
    desk.say("no stops")
    desk.say("cheaper")
    desk.say("a day later")
    given = desk.called("search_flights")
    assert (given["max_stops"], given["sort"], given["departing"]) == (0, "cheapest", "2026-12-09")


@pytest.mark.parametrize(
    ("said", "offer"),
    [
        ("the second one", "FL.2"),
        ("3", "FL.3"),
        ("the Lufthansa one", "FL.2"),
        ("the 20:30", "FL.3"),
        ("yes", "FL.1"),
        ("I take the number two.", "FL.2"),
        ("All right, the last one", "FL.3"),
        ("second one pls book it", "FL.2"),
        ("Very well, please proceed", "FL.1"),
        ("that works for us", "FL.1"),
    ],
)
def test_the_one_that_answers_the_question_is_put_up(said: str, offer: str) -> None:
    desk = at_flights()
    desk.say(said)
    assert desk.calls == [{"name": "book_offer", "offer_id": offer}]


@pytest.mark.parametrize(
    "said", ["hm, the second one maybe", "I quite like the second one", "the second one could work"]
)
def test_the_one_that_is_leant_to_is_restated_first(said: str) -> None:
    desk = at_flights()
    assert desk.say(said).endswith("Shall I book that?")
    assert desk.calls == []
    desk.say("yes, go ahead")
    assert desk.calls == [{"name": "book_offer", "offer_id": "FL.2"}]


def test_others_are_not_those_that_were_shown() -> None:
    more = found(*FLIGHTS["results"], *(flight(number) for number in range(4, 8)))
    desk = at_flights(search_flights=[FLIGHTS, more])
    reply = desk.say("show me other flights")
    assert "XX4" in reply
    assert "XX1 " not in reply


def test_a_name_on_the_table_is_no_destination() -> None:
    hotels = found(hotel(1, "Park Inn Rome"), hotel(2, "Casa Paris"))
    desk = at_flights(search_hotels=hotels)
    desk.say("yes")
    desk.say("yes please")
    desk.say("book the Casa Paris")
    assert desk.calls == [{"name": "book_offer", "offer_id": "HT.2"}]


@pytest.mark.parametrize(
    "said", ["no stops please", "a hotel with a gym and a workspace", "get me my normal kind of seat"]
)
def test_what_is_wished_of_a_trip_under_way_is_no_lasting_note(said: str) -> None:
    desk = at_flights()
    desk.say(said)
    assert not [call for call in desk.calls if call["name"] == "save_memory_note"]


def test_something_lasting_is_kept_and_used_at_once() -> None:
    desk = at_flights()
    desk.say("I always prefer window seats")
    assert [call["name"] for call in desk.calls] == ["save_memory_note", "search_flights"]


def test_a_price_in_another_currency() -> None:
    desk = at_flights()
    reply = desk.say("how much is that in yen?")
    assert desk.called("convert_money") == {"name": "convert_money", "amount": 100.0, "source": "USD", "target": "JPY"}
    assert "$100.00 is ¥15,000, at 150 " in reply


def test_a_warning_about_the_passport_is_said_once() -> None:
    answer = found(flight(1), documents=["The passport ends in May. Renew it."])
    desk = at_flights(search_flights=answer)
    assert "Renew it" in desk.messages[-1].text
    assert "Renew it" not in desk.say("cheaper")


def test_a_hotel_is_booked_for_the_nights_between_the_flights() -> None:
    late = flight(1)
    late["outbound"] = {**late["outbound"], "arrives": "2026-12-09 07:10 (+1)"}
    desk = at_flights(search_flights=found(late), book_offer=booked())
    desk.say("yes")
    desk.say("yes please")
    given = desk.called("search_hotels")
    assert (given["check_in"], given["check_out"]) == ("2026-12-09", "2026-12-14")


def test_why_is_answered_by_what_decided() -> None:
    desk = at_flights()
    assert desk.say("why did you pick this one?").startswith("I'd take number 1: it costs the least")
    assert desk.calls == []
    desk.say("I quite like the second one")
    assert desk.say("why?").startswith("I'd take number 2: ")


def test_each_change_is_shown_in_the_line_and_a_question_shows_none() -> None:
    desk = at_flights()
    assert "**Berlin (your home city) → Lisbon, 8–14 Dec, 1 adult, cheapest first**" in desk.say("cheaper")
    assert "Lisbon, 9–15 Dec, 1 adult" in desk.say("a day later")
    assert "**" not in desk.say("how long is the flight?")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("how about something cheaper?", "cheapest first** Where will you start from?"),
        ("ok book it", "There is nothing on the table to book yet. Where will you start from?"),
        ("why did you pick this one?", "Where will you start from?"),
    ],
)
def test_what_comes_before_the_details_are_there(said: str, told: str) -> None:
    desk = Desk(system=SYSTEM)
    desk.say("I need to be in Lisbon the second week of next month")
    assert desk.say(said).endswith(told)
    assert "invent" not in desk.messages[-1].text


def test_a_wish_told_early_counts_in_the_search() -> None:
    desk = Desk(system=SYSTEM)
    desk.say("I need to be in Lisbon the second week of next month")
    desk.say("something cheap, no stops")
    desk.say("from Berlin")
    assert (desk.called("search_flights")["max_stops"], desk.called("search_flights")["sort"]) == (0, "cheapest")


def test_a_stay_in_weeks_is_no_number_of_people() -> None:
    desk = Desk()
    desk.say("I need to be in Lisbon from 8 December")
    desk.say("until the 14th")
    desk.say("make it a week or so")
    assert (desk.called("search_flights")["returning"], desk.called("search_flights")["adults"]) == ("2026-12-15", 1)


@pytest.mark.parametrize(
    ("party", "guests", "rooms"),
    [
        ("me, my wife and our baby", 2, None),
        ("me, my wife and our daughter", 3, None),
        ("two adults and two kids", 4, 2),
    ],
)
def test_beds_and_rooms(party: str, guests: int, rooms: int | None) -> None:
    desk = Desk()
    desk.say("a hotel in Lisbon from 8 to 14 December")
    reply = desk.say(party)
    given = desk.called("search_hotels")
    assert (given["guests"], given.get("rooms")) == (guests, rooms)
    assert ("That takes 2 rooms" in reply) == (rooms == 2)


def test_who_lands_after_midnight_has_a_bed() -> None:
    late = flight(1)
    late["outbound"]["arrives"] = "2026-12-09 00:15 (+1)"
    desk = at_flights(search_flights=found(late))
    desk.say("yes")
    desk.say("yes please")
    assert desk.called("search_hotels")["check_in"] == "2026-12-08"


def test_a_question_about_the_hotel_on_the_table_is_answered() -> None:
    desk = Desk({"search_hotels": found(hotel(1, "Park Inn", amenities=["pool"]), hotel(2, "Grand Linden"))})
    desk.say("a hotel in Lisbon from 8 to 14 December for two people")
    assert desk.say("does it have breakfast?") == "Park Inn: this rate is with breakfast. Shall I book that?"
    assert desk.say("is there a gym?") == "No, Park Inn does not have that: gym. Shall I book that?"
    assert desk.calls == []
    desk.say("show me one with a gym")
    assert desk.called("search_hotels")["features"] == ["gym"]


def test_a_house_that_lacks_it_gives_way_to_one_that_has_it() -> None:
    offers = found(hotel(1, "Park Inn", amenities=["pool"]), hotel(2, "Grand Linden", amenities=["gym"]))
    desk = Desk({"search_hotels": offers})
    desk.say("a hotel in Lisbon from 8 to 14 December for two people")
    assert "Grand Linden does" in desk.say("is there anything with a gym?")


@pytest.mark.parametrize("said", ["book the seventh hotel", "the tenth one", "take the fourth", "number 7"])
def test_a_number_that_is_not_shown_takes_nothing(said: str) -> None:
    desk = Desk()
    desk.say("a hotel in Lisbon from 8 to 14 December for two people")
    desk.say("I quite like the second one")
    assert "On the table now: 3" in desk.say(said)
    assert desk.calls == []


@pytest.mark.parametrize("said", ["first suv and first hotel", "the first car and the first hotel"])
def test_two_parts_are_taken_at_once(said: str) -> None:
    cars = [{"offer_id": f"CR.{at}", "kind": "car", "price": "$90.00", "company": "Sixt", "category": category}
            for at, category in enumerate(("suv", "van"), 1)]  # fmt: skip
    desk = Desk({"search_cars": found(*cars)})
    desk.say("a hotel and an suv in Lisbon from 8 to 14 December for two people")
    desk.say(said)
    assert sorted(call["offer_id"] for call in desk.calls) == ["CR.1", "HT.1"]


def test_when_it_lands_is_told_and_not_refused() -> None:
    assert "12:30" in at_flights(offer_details=flight(1)).say("when does it arrive?")


def test_business_class_is_let_go() -> None:
    desk = at_flights()
    desk.say("business class")
    reply = desk.say("forget business, too pricey")
    given = desk.called("search_flights")
    assert (given.get("cabin", "economy"), given["sort"]) == ("economy", "cheapest")
    assert "purpose" not in reply
    assert "remember" not in reply


def test_never_means_never_and_no_other_way_than_flying_is_proposed() -> None:
    known = memories("- [n1] airline, 2026-10-01: I never fly Ryanair")
    desk = Desk(system=SYSTEM + PROFILE.replace("Lisbon", "Berlin") + known)
    assert "Without flying" not in desk.say("how do I get from Berlin to Rome?")


def test_thanks_and_questions_get_out_of_the_question_which_place() -> None:
    unclear = "'San Jose' may mean San Jose, CR (SJO) or San Jose, California, US (SJC). Ask which one."
    desk = Desk({"search_flights": unclear})
    assert "Which one do you mean?" in desk.say("flight to San Jose from 8 to 14 December for one person")
    assert "travel concierge" in desk.say("who are you?")
    assert "Which one do you mean?" not in desk.say("thanks!")


@pytest.mark.parametrize("said", ["book the cheapest", "take the cheapest"])
def test_the_cheapest_on_the_table_can_be_taken_by_that_word(said: str) -> None:
    desk = at_flights(search_flights=found(flight(2), flight(1), flight(3)))
    desk.say(said)
    assert desk.calls == [{"name": "book_offer", "offer_id": "FL.1"}]


def test_a_question_about_all_offers_is_answered_for_each_of_them() -> None:
    reply = at_flights().say("which of the three has a bag included?")
    assert all(name in reply for name in ("Iberia", "Lufthansa", "Finnair"))


def test_forgetting_a_thing_keeps_the_trip() -> None:
    desk = at_flights()
    assert "start over" not in desk.say("please forget the thing about aisle seats")


def test_after_a_remark_the_offer_that_a_yes_would_book_is_named() -> None:
    assert at_flights().say("my dog is called Rex").endswith("Shall I book number 1, Iberia?")


def test_the_offer_that_a_question_was_about_is_the_one_proposed() -> None:
    desk = at_flights()
    assert desk.say("what are the bags like on number 3?").endswith("Shall I book number 3, Finnair?")
    desk.say("ok book it")
    assert desk.called("book_offer")["offer_id"] == "FL.3"


def test_a_question_about_another_offer_changes_nothing_of_the_one_taken() -> None:
    desk = at_flights()
    desk.say("I prefer the second one")
    desk.say("what's the baggage like on number 3?")
    desk.say("ok book it")
    assert desk.called("book_offer")["offer_id"] == "FL.2"


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("book the second one with quiet room", "quiet room"),
        ("book number 2 with a room away from the lift", "room away from the lift"),
        ("take number 2 and write to them that I arrive late", "I arrive late"),
        ("book number 2 and drop them a line about my birthday", "my birthday"),
    ],
)
def test_what_a_certain_hotel_is_asked_for_goes_with_its_booking(said: str, asked: str) -> None:
    desk = Desk()
    desk.say("I need a hotel in Lisbon from 8 to 14 December, just me")
    desk.say(said)
    assert desk.called("book_offer") == {"name": "book_offer", "offer_id": "HT.2", "requests": [asked]}


@pytest.mark.parametrize("said", ["2番にします", "2番でお願いします", "2番", "じゃあ2番を"])
def test_a_number_books_after_a_question_that_named_its_offer(said: str) -> None:
    desk = Desk()
    desk.say("ベルリンからリスボンへの航空券を12月8日から14日まで、1人です")
    desk.say("2番は荷物が付きますか")
    desk.say(said)
    assert desk.called("book_offer")["offer_id"] == "FL.2"


@pytest.mark.parametrize(
    ("said", "booked"),
    [
        ("飛行機は2番、ホテルは1番で", ["FL.2", "HT.1"]), ("2番の便と1番のホテルで", ["FL.2", "HT.1"]),
        ("2番にします", []),
        ("The cheapest flight, and for the hotel the second one", ["FL.1", "HT.2"]),
        ("number 2 for the flight and number 1 for the hotel", ["FL.2", "HT.1"]),
    ],
)  # fmt: skip
def test_an_offer_of_each_part_answers_whether_to_book_both(said: str, booked: list[str]) -> None:
    desk = Desk()
    desk.say("ベルリンからリスボンへの航空券とホテルを12月8日から14日まで、1人です")
    desk.say(said)
    assert [call["offer_id"] for call in desk.calls if call["name"] == "book_offer"] == booked


@pytest.mark.parametrize(
    ("said", "number"),
    [("台北のホテル、12月8日から14日まで、1人、1泊5千円まで", "2番"),
     ("hotel in Taipei from 8 to 14 December, just me, up to 5000 yen a night", "number 2")],
)  # fmt: skip
def test_what_a_first_search_found_and_nobody_was_shown_is_not_taken(said: str, number: str) -> None:
    dear = found(note="No room in Taipei costs that little; the cheapest costs $72.00.")
    desk = Desk({"search_hotels": [HOTELS, dear, dear], "convert_money": {"result": "$33.00", "rate": "0.0066"}})
    desk.say(said)
    reply = desk.say(number)
    assert not desk.calls
    assert "$72.00" in reply
    assert "Grand Linden" not in reply


@pytest.mark.parametrize("said", ["no, actually only the flight", "やっぱり飛行機だけ", "just the flight then"])
def test_of_two_parts_put_up_only_one_can_be_taken(said: str) -> None:
    undecided = "Not carried out: the traveller did not decide on it, and wrote the next message instead."
    desk = Desk({"book_offer": [undecided, undecided, booked()]})
    desk.say("a flight and a hotel in Lisbon from Berlin, 8 to 14 December, just me")
    desk.say("book both")
    desk.say(said)
    assert [call["offer_id"] for call in desk.calls if call["name"] == "book_offer"] == ["FL.1"]


@pytest.mark.parametrize("said", ["the old dates were better", "前の日程のほうがよかった"])
def test_the_days_before_a_change_come_back(said: str) -> None:
    desk = at_flights()
    desk.say("make it 9 to 15 December")
    desk.say(said)
    assert desk.called("search_flights")["departing"] == "2026-12-08"


@pytest.mark.parametrize("said", ["three of us, separate rooms", "three of us, a room each", "3人、部屋は別々で"])
def test_separate_rooms_are_one_for_each_adult_and_no_request(said: str) -> None:
    desk = Desk({"search_hotels": HOTELS})
    desk.say(
        f"hotel in Lisbon from 8 to 14 December, {said}"
        if said.isascii()
        else f"リスボンのホテル、12月8日から14日、{said}"
    )
    assert desk.called("search_hotels")["rooms"] == 3
    desk.say("book number 1")
    assert "requests" not in desk.called("book_offer")


def test_a_number_means_what_was_listed_and_a_part_asked_for_beside_it_is_chosen_later() -> None:
    desk = Desk({"search_flights": FLIGHTS, "search_hotels": HOTELS})
    desk.say("Berlin to Lisbon 8 to 14 December, two adults")
    reply = desk.say("ok number 2. also a hotel for those nights, under 900 euros")
    assert desk.called("search_hotels")["city"] == "Lisbon"
    assert "book_offer" not in [call["name"] for call in desk.calls]
    assert "up to €900" in reply
    assert "counts for nothing" not in reply
