"""Statements that change a known note: an exception to an avoidance, or another diet."""

from __future__ import annotations

from datetime import date

import pytest

from models.offline.notes import companions_in, proposals, statements
from models.offline.notes.corrections import corrections
from models.offline.notes.judge import topic_of
from tests.tables import table


def _claims(before: str, text: str) -> set[str]:
    """Return the claims of what is saved of `text`, if `before` is known."""
    known, names = [(before, topic_of(before))], companions_in([before, text])
    stated = statements(text, names) or tuple(corrections(text, known, names))
    saved = [note for each in stated for note in proposals(each, date(2026, 11, 27), known=known, names=names)]
    return {f"{note['about']}: {c['value']} {c['stance']}" for note in saved for c in note["claims"]}


def test_a_sentence_longer_than_a_note_retracts_nothing() -> None:
    known = [("I have a dairy allergy", "meal")]
    assert list(corrections("I can eat dairy again", known))
    assert not list(corrections("After " + "many " * 60 + "years I can eat dairy again", known))


@table(("before", "text", "value"), [
    ("I never fly Ryanair", "well, Ryanair is fine if it's much cheaper", "Ryanair"),
    ("I can't stand Ryanair", "If it's half the price, Ryanair is okay", "Ryanair"),
    ("I don't stay at Hilton", "Hilton is ok if nothing else is available", "Hilton"),
    ("We avoid hostels", "If there's nothing else, a hostel is OK", "hostel"),
])  # fmt: skip
def test_an_exception_softens_an_avoidance_and_does_not_end_it(before: str, text: str, value: str) -> None:
    assert _claims(before, text) == {f"user: {value} avoids", f"user: {value} indifferent"}


@pytest.mark.parametrize(
    ("before", "text"),
    [("I live in Graz", "Hilton is fine if there's nothing else"), ("I love KLM", "KLM is fine if it's cheaper"),
     ("I never fly Ryanair", "Is Ryanair ok if it's much cheaper?")],
)  # fmt: skip
def test_without_a_known_avoidance_there_is_nothing_to_soften(before: str, text: str) -> None:
    assert _claims(before, text) == set()


@table(("before", "text", "new", "former"), [
    ("My girlfriend Priya is a vegetarian", "Priya is actually vegan now", "Priya: vegan", "Priya: vegetarian"),
    ("My girlfriend Priya is a vegetarian", "Priya went vegan", "Priya: vegan", "Priya: vegetarian"),
    ("My son is vegetarian", "He's vegan now", "son: vegan", "son: vegetarian"),
    ("I'm vegan", "I've turned vegetarian", "user: vegetarian", "user: vegan"),
])  # fmt: skip
def test_another_diet_ends_the_former_one_of_the_same_person(before: str, text: str, new: str, former: str) -> None:
    assert _claims(before, text) >= {f"{new} requires", f"{former} indifferent"}


@pytest.mark.parametrize("text", ["I'm vegan", "I can eat vegan food"])
def test_what_somebody_keeps_or_can_eat_too_ends_no_diet(text: str) -> None:
    assert not [claim for claim in _claims("I'm vegetarian", text) if claim.endswith("indifferent")]
