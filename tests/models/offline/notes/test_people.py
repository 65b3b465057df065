"""Of whom a statement says what, where it speaks of several."""

from __future__ import annotations

from datetime import date

import pytest

from models.offline.notes import proposals, statements

TODAY = date(2026, 11, 24)
USER = "user"

TOLD = [
    ("I'm also allergic to shellfish, my girlfriend isn't", {(USER, "shellfish", "requires")}),
    ("I have a peanut allergy, the kids don't", {(USER, "peanut", "requires")}),
    ("I use a wheelchair; my wife doesn't", {(USER, "wheelchair", "requires")}),
    ("my son is vegan, I'm not", {("son", "vegan", "requires")}),
    ("I am vegetarian but my husband eats meat", {(USER, "vegetarian", "requires")}),
    ("I don't eat pork but my husband does", {(USER, "pork", "avoids")}),
    ("I'm vegan, my boyfriend is coeliac", {(USER, "vegan", "requires"), ("boyfriend", "gluten-free", "requires")}),
    (
        "My husband likes an aisle seat, I like the window",
        {("husband", "aisle", "prefers"), (USER, "window", "prefers")},
    ),
    (
        "We always take aisle seats, but my son prefers the window",
        {(USER, "aisle", "prefers"), ("son", "window", "prefers")},
    ),
    (
        "We always want an aisle for me and window for the girls",
        {(USER, "aisle", "prefers"), ("daughter", "window", "prefers")},
    ),
    ("If my wife comes along, I want an aisle seat", {(USER, "aisle", "prefers")}),
    ("My son is 5 and he's allergic to eggs", {("son", "egg", "requires")}),
    ("I travel with my wife, who uses a wheelchair", {("wife", "wheelchair", "requires")}),
    ("私はエビアレルギーですが、彼女は大丈夫です", {(USER, "エビ", "requires")}),
    ("妻は窓側が好きで、私は通路側が好きです", {("wife", "window", "prefers"), (USER, "aisle", "prefers")}),
    ("夫は車椅子を使いますが、私は使いません", {("husband", "wheelchair", "requires")}),
    ("私は肉を食べませんが、夫は食べます", {(USER, "vegetarian", "requires")}),
    ("夫は何でも食べるけど、娘はヴィーガンです", {("daughter", "vegan", "requires")}),
    ("母は肉も食べるし、父はベジタリアンです", {("father", "vegetarian", "requires")}),
    ("彼女エビアレルギーなんだ", {("girlfriend", "エビ", "requires")}),
    ("うちの彼氏、蕎麦アレルギーです", {("boyfriend", "蕎麦", "requires")}),
]

TOGETHER = [
    ("My wife and I are vegetarian", "vegetarian"),
    ("me and my husband love quiet hotels", "quiet"),
    ("I'm coeliac and my daughter too", "gluten-free"),
    ("My daughter is allergic to nuts, and I am too", "nuts"),
    ("I don't eat meat and neither does my wife", "vegetarian"),
    ("娘は卵アレルギーで、私もそうです", "卵"),
    ("私と妻はベジタリアンです", "vegetarian"),
]


def _claims(said: str) -> set[tuple[str, str, str]]:
    notes = [note for statement in statements(said) for note in proposals(statement, TODAY)]
    return {(note["about"], claim["value"], claim["stance"]) for note in notes for claim in note["claims"]}


@pytest.mark.parametrize(("said", "expected"), TOLD)
def test_each_person_has_what_was_said_of_them(said: str, expected: set[tuple[str, str, str]]) -> None:
    assert _claims(said) == expected


@pytest.mark.parametrize(("said", "value"), TOGETHER)
def test_what_holds_for_the_user_too_is_kept_as_theirs(said: str, value: str) -> None:
    assert {(about, named) for about, named, _ in _claims(said)} == {(USER, value)}


REASONS = [
    ("父は高血圧なので塩辛いものは食べられない", "father", "高血圧"),
    ("夫は腰が悪いので長い移動はつらいみたい", "husband", "腰が悪い"),
    ("妻は猫アレルギーなので、ペット可の宿は避けたい", "wife", "pets welcome"),
    ("妻は猫アレルギーなので、ペット可の宿は避けたい", "wife", "猫アレルギー"),
    ("私の母は耳が遠いので、メールのほうが助かります", "mother", "耳が遠い"),
    ("夫は糖尿病なので、甘いものは控えています", "husband", "糖尿病"),
    ("祖母は耳が遠いので、電話よりメールのほうが助かります", "grandmother", "email"),
]


@pytest.mark.parametrize(("said", "about", "value"), REASONS)
def test_what_a_companions_ailment_leads_to_is_noted_of_them(said: str, about: str, value: str) -> None:
    (note,) = [note for statement in statements(said) for note in proposals(statement, TODAY)]
    assert (note["text"], note["about"]) == (said, about)
    assert value in [claim["value"] for claim in note["claims"]]
    assert "夫" not in [claim["value"] for claim in note["claims"]]


def test_what_is_told_of_somebody_else_stays_in_the_words() -> None:
    said = "I'm also allergic to shellfish, my girlfriend isn't"
    (note,) = [note for statement in statements(said) for note in proposals(statement, TODAY)]
    assert note["text"] == said
