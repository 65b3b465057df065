"""Who travels, when and from where, in words that look like something else."""

from __future__ import annotations

import pytest

from tests.models.offline.desk import Desk
from tests.tables import table


def _searched(said: str) -> dict[str, object]:
    desk = Desk()
    desk.say(said)
    return desk.called("search_flights")


@pytest.mark.parametrize(
    ("said", "adults", "children"),
    [
        ("a flight to Lisbon, 8 to 14 December, for me and my adult son", 2, 0),
        ("a flight to Lisbon, 8 to 14 December, with my two grown-up daughters", 3, 0),
        ("my husband, our adult daughter and me to Lisbon, 8 to 14 December", 3, 0),
        ("him, me and my sister to Lisbon, 8 to 14 December", 3, 0),
        ("12月8日から14日までリスボンへ、大人になった息子と行きます", 2, 0),
        ("12月8日から14日までリスボンへ、社会人の息子と行きます", 2, 0),
        ("12月8日から14日までリスボンへ、成人している娘2人と夫と", 4, 0),
        ("12月8日から14日までリスボンへ、夫婦と小学生の息子です", 2, 1),
        ("12月8日から14日までリスボンへ、妻と小学生の娘2人とです", 2, 2),
        ("12月8日から14日までリスボンへ、私、恵子、健太、さくら", 4, 0),
        ("12月8日から14日までリスボンへ、恵子、健太とさくら、私の4人です", 4, 0),
    ],
)
def test_the_grown_are_adults_and_whoever_is_named_is_counted_once(said: str, adults: int, children: int) -> None:
    found = _searched(said)
    assert (found["adults"], found.get("children", 0)) == (adults, children)


@pytest.mark.parametrize(
    "said",
    [
        "12月8日から14日までリスボンへ、夫婦と中学生の娘です",
        "12月8日から14日までリスボンへ、大人2人と高校生1人です",
        "flight to Lisbon, 8 to 14 December, me and my son, 14 years old",
    ],
)
def test_who_is_an_adult_only_in_travel_is_said_to_be_one(said: str) -> None:
    reply = Desk().say(said)
    assert "From 12 years on" in reply or "12歳以上" in reply


@pytest.mark.parametrize("said", ["a small one please", "do you have a small one?", "I'd rather have the small one"])
def test_a_small_one_is_what_is_talked_about(said: str) -> None:
    desk = Desk()
    desk.say("a rental car in Lisbon from 8 to 14 December, two adults")
    assert "child" not in desk.say(said)
    assert desk.called("search_cars")["category"] == "compact"


def test_a_little_one_beside_others_is_a_child() -> None:
    desk = Desk()
    desk.say("a rental car in Lisbon from 8 to 14 December")
    assert "2 adults + 1 child" in desk.say("we're two adults and a little one")


@pytest.mark.parametrize("name", ["Tom", "Eva"])
def test_a_short_name_is_no_code_of_an_airport(name: str) -> None:
    desk = Desk()
    assert f"did not understand “{name}”" in desk.say(f"{name} to Lisbon, 8 to 14 December")
    assert desk.called("search_flights")["origin"] == "Berlin"


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("8日→9日出発", ("2026-12-09", "2026-12-14")),
        ("8→9日でお願いします", ("2026-12-09", "2026-12-14")),
        ("14日→15日", ("2026-12-08", "2026-12-15")),
        ("12月14日→12月16日に変更して", ("2026-12-08", "2026-12-16")),
        ("the 8th -> the 9th", ("2026-12-09", "2026-12-14")),
        ("return: 14 Dec → 16 Dec", ("2026-12-08", "2026-12-16")),
    ],
)
def test_an_arrow_from_a_day_of_the_trip_moves_that_day(said: str, days: tuple[str, str]) -> None:
    desk = Desk()
    desk.say("リスボンへ12月8日から14日まで1人" if "日" in said else "to Lisbon, 8 to 14 December, one adult")
    desk.say(said)
    found = desk.called("search_flights")
    assert (found["departing"], found["returning"]) == days


