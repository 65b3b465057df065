"""All journeys of a message are searched at once and shown one by one; each is booked, moved and changed by itself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.offline.desk import Desk, at_flights, booked, flight, found, hotel

THREE = "Vienna to Rome on 3 March, then Rome to Athens on 8 March and back to Vienna on 12 March, just me"
THREE_JA = "ウィーンからローマ3月3日、ローマからアテネ3月8日、アテネからウィーン3月12日、一人、片道で"


def _flights(start: int, **more: Any) -> dict[str, Any]:
    """Three flights, of which the last is the cheapest."""
    prices = ("$300.00", "$200.00", "$100.00")
    return found(*(flight(start + at, price=price, **more) for at, price in enumerate(prices)))


def _hotels(start: int) -> dict[str, Any]:
    return found(*(hotel(start + at, f"House {start + at}") for at in range(3)))


def _desk(*, searches: int = 1) -> Desk:
    """A desk whose searches find the flights 1 to 3, 4 to 6 and so on, and the hotels likewise."""
    answers = {
        "search_flights": [_flights(1 + 3 * at % 9) for at in range(3 * searches)],
        "search_hotels": [_hotels(1 + 3 * at) for at in range(3 * searches)],
        "book_offer": [booked(reference=f"TC-LEG{at:03}") for at in range(9)],
    }
    return Desk(answers)


def _searched(desk: Desk) -> list[tuple[Any, ...]]:
    """The searches of the turn: for a flight the origin, the destination and the days, else the city and the days."""
    names = ("origin", "destination", "city", "departing", "returning", "check_in", "check_out", "pick_up", "drop_off")
    return [tuple(call[name] for name in names if name in call) for call in desk.calls if "search" in call["name"]]


def _booked(desk: Desk) -> list[str]:
    return [call["offer_id"] for call in desk.calls if call["name"] == "book_offer"]


VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA = (
    ("Vienna", "Rome", "2027-03-03"), ("Rome", "Athens", "2027-03-08"), ("Athens", "Vienna", "2027-03-12"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "searched"),
    [
        (THREE, [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
        ("flights for one: Vienna to Rome 3 March, Rome to Athens 8 March, Athens to Vienna 12 March",
         [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
        ("vienna to rome wed 3 march, then on to athens mon 8 march, and athens back to vienna fri 12 march. only me",
         [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
        ("multi-city: Vienna-Rome 3 March, Rome-Athens 8 March, 1 adult", [VIENNA_ROME, ROME_ATHENS]),
        ("fly from Vienna to Rome on 3 March. After that on to Athens on 8 March. On 12 March back to Vienna. 1 adult",
         [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
        ("fly from Vienna to Rome on 3 March and from Rome to Athens on 8 March, just me", [VIENNA_ROME, ROME_ATHENS]),
        ("fly from Vienna to Rome on 3 March, from there to Athens on 8 March, then home on 12 March, just me",
         [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
         ("Vienna to Rome on 3 March, then on to Athens on 8 March, and Athens back to Vienna on 12 March, just me",
          [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
        ("fly from Vienna to Rome on 3 March and return from Naples on 10 March, just me",
         [VIENNA_ROME, ("Naples", "Vienna", "2027-03-10")]),
        ("Vienna to Rome 3-8 March, then on to Athens 8-12 March, then home to Vienna, 1 adult",
         [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
        (THREE_JA, [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
        ("3月3日にウィーンからローマ、3月8日にローマからアテネ、3月12日にアテネからウィーン、一人",
         [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
        ("3月3日にウィーンからローマ、その後3月8日にアテネへ、3月12日にウィーンへ戻る。一人",
         [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
        ("ウィーン→ローマ 3/3、ローマ→アテネ 3/8、アテネ→ウィーン 3/12。一人です",
         [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
    ],
)  # fmt: skip
def test_every_leg_is_searched_one_way(said: str, searched: list[tuple[str, ...]]) -> None:
    desk = _desk()
    desk.say(said)
    assert _searched(desk) == searched


@pytest.mark.parametrize("said", [THREE, THREE_JA])
def test_each_leg_has_its_line_and_its_offers_are_numbered_on(said: str) -> None:
    reply = _desk().say(said)
    lines = [line for line in reply.splitlines() if line.startswith("**")]
    rows = [line.split("|")[1].strip() for line in reply.splitlines() if line.startswith("| ")]
    assert len(lines) == 3
    assert [row for row in rows if row.isdigit()] == [str(number) for number in range(1, 10)]


@pytest.mark.parametrize(
    "said",
    [
        "fly Vienna to Rome on 3 March and back to Vienna on 8 March, just me",
        "flight Vienna to Rome 3 March, then return from Rome on 8 March, just me",
        "fly from Vienna to Rome on 3 March and come back to Vienna on the 8th, one adult",
        "Vienna to Rome, 3 March, then home on 8 March, just me",
        "fly from Vienna to Rome 3 to 8 March for one, then find me a museum there",
    ],
)
def test_there_and_back_is_one_journey(said: str) -> None:
    desk = Desk()
    desk.say(said)
    assert _searched(desk)[0] == ("Vienna", "Rome", "2027-03-03", "2027-03-08")
    assert [each["name"] for each in desk.calls].count("search_flights") == 1


@pytest.mark.parametrize(
    ("said", "searched"),
    [
        ("a hotel in Rome 3-6 March, then in Florence 6-9 March, for two",
         [("Rome", "2027-03-03", "2027-03-06"), ("Florence", "2027-03-06", "2027-03-09")]),
        ("2月10日から12日に金沢、14日から16日に仙台のホテルを、二人で",
         [("Kanazawa", "2027-02-10", "2027-02-12"), ("Sendai", "2027-02-14", "2027-02-16")]),
        ("Book a hotel in Rome 3 to 5 March and a separate flight from Vienna to Oslo 10 to 12 April, just me",
         [("Rome", "2027-03-03", "2027-03-05"), ("Vienna", "Oslo", "2027-04-10", "2027-04-12")]),
        ("I need a car in Lisbon 9 to 12 March and a hotel in Porto 12 to 15 March",
         [("Lisbon", "2027-03-09", "2027-03-12"), ("Porto", "2027-03-12", "2027-03-15")]),
        ("a rental from Munich, 9 to 12 March, back in Munich again, and a hotel in Vienna for those nights",
         [("Munich", "2027-03-09", "2027-03-12"), ("Vienna", "2027-03-09", "2027-03-12")]),
        ("Flight from Vienna to Rome 3 to 8 March and a hotel in Florence for those days, just me",
         [("Vienna", "Rome", "2027-03-03", "2027-03-08"), ("Florence", "2027-03-03", "2027-03-08")]),
        ("ウィーンからローマ、3月3日から8日の飛行機、ホテルはフィレンツェで、一人",
         [("Vienna", "Rome", "2027-03-03", "2027-03-08"), ("Florence", "2027-03-03", "2027-03-08")]),
        ("3月5日から8日までローマのホテルと、それとは別に1月15日から17日の東京からソウルの飛行機、一人",
         [("Rome", "2027-03-05", "2027-03-08"), ("Tokyo", "Seoul", "2027-01-15", "2027-01-17")]),
    ],
)  # fmt: skip
def test_parts_in_several_places_are_all_searched(said: str, searched: list[tuple[str, ...]]) -> None:
    desk = Desk({"search_cars": found()})
    desk.say(said)
    assert _searched(desk) == searched


@pytest.mark.parametrize(
    "said",
    [
        "Flight from Vienna to Rome 3 to 8 March and a hotel in Rome, just me",
        "Flight from Vienna to Rome 3 to 8 March and a hotel in the centre, just me",
        "ウィーンからローマ、3月3日から8日の飛行機、ホテルはローマで、一人",
    ],
)
def test_parts_in_one_place_are_one_trip(said: str) -> None:
    desk = Desk()
    desk.say(said)
    assert {each["name"] for each in desk.calls} == {"search_flights", "search_hotels"}


@pytest.mark.parametrize(
    ("opening", "said", "offers"),
    [
        (THREE, "yes please", ["FL.1", "FL.4", "FL.7"]),
        (THREE, "yes, all three", ["FL.1", "FL.4", "FL.7"]),
        (THREE, "book the first of each", ["FL.1", "FL.4", "FL.7"]),
        (THREE, "book the three flights, the cheapest each time", ["FL.3", "FL.6", "FL.9"]),
        (THREE, "book the cheapest of all three", ["FL.3", "FL.6", "FL.9"]),
        (THREE, "number 5", ["FL.5"]),
        (THREE, "book number 2 and number 6", ["FL.2", "FL.6"]),
        (THREE, "book the cheapest one to Athens", ["FL.6"]),
        (THREE, "book the first leg", ["FL.1"]),
        (THREE, "book the cheapest for the last leg", ["FL.9"]),
        (THREE_JA, "はい、お願いします", ["FL.1", "FL.4", "FL.7"]),
        (THREE_JA, "全部予約して", ["FL.1", "FL.4", "FL.7"]),
        (THREE_JA, "5番を予約して", ["FL.5"]),
        (THREE_JA, "2番と6番を予約して", ["FL.2", "FL.6"]),
        (THREE_JA, "3区間とも一番安いのを予約して", ["FL.3", "FL.6", "FL.9"]),
        (THREE_JA, "最後の区間を予約して", ["FL.7"]),
    ],
)
def test_only_the_legs_that_were_named_are_booked(opening: str, said: str, offers: list[str]) -> None:
    desk = _desk()
    desk.say(opening)
    desk.say(said)
    assert _booked(desk) == offers


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        (THREE, "book the cheapest"), (THREE, "the cheapest ones look good"), (THREE, "number 12"),
        (THREE, "book the fourth leg"), (THREE, "no, not yet"), (THREE, "do they have bags?"),
        (THREE_JA, "一番安いのを予約して"), (THREE_JA, "12番を予約して"), (THREE_JA, "まだ予約しないで"),
    ],
)  # fmt: skip
def test_what_may_mean_any_leg_books_none(opening: str, said: str) -> None:
    desk = _desk(searches=2)
    desk.say(opening)
    desk.say(said)
    assert _booked(desk) == []


def test_after_one_leg_the_reply_asks_for_the_next_one_and_a_yes_books_only_that() -> None:
    desk = _desk()
    desk.say(THREE)
    assert "number 1" in desk.say("number 5")
    assert "number 7" in desk.say("yes")
    assert _booked(desk) == ["FL.1"]
    desk.say("yes")
    assert _booked(desk) == ["FL.7"]


@pytest.mark.parametrize(
    ("opening", "said", "searched"),
    [
        (THREE, "the second leg a day later", [("Rome", "Athens", "2027-03-09")]),
        (THREE, "do Athens on the 9th instead", [("Rome", "Athens", "2027-03-09")]),
        (THREE, "what's business on the first leg only?", [VIENNA_ROME]),
        (THREE, "business class for all of them please", [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
        (THREE, "my wife is coming too", [VIENNA_ROME, ROME_ATHENS, ATHENS_VIENNA]),
        (THREE, "and hotels in both places for those nights",
         [("Rome", "2027-03-03", "2027-03-08"), ("Athens", "2027-03-08", "2027-03-12")]),
        (THREE, "and a hotel in Athens", [("Athens", "2027-03-08", "2027-03-12")]),
        (THREE_JA, "2区間目は翌日にして", [("Rome", "Athens", "2027-03-09")]),
        (THREE_JA, "最初の区間だけビジネスクラスにして", [VIENNA_ROME]),
        (THREE_JA, "アテネのホテルもお願い", [("Athens", "2027-03-08", "2027-03-12")]),
    ],
)  # fmt: skip
def test_a_change_is_for_the_leg_that_it_names_or_else_for_all(
    opening: str, said: str, searched: list[tuple[str, ...]]
) -> None:
    desk = _desk(searches=2)
    desk.say(opening)
    desk.say(said)
    assert _searched(desk) == searched


def test_a_yes_to_a_hotel_books_that_of_the_last_city_named() -> None:
    desk = _desk()
    desk.say("a hotel in Rome 3-6 March, then in Florence 6-9 March, for two")
    desk.say("Rome is sorted, a friend has a room for us. So only Florence, the cheapest one")
    assert _searched(desk) == [("Florence", "2027-03-06", "2027-03-09")]
    desk.say("yes")
    assert _booked(desk) == ["HT.7"]


def test_a_leg_said_later_begins_on_its_own_day() -> None:
    desk = at_flights()
    desk.say("then from Lisbon to Madrid on 12 December, one way")
    assert _searched(desk) == [("Lisbon", "Madrid", "2026-12-12")]


def test_a_place_put_right_is_no_leg() -> None:
    desk = Desk()
    desk.say("fly from Vienna to Rome on 3 March, no, to Athens, one way, just me")
    assert _searched(desk) == [("Vienna", "Athens", "2027-03-03")]


def test_an_airport_is_named_without_the_word() -> None:
    desk = Desk()
    desk.say("from London City to Berlin, 9 to 11 December, just me")
    given = desk.called("search_flights")
    assert (given["origin"], given["destination"]) == ("London City Airport", "Berlin")
