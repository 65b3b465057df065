"""Dates and trips in ordinary Japanese."""

from __future__ import annotations

from datetime import date

import pytest

from models.offline.ja.language import JAPANESE
from models.offline.ja.trips.dates import read_dates
from models.offline.ja.wording import plain
from tests.models.offline.talker import SYSTEM, Talker
from tests.tables import table
from text.numbers import kanji_number

TODAY = date(2026, 11, 20)
"""A Friday."""


def _day(text: str) -> date:
    month, day = map(int, text.split("-"))
    return date(2026 if month >= 11 else 2027, month, day)


@table(
    ("said", "start", "end"),
    [
        ("12月3日から9日まで", "12-03", "12-09"),
        ("１２月３日〜９日", "12-03", "12-09"),
        ("12月28日から1月4日まで", "12-28", "01-04"),
        ("十二月三日から九日", "12-03", "12-09"),
        ("来月の3日から9日まで", "12-03", "12-09"),
        ("2026/12/03 から 2026/12/09", "12-03", "12-09"),
        ("2026-12-03から2026-12-09", "12-03", "12-09"),
        ("12/3から12/9", "12-03", "12-09"),
        ("12月の第2週", "12-08", "12-14"),
        ("来月の最終週", "12-25", "12-31"),
        ("今週末", "11-21", "11-22"),
        ("来週末", "11-28", "11-29"),
        ("来週の月曜から水曜まで", "11-23", "11-25"),
        ("明日", "11-21", None),
        ("あさって出発", "11-22", None),
        ("3日後", "11-23", None),
        ("2週間後に", "12-04", None),
        ("来月3日", "12-03", None),
        ("2月5日", "02-05", None),
        ("次の金曜日", "11-27", None),
        ("13月40日", None, None),
        ("2月30日", None, None),
        ("年末年始に旅行", "12-30", "01-02"),
        ("クリスマスにパリへ", "12-24", "12-27"),
        ("ゴールデンウィーク", "04-29", "05-05"),
        ("クリスマスマーケットを見たい", None, None),
    ],
)
def test_days_are_read(said: str, start: str | None, end: str | None) -> None:
    read = read_dates(plain(said), TODAY)
    assert (read.start, read.end) == (_day(start) if start else None, _day(end) if end else None)


def test_days_without_a_month_fall_in_the_month_settled_on() -> None:
    read = read_dates(plain("3日から9日までです"), TODAY, asked=True, month=date(2027, 3, 1))
    assert (read.start, read.end) == (date(2027, 3, 3), date(2027, 3, 9))


@pytest.mark.parametrize(
    ("said", "nights"),
    [("明日から4泊", 4), ("三泊四日", 3), ("5日間", 4), ("一週間", 7), ("2週間くらい", 14), ("来月", None)],
)
def test_nights_are_counted(said: str, nights: int | None) -> None:
    assert read_dates(plain(said), TODAY).nights == nights


@pytest.mark.parametrize(
    ("said", "vague", "month"),
    [
        ("来月", "2026年12月", date(2026, 12, 1)),
        ("3月上旬", "2027年3月上旬", date(2027, 3, 1)),
        ("春休み", "春休み", None),
    ],
)
def test_a_stretch_of_time_stays_vague(said: str, vague: str, month: date | None) -> None:
    read = read_dates(plain(said), TODAY)
    assert (read.vague, read.month, read.start) == (vague, month, None)


@pytest.mark.parametrize(("text", "value"), [("3", 3), ("十", 10), ("十二", 12), ("二十", 20), ("三十一", 31)])
def test_numbers_in_kanji(text: str, value: int) -> None:
    assert kanji_number(text) == value


@pytest.mark.parametrize(
    ("said", "origin", "destination", "people"),
    [
        ("来月パリ行きの便を予約してください。", None, "パリ", None),
        ("東京から札幌へ2人で旅行したいです", "東京", "札幌", 2),
        ("大阪発ローマ行きの航空券を探して", "大阪", "ローマ", None),
        ("妻とハワイに行きたい", None, "ハワイ", 2),
        ("大人2名と子供1名でグアムへの旅行を計画しています", None, "グアム", 3),
        ("トリエステへ一人で行きたいです", None, "トリエステ", 1),
    ],
)
def test_a_trip_is_read(said: str, origin: str | None, destination: str, people: int | None) -> None:
    read = JAPANESE.read_trip(said, TODAY, None, None, False)
    assert read.opens
    assert (read.origin, read.destination, read.people) == (origin, destination, people)


@pytest.mark.parametrize(
    "said", ["ローマでおすすめのホテルはどこですか？", "今日は天気がいいですね", "パリの治安はどうですか"]
)
def test_a_question_opens_no_trip(said: str) -> None:
    assert not JAPANESE.read_trip(said, TODAY, None, None, False).opens


def test_answers_are_read_by_what_was_asked() -> None:
    assert JAPANESE.read_trip("京都です", TODAY, "destination", None, True).destination == "京都"
    assert JAPANESE.read_trip("名古屋です", TODAY, "origin", None, True).origin == "名古屋"
    assert JAPANESE.read_trip("2", TODAY, "people", None, True).people == 2
    assert JAPANESE.read_trip("まだ決めていません", TODAY, "dates", None, True).flexible


def test_a_change_of_mind_replaces_the_destination() -> None:
    read = JAPANESE.read_trip("パリじゃなくてローマにしてください", TODAY, None, None, True)
    assert read.replaces
    assert read.destination == "ローマ"


@pytest.mark.parametrize(
    ("said", "details"),
    [
        ("やっぱり1週間遅らせてください", "2026年12月10日から2026年12月16日まで"),
        ("2日早めてください", "2026年12月1日から2026年12月7日まで"),
        ("もう1泊お願いします", "2026年12月3日から2026年12月10日まで（7泊）"),
    ],
)
def test_a_trip_is_moved_in_steps(said: str, details: str) -> None:
    talker = Talker(SYSTEM)
    for text in ("パリへ行きたい", "東京から", "12月3日から9日まで", "二人です"):
        talker.say(text)
    assert details in talker.say(said)


@pytest.mark.parametrize("said", ["東京に住んでいます。", "東京在住です。"])
def test_where_one_lives_is_where_the_journey_starts(said: str) -> None:
    talker = Talker(SYSTEM)
    assert "東京発、リスボン行き" in talker.say(f"12月3日から9日までリスボンに行きたいです。{said}")
    midway = Talker(SYSTEM)
    midway.say("12月3日から9日までリスボンに行きたいです。")
    assert "東京発、リスボン行き" in midway.say(said)


def test_where_the_family_lives_is_no_start() -> None:
    reply = Talker(SYSTEM).say("12月3日から9日まで、両親が大阪に住んでいるので大阪に行きたいです。")
    assert "大阪行き" in reply
    assert "大阪発" not in reply


def test_a_wheelchair_is_no_car_and_a_budget_no_conversion() -> None:
    assert JAPANESE.read_offer_request("妻が車椅子です").kinds == ()
    assert JAPANESE.read_offer_request("予算は30万円です").act == ""
    assert JAPANESE.read_offer_request("円だといくらですか").act == "convert"
