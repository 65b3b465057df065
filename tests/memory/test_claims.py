"""How two notes relate by their claims: a table of pairs, each read both ways where it says the same both ways."""

from __future__ import annotations

from typing import Any

import pytest

from memory.claims import Relation, conflicting, relation, says_the_same
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
        ([WINDOW], [AISLE, claim("cabin", "business")], "partly"),
        ([WINDOW, claim("cabin", "business")], [AISLE, claim("cabin", "business")], "contradicts"),
        ([claim("allergy", "nuts", "requires")], [claim("allergy", "nuts", "requires", "wife")], "apart"),
        ([claim("diet", "vegan", "requires", "Wife")], [claim("diet", "vegan", "requires", "wife")], "repeats"),
        ([claim("diet", "vegan", "excludes", "Leo")], [claim("diet", "vegan", "requires", "Leo")], "contradicts"),
        ([claim("pastime", "hikes")], [claim("pastime", "hiking")], "unknown"),
        ([claim("airline", "Ryanair", "excludes")], [claim("airline", "Ryanair", "avoids")], "unknown"),
        ([AISLE], [], "unknown"),
        ([], [AISLE], "unknown"),
        ([], [], "unknown"),
    ],
)
def test_claims_decide(new: list[Claim], old: list[Claim], expected: Relation) -> None:
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
def test_what_differs_in_condition_lives_side_by_side(new_when: Any, old_when: Any, expected: Relation) -> None:
    assert relation(*_notes([WINDOW], [AISLE], new_when, old_when), SCHEMA) == expected


@pytest.mark.parametrize("changed", [{"scope": "trip"}, {"scope": "workspace", "workspace": "acme"}])
def test_notes_of_two_memories_say_nothing_about_each_other(changed: dict[str, Any]) -> None:
    new, old = _notes([WINDOW], [AISLE])
    assert relation(new.model_copy(update=changed), old, SCHEMA) == "apart"


def test_the_same_words_repeat_without_any_claim() -> None:
    old = note("I like trams")
    assert relation(note("I like trams!", id="n"), old, SCHEMA) == "repeats"
    assert relation(note("I like trams", id="n", condition="in winter"), old, SCHEMA) == "unknown"


def test_what_says_the_same_has_the_same_words_or_the_same_claims() -> None:
    one, other = _notes([AISLE], [AISLE])
    assert says_the_same(one, other)
    assert not says_the_same(one, other.model_copy(update={"claims": (AISLE, claim("cabin", "first"))}))
    assert not says_the_same(one, other.model_copy(update={"when": {"flight_time": "overnight"}}))
    assert not says_the_same(*_notes([], []))


def test_a_pair_that_cannot_both_guide_an_answer_is_found_once() -> None:
    aisle, window = note("Aisle", AISLE), note("Window", WINDOW)
    night = note("Window at night", WINDOW, when={"flight_time": "overnight"})
    assert conflicting([aisle, night, window], SCHEMA) == [(aisle, window)]
    assert conflicting([aisle, note("Hers", claim("seat_side", "window", about="wife"))], SCHEMA) == []
