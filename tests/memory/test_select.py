"""The notes that a prompt shows: all if they fit, else hard ones first and a balance over topics."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.records.notes import Note
from memory.selection import Strategy, cost, fits, select
from tests.samples import note


def _notes(count: int, *, hard: int = 0, **values: Any) -> list[Note]:
    """Return notes from the oldest to the newest, of which the first are hard."""
    day = date(2026, 1, 1)
    return [
        note(f"Statement number {index}", hard=index < hard, last_update_date=day + timedelta(days=index), **values)
        for index in range(count)
    ]


ONE = cost(_notes(1)[0])


@pytest.mark.parametrize("strategy", ["all", "recent", "relevant", "blended"])
def test_all_notes_are_shown_newest_first_if_they_fit(strategy: Strategy) -> None:
    notes = _notes(20, hard=3)
    assert fits(notes, 20 * ONE + 20)
    assert select(notes[::-1], strategy=strategy, tokens=20 * ONE + 20) == notes[::-1]


@given(st.integers(0, 30), st.integers(0, 10), st.integers(50, 600), st.sampled_from(["recent", "relevant", "blended"]))
def test_hard_constraints_are_always_shown_and_the_rest_fits_the_budget(
    count: int, hard: int, tokens: int, strategy: Any
) -> None:
    notes = _notes(count, hard=min(hard, count))
    chosen = select(notes, strategy=strategy, tokens=tokens)
    soft = [one for one in chosen if not one.hard]
    assert [one for one in chosen if one.hard] == [one for one in reversed(notes) if one.hard]
    assert not soft or sum(map(cost, chosen)) <= tokens
    assert [one for one in reversed(notes) if one in chosen] == chosen


def test_mode_all_ignores_the_budget() -> None:
    assert len(select(_notes(100), strategy="all", tokens=50)) == 100


def test_mode_recent_takes_the_newest() -> None:
    notes = _notes(10)
    assert select(notes, strategy="recent", tokens=2 * ONE) == [notes[9], notes[8]]


def test_mode_relevant_takes_the_best_scores() -> None:
    notes = _notes(10)
    assert select(notes, strategy="relevant", tokens=ONE, scores={notes[4].id: 0.9}) == [notes[4]]


def test_often_confirmed_note_precedes_a_newer_one() -> None:
    notes = _notes(10)
    often = notes[5].model_copy(update={"confirmations": 5})
    chosen = select([*notes[:5], often, *notes[6:]], strategy="blended", tokens=ONE)
    assert chosen == [often]


def test_one_topic_does_not_take_the_whole_budget() -> None:
    hotels = _notes(10, topic="hotel")
    meal = note("Likes ramen", topic="meal", last_update_date=date(2025, 1, 1))
    scores = {one.id: 0.9 for one in hotels} | {meal.id: 0.5}
    cases: list[tuple[Strategy, bool]] = [("relevant", False), ("blended", True)]
    for strategy, shown in cases:
        chosen = select([*hotels, meal], strategy=strategy, tokens=6 * ONE, scores=scores)
        assert (meal in chosen) is shown


def test_faded_notes_come_last() -> None:
    notes = _notes(3)
    weights = {notes[2].id: 0.1}
    assert select(notes, strategy="recent", tokens=2 * ONE, weights=weights) == [notes[1], notes[0]]


def test_scripts_without_spaces_cost_more_per_character() -> None:
    assert cost(note("窓側の席を希望します")) > cost(note("Wants seats"))
