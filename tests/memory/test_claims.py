"""The relation of two notes by their claims: a table of pairs, each read in both directions if it is symmetric."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from memory.claims import Relation, conflicting, relation, says_the_same, standing
from memory.records.notes import Claim, Note
from memory.schema import load_schema
from tests.samples import claim, note

SCHEMA = load_schema()
AISLE, WINDOW = claim("seat_side", "aisle"), claim("seat_side", "window")


def _notes(new: list[Claim], old: list[Claim], new_when: Any = None, old_when: Any = None) -> tuple[Note, Note]:
    return note("New words", *new, when=new_when or {}), note("Old words", *old, when=old_when or {})


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ([AISLE], [AISLE], "repeats"),
        ([AISLE], [claim("seat_side", "Aisle.")], "repeats"),
        ([AISLE], [AISLE, claim("cabin", "business")], "repeats"),
        ([AISLE, claim("cabin", "business")], [AISLE], "apart"),
        ([WINDOW], [AISLE], "contradicts"),
        ([claim("seat_side", "aisle", "avoids")], [AISLE], "contradicts"),
        ([claim("seat_side", "window", "avoids")], [AISLE], "apart"),
        ([claim("hotel_brand", "Hilton")], [claim("hotel_brand", "Marriott")], "apart"),
        ([claim("hotel_brand", "Hilton", "excludes")], [claim("hotel_brand", "Hilton")], "contradicts"),
        ([claim("seat_side", "aisle", "indifferent")], [AISLE], "contradicts"),
        ([claim("seat_side", "any", "indifferent")], [AISLE], "contradicts"),
        ([claim("floor", "any", "is")], [claim("floor", "high", "avoids")], "contradicts"),
        ([claim("night_budget", "<=150 EUR")], [claim("night_budget", "<=150 EUR", "prefers")], "repeats"),
        ([claim("night_budget", "200 EUR")], [claim("night_budget", "150 EUR")], "contradicts"),
        ([claim("night_budget", "€150")], [claim("night_budget", "$150")], "contradicts"),
        ([claim("departure_hour", ">=9")], [claim("departure_hour", "<=9")], "contradicts"),
        ([WINDOW], [AISLE, claim("cabin", "business")], "partly"),
        ([WINDOW, claim("cabin", "business")], [AISLE, claim("cabin", "business")], "contradicts"),
        ([claim("allergy", "nuts", "requires")], [claim("allergy", "nuts", "requires", "wife")], "apart"),
        ([claim("allergy", "nut", "indifferent")], [claim("allergy", "nuts", "requires")], "contradicts"),
        ([claim("diet", "vegan", "requires", "Wife")], [claim("diet", "vegan", "requires", "wife")], "repeats"),
        ([claim("diet", "vegan", "excludes", "Leo")], [claim("diet", "vegan", "requires", "Leo")], "contradicts"),
        ([claim("pastime", "hikes")], [claim("pastime", "hiking")], "unknown"),
        ([claim("airline", "Ryanair", "excludes")], [claim("airline", "Ryanair", "avoids")], "unknown"),
        ([AISLE], [], "unknown"),
        ([], [AISLE], "unknown"),
        ([], [], "unknown"),
    ],
)
def test_claims_decide_the_relation(new: list[Claim], old: list[Claim], expected: Relation) -> None:
    assert relation(*_notes(new, old), SCHEMA) == expected


@pytest.mark.parametrize(
    ("new_when", "old_when", "expected"),
    [
        ({"flight_time": "overnight"}, {}, "apart"),
        ({}, {"flight_time": "overnight"}, "apart"),
        ({"flight_time": "overnight"}, {"flight_time": "daytime"}, "apart"),
        ({"flight_time": "overnight"}, {"flight_time": "overnight"}, "contradicts"),
        ({"other": "In winter."}, {"other": "in winter"}, "contradicts"),
    ],
)
def test_notes_under_different_conditions_coexist(new_when: Any, old_when: Any, expected: Relation) -> None:
    assert relation(*_notes([WINDOW], [AISLE], new_when, old_when), SCHEMA) == expected


@pytest.mark.parametrize("changed", [{"scope": "trip"}, {"scope": "workspace", "workspace": "acme"}])
def test_notes_of_two_memories_are_unrelated(changed: dict[str, Any]) -> None:
    new, old = _notes([WINDOW], [AISLE])
    assert relation(new.model_copy(update=changed), old, SCHEMA) == "apart"


def test_equal_words_are_a_repeat_without_claims() -> None:
    old = note("I like trams")
    assert relation(note("I like trams!", id="n"), old, SCHEMA) == "repeats"
    assert relation(note("I like trams", id="n", condition="in winter"), old, SCHEMA) == "unknown"


def test_another_currency_is_another_text() -> None:
    assert not says_the_same(note("Up to €150 a night"), note("Up to $150 a night"))
    assert says_the_same(note("Up to €150 a night."), note("up to €150 a night"))


def test_repeated_note_has_the_same_words_or_the_same_claims() -> None:
    one, other = _notes([AISLE], [AISLE])
    assert says_the_same(one, other)
    assert not says_the_same(one, other.model_copy(update={"claims": (AISLE, claim("cabin", "first"))}))
    assert not says_the_same(one, other.model_copy(update={"when": {"flight_time": "overnight"}}))
    assert not says_the_same(*_notes([], []))


def test_conflicting_pair_is_found_once() -> None:
    aisle, window = note("Aisle", AISLE), note("Window", WINDOW)
    night = note("Window at night", WINDOW, when={"flight_time": "overnight"})
    assert conflicting([aisle, night, window], SCHEMA) == [(aisle, window)]
    assert conflicting([aisle, note("Hers", claim("seat_side", "window", about="wife"))], SCHEMA) == []


LATER = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("new", "old", "stands"),
    [
        ([WINDOW], [AISLE], False),
        ([claim("allergy", "sesame", "requires"), claim("allergy", "nuts", "indifferent")],
         [claim("allergy", "nuts", "requires")], False),
        ([WINDOW], [AISLE, claim("cabin", "business")], True),
        ([claim("allergy", "nuts", "indifferent")], [claim("allergy", "nuts", "requires", "Tom")], True),
    ],
)  # fmt: skip
def test_conflict_with_a_superseded_note_is_settled(new: list[Claim], old: list[Claim], stands: bool) -> None:
    newer, older = _notes(new, old)
    later = newer.model_copy(update={"created_at": older.created_at + LATER, "text": "Old words, not any more"})
    assert (standing([older], [later], SCHEMA) == [older]) is stands
    assert standing([later], [older, later], SCHEMA) == [later]


def test_additional_words_do_not_replace_a_hard_constraint() -> None:
    older = note("Allergic to nuts", claim("allergy", "nuts", "requires"), hard=True)
    newer = note("Eats anything", claim("allergy", "nuts", "indifferent"), created_at=older.created_at + LATER)
    assert standing([older], [newer], SCHEMA) == [older]
