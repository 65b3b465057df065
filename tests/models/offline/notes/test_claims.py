"""What the offline model reads in a statement: claims, conditions, whom it is about, and until when it holds."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memory.policy.candidate import checked_claim
from memory.schema import load_schema
from models.offline.notes import proposals, statements
from models.offline.notes.claims import meaning_of, parted
from models.offline.notes.judge import topic_of
from models.offline.notes.statements import about_others
from models.offline.notes.values import ANY, concepts
from models.offline.reading.values import names
from tests.tables import table
from travel.ranking.wishes import NameKind, offered_name

SCHEMA = load_schema()
TODAY = date(2026, 11, 20)


def test_whatever_is_claimed_is_in_the_schema() -> None:
    claimable = {(attribute, value) for found in concepts().values() for _, attribute, value in found if value != ANY}
    unknown = [
        (attribute, value)
        for attribute, value in claimable
        if checked_claim({"attribute": attribute, "value": value}, SCHEMA) is None
    ]
    assert len(claimable) > 100
    assert unknown == []


def test_every_condition_is_in_the_schema() -> None:
    said = ("overnight flights", "long-haul flights", "domestic flights", "business trips", "Mondays", "summer")
    whens = [meaning_of(f"Window seat on {one}", "seat").when for one in said]
    assert [item["key"] in SCHEMA.when for when in whens for item in when] == [True] * len(said)
    closed = [(SCHEMA.when[item["key"]].values, item["value"]) for when in whens for item in when]
    assert [value for values, value in closed if values and value not in values] == []


def test_every_company_is_one_that_offers_know() -> None:
    kinds: dict[str, NameKind] = {"airline": "airline", "hotel": "hotel", "car": "car"}
    table = Path(names.__file__).parent / "words" / "companies.txt"
    lines = [line.split("|") for line in table.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    said = [(kind, one.removeprefix("=")) for kind, name, others in lines for one in (name, *others.split(",")) if one]
    assert [name for kind, name in said if offered_name(kinds[kind], name) is None] == []


@table(("topic", "text", "claims"), [
    ("seat", "I'd take the aisle over the window", ["seat_side=aisle prefers", "seat_side=window avoids"]),
    ("airline", "I will never fly Ryanair again", ["airline=Ryanair excludes"]),
    ("airline", "I fly out of Porto", ["home_airport=Porto is"]),
    ("layover", "Only nonstop flights, please", ["stops=0 prefers"]),
    ("booking", "Nothing before 9:30 am", ["departure_hour=>=9:30 prefers"]),
    ("booking", "I want to land after 6 pm", ["arrival_hour=>=18 prefers"]),
    ("budget", "Hotels under 150 euros a night", ["night_budget=<=150 EUR prefers"]),
    ("budget", "Show me prices in pounds", ["currency=GBP is"]),
    ("hotel", "Four-star hotels", ["stars=4 prefers"]),
    ("room", "A room with a bathtub", ["room_feature=bathtub prefers"]),
    ("meal", "I'm allergic to peanuts and shellfish", ["allergy=peanut requires", "allergy=shellfish requires"]),
    ("meal", "I'm allergic to peanuts, sesame and kiwi, and my knee is bad",
     ["allergy=kiwi requires", "allergy=peanut requires", "allergy=sesame requires"]),
    ("meal", "My allergies are nuts and shellfish", ["allergy=nuts requires", "allergy=shellfish requires"]),
    ("meal", "I have a severe nut and dairy allergy", ["allergy=dairy requires", "allergy=nut requires"]),
    ("meal", "I'm allergic to nuts so please check menus", ["allergy=nuts requires"]),
    ("document", "I am allergic to peanuts and my passport is Danish",
     ["allergy=peanut requires", "passport=DK is"]),
    ("meal", "私はピーナッツアレルギーで、パスポートはデンマークです", ["allergy=ピーナッツ requires"]),
    ("meal", "I don't eat meat", ["diet=vegetarian requires"]),
    ("meal", "I dislike dairy", ["food=dairy avoids"]),
    ("meal", "I'm no longer vegetarian", ["diet=vegetarian indifferent"]),
    ("meal", "もうベジタリアンじゃなくて、最近は魚も食べます", ["diet=vegetarian indifferent"]),
    ("meal", "I'm no longer allergic to peanuts", ["allergy=peanut indifferent"]),
    ("meal", "もうベジタリアンではありません、肉も食べます", ["diet=vegetarian indifferent"]),
    ("meal", "I don't eat meat, but fish is fine", ["diet=pescatarian requires"]),
    ("meal", "肉は食べませんが、魚は大丈夫です", ["diet=pescatarian requires"]),
    ("meal", "I'm not allergic to shellfish after all", ["allergy=shellfish indifferent"]),
    ("meal", "My son has no nut allergy after all", ["allergy=nut indifferent"]),
    ("meal", "The nut allergy was a misdiagnosis", ["allergy=nut indifferent"]),
    ("meal", "I had a burger yesterday, I'm done being vegetarian", ["diet=vegetarian indifferent"]),
    ("meal", "I was lactose intolerant as a child but not now", ["diet=lactose-free indifferent"]),
    ("meal", "I was allergic to eggs as a child and still am", ["allergy=egg requires"]),
    ("meal", "I'm considering quitting veganism", []),
    ("meal", "Eggs are fine but I'm allergic to milk", ["allergy=milk requires"]),
    ("meal", "小さい頃は乳糖不耐症でしたが今は違います", ["diet=lactose-free indifferent"]),
    ("meal", "えびアレルギーは誤診でした", ["allergy=えび indifferent"]),
    ("meal", "以前は卵アレルギーでしたが、治りました", ["allergy=卵 indifferent"]),
    ("meal", "魚は平気ですが、肉は食べません", ["diet=pescatarian requires"]),
    ("accessibility", "Rosa has a new hip, stairs are no problem any more", ["mobility=no stairs indifferent"]),
    ("accessibility", "母は手術して、階段は大丈夫になりました", ["mobility=no stairs indifferent"]),
    ("accessibility", "足が悪くて階段が使えなくなりました", ["mobility=no stairs requires"]),
    ("meal", "I can't have spicy food any more", ["allergy=spicy requires"]),
    ("airline", "KLM isn't my favourite any more, I prefer Lufthansa now",
     ["airline=KLM indifferent", "airline=Lufthansa prefers"]),
    ("room", "Noise doesn't bother me any more", ["location=quiet indifferent"]),
    ("seat", "Aisle seats don't matter any more", ["seat_side=aisle indifferent"]),
    ("seat", "I don't like window seats any more, I prefer the aisle now",
     ["seat_side=aisle prefers", "seat_side=window indifferent"]),
    ("accessibility", "I can't manage stairs", ["mobility=no stairs requires"]),
    ("accessibility", "A ground floor room because of my knee", []),
    ("document", "I have a Spanish passport", ["passport=ES is"]),
    ("other", "I live in Porto", ["home_city=Porto is"]),
    ("activity", "I avoid operas", ["pastime=opera avoids"]),
    ("transport", "I love trains but hate buses", ["transport=bus avoids", "transport=train prefers"]),
    ("communication", "Write to me by email", ["channel=email prefers"]),
    ("meal", "卵アレルギーがあります", ["allergy=卵 requires"]),
    ("meal", "うちの息子は卵アレルギーです", ["allergy=卵 requires"]),
    ("meal", "子供の頃から蕎麦アレルギーです", ["allergy=蕎麦 requires"]),
    ("meal", "小麦じゃなくて蕎麦アレルギーです", ["allergy=小麦 indifferent", "allergy=蕎麦 requires"]),
    ("seat", "窓側より通路側がいい", ["seat_side=aisle prefers", "seat_side=window avoids"]),
    ("airline", "JALが好き", ["airline=JAL prefers"]),
])  # fmt: skip
def test_a_statement_claims(topic: str, text: str, claims: list[str]) -> None:
    found = meaning_of(text, topic).claims
    assert sorted(f"{one['attribute']}={one['value']} {one['stance']}" for one in found) == claims


@table(("topic", "text", "when", "about"), [
    ("seat", "Window seats on overnight flights", {"flight_time": "overnight"}, "user"),
    ("airline", "For work I fly Lufthansa", {"purpose": "business"}, "user"),
    ("seat", "Middle seat when I travel with my wife", {"with": "wife"}, "user"),
    ("meal", "My wife is vegetarian", {}, "wife"),
    ("seat", "夜行便では窓側", {"flight_time": "overnight"}, "user"),
])  # fmt: skip
def test_a_statement_holds_under_a_condition_and_is_about_somebody(
    topic: str, text: str, when: dict[str, str], about: str
) -> None:
    meaning = meaning_of(text, topic)
    assert ({item["key"]: item["value"] for item in meaning.when}, meaning.about) == (when, about)


def test_two_wishes_with_a_condition_each_are_two_statements() -> None:
    parts = parted("Aisle on short flights, window on long ones", "seat")
    assert [meaning_of(part, "seat").claims[0]["value"] for part in parts] == ["aisle", "window"]
    assert parted("I like trains on long trips, and I like pizza", "transport") == [
        "I like trains on long trips, and I like pizza"
    ]


def _proposed(said: str) -> list[dict[str, object]]:
    return [one for each in statements(said) for one in proposals(each, TODAY)]


@table(("said", "until"), [
    ("I'm pregnant, due in August", "2027-08-31"),
    ("I'm vegetarian until the end of the year", "2026-12-31"),
    ("I use crutches for the next six weeks", "2027-01-01"),
    ("Until my knee heals in May I need a wheelchair", "2027-05-31"),
    ("My visa for India is valid until March 2027", None),
    ("I'm vegetarian", None),
    ("2か月間はお酒を飲めません", "2027-01-19"),
])  # fmt: skip
def test_a_statement_may_end_on_a_day(said: str, until: str | None) -> None:
    assert [one["until"] for one in _proposed(said)] == [until]


@table(("said", "asked"), [
    ("Remember that I'm vegetarian", True), ("I'm vegetarian", False),
    ("私がベジタリアンだと覚えておいてください。", True),
])  # fmt: skip
def test_a_request_to_remember_is_passed_on(said: str, asked: bool) -> None:
    assert [one["asked"] for one in _proposed(said)] == [asked]


@table(("text", "others"), [
    ("My boss is vegan", True), ("my friend hates flying", True), ("My wife is vegetarian", False),
    ("My daughter is allergic to nuts", False), ("上司はビーガンです", True), ("妻は車椅子を使います", False),
])  # fmt: skip
def test_people_who_do_not_travel_along_are_others(text: str, others: bool) -> None:
    assert about_others(text) == others


@pytest.mark.parametrize(
    ("said", "city"),
    [
        ("We moved to Leeds last month", "Leeds"),
        ("I live in Rio de Janeiro", "Rio de Janeiro"),
        ("I'm based in New York now", "New York"),
    ],
)
def test_a_home_is_claimed_by_its_whole_name(said: str, city: str) -> None:
    claims = meaning_of(said, "other").claims
    assert claims == [{"attribute": "home_city", "value": city, "stance": "is"}]


@pytest.mark.parametrize(
    ("said", "city"),
    [
        ("We moved to Hamburg in the summer", "Hamburg"),
        ("I don't live in Cologne any longer, we moved to Hamburg in the summer", "Hamburg"),
        ("I no longer live in Bonn, I moved to Kiel last winter", "Kiel"),
        ("この夏に札幌に引っ越しました", "札幌"),
    ],
)
def test_the_season_of_a_move_is_no_condition_of_the_home(said: str, city: str) -> None:
    meaning = meaning_of(said, "other")
    assert [(claim["value"], claim["stance"]) for claim in meaning.claims] == [(city, "is")]
    assert meaning.when == []


def test_the_home_of_somebody_else_is_not_claimed() -> None:
    assert meaning_of("Brother Dan lives in Oslo.", "companions").claims == []


@table(
    ("said", "topic", "claimed"),
    [
        ("I don't drink alcohol and I keep kosher", "meal", {("no alcohol", "requires"), ("kosher", "requires")}),
        ("I don't drink and I'm vegan", "meal", {("vegan", "requires")}),
        ("お酒は飲みませんし、コーシャです", "meal", {("no alcohol", "requires"), ("kosher", "requires")}),
        ("I don't eat meat or fish", "meal", {("vegetarian", "requires")}),
        ("I hate the Ibis chain", "hotel", {("Ibis", "avoids")}),
    ],
)
def test_a_denial_ends_with_its_clause(said: str, topic: str, claimed: set[tuple[str, str]]) -> None:
    assert {(claim["value"], claim["stance"]) for claim in meaning_of(said, topic).claims} == claimed


@table(("said", "claim"), [
    ("これからもずっとビーガンです", ("vegan", "requires")),
    ("この先もずっと通路側がいい", ("aisle", "prefers")),
    ("昔からずっとそばアレルギーです", ("そば", "requires")),
])  # fmt: skip
def test_what_holds_for_good_is_not_denied(said: str, claim: tuple[str, str]) -> None:
    claims = meaning_of(said, topic_of(said)).claims
    assert [(each["value"], each["stance"]) for each in claims][:1] == [claim]


@table(("said", "value", "when"), [
    ("On long flights I want an aisle seat, otherwise window", "aisle", "long-haul"),
    ("On overnight flights I like the window, otherwise the aisle", "window", "overnight"),
    ("I want an aisle seat on long flights, window otherwise", "aisle", "long-haul"),
    ("長距離便では通路側、それ以外は窓側がいいです", "aisle", "long-haul"),
    ("出張では通路側、そうでなければ窓側がいいです", "aisle", "business"),
])  # fmt: skip
def test_what_holds_otherwise_stays_with_its_condition(said: str, value: str, when: str) -> None:
    (note,) = [note for statement in statements(said) for note in proposals(statement, TODAY)]
    assert note["text"] == said
    assert [claim["value"] for claim in note["claims"]] == [value]
    assert [item["value"] for item in note["when"]] == [when]


@pytest.mark.parametrize(
    ("said", "value"),
    [("I'm diabetic", "diabetes"), ("I have type 1 diabetes", "diabetes"), ("糖尿病です", "糖尿病"),
     ("It's severe, I carry an EpiPen", "EpiPen"), ("My mum is diabetic", "diabetes")],
)  # fmt: skip
def test_a_disease_is_a_need_whoever_has_it(said: str, value: str) -> None:
    (note,) = [note for statement in statements(said) for note in proposals(statement, TODAY)]
    assert (note["topic"], note["claims"]) == (
        "accessibility", [{"attribute": "health", "value": value, "stance": "requires"}]
    )  # fmt: skip


def test_a_flight_back_is_no_seat_at_the_back() -> None:
    flights = meaning_of("I prefer morning flights going out and evening flights back", "booking").claims
    assert "seat_place" not in {claim["attribute"] for claim in flights}
    assert {claim["value"] for claim in meaning_of("I like seats at the back", "seat").claims} == {"back"}


@pytest.mark.parametrize(
    "said", ["My mum isn't diabetic", "母は糖尿病ではありません", "My wife doesn't need a wheelchair"]
)
def test_a_need_that_is_denied_is_over(said: str) -> None:
    (note,) = [note for statement in statements(said) for note in proposals(statement, TODAY)]
    assert [claim["stance"] for claim in note["claims"]] == ["indifferent"]