@pytest.mark.parametrize("said", ["東京→リスボン、12月8日→12月14日、1人", "Berlin → Lisbon, 8 Dec → 14 Dec, one adult"])
def test_an_arrow_between_two_days_of_a_new_trip_is_a_range(said: str) -> None:
    found = _searched(said)
    assert (found["departing"], found["returning"]) == ("2026-12-08", "2026-12-14")


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("one way to Lisbon on the second Friday in June, one adult", "2027-06-11"),
        ("third Tuesday of January, one way to Lisbon, one adult", "2027-01-19"),
        ("one way to Lisbon the last Friday in February 2027, one adult", "2027-02-26"),
    ],
)
def test_a_weekday_is_counted_in_its_month(said: str, day: str) -> None:
    assert _searched(said)["departing"] == day


@pytest.mark.parametrize("said", ["25時以降の便がいい", "26:30発の便で"])
def test_an_hour_that_no_day_has_is_not_understood(said: str) -> None:
    desk = Desk()
    desk.say("リスボンへ12月8日から14日まで1人")
    assert said[:2] in desk.say(said)
    assert desk.calls == []


@pytest.mark.parametrize("said", ["羽田か成田から", "from Haneda or Narita", "成田または羽田発で"])
def test_any_airport_of_a_city_is_the_city(said: str) -> None:
    there = "ハノイへ12月8日から14日まで1人" if not said.isascii() else "to Hanoi, 8 to 14 December, one adult"
    assert _searched(f"{said}{there}" if not said.isascii() else f"{there}, {said}")["origin"] == "Tokyo"


def test_several_places_to_leave_from_are_asked_about() -> None:
    desk = Desk()
    assert "候補は大阪か神戸ですね" in desk.say("大阪か神戸から沖縄へ12月8日から14日まで1人")
    assert desk.calls == []


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("I want to swim to Iceland on 8 December", "swim"),
        ("ferry to Dublin, 8 to 14 December", "ferry"),
        ("I would like to take the night train to Paris on 8 December", "night train"),
        ("12月8日にアイスランドまで泳いで行きたい", "泳いで"),
        ("12月8日に新幹線で京都へ", "新幹線"),
    ],
)
def test_a_way_of_travelling_that_no_search_knows_is_named(said: str, way: str) -> None:
    assert way in "".join(line for line in Desk().say(said).splitlines() if "“" in line or "条件に入れて" in line)


@pytest.mark.parametrize(
    ("said", "city"),
    [
        ("Malaga sounds nice", "Malaga"),
        ("Porto would be nice", "Porto"),
        ("Lisbon sounds nice. What dates would be cheapest?", "Lisbon"),
        ("nice please", "Nice"),
        ("um, split then", "Split"),
        ("Bath sounds lovely", "Bath"),
    ],
)
def test_a_place_that_is_a_plain_word_is_meant_where_it_is_the_answer(said: str, city: str) -> None:
    desk = Desk()
    desk.say("flights from Manchester, 8 to 14 December, two adults")
    desk.say(said)
    assert desk.called("search_flights")["destination"] == city


@pytest.mark.parametrize(
    "lines",
    [
        (("a flight to Lisbon, 8 to 14 December, for two", ""), ("something to do on the second day", "2026-12-09"),
         ("is there a tour on the last day?", "2026-12-14"), ("and on the first day?", "2026-12-08")),
        (("12月8日から14日までリスボンへ、大人2人で", ""), ("2日目に体験できるものはありますか", "2026-12-09"),
         ("最終日の観光ツアーは？", "2026-12-14"), ("初日は？", "2026-12-08")),
    ],
    ids=["en", "ja"],
)  # fmt: skip
def test_an_activity_is_on_the_day_of_the_trip_that_is_named(lines: tuple[tuple[str, str], ...]) -> None:
    desk = Desk()
    for said, day in lines:
        desk.say(said)
        if day:
            wanted = desk.called("search_activities")
            assert (wanted["first_day"], wanted["last_day"]) == (day, day)


