"""Follow-ups in Japanese: a yes, a wish or a question about things to do, a change of mind after a booking."""

from __future__ import annotations

from typing import Any

from prompts import prompt
from tests.models.offline.desk import Desk, booked, found, hotel
from tests.samples import WORDS
from tests.tables import table

SYSTEM = f"{prompt('concierge', 'ja', WORDS['ja'])}\n\n<today>2026-11-20 (金曜日)</today>"
FLIGHT = "東京からリスボンへの航空券、12月8日から14日まで、1人です"
HOTEL = "リスボンのホテル、12月8日から14日まで、1人です"
TOUR = {
    "offer_id": "AC.1", "kind": "activity", "summary": "Walk", "name": "Walk", "price": "$30.00",
    "starts": "2026-12-09 10:00", "minutes": 120, "interests": ["history"], "meets": [], "misses": [],
}  # fmt: skip
MINE = {"bookings": [booked(), booked("activity", reference="TC-GHIJKL")]}
REJECTED = "The traveller did not decide"


def at_desk(*said: str, **answers: Any) -> Desk:
    desk = Desk({"search_activities": found(TOUR), **answers}, system=SYSTEM)
    for each in said:
        desk.say(each)
    return desk


def names(desk: Desk) -> list[str]:
    return [call["name"] for call in desk.calls]


@table(
    "yes",
    [
        "それで頼む",
        "おお、それで頼む",
        "これで頼みます",
        "それでええ",
        "それでいいわ",
        "それでいく",
        "うん、それでたのむわ",
    ],
)
def test_a_yes_to_the_offer_books_it(yes: str) -> None:
    assert names(at_desk(FLIGHT, yes)) == ["book_offer"]


@table(
    ("question", "interest"),
    [
        ("建築のやつもある?", "architecture"),
        ("自然系のってある？", "nature"),
        ("歴史のやつはない？", "history"),
        ("10日の夜ジャズ聴けるやつある？", "music"),
        ("陶芸を習えるとこある？", "art"),
        ("建物を見るツアー、10日に", "architecture"),
    ],
)
def test_a_question_for_something_of_a_kind_searches_for_it(question: str, interest: str) -> None:
    assert at_desk(FLIGHT, "1番で", question).called("search_activities")["interests"] == [interest]


@table("question", ["朝食のやつある？", "プールあるやつある？", "機内で映画見られるやつある？"])
def test_a_question_about_the_offers_is_none_for_things_to_do(question: str) -> None:
    assert "search_activities" not in names(at_desk(HOTEL, question))


def test_a_remark_after_a_request_does_not_refuse_it() -> None:
    assert names(at_desk(FLIGHT, "建築のツアー、10日に。夫は嫌がるけど…まあいいわ")) == ["search_activities"]


@table(
    "told",
    [
        "飛行機とホテルはあるんで",
        "飛行機もホテルもあるので、",
        "ホテルと飛行機は取ったんで、",
        "飛行機とホテルはもう持ってるから、",
        "航空券と宿はあるし、",
    ],
)
def test_what_the_traveller_has_is_not_searched_for(told: str) -> None:
    desk = at_desk(f"リスボン行きます。{told}歴史のツアー探してほしいです。12月8日から14日、1人です")
    assert names(desk) == ["search_activities"]


@table(
    ("wish", "feature"),
    [
        ("宿はキャンセルできるとこがいいかな", "free cancellation"),
        ("取り消せるやつがいいかな", "free cancellation"),
        ("プールのあるところがいいかなあ", "pool"),
        ("ジム付きの宿がいいかも", "gym"),
    ],
)
def test_what_would_be_good_is_a_wish(wish: str, feature: str) -> None:
    offers = found(hotel(1, "Park Inn", free_cancellation_until=None))
    assert at_desk(HOTEL, wish, search_hotels=offers).calls[0].get("features") == [feature]


@table("question", ["どれがいいかな", "どのホテルがいいかなあ", "何番がいいかな"])
def test_which_would_be_good_is_a_question(question: str) -> None:
    assert names(at_desk(HOTEL, question)) == []


@table(
    "said",
    [
        "すまん、ツアーだけやめとく。友達が案内してくれるらしい",
        "ツアーはやめます",
        "ツアーだけやめたい",
        "体験のみやめとくわ",
        "やっぱりツアーの予約はもうやめておきます",
    ],
)
def test_what_is_called_off_after_booking_is_cancelled(said: str) -> None:
    desk = at_desk(FLIGHT, "1番を予約して", list_bookings=MINE, cancel_booking=REJECTED)
    desk.say("いえ、結構です")
    desk.say(said)
    assert names(desk) == ["list_bookings", "cancel_booking"]
    assert desk.called("cancel_booking")["booking"] == "TC-GHIJKL"


def test_a_no_to_another_hotel_cancels_nothing() -> None:
    assert names(at_desk(FLIGHT, "1番を予約して", "ホテルはやめとく", list_bookings=MINE)) == []


@table(
    "question",
    [
        "いま予約してるん何と何やったっけ",
        "今予約してるのは何だっけ",
        "予約してるやつ何があったっけ",
        "今押さえてるのって何？",
        "予約済みのやつ教えて",
        "予約してたの何だっけ",
    ],
)
def test_what_is_booked_is_looked_up_and_nothing_is_booked(question: str) -> None:
    assert names(at_desk(FLIGHT, question, list_bookings=MINE)) == ["list_bookings"]
