"""Trips that are changed and narrowed, in Japanese: what is searched for at last."""

from __future__ import annotations

from typing import Any

import pytest

from prompts import prompt
from tests.models.offline.desk import Desk, booked, flight, found, hotel
from tests.samples import WORDS
from tests.tables import table

SYSTEM = f"{prompt('concierge', 'ja', WORDS['ja'])}\n\n<today>2026-11-20 (金曜日)</today>"
FROM_TOKYO = "東京からリスボンへの航空券、12月8日から14日まで、妻と2人です"
TO_TOKYO = "リスボンから東京への航空券、12月8日から14日まで、1人です"


def searched(*said: str, tool: str = "search_flights") -> dict[str, Any]:
    """Return the last search of a conversation."""
    desk = Desk(system=SYSTEM)
    given: dict[str, Any] = {}
    for each in said:
        desk.say(each)
        given = next((call for call in desk.calls if call["name"] == tool), given)
    return given


@table(
    ("first", "then", "wanted"),
    [
        (FROM_TOKYO, "羽田がいい", {"origin": "Haneda (HND)", "destination": "Lisbon"}),
        (FROM_TOKYO, "羽田にして", {"origin": "Haneda (HND)"}),
        (FROM_TOKYO, "成田は避けたい", {"origin": "Haneda (HND)"}),
        (FROM_TOKYO, "成田は遠いので羽田で", {"origin": "Haneda (HND)"}),
        (TO_TOKYO, "羽田で", {"origin": "Lisbon", "destination": "Haneda (HND)"}),
        (TO_TOKYO, "成田以外で", {"destination": "Haneda (HND)"}),
        (FROM_TOKYO, "妻は留守番です", {"adults": 1}),
        (FROM_TOKYO, "14日からで", {"departing": "2026-12-14", "returning": "2026-12-20"}),
        (FROM_TOKYO, "ホテルはいらない", {"origin": "Tokyo"}),
    ],
)
def test_a_second_message_narrows_the_search(first: str, then: str, wanted: dict[str, Any]) -> None:
    given = searched(first, then)
    assert {name: given.get(name) for name in wanted} == wanted


@table(
    ("first", "then", "wanted"),
    [
        ("8", "18", {"departing": "2026-12-08", "returning": "2026-12-18"}),
        ("8です", "18です", {"departing": "2026-12-08", "returning": "2026-12-18"}),
        ("8と18", "はい", {"departing": "2026-12-08", "returning": "2026-12-18"}),
    ],
)
def test_a_number_alone_answers_the_question_for_the_days(first: str, then: str, wanted: dict[str, Any]) -> None:
    given = searched("12月に東京からリスボンへの航空券、1人です", first, then)
    assert {name: given.get(name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("TAPかルフトハンザで", ["TAP Air Portugal", "Lufthansa"]),
        ("ルフトハンザとイベリア以外で", ["TAP Air Portugal", "Ryanair"]),
        ("ライアンエアーは嫌、イベリアも嫌", ["TAP Air Portugal", "Lufthansa"]),
    ],
)
def test_several_airlines_are_wanted_or_not(said: str, wanted: list[str]) -> None:
    names = ("TAP Air Portugal", "Iberia", "Lufthansa", "Ryanair")
    offers = found(*(flight(at, airline=name) for at, name in enumerate(names, 1)))
    desk = Desk({"search_flights": offers}, system=SYSTEM)
    desk.say("ベルリンからリスボンへの航空券、12月8日から14日まで、1人です")
    reply = desk.say(said)
    assert [name for name in names if f" {name} " in reply] == wanted


def test_a_larger_car_is_larger_than_the_one_talked_about() -> None:
    car = {"offer_id": "CR.1", "kind": "car", "price": "$90.00", "company": "Sixt", "category": "midsize"}
    desk = Desk({"search_cars": found(car)}, system=SYSTEM)
    desk.say("リスボンでレンタカー、12月8日から14日まで")
    sizes = []
    for said in ("もう少し大きい車がいい", "もっと大きいの", "一番小さいのはどれ？"):
        desk.say(said)
        sizes.append(desk.called("search_cars")["category"])
    assert sizes == ["suv", "van", "economy"]