@pytest.mark.parametrize(
    ("said", "adults", "children"),
    [
        ("to Lisbon, 8 to 14 December, for me and the 3 lads", 4, 0),
        ("to Lisbon, 8 to 14 December, me plus 2 other adults", 3, 0),
        ("to Lisbon, 8 to 14 December, just me with 5 of the guys", 6, 0),
        ("to Lisbon, 8 to 14 December, a baby and two kids, so five of us", 2, 2),
        ("to Lisbon, 8 to 14 December. his lad comes too, he's 7, so 4 of us plus a kid", 4, 1),
        ("to Lisbon, 8 to 14 December, she's 3, so two of us with a toddler", 2, 1),
        ("to Lisbon, 8 to 14 December, six pupils, all fifteen, plus a colleague and myself", 8, 0),
        ("to Lisbon, 8 to 14 December, two adults and two boys, both 4", 2, 2),
    ],
)
def test_whoever_is_beside_a_count_is_counted_too(said: str, adults: int, children: int) -> None:
    found = _searched(said)
    assert (found["adults"], found.get("children", 0)) == (adults, children)


@pytest.mark.parametrize(
    "said", ["look again with him as a 2 year old", "she is 2 by then", "our toddler turns 2 before"]
)
def test_an_age_one_above_that_of_a_child_is_its_birthday(said: str) -> None:
    desk = Desk()
    desk.say("to Lisbon, 8 to 14 December, two adults and two kids, aged 6 and 1")
    desk.say(said)
    assert desk.called("search_flights")["children"] == 2


@pytest.mark.parametrize(
    "said",
    [
        "quick one, im in the car",
        "I'm stuck in the car, so be quick",
        "typing this from a rental car",
        "sorry, we're still in the hotel right now",
    ],
)
def test_where_one_is_at_the_moment_is_no_wish(said: str) -> None:
    desk = Desk()
    desk.say(f"{said}. Berlin to Lisbon, 8 to 14 December, two adults")
    assert [call["name"] for call in desk.calls] == ["search_flights"]


@pytest.mark.parametrize("said", ["I'm in the car, and we need a rental car there", "a rental car there please"])
def test_a_wish_beside_where_one_is_stays_one(said: str) -> None:
    desk = Desk()
    desk.say(f"{said}. to Lisbon, 8 to 14 December, two adults")
    assert "search_cars" in [call["name"] for call in desk.calls]


@pytest.mark.parametrize(
    "said",
    [
        "the middle one is in a no cheese phase this week, god help us",
        "the older one has an exam this week",
        "my boss is in a foul mood this week",
    ],
)
def test_a_remark_about_this_week_moves_no_trip(said: str) -> None:
    desk = Desk()
    desk.say("to Lisbon, 8 to 14 December, two adults and three kids, 3, 8 and 10")
    desk.say(said)
    assert desk.calls == []


@pytest.mark.parametrize("said", ["can you add 2 more check in bags?", "with a check-in suitcase please"])
def test_a_bag_to_check_in_asks_for_no_hotel(said: str) -> None:
    desk = Desk()
    desk.say("to Lisbon, 8 to 14 December, two adults")
    desk.say(said)
    assert "search_hotels" not in [call["name"] for call in desk.calls]


@pytest.mark.parametrize(
    "said",
    [
        "my grandson Toby is graduating in Lisbon. Berlin to Lisbon, 8 to 14 December",
        "I shall be 80 and my grandson Toby is graduating in Lisbon. Berlin to Lisbon, 8 to 14 December",
        "my daughter is getting married. Berlin to Lisbon, 8 to 14 December",
        "our kids are staying elsewhere, to Lisbon, 8 to 14 December, just me",
    ],
)
def test_a_child_that_does_something_there_does_not_fly(said: str) -> None:
    assert "children" not in _searched(said)


