"""The wishes that notes and the profile have for offers, in English and Japanese."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.records.notes import Note
from memory.records.profile import Profile
from tests.samples import SCHEMA, all_stated, claim, note, stated
from tests.tables import table
from travel.ranking.wishes import requests_of, wishes_of
from travel.tables import Language


def asked(*notes: Note, profile: Profile | None = None, language: Language = "en") -> set[tuple[str, str]]:
    return {(wish.kind, wish.text) for wish in wishes_of(notes, profile or Profile(), SCHEMA, language=language)}


@table(("topic", "text", "wishes"), [
    ("seat", "Prefers aisle seats", {("flight", "aisle seat")}),
    ("seat", "Prefers window seats on overnight flights", {("flight", "window seat (overnight flight)")}),
    ("seat", "No middle seats", {("flight", "no middle seat")}),
    ("airline", "Avoids Ryanair", {("flight", "not Ryanair")}),
    ("airline", "Never fly with British Airways", {("flight", "not British Airways")}),
    ("airline", "Prefers Lufthansa and ANA", {("flight", "Lufthansa"), ("flight", "ANA")}),
    ("airline", "Likes Star Alliance", {("flight", "Star Alliance")}),
    ("layover", "Only nonstop flights", {("flight", "nonstop")}),
    ("layover", "No tight connections", {("flight", "no tight connection")}),
    ("layover", "Layovers of at least 90 minutes", {("flight", "90 minutes to change or more")}),
    ("baggage", "Packs only a carry-on", {("flight", "cabin bag included")}),
    ("baggage", "Needs 2 checked bags", {("flight", "2 checked bags included")}),
    ("booking", "Never before 9 am", {("flight", "leaves after 09:00")}),
    ("booking", "Prefers to arrive before noon", {("flight", "lands before 12:00")}),
    ("booking", "Dislikes early morning departures", {("flight", "no morning departure")}),
    ("booking", "Prefers to land in the evening", {("flight", "evening arrival")}),
    ("booking", "Evening departures after 6 pm", {("flight", "leaves after 18:00")}),
    ("layover", "At most 2 connections", {("flight", "at most 2 stops")}),
    ("baggage", "Never checks luggage", {("flight", "cabin bag included")}),
    ("accessibility", "Uses crutches, no stairs", {("hotel", "step-free"), ("activity", "step-free")}),
    ("seat", "Window seat for daytime flights, aisle for red-eyes",
     {("flight", "window seat (by day)"), ("flight", "aisle seat (overnight flight)")}),
    ("booking", "No red-eye flights", {("flight", "no overnight flight")}),
    ("hotel", "Loves Marriott hotels", {("hotel", "Marriott")}),
    ("hotel", "Prefers Hilton, but not DoubleTree", {("hotel", "Hilton"), ("hotel", "not DoubleTree")}),
    ("hotel", "Prefers Holiday Inn", {("hotel", "Holiday Inn")}),
    ("hotel", "Hotels with at least 3 stars", {("hotel", "3 stars or more")}),
    ("hotel", "Wants a pool and a gym", {("hotel", "pool"), ("hotel", "gym")}),
    ("room", "King bed on a high floor", {("hotel", "king bed"), ("hotel", "high floor")}),
    ("neighborhood", "Likes Shinjuku", {("hotel", "Shinjuku")}),
    ("budget", "Budget under €120 a night", {("hotel", "€120.00 or less a night")}),
    ("budget", "Flights should cost no more than 500 dollars", {("flight", "$500.00 or less a person")}),
    ("car", "Automatic cars only", {("car", "automatic")}),
    ("car", "Prefers Hertz, small car", {("car", "Hertz"), ("car", "small car")}),
    ("activity", "Likes museums and jazz", {("activity", "museums"), ("activity", "music")}),
    ("meal", "Vegetarian", {("flight", "vegetarian meal")}),
    ("meal", "Loves peaches", set()),
    ("communication", "Prefers short answers", set()),
])  # fmt: skip
def test_note_has_wishes(topic: str, text: str, wishes: set[tuple[str, str]]) -> None:
    assert asked(*all_stated(text, topic)) == wishes


@table(("topic", "text", "wishes"), [
    ("seat", "通路側の席が好き", {("flight", "通路側の席")}),
    ("seat", "夜行便では窓側", {("flight", "窓側の席 (夜行便)")}),
    ("layover", "直行便がいい", {("flight", "直行便")}),
    ("airline", "ライアンエアーは避けたい", {("flight", "Ryanair以外")}),
    ("airline", "JALが好き", {("flight", "Japan Airlines")}),
    ("hotel", "マリオット系ホテルが好き", {("hotel", "Marriott")}),
    ("hotel", "4つ星以上のホテル", {("hotel", "4つ星以上")}),
    ("budget", "ホテルは一泊2万円以下", {("hotel", "1泊¥20,000以下")}),
    ("layover", "乗り継ぎは1回まで", {("flight", "乗り継ぎは1回まで")}),
    ("accessibility", "車椅子を使っています",
     {("hotel", "段差なし"), ("activity", "段差なし"), ("flight", "空港で車椅子")}),
    ("booking", "9時前の便は避ける", {("flight", "09:00以降に出発")}),
    ("booking", "22時以降の便は避けたい", {("flight", "22:00以前に出発")}),
])  # fmt: skip
def test_japanese_note_has_wishes(topic: str, text: str, wishes: set[tuple[str, str]]) -> None:
    assert asked(*all_stated(text, topic), language="ja") == wishes


def test_condition_of_a_note_applies_to_its_wishes() -> None:
    (wish,) = wishes_of([stated("Prefers window seats", "seat", condition="overnight flights")], Profile(), SCHEMA)
    assert (wish.code, wish.conditions) == ("side:window", ("overnight",))


def test_hard_need_applies_to_every_kind() -> None:
    by_kind = {wish.kind: wish for wish in wishes_of([stated("Uses a wheelchair", "accessibility")], Profile(), SCHEMA)}
    assert all(wish.hard for wish in by_kind.values())
    assert {kind: wish.text for kind, wish in by_kind.items()} == {
        "hotel": "step-free", "activity": "step-free", "flight": "wheelchair at the airport",
    }  # fmt: skip


def test_hard_note_that_offers_do_not_cover_is_passed_on_in_its_own_words() -> None:
    allergy = stated("Allergic to peanuts", "meal", hard=True)
    meal = stated("Vegetarian", "meal", hard=True)
    wishes = wishes_of([allergy, meal], Profile(), SCHEMA)
    assert requests_of(wishes, "flight") == ("Allergic to peanuts", "vegetarian meal")
    assert requests_of(wishes, "hotel") == ("Allergic to peanuts",)
    assert requests_of(wishes, "car") == ()


@pytest.mark.parametrize(("attribute", "value"), [("allergy", "nut"), ("diet", "vegan"), ("mobility", "wheelchair")])
@pytest.mark.parametrize("hard", [True, False])
def test_past_need_applies_to_no_offer(attribute: str, value: str, hard: bool) -> None:
    over = note("It was an error", claim(attribute, value, "indifferent"), topic="meal", hard=hard)
    assert wishes_of([over], Profile(), SCHEMA) == []


@pytest.mark.parametrize(("was", "now"), [("nuts", "nut"), ("peanut", "peanut")])
def test_later_note_can_end_a_need(was: str, now: str) -> None:
    later = datetime(2026, 10, 3, tzinfo=UTC)
    need = note("Allergic", claim("allergy", was, "requires"), topic="meal", hard=True)
    over = note("It was an error", claim("allergy", now, "indifferent"), topic="meal", created_at=later)
    assert wishes_of([need, over], Profile(), SCHEMA) == []
    other = note("He is not", claim("allergy", now, "indifferent", about="son"), topic="meal", created_at=later)
    assert requests_of(wishes_of([need, other], Profile(), SCHEMA), "flight") == ("Allergic",)


def test_newer_of_two_exclusive_wishes_counts() -> None:
    newer, older = stated("Prefers aisle seats", "seat"), stated("Prefers window seats", "seat")
    profile = Profile(seat_preference="middle")
    assert asked(newer, older, profile=profile) == {("flight", "aisle seat")}
    assert asked(older, newer, profile=profile) == {("flight", "window seat")}
    assert asked(profile=profile) == {("flight", "middle seat")}


def test_conditional_wish_does_not_replace_the_general_one() -> None:
    rule, exception = stated("Prefers aisle seats", "seat"), stated("Window seats on overnight flights", "seat")
    assert asked(exception, rule) == {("flight", "aisle seat"), ("flight", "window seat (overnight flight)")}


def test_profile_has_wishes() -> None:
    profile = Profile(tight_connections=False, loyalty_status={"Star Alliance": "Gold"}, loyalty_ids={"Hilton": "123"})
    assert asked(profile=profile) == {
        ("flight", "no tight connection"),
        ("flight", "counts for Star Alliance Gold"), ("hotel", "counts for Star Alliance Gold"),
        ("flight", "counts for Hilton"), ("hotel", "counts for Hilton"),
    }  # fmt: skip


def test_amount_without_a_currency_is_in_that_of_the_profile() -> None:
    limit = stated("Hotels under 120 a night", "budget")
    assert asked(limit) == set()
    assert asked(limit, profile=Profile(currency="GBP")) == {("hotel", "£120.00 or less a night")}


def test_wish_of_a_companion_is_no_request_of_every_booking() -> None:
    wishes = wishes_of([stated("Wife is vegetarian", "meal")], Profile(), SCHEMA)
    assert [(wish.text, wish.conditions) for wish in wishes] == [("vegetarian meal (for wife)", ("with:wife",))]
    assert requests_of(wishes, "flight") == ()


def test_sentence_of_a_note_with_a_diet_claim_is_not_sent_to_an_airline() -> None:
    for diet in SCHEMA.attributes["diet"].values:
        so = note("We are so", claim("diet", diet, "requires"), topic="meal", hard=True)
        wishes = wishes_of([so], Profile(), SCHEMA)
        assert "We are so" not in requests_of(wishes, "flight"), diet


def test_uncertain_note_counts_less() -> None:
    sure, doubtful = (
        wishes_of([stated("Prefers aisle seats", "seat", confidence=share)], Profile(), SCHEMA)[0]
        for share in (1.0, 0.5)
    )
    assert doubtful.weight == sure.weight / 2


@pytest.mark.parametrize(("text", "hard"), [("I never fly Ryanair", True), ("I'd rather avoid Ryanair", False)])
def test_avoided_airline_comes_last_at_any_price(text: str, hard: bool) -> None:
    (wish,) = wishes_of([stated(text, "airline")], Profile(), SCHEMA)
    assert (wish.text, wish.hard) == ("not Ryanair", hard)
