"""What is one fact in other words, what are two, and what takes the other's place; the cases stand beside this file."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.records.notes import Note
from models.offline.notes.meaning import covers, replaces
from tests.samples import note, stated
from tests.tables import table

_FOLDER = Path(__file__).parent


def _lines(name: str) -> list[str]:
    return (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def _notes(line: str) -> list[Note]:
    topic, *texts = line.split("|")
    return [stated(text, topic, when={}) for text in texts]


def _same(one: Note, other: Note) -> bool:
    return covers(one, other) and covers(other, one)


def _tells_as_much(one: Note, other: Note) -> bool:
    return covers(one, other) or covers(other, one)


@table("line", _lines("same"))
def test_one_fact_in_other_words(line: str) -> None:
    first, *others = _notes(line)
    assert [other.text for other in others if not _tells_as_much(first, other)] == []
    assert [other.text for other in others if replaces(other, first)] == []


@table("line", _lines("apart"))
def test_two_facts_stay_two_facts(line: str) -> None:
    one, other = _notes(line)
    assert not _tells_as_much(one, other)
    assert not replaces(other, one)


@table("line", _lines("replaced"))
def test_the_newer_takes_the_place_of_the_older(line: str) -> None:
    old, new = _notes(line)
    assert replaces(new, old)
    assert not _same(new, old)


@table(
    ("more", "less"),
    [
        ("Aisle seats near the front", "Aisle seats"),
        ("Vegetarian, but eats eggs", "Vegetarian"),
        ("Likes museums and galleries", "Likes museums"),
        ("Prefers the aisle because of her knee", "Prefers the aisle"),
        ("高層階の静かな部屋が好き", "静かな部屋が好き"),
    ],
)
def test_a_detail_says_more(more: str, less: str) -> None:
    assert covers(note(more), note(less))
    assert not covers(note(less), note(more))


@table(
    ("narrow", "wide"),
    [
        ("Likes wine tours", "Likes wine"),
        ("Loves science museums", "Loves museums"),
        ("Hates hiking in the rain", "Hates hiking"),
        ("Window seats make me airsick", "Window seats"),
        ("Aisle seats on short flights", "Aisle seats"),
        ("Prefers quiet rooms", "Prefers quiet neighborhoods"),
    ],
)
def test_a_narrower_statement_is_not_more_of_the_wider(narrow: str, wide: str) -> None:
    assert not _tells_as_much(note(narrow), note(wide))


def test_a_condition_in_the_text_and_beside_it_are_one() -> None:
    beside = note("Window seat", topic="seat", when={"flight_time": "overnight"})
    assert _same(note("On red-eyes I want the window", topic="seat"), beside)
    assert not _tells_as_much(note("Window seat", topic="seat"), beside)


@table(
    ("one", "other"),
    [
        ("Loves deserts", "Loves desserts"),
        ("Likes Slovenia", "Likes Slovakia"),
        ("Room 214", "Room 241"),
        ("Needs time for meditation", "Needs time for medication"),
    ],
)
def test_another_word_is_another_fact(one: str, other: str) -> None:
    assert not _same(note(one), note(other))


def test_a_limit_ends_only_by_a_denial() -> None:
    stairs = note("Can't climb stairs", topic="accessibility", hard=True)
    assert not replaces(note("Likes old houses with stairs", topic="hotel"), stairs)
    assert not replaces(note("The hotel has stairs", topic="accessibility", hard=True), stairs)
    assert replaces(note("Can climb stairs again", topic="accessibility", hard=True), stairs)


_texts = st.sampled_from([text for name in ("same", "apart", "replaced") for line in _lines(name)
                          for text in line.split("|")[1:]])  # fmt: skip


@settings(deadline=None)
@given(_texts, _texts)
def test_the_relations_are_consistent(one: str, other: str) -> None:
    mine, theirs = note(one, id="1"), note(other, id="2")
    assert _same(mine, mine)
    assert _same(mine, theirs) == _same(theirs, mine)
    assert not (covers(mine, theirs) and replaces(mine, theirs))
