"""What notes say of any trip: where it starts, and what counts for whoever travels."""

from __future__ import annotations

from tests.models.offline.desk import Desk, flight, found
from tests.models.offline.talker import SYSTEM, memories
from tests.tables import table


def _desk(*notes: str) -> Desk:
    lines = (f"- [n{number}] {note}" for number, note in enumerate(notes))
    return Desk({"search_flights": found(flight(1, seat_choice="paid", seat_fee="$15.00"))}, SYSTEM + memories(*lines))


@table(
    ("notes", "home"),
    [
        (("My parents live in Seville", "I live in Copenhagen"), "Copenhagen"),
        (("I'm from Seville but I've moved to Copenhagen last month",), "Copenhagen"),
        (("I've moved from Berlin to Munich", "I live in Berlin"), "Munich"),
        (("My brother moved to Lyon", "I'm based in Ghent"), "Ghent"),
        (("Sam lives in Porto", "My partner Sam likes aisle seats"), None),
        (("I used to live in Paris",), None),
        (("I don't want to fly from Stansted",), None),
        (("My wife and I live in Zurich",), "Zurich"),
        (("I always fly out of Manchester",), "Manchester"),
        (("両親は福岡に住んでいます", "私は大阪に住んでいます"), "Osaka"),
        (("ベルリンからミュンヘンに引っ越しました",), "Munich"),
        (("以前は神戸に住んでいましたが、いまは名古屋在住です",), "Nagoya"),
        (("前は名古屋に住んでいましたが、今は福岡です",), "Fukuoka"),
        (("昨年まで東京に住んでいて、今は札幌に住んでいます",), "Sapporo"),
        (("昔は大阪に住んでいました",), None),
        (("I used to live in Hamburg, now I live in Vienna",), "Vienna"),
    ],
)
def test_home_is_what_a_note_of_the_traveller_claims(notes: tuple[str, ...], home: str | None) -> None:
    desk = _desk(*(f"other, 2026-10-01: {note}" for note in notes))
    desk.say("flights to Rome from 8 to 14 December, just me")
    assert [call["origin"] for call in desk.calls if call["name"] == "search_flights"] == ([home] if home else [])


@table(
    ("note", "party", "seat"),
    [
        ("My partner Sam likes aisle seats", "just me", False),
        ("My partner Sam likes aisle seats", "for two", True),
        ("夫は通路側が好きです", "just me", False),
        ("My wife and I prefer aisle seats", "just me", True),
        ("I like aisle seats, my wife likes window seats", "just me", True),
        ("I prefer the aisle but only if it's free", "just me", False),
        ("I like the aisle unless it costs extra", "just me", False),
        ("短いフライトは窓側、長いフライトは通路側が好きです", "just me", False),
        ("通路側がいいです、無料の場合だけ", "just me", False),
    ],
)
def test_a_seat_of_somebody_else_or_for_some_cases_only_is_not_bought(note: str, party: str, seat: bool) -> None:
    reply = _desk(f"seat, 2026-10-01: {note}").say(f"flights from Berlin to Rome, 8 to 14 December, {party}")
    assert ("on the aisle" in reply) == seat


@table(
    ("note", "party", "needed"),
    [
        ("My wife is in a wheelchair", "for me alone", False),
        ("My wife is in a wheelchair", "for my wife and me", True),
        ("I use a wheelchair", "for me alone", True),
        ("妻は車椅子です", "for me alone", False),
    ],
)
def test_what_a_companion_needs_is_looked_for_when_they_come_along(note: str, party: str, needed: bool) -> None:
    desk = _desk(f"accessibility, hard, 2026-10-01: {note}")
    desk.say(f"hotel {party} in Paris, 8 to 14 December")
    assert desk.called("search_hotels").get("features") == (["step-free access"] if needed else None)


def test_who_came_along_once_is_no_usual_company() -> None:
    desk = _desk("companions, hard, 2026-10-01: My mum is coming along: she's 82 and needs a wheelchair")
    assert "as you usually do" not in desk.say("flights from Berlin to Rome, 8 to 14 December")
    assert desk.called("search_flights")["adults"] == 1


@table(
    ("note", "party", "asked"),
    [
        (
            "accessibility, hard, 2026-10-01: My mum uses a wheelchair",
            "for me and my mum",
            ["wheelchair at the airport"],
        ),
        ("accessibility, hard, 2026-10-01: My mum uses a wheelchair", "for me and my wife", None),
        ("meal, hard, 2026-10-01: My wife Anna is vegan", "for Anna and me", ["vegan meal"]),
        ("meal, hard, 2026-10-01: My wife Anna is vegan", "for me and my wife", ["vegan meal"]),
        ("meal, hard, 2026-10-01: My wife Anna is vegan", "just me", None),
        ("meal, hard, 2026-10-01: My son is allergic to nuts", "with my son", ["My son is allergic to nuts"]),
        ("accessibility, hard, 2026-10-01: 母は車椅子です", "母と二人で", ["wheelchair at the airport"]),
    ],
)
def test_a_booking_asks_for_what_a_companion_needs_who_travels_along(
    note: str, party: str, asked: list[str] | None
) -> None:
    desk = _desk(note)
    english = f"flights from Berlin to Rome, 8 to 14 December, {party}"
    desk.say(english if party.isascii() else f"ベルリンからローマ、12月8日から14日、{party}")
    desk.say("book number 1" if party.isascii() else "1番を予約して")
    assert desk.called("book_offer").get("requests") == asked


@table(
    ("said", "adults"),
    [
        ("my mum is coming too. She's 82", 2),
        ("she's 82 and needs a wheelchair", 2),
        ("my dad and my mum come along. He's 78", 3),
    ],
)
def test_the_age_of_who_is_counted_adds_nobody(said: str, adults: int) -> None:
    desk = _desk()
    desk.say("flights from Berlin to Rome, 8 to 14 December")
    desk.say(said)
    assert desk.called("search_flights")["adults"] == adults


@table(
    ("said", "order", "place"),
    [
        ("My parents have a house in Nice", "I'd like a hotel in Rome 5 to 8 March", "Rome"),
        ("My daughter studies in Madrid", "I'd like a hotel in Rome 5 to 8 March", "Rome"),
        ("Our grandparents are from Naples", "a hotel in Rome 5 to 8 March please", "Rome"),
        ("実家は金沢です", "京都のホテル、3月5日から8日", "Kyoto"),
        ("娘が留学でロンドンにいます", "東京のホテル、3月5日から8日", "Tokyo"),
        ("祖父母は長崎の出身です", "京都のホテル、3月5日から8日", "Kyoto"),
        ("My daughter wants to go to Madrid", "a hotel, 5 to 8 March", "Madrid"),
        ("母と京都に行きたい", "ホテル、3月5日から8日", "Kyoto"),
    ],
)
def test_where_others_live_is_no_destination(said: str, order: str, place: str) -> None:
    desk = _desk()
    desk.say(said)
    desk.say(order)
    assert desk.called("search_hotels")["city"].startswith(place)
