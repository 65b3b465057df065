"""What is taken from a message as worth keeping, measured over a few hundred sentences and looked at one by one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.records.notes import MAX_TEXT
from memory.schema import load_schema
from models.offline.en.language import ENGLISH

_HERE = Path(__file__).parent


def _lines(pattern: str) -> list[str]:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(_HERE.glob(pattern)))
    return [line for line in text.splitlines() if line and not line.startswith("#")]


LASTING = [line.split(": ", 1) for line in _lines("lasting*.txt")]
PASSING = _lines("passing*.txt")


_TEXTS = Path(__file__).parents[5] / "evals" / "training" / "durability.jsonl"
_ROWS = [json.loads(line) for line in _TEXTS.read_text(encoding="utf-8").splitlines()]
HELD: list[str] = [row["text"] for row in _ROWS if row["split"] == "held"]


def test_there_is_enough_to_measure_on() -> None:
    assert len(LASTING) > 10
    assert len(PASSING) > 10
    assert len(HELD) > 600


def test_nearly_all_lasting_statements_are_kept_under_a_sensible_topic() -> None:
    missed = [
        sentence
        for topics, sentence in LASTING
        if not {each.topic for each in ENGLISH.statements(sentence) if not each.trip_only} & set(topics.split(", "))
    ]
    assert len(missed) <= 0.03 * len(LASTING), missed


def test_hardly_any_passing_remark_is_kept_for_good() -> None:
    kept = [sentence for sentence in PASSING if any(not each.trip_only for each in ENGLISH.statements(sentence))]
    assert len(kept) <= 0.01 * len(PASSING), kept


def test_notes_hold_nothing_but_the_users_words() -> None:
    for sentence in (*HELD, *(sentence for _, sentence in LASTING)):
        said = sentence.lower()
        for note in ENGLISH.statements(sentence):
            assert note.quote in sentence
            assert set(re.findall(r"[\w']+", f"{note.text} {note.condition or ''}".lower())) <= set(
                re.findall(r"[\w']+", said)
            )
            assert note.topic in load_schema().topics
            assert 0 < note.confidence <= 1


@pytest.mark.parametrize(
    ("said", "text", "condition"),
    [
        ("Remember that I am vegetarian.", "I am vegetarian", None),
        ("Please note that I can't stand red-eyes, thanks!", "I can't stand red-eyes", None),
        (
            "Oh, by the way, I refuse to use ride-sharing because of privacy.",
            "I refuse to use ride-sharing because of privacy",
            None,
        ),
        ("On overnight flights I prefer the window.", "I prefer the window", "on overnight flights"),
        ("I like an aisle seat on short flights", "I like an aisle seat", "on short flights"),
        ("actually, aisle from now on", "Aisle from now on", None),
        ("Middle seats? Never again.", "Middle seats? Never again", None),
    ],
)
def test_a_note_is_short_and_parted_from_its_condition(said: str, text: str, condition: str | None) -> None:
    (note,) = ENGLISH.statements(said)
    assert (note.text, note.condition, note.trip_only) == (text, condition, False)


@pytest.mark.parametrize(
    ("said", "notes"),
    [
        (
            "I prefer window seats on overnight flights and aisle seats on short ones.",
            [("I prefer window seats", "on overnight flights"), ("Aisle seats", "on short flights")],
        ),
        (
            "I like trains on long trips but buses on short trips, and I like pizza",
            [("I like trains on long trips but buses on short trips", None), ("I like pizza", None)],
        ),
        ("Aisle on short flights, window on long ones", [("Aisle on short flights, window on long ones", None)]),
    ],
)
def test_each_wish_keeps_its_own_condition(said: str, notes: list[tuple[str, str | None]]) -> None:
    assert [(note.text, note.condition) for note in ENGLISH.statements(said)] == notes


def test_a_quote_is_exact_to_the_letter() -> None:
    said = "Well…  I don’t   eat pork – never have, and I\u200b’m allergic to nuts"
    assert [note.quote in said for note in ENGLISH.statements(said)] == [True, True]
    assert [note.text for note in ENGLISH.statements(said)][1] == "I'm allergic to nuts"


@pytest.mark.parametrize(
    "said",
    [
        "This time I'd like a window seat, I really want to sleep.",
        "For this trip I'd rather sit by the window.",
        "Just this once, I want an aisle seat.",
    ],
)
def test_what_holds_for_one_trip_is_marked_so(said: str) -> None:
    notes = ENGLISH.statements(said)
    assert notes
    assert all(note.trip_only for note in notes)


def test_several_statements_give_several_notes() -> None:
    notes = ENGLISH.statements(
        "I'm vegetarian and I hate red-eyes. We always travel with our dog, and Marriott is my go-to."
    )
    assert notes[0].topic == "meal"
    assert {"companions", "hotel"} <= {note.topic for note in notes}
    assert len(notes) == 4


def test_a_preference_beside_a_request_is_kept_alone() -> None:
    (note,) = ENGLISH.statements("Book me a flight to Paris next month, and I'm allergic to peanuts.")
    assert note.text == "I'm allergic to peanuts"


def test_at_most_six_notes_come_of_one_message() -> None:
    said = " ".join(
        f"I never eat {food}." for food in ("pork", "beef", "fish", "eggs", "soy", "garlic", "cheese", "bread")
    )
    assert len(ENGLISH.statements(said)) == 6


@given(st.text(max_size=200))
def test_any_text_is_read_without_fault(text: str) -> None:
    assert all(len(note.text) <= MAX_TEXT for note in ENGLISH.statements(text))


def test_a_very_long_statement_is_cut_to_what_a_note_may_hold() -> None:
    (note,) = ENGLISH.statements("I always want a quiet room with a view of " + "the garden and " * 40)
    assert len(note.text) <= MAX_TEXT