def test_both_are_booked_and_the_hotel_is_the_cheaper_one() -> None:
    hotels = found(hotel(3, "Casa Azul"), hotel(1, "Park Inn"))
    desk = Desk({"search_hotels": hotels}, system=SYSTEM)
    desk.say("東京からリスボンへ12月8日から14日まで2人、飛行機とホテル")
    desk.say("両方、でもホテルは安い方")
    assert [call["offer_id"] for call in desk.calls if call["name"] == "book_offer"] == ["FL.1", "HT.1"]


def test_a_limit_is_that_of_the_part_it_is_said_of() -> None:
    desk = Desk(system=SYSTEM)
    reply = desk.say("東京からリスボンへ12月8日から14日まで2人、飛行機とホテル、ホテルは1泊2万円以内")
    assert "ホテル：1泊¥20,000まで" in reply
    assert "航空券：" not in reply


@pytest.mark.parametrize(
    "said",
    [
        "冗談で言えば木星に行きたい", "冗談ですが、月まで往復したい", "沖縄まで泳いで渡ったほうがましですよ",
        "アメリカまで歩いて行く方がマシ", "火星に片道で行きたい、なんてね", "ナポリに移住したい、冗談だけど",
    ],
)  # fmt: skip
def test_a_joke_begins_no_search(said: str) -> None:
    desk = Desk(system=SYSTEM)
    reply = desk.say(said)
    assert not desk.calls
    assert "どちらから" not in reply


@pytest.mark.parametrize(
    "said",
    [
        "冗談抜きで、東京からリスボンへの航空券を12月8日から14日まで1人で",
        "冗談はさておき、東京からリスボンへの航空券を12月8日から14日まで1人で",
        "家にいた方がましだと思っていましたが、東京からリスボンへの航空券を12月8日から14日まで1人で",
        "乗り継ぐより高い便に乗った方がまし。東京からリスボンへの航空券を12月8日から14日まで1人で",
    ],
)
def test_earnest_beside_a_joke_is_searched_for(said: str) -> None:
    assert searched(said)["destination"] == "Lisbon"


@pytest.mark.parametrize(
    ("said", "cancels"),
    [
        ("やっぱりやめます", True), ("やっぱ行かないことにした", True), ("気が変わっちゃった", True),
        ("都合が変わりました", True),
        ("まちがえて買っちゃいました", True), ("行けなくなりました", True), ("やっぱりキャンセルで", True),
        ("やめておきます", False), ("やっぱりホテルもお願い", False), ("やっぱり15日に帰りたい", False),
    ],
)  # fmt: skip
def test_second_thoughts_after_a_booking_put_up_its_cancellation(said: str, cancels: bool) -> None:
    kept = {"bookings": [booked()]}
    desk = Desk({"list_bookings": kept}, system=SYSTEM)
    desk.say("ベルリンからリスボンへの航空券を12月8日から14日まで、1人です")
    desk.say("1番を予約して")
    desk.say(said)
    assert ("cancel_booking" in [call["name"] for call in desk.calls]) == cancels


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ("2番に荷物が付いてたら2番、なければ1番で", "FL.1"),
        ("3番に荷物が付いていれば3番を予約して、だめなら2番で", "FL.3"),
        ("3番が直行便なら予約して", "FL.3"), ("もし2番が直行便だったら、それを予約して", ""),
        ("2番が150ドル以下だったら予約して", ""), ("2番に荷物が付いてたら予約して", ""),
        ("2番でよければ予約して", "FL.2"), ("2番なら予約して", "FL.2"), ("もし可能なら2番を予約して", "FL.2"),
        ("2番が空いていれば予約して", "FL.2"),
    ],
)  # fmt: skip
def test_an_order_hangs_on_what_the_data_tell(said: str, taken: str) -> None:
    offers = found(flight(1), flight(2, stops=["MAD 1 h 00"]), flight(3, checked_bags=1))
    desk = Desk({"search_flights": offers}, system=SYSTEM)
    desk.say("ベルリンからリスボンへの航空券を12月8日から14日まで、1人です")
    reply = desk.say(said)
    assert [call["offer_id"] for call in desk.calls if call["name"] == "book_offer"] == ([taken] if taken else [])
    assert taken or "予約には進みません" in reply


