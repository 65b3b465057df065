"""Those who travel along by name: who they are, what is said of them, and what names somebody unknown."""

from __future__ import annotations

import pytest

from models.offline.dialogue.transcript import Memory
from models.offline.notes import memory_wish, statements
from models.offline.notes.people import aliased, companions_in
from models.offline.notes.wishes import listed
from tests.models.offline.talker import SYSTEM, Talker, memories
from tests.tables import table


@table(
    ("said", "names"),
    [
        ("My son Tom is allergic to eggs", {"Tom": "son"}),
        ("our two kids, Mia and Ben, love pools", {"Mia": "two kids", "Ben": "two kids"}),
        ("our kids Zosia (9) and Milo (4) come along", {"Zosia": "kids", "Milo": "kids"}),
        ("I'm Sarah, mum of two: Mia is 7 and Leo is 4", {"Mia": "child", "Leo": "child"}),
        ("I'm the father of Ben (12)", {}),
        ("Ella is my daughter", {"Ella": "daughter"}),
        ("my wife's name is Anna", {"Anna": "wife"}),
        ("Leo (my husband) snores", {"Leo": "husband"}),
        ("娘のエマは卵アレルギーです", {"エマ": "娘"}),
        ("夫の健太さんは窓側が好き", {"健太": "夫"}),
        ("ユウキは息子です", {"ユウキ": "息子"}),
        ("my boss Tom is vegan", {}),
        ("My sons Sunday football", {}),
        ("my wife Hilton Honors number", {}),
        ("娘のアレルギーは卵です", {}),
        ("妻のビーガン料理", {}),
    ],
)
def test_kin_is_known_by_the_names_it_was_given(said: str, names: dict[str, str]) -> None:
    assert dict(companions_in([said])) == names


@table(
    ("known", "said", "read"),
    [
        ("My son Tom is seven", "Tom hates flying and my son Tom snores", "my son hates flying and my son snores"),
        ("My son Tom is seven", "tom hates flying", "my son hates flying"),
        ("My son Tom is seven", "Tomatoes make me ill", "Tomatoes make me ill"),
        ("娘のエマは六歳です", "エマちゃんは肉を食べません", "娘は肉を食べません"),
    ],
)
def test_a_name_is_read_as_the_kinship_and_written_as_it_was(known: str, said: str, read: str) -> None:
    heard = aliased(said, companions_in([known]))
    assert heard.text == read
    assert heard.original(read) == said


@table(
    ("before", "said", "noted"),
    [
        (
            "",
            "My son Tom is allergic to eggs. Tom gets carsick.",
            {"My son Tom is allergic to eggs", "Tom gets carsick"},
        ),
        ("My daughter Ella is seven", "Ella gets carsick", {"Ella gets carsick"}),
        ("My daughter Ella is seven", "My daughter is vegetarian", {"My daughter is vegetarian"}),
        ("娘のエマは六歳です", "エマは肉を食べません", {"エマは肉を食べません"}),
    ],
)
def test_what_is_said_of_a_companion_is_noted_of_that_person(before: str, said: str, noted: set[str]) -> None:
    talker = Talker(SYSTEM + (memories(f"- [n1] companions, 2026-10-01: {before}") if before else ""))
    talker.say(said)
    assert {note["text"] for note in talker.saved} == noted
    assert {note["about"] for note in talker.saved} == {next(iter(dict(companions_in([before, said]))))}
    assert all(note["quote"] in said for note in talker.saved)


@table(
    ("before", "said", "noted"),
    [
        ("Our kids are called Zosia and Milo", "Zosia is lactose intolerant and Milo needs a cot",
         {("Zosia is lactose intolerant", "Zosia"), ("Milo needs a cot", "Milo")}),
        ("Our kids are called Zosia and Milo", "Zosia can't eat eggs. Milo can't eat eggs.",
         {("Zosia can't eat eggs", "Zosia"), ("Milo can't eat eggs", "Milo")}),
        ("Our kids are called Zosia and Milo", "Zosia and Milo get carsick",
         {("Zosia and Milo get carsick", "Milo and Zosia")}),
        ("妻の由美です。息子の蓮です。", "由美は海老アレルギーで、蓮は車酔いします",
         {("由美は海老アレルギー", "由美"), ("蓮は車酔いします", "蓮")}),
    ],
)  # fmt: skip
def test_what_is_said_of_each_is_a_note_of_its_own(before: str, said: str, noted: set[tuple[str, str]]) -> None:
    talker = Talker(SYSTEM)
    talker.say(before)
    talker.say(said)
    assert {(note["text"], note["about"]) for note in talker.saved} == noted
    assert all(note["quote"] in said for note in talker.saved)


@table(
    "said",
    [
        "健太は肉を食べません",
        "ユウキはえびアレルギーです",
        "Ella doesn't eat meat",
        "One of my pupils is allergic to nuts",
        "Some of our guests are vegan",
    ],
)
def test_nothing_is_noted_of_somebody_unknown(said: str) -> None:
    assert statements(said) == ()


def test_a_part_of_the_body_is_no_stranger() -> None:
    (note,) = statements("足がわるくて長く歩けないので、空港で車いすをお願いできますか")
    assert note.text == "足がわるくて長く歩けない"


@table(
    ("said", "about"),
    [
        ("Remember that Ella does not eat meat", "Ella"),
        ("Remember that durian is an allergy of mine", "user"),
        ("the eldest, Alfie, is allergic to sesame. epipen stuff. pls remember that for every trip", "child"),
        ("My youngest can't have eggs. Keep that in mind on all our trips, would you", "child"),
        ("それと上の子が卵アレルギーなんで覚えといてください。これから先の旅行でもずっと", "child"),
        ("あと母がえびアレルギーなので、ずっと覚えておいてください", "mother"),
        ("My colleague hates flying. Remember that please", "other"),
        ("友人の真理子さんがそばアレルギーなんです。覚えておいて", "other"),
    ],
)
def test_it_is_noted_of_that_person_when_asked_for(said: str, about: str) -> None:
    talker = Talker()
    talker.say(said)
    assert [note["about"] for note in talker.saved] == [about]


@pytest.mark.parametrize("said", ["forget everything about Tom", "forget everything about my son"])
def test_what_is_known_of_a_companion_is_forgotten_by_either_name(said: str) -> None:
    kept = ("- [n1] meal, 2026-10-01: My son Tom is allergic to eggs", "- [n2] seat, 2026-10-01: Tom likes the window")
    talker = Talker(SYSTEM + memories(*kept, "- [n3] seat, 2026-10-01: I prefer the aisle"))
    talker.say(said)
    assert [call["query"] for call in talker.calls] == ["n1", "n2"]


def test_of_an_allergy_of_somebody_only_theirs_is_meant() -> None:
    wish = memory_wish("彼女のアレルギーなんだっけ")
    assert wish is not None
    notes = [Memory("a", "meal", "彼女はエビアレルギー"), Memory("b", "meal", "妻は卵アレルギー")]
    assert [note.handle for note in listed(notes, wish)] == ["a"]


def test_what_is_known_of_a_companion_is_listed_by_name() -> None:
    talker = Talker(SYSTEM + memories("- [n1] meal, 2026-10-01: My son Tom is allergic to eggs"))
    talker.say("what do you know about Tom?")
    assert [call["name"] for call in talker.calls] == ["list_memories"]
