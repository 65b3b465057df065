"""The trained judgement: its tables, what it adds to the rules, and its rates on sentences it was not trained on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.schema import load_schema
from models.offline.en.notes.durability import durability_score, predict_topic
from models.offline.en.notes.statements import detect, read_clauses

_TEXTS = Path(__file__).parents[5] / "evals" / "training" / "durability.jsonl"
_ORDINARY = {"question", "smalltalk", "trip_detail", "request"}
_ROWS = [json.loads(line) for line in _TEXTS.read_text(encoding="utf-8").splitlines()]
HELD = [row for row in _ROWS if row["split"] == "held"]


def lasting(said: str) -> bool:
    return any(not note.trip_only for note in detect(said))


def test_what_sounds_lasting_outweighs_what_does_not() -> None:
    firm, fleeting = "I never stay in hostels with shared bathrooms", "We check in at noon on Friday"
    assert durability_score(firm, read_clauses(firm)) > 1 > -1 > durability_score(fleeting, read_clauses(fleeting))


def test_words_that_were_never_seen_weigh_nothing() -> None:
    assert durability_score("zyx wvu", []) == durability_score("uvw xyz", [])
    assert predict_topic("zyx wvu") == "other"


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("My wheelchair folds, but I can't do stairs", "accessibility"),
        ("Give me the aisle every time", "seat"),
        ("I only drive automatics", "car"),
        ("My passport is Portuguese", "document"),
    ],
)
def test_a_sentence_is_placed_by_its_words(said: str, topic: str) -> None:
    assert predict_topic(said) == topic


def test_most_held_out_statements_are_kept_and_few_ordinary_remarks() -> None:
    positives = [row for row in HELD if row["label"] == "lasting"]
    ordinary = [row for row in HELD if row["about"] in _ORDINARY]
    assert len(positives) > 300
    assert len(ordinary) > 90
    assert sum(lasting(row["text"]) for row in positives) >= 0.82 * len(positives)
    assert sum(lasting(row["text"]) for row in ordinary) <= 0.04 * len(ordinary)


def test_most_held_out_statements_are_filed_as_they_were_labelled() -> None:
    rows = [row for row in HELD if row["label"] == "lasting"]
    assert sum(predict_topic(row["text"]) == row["about"] for row in rows) >= 0.7 * len(rows)


@pytest.mark.parametrize(
    "said",
    [
        "Do people who hate red-eyes usually fly at noon?",
        "This time I never want to change planes.",
        "",
        "…",
    ],
)
def test_no_weight_of_words_makes_a_question_or_one_trip_lasting(said: str) -> None:
    assert not lasting(said)


def test_a_request_to_remember_is_kept_however_it_sounds() -> None:
    said = "Note that the garden gate squeaks"
    assert durability_score(said, read_clauses(said)) < -2
    assert lasting(said)


def test_each_sentence_is_judged_by_itself() -> None:
    notes = detect("Thanks a lot! We land on Tuesday. I can't sleep in a room without blackout curtains. See you soon.")
    assert [note.quote for note in notes if not note.trip_only] == ["I can't sleep in a room without blackout curtains"]


@given(st.text(max_size=100))
def test_any_text_has_a_durability_and_a_topic(text: str) -> None:
    assert abs(durability_score(text, read_clauses(text))) < 100
    assert predict_topic(text) in load_schema().topics
