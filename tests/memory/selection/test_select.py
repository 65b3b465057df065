from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory.records.notes import Note
from memory.selection.select import cost, needs_scores, select
from tests.samples import note


def _notes(count: int, *, hard: int = 0) -> list[Note]:
    day = date(2026, 1, 1)
    return [
        note(f"Statement number {index}", hard=index < hard, last_update_date=day + timedelta(days=index))
        for index in range(count)
    ]


@given(st.integers(0, 30), st.integers(0, 10), st.integers(1, 10), st.integers(50, 600))
def test_hard_constraints_are_always_shown_and_the_rest_keeps_to_the_limits(
    count: int, hard: int, k: int, tokens: int
) -> None:
    notes = _notes(count, hard=min(hard, count))
    chosen = select(notes, message="number 3", strategy="blended", k=k, tokens=tokens)
    soft = [one for one in chosen if not one.hard]
    assert [one for one in chosen if one.hard] == [one for one in reversed(notes) if one.hard]
    assert len(soft) <= k
    assert not soft or sum(map(cost, chosen)) <= tokens


def test_recent_takes_the_newest() -> None:
    notes = _notes(10)
    assert select(notes, message="", strategy="recent", k=2, tokens=600) == [notes[9], notes[8]]


def test_relevant_takes_what_the_message_is_about() -> None:
    old = note("I get seasick on ferries", topic="transport", last_update_date=date(2020, 1, 1))
    chosen = select([*_notes(10), old], message="Are there ferries to Capri?", strategy="relevant", k=1, tokens=600)
    assert chosen == [old]


def test_scores_of_a_search_decide_where_no_word_is_shared() -> None:
    notes = _notes(10)
    chosen = select(notes, message="xyz", strategy="relevant", k=1, tokens=600, scores={notes[4].id: 0.9})
    assert chosen == [notes[4]]


def test_no_search_is_needed_while_everything_fits() -> None:
    assert not needs_scores(_notes(6), k=6, strategy="blended")
    assert needs_scores(_notes(7), k=6, strategy="blended")
    assert not needs_scores(_notes(7, hard=3), k=6, strategy="blended")
    assert not needs_scores(_notes(70), k=6, strategy="recent")