def test_a_sum_for_all_of_a_trip_without_a_hotel_stops_nothing() -> None:
    desk = Desk({"search_flights": found(flight(1)), "convert_money": {"result": "$5,333.00"}}, system=SYSTEM)
    desk.say("12月8日から14日、羽田発リスボン、大人2人。予算は全部で80万くらいかな")
    assert "search_flights" in {call["name"] for call in desk.calls}


FOUR = "12月8日から14日まで、東京からリスボンへの航空券、大人2人と6歳と3歳の子ども2人です"


@pytest.mark.parametrize(
    "said",
    [
        "朝早い便は子どもが起きられないから無理です。9時以降でお願い", "子どもが寝てしまうので夜遅い便は避けたい",
        "息子は窓側がいいそうです",
        "ベビーカーは子どもが乗るから預けたくない", "娘が乗り物酔いするので直行便がいい",
    ],
)  # fmt: skip
def test_a_child_mentioned_in_passing_does_not_change_who_travels(said: str) -> None:
    given = searched(FOUR, said, "直行便で、12月9日からにして")
    assert (given["adults"], given.get("children")) == (2, 2)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("子どもは1人です", (2, 1)), ("息子は留守番です", (2, 1)), ("娘は行きません", (2, 1)),
        ("子どもは預けます", (2, None)),
    ],
)  # fmt: skip
def test_a_number_or_an_absence_changes_who_travels(said: str, wanted: tuple[int, int | None]) -> None:
    given = searched(FOUR, said)
    assert (given["adults"], given.get("children")) == wanted


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("子ども二人連れて", (1, 2)), ("一人で子どもを二人連れて", (1, 2)), ("息子3人を連れて", (1, 3)),
        ("夫婦で子ども2人連れて", (2, 2)),
    ],
)  # fmt: skip
def test_children_whom_somebody_brings_are_counted(said: str, wanted: tuple[int, int]) -> None:
    given = searched(f"{said}12月8日から14日までリスボンに行きたい、東京から飛行機で")
    assert (given["adults"], given.get("children")) == wanted


@pytest.mark.parametrize(
    "said",
    [
        "帰りは最終便で", "帰りは一番遅い便がいいな", "帰りの便は最後のやつにして", "復路は始発がいい",
        "行きだけビジネスクラスで", "帰りはエコノミーで",
        "往路だけファーストクラスにして",
        "帰りだけプレミアムエコノミーがいい", "行きはビジネス、帰りはエコノミーで",
    ],
)  # fmt: skip
def test_a_wish_for_one_direction_that_no_search_takes_is_named_and_chooses_nothing(said: str) -> None:
    desk = Desk(system=SYSTEM)
    desk.say(FROM_TOKYO)
    reply = desk.say(said)
    assert not desk.calls
    assert "条件に入れていません" in reply
    assert "内容は" not in reply


def test_the_first_way_out_is_searched_for_beside_the_last_way_home() -> None:
    desk = Desk(system=SYSTEM)
    desk.say(FROM_TOKYO)
    reply = desk.say("行きは始発、帰りは最終便がいい")
    assert desk.called("search_flights")["sort"] == "earliest"
    assert "「帰りは最終便がいい」は条件に入れていません" in reply


@pytest.mark.parametrize("said", ["行きも帰りもビジネスで", "往復ビジネスクラスで", "ビジネスクラスにして"])
def test_a_cabin_for_both_ways_is_searched_for(said: str) -> None:
    assert searched(FROM_TOKYO, said)["cabin"] == "business"


def test_the_only_way_of_a_single_journey_has_the_cabin_that_is_named_for_it() -> None:
    given = searched("12月8日に東京からリスボンへ片道、1人で", "行きはビジネスで")
    assert given["cabin"] == "business"


