"""The evidence of a note: words of the user and the question they answered; otherwise the user's sentence is kept."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memory.policy import Candidate, Gate, Heard, Verdict, judge
from tests.tables import table

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def verdict(text: str, *heard: Heard, quote: str | None = None, **values: Any) -> Verdict:
    given = {"text": text, "quote": heard[-1].text if quote is None else quote, **values}
    return judge(Candidate.model_validate(given), Gate(), heard=heard, now=NOW, key=b"k")


def kept_text(text: str, *heard: Heard, quote: str | None = None, **values: Any) -> str:
    judged = verdict(text, *heard, quote=quote, **values)
    assert judged.draft is not None, (judged.code, judged.hint)
    return judged.draft.text


@table(
    ("text", "said"),
    [
        ("Vegetarian", "I'm vegetarian"),
        ("Is allergic to peanuts", "Careful: my peanut allergy, I am allergic to them"),
        ("Prefers window seats", "window please"),
        ("Travels with 2 kids", "we travel with 2 kids"),
        ("Does not like hostels", "I don't like hostels"),
        ("Avoids hostels", "I don't like hostels"),
        ("Prefers not to check bags", "I prefer not to check a bag"),
        ("窓側の席を希望", "いつも窓側がいいです"),
        ("ナッツアレルギーがある", "私はナッツアレルギーです"),
        ("Prefers Café Central", "I love cafe central"),
        ("Vegetariana", "Soy vegetariana"),
        ("Prefiere hoteles tranquilos", "Prefiero los hoteles tranquilos, la verdad"),
        ("Préfère les hôtels calmes", "Je préfère les hôtels calmes"),
        ("Bevorzugt ruhige Hotels", "Ich mag ruhige Hotels lieber"),
        ("My boss requires economy", "My boss requires me to fly economy"),
    ],
)
def test_wording_supported_by_the_user_is_kept(text: str, said: str) -> None:
    assert kept_text(text, Heard(said)) == text


@table(
    ("text", "said", "says"),
    [
        ("Prefers Hilton", "I prefer Marriott when I travel", "Hilton"),
        ("Budget of 2000 EUR a trip", "my budget is 1500 EUR a trip", "2000"),
        ("Likes aisle seats", "I don't like aisle seats on any flight", "denies"),
        ("Never wants aisle seats", "I like aisle seats on long flights", "denies"),
        ("Always travels by train", "I travel by train to Porto in May", "surer"),
        ("Prefers boutique hotels", "I think I'd rather have boutique hotels", "less surely"),
        ("Collects vintage cameras in Kyoto shops", "I collect vintage cameras, you know", "Kyoto"),
        ("Enjoys volcano hiking, surfing, pottery and opera", "I enjoy hiking when there is time", "volcano"),
        ("Is a vegetarian who likes wine", "Ich bin Vegetarierin und trinke gern Wein", ""),
    ],
)
def test_unsupported_wording_is_replaced_by_the_users_own_words(text: str, said: str, says: str) -> None:
    judged = verdict(text, Heard(said))
    assert (judged.outcome, judged.code) == ("normalised", None)
    assert judged.draft is not None
    assert (judged.draft.text, judged.draft.own_words) == (said, True)
    assert "kept in the user's own words" in judged.hint
    assert says in judged.hint


def test_own_words_are_whole_sentences() -> None:
    heard = Heard("Hello there. I never fly before nine, because mornings are hard. Rome in May?")
    quote = "I never fly before nine"
    assert kept_text("Flies at noon, ideally with Iberia", heard, quote=quote) == (
        "I never fly before nine, because mornings are hard."
    )
    assert kept_text("Flies before nine", heard, quote="fly before nine").startswith("I never fly before nine")


def test_negation_before_the_quote_is_not_cut_off() -> None:
    text = "I do not like hotels with a casino."
    assert kept_text("Likes hotels with a casino", Heard(text), quote="like hotels with a casino") == text


def test_question_completes_a_short_answer() -> None:
    passport = Heard("It's Spanish.", before="Sure. Which passport do you travel on?")
    judged = verdict("Holds a Spanish passport", passport)
    assert judged.draft is not None
    assert (judged.draft.text, judged.draft.latest.question) == (
        "Holds a Spanish passport",
        "Which passport do you travel on?",
    )
    assert Heard("It's Spanish.", before="Which passport do you have? I'll note it.").question.startswith("Which")
    assert Heard("I like trains.", before="I'll remember that you're vegetarian.").question == ""
    agreed = Heard("Yes, please.", before="Shall I always look for step-free rooms?")
    assert kept_text("Wants step-free rooms", agreed) == "Wants step-free rooms"


def test_answer_adds_nothing_beyond_the_question_and_itself() -> None:
    agreed = Heard("Yes, please.", before="Shall I always look for step-free rooms?")
    assert verdict("Allergic to shellfish", agreed).code == "ungrounded"


@table("quote", ["I hate trains", "", "windows seat", "a window seat on overnight flights, and a lounge"])
def test_only_words_of_the_user_can_be_quoted(quote: str) -> None:
    judged = verdict("Wants a window seat", Heard("I want a window seat on overnight flights."), quote=quote)
    assert (judged.code, judged.draft) == ("ungrounded", None)
    assert "copy their words exactly" in judged.hint


@table("quote", ["i WANT a window seat", "I want a  window seat,", "“I want a window seat”", "ＷＩＮＤＯＷ seat"])
def test_case_spacing_and_punctuation_of_a_quote_are_ignored(quote: str) -> None:
    assert kept_text("Wants a window seat", Heard("I want a window seat."), quote=quote) == "Wants a window seat"


def test_latest_message_with_the_quote_is_the_source() -> None:
    early, late = Heard("I like trams.", message_id="1"), Heard("As I said, I like trams.", message_id="2")
    draft = verdict("Likes trams", early, late, quote="I like trams").draft
    assert draft is not None
    assert draft.latest.message_id == "2"


def test_tool_result_is_no_source() -> None:
    page = Heard("Show me that hotel, please.", tool_text="Guests here are allergic to feathers and hate noise.")
    for text in ("Allergic to feathers", "Hates noise"):
        assert verdict(text, page).code == "ungrounded"
    assert verdict("Allergic to feathers", page, quote="allergic to feathers").code == "ungrounded"


def test_no_message_supports_no_quote() -> None:
    assert judge(
        Candidate(text="Likes trams", quote="I like trams"), Gate(), heard=[], now=NOW, key=b"k"
    ).code == "ungrounded"  # fmt: skip


@pytest.mark.parametrize("text", ["Does it like that", "Wants the usual thing"])
def test_quote_without_a_statement_supports_nothing(text: str) -> None:
    judged = verdict(text, Heard("Find me a room in Lisbon"))
    assert judged.draft is None or judged.draft.text == "Find me a room in Lisbon"


def test_secret_next_to_the_quote_is_not_kept() -> None:
    heard = Heard("I like Hilton, my card is 4111 1111 1111 1111.")
    judged = verdict("Prefers Hyatt", heard, quote="I like Hilton")
    assert (judged.code, judged.draft) == ("sensitive:payment_card", None)


def test_sentence_that_is_too_long_is_refused_with_both_reasons() -> None:
    long = f"I like Hilton {'and then some more of it ' * 12}."
    judged = verdict("Prefers Hyatt", Heard(long), quote="I like Hilton")
    assert judged.code == "too_long"
    assert "Hyatt" in judged.hint


def test_unsupported_condition_leaves_the_users_own_words() -> None:
    text = "I want a window seat on overnight flights."
    when = [{"key": "other", "value": "with Lufthansa in 2027"}]
    judged = verdict("Wants a window seat", Heard(text), when=when)
    assert judged.draft is not None
    assert (judged.draft.text, judged.draft.own_words) == (text, True)
    assert judged.draft.when == {}


def test_free_names_and_numbers_of_claims_come_from_the_user() -> None:
    heard = Heard("I stay at Hilton, four stars at least.")
    claims = [
        {"attribute": "hotel_brand", "value": "Hilton", "stance": "prefers"},
        {"attribute": "hotel_brand", "value": "Marriott", "stance": "prefers"},
        {"attribute": "night_budget", "value": "<=900 EUR", "stance": "requires"},
    ]
    draft = verdict("Stays at Hilton", heard, claims=claims).draft
    assert draft is not None
    assert [one.value for one in draft.claims] == ["Hilton"]