def test_a_child_that_comes_along_is_counted() -> None:
    assert _searched("my son Toby is flying too, 8. Berlin to Lisbon, 8 to 14 December, me and him")["children"] == 1


@pytest.mark.parametrize(
    "said", ["not squashed in the back please", "never again at the back", "I don't want to be stuck at the back"]
)
def test_a_seat_that_is_refused_is_none(said: str) -> None:
    desk = Desk()
    assert "seat at the back" not in desk.say(f"to Lisbon, 8 to 14 December, one adult. {said}")


@pytest.mark.parametrize("said", ["something in the middle of the price range", "something central"])
def test_no_flight_is_close_to_the_centre(said: str) -> None:
    assert "centre" not in Desk().say(f"a flight to Lisbon, 8 to 14 December, one adult, {said}")


def test_the_centre_is_where_the_hotel_is() -> None:
    reply = Desk().say("Flights to Lisbon, 8 to 14 December for 2, a hotel in the centre for those nights")
    assert "flight: closest" not in reply
    assert "hotel: closest to the centre first" in reply


@table(
    "said",
    [
        "Berlin to Nice 8 to 14 December, 2 adults, and a car for the week",
        "from Berlin to Nice, 8 to 14 December for two, plus a rental car",
        "Berlin to Nice 8 to 14 December, the two of us, we need a car too",
        "ベルリンからニースへ12月8日から14日まで大人2人、レンタカーもお願いします",
    ],
)
def test_a_car_beside_a_journey_needs_a_flight_too(said: str) -> None:
    desk = Desk()
    desk.say(said)
    assert {"search_flights", "search_cars"} <= {call["name"] for call in desk.calls}


@table(
    "said",
    [
        "driving over from Berlin to Nice, 8 to 14 December, the two of us. Just a hotel",
        "we'll be driving from Berlin, just a hotel in Nice 8 to 14 December for 2",
        "taking the train from Berlin to Nice, 8 to 14 December, a hotel for 2",
        "we come by coach from Berlin, a hotel in Nice for two, 8 to 14 December",
        "ベルリンからニースへ電車で行くので12月8日から14日まで2人でホテルを",
        "ベルリンから車で行きます。ニースのホテルを12月8日から14日まで2人で",
    ],
)
def test_who_comes_by_road_or_rail_needs_no_flight(said: str) -> None:
    desk = Desk()
    desk.say(said)
    assert {call["name"] for call in desk.calls} == {"search_hotels"}


@table(
    "said",
    ["a rental car from Berlin to Nice, 8 to 14 December", "ベルリンからニースまでレンタカーで、12月8日から14日まで"],
)
def test_a_car_for_the_journey_itself_needs_no_flight(said: str) -> None:
    desk = Desk()
    desk.say(said)
    assert {call["name"] for call in desk.calls} == {"search_cars"}


@table(
    "said",
    [
        "my daughter Aoife is off to Lisbon. One way on 8 December, only herself",
        "my brother is moving to Lisbon. One way from Berlin on 8 December, just himself",
    ],
)
def test_somebody_who_goes_alone_is_one_adult(said: str) -> None:
    found = _searched(said)
    assert (found["adults"], found.get("children", 0)) == (1, 0)


@table(
    "said",
    [
        "Berlin to Nice on Tuesday 8 December coming back Monday 14 December business class just me",
        "Berlin to Nice leaving 8 December and returning 14 December in business class, just me",
        "I'd fly Berlin to Nice on the 8th of December and back home on the 14th business class, one adult",
    ],
)
def test_a_cabin_behind_both_days_is_for_both_ways(said: str) -> None:
    desk = Desk()
    reply = desk.say(said)
    assert desk.called("search_flights")["cabin"] == "business"
    assert "did not understand" not in reply