@pytest.mark.parametrize(
    "said",
    [
        "荷物は一人一個ずつ預けたいです",
        "スーツケースを各自1つ預けます",
        "荷物は全員1個ずつお願いします",
        "2人とも荷物1個ずつ",
    ],
)
def test_a_bag_for_each_is_booked_for_everybody(said: str) -> None:
    desk = Desk(system=SYSTEM)
    desk.say(FROM_TOKYO)
    desk.say(said)
    desk.say("1番を予約して")
    assert desk.called("book_offer")["extra_bags"] == 2


@pytest.mark.parametrize(
    "said",
    [
        "一部屋は喫煙、もう一部屋は禁煙", "部長の部屋は喫煙、私の部屋は禁煙", "片方はツイン、もう片方はダブル",
    ],
)  # fmt: skip
def test_wishes_for_single_rooms_are_passed_on_as_they_are(said: str) -> None:
    desk = Desk(system=SYSTEM)
    desk.say("リスボンのホテル、12月8日から14日まで、大人2人、2部屋で")
    reply = desk.say(f"{said}にして")
    assert f"ご要望としてお伝えします：{said}。" in reply
    assert "ホテル：2部屋" in reply
    desk.say("1番を予約して")
    assert desk.called("book_offer")["requests"] == [said]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("イベリアで、あ、やっぱルフトハンザで", ["Lufthansa"]), ("イベリアで、いやフィンエアーで", ["Finnair"]),
        ("ルフトハンザ、違った、イベリアで", ["Iberia"]), ("イベリアかルフトハンザで", ["Iberia", "Lufthansa"]),
    ],
)  # fmt: skip
def test_an_airline_that_is_corrected_at_once_is_not_wanted(said: str, wanted: list[str]) -> None:
    desk = Desk(system=SYSTEM)
    desk.say(FROM_TOKYO)
    reply = desk.say(said)
    assert [name for name in ("Iberia", "Lufthansa", "Finnair") if f" {name} " in reply] == wanted


@pytest.mark.parametrize(
    "said",
    [
        "娘の家は静岡なんだけど、帰りに寄れるかしら",
        "母の実家は福岡です",
        "友達の家が札幌なんです",
        "帰りに名古屋に寄りたい",
    ],
)
def test_a_place_that_is_not_travelled_to_moves_no_trip(said: str) -> None:
    given = searched(FROM_TOKYO, said, "1月9日からにして")
    assert (given["origin"], given["destination"], given["adults"]) == ("Tokyo", "Lisbon", 2)


@pytest.mark.parametrize(
    "said",
    [
        "ホテルは会社の規定で1泊1万5千円までとなっております",
        "ホテルは予算の都合で1泊15000円まで",
        "宿は弊社の規程で一泊1万5千円以内でお願いします",
    ],
)
def test_a_reason_for_a_limit_is_no_place(said: str) -> None:
    given = searched(FROM_TOKYO, said, tool="search_hotels")
    assert (given["city"], given["max_per_night"]) == ("Lisbon", 15000)


@pytest.mark.parametrize(
    "said",
    [
        "うちは横浜です。いつもは成田より羽田から出ることにしてます", "家は千葉。空港は羽田派で成田は遠いから嫌い",
        "横浜に住んでます。成田より羽田から出たい",
    ],
)  # fmt: skip
def test_the_usual_airport_is_where_a_trip_begins(said: str) -> None:
    assert searched(said, "12月8日から14日までリスボンへの航空券、1人で")["origin"] == "Haneda (HND)"


def test_a_question_for_another_destination_is_searched_for() -> None:
    assert searched(FROM_TOKYO, "ハワイは？")["destination"] == "Honolulu"


@pytest.mark.parametrize("said", ["3にして", "3に決めた", "3にしよう"])
def test_a_bare_number_takes_an_offer(said: str) -> None:
    desk = Desk(system=SYSTEM)
    desk.say(FROM_TOKYO)
    desk.say(said)
    desk.say("はい")
    assert "FL.3" in [call.get("offer_id") for call in desk.calls] or "Finnair" in str(desk.messages[-1].text)


def test_at_least_so_many_stars_are_read_whole() -> None:
    desk = Desk(system=SYSTEM)
    desk.say("リスボンのホテル、12月8日から14日まで、大人2人")
    reply = desk.say("4つ星以上がいいかな")
    assert "4つ星以上" in reply
    assert "条件に入れていません" not in reply
