"""The notes that are evicted when there are too many."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.records.notes import Note
from memory.selection import Limits, evictions, usefulness
from tests.samples import note

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


def _note(name: str, days: int = 0, **values: Any) -> Note:
    return note(name, id=name, last_update_date=(NOW - timedelta(days=days)).date(), **values)


def _gone(notes: list[Note], most: int, half_life_days: float = 0) -> list[str]:
    return [one.id for one in evictions(notes, Limits(most, half_life_days), NOW)]


def test_nothing_is_evicted_within_the_limit() -> None:
    assert _gone([_note("a"), _note("b")], most=2) == []


def test_uncertain_and_seldom_confirmed_notes_are_evicted_first() -> None:
    notes = [_note("often", confirmations=5), _note("doubtful", confidence=0.4), _note("once")]
    assert _gone(notes, most=1) == ["doubtful", "once"]


def test_without_decay_age_only_breaks_ties() -> None:
    notes = [_note("new"), _note("b", days=400), _note("a", days=400), _note("old", days=900, confirmations=2)]
    assert _gone(notes, most=1) == ["a", "b", "new"]


def test_with_decay_a_long_unused_note_is_evicted_before_a_fresh_one() -> None:
    used = _note("used", days=400, confirmations=3, last_used_at=NOW - timedelta(days=1))
    notes = [_note("fresh"), _note("stale", days=400, confirmations=3), used]
    assert _gone(notes, most=1, half_life_days=90) == ["stale", "fresh"]


def test_value_is_halved_each_half_life() -> None:
    one = _note("a", last_used_at=NOW - timedelta(days=60), confirmations=4)
    assert usefulness(one, half_life_days=30, now=NOW + timedelta(days=0)) == pytest.approx(4, rel=0.02)
    old = _note("a", days=60, confirmations=4)
    assert usefulness(old, half_life_days=30, now=datetime(2026, 11, 20, tzinfo=UTC)) == pytest.approx(1)
    assert usefulness(old, half_life_days=0, now=NOW) == 4


def test_hard_and_pinned_notes_are_kept_and_count() -> None:
    notes = [_note("hard", hard=True, confidence=0), _note("pinned", pinned=True, confidence=0), _note("plain")]
    assert _gone(notes, most=2) == ["plain"]
    assert _gone(notes, most=0) == ["plain"]


def test_inactive_notes_neither_count_nor_are_evicted() -> None:
    notes = [_note("gone", status="superseded"), _note("past", expires_at=NOW), _note("a"), _note("b")]
    assert _gone(notes, most=1) == ["a"]


_made = st.builds(
    _note,
    st.uuids().map(str),
    days=st.integers(0, 2000),
    confidence=st.floats(0, 1),
    confirmations=st.integers(0, 50),
    hard=st.booleans(),
    pinned=st.booleans(),
    status=st.sampled_from(["active", "active", "superseded", "expired"]),
    last_used_at=st.none() | st.integers(0, 900).map(lambda days: NOW - timedelta(days=days)),
)
_lists = st.lists(_made, max_size=15, unique_by=lambda one: one.id)


@given(_lists, st.integers(0, 12), st.sampled_from([0.0, 1.0, 90.0, 1e-6]), st.randoms(use_true_random=False))
def test_only_the_least_useful_notes_over_the_limit_are_evicted(
    notes: list[Note], most: int, half: float, chance: Any
) -> None:
    evicted = evictions(notes, Limits(most, half), NOW)
    live = [one for one in notes if one.status == "active"]
    free = [one for one in live if not (one.hard or one.pinned)]
    assert len(evicted) == min(len(free), max(len(live) - most, 0))
    assert all(one in free for one in evicted)
    worth = [usefulness(one, half_life_days=half, now=NOW) for one in evicted]
    assert worth == sorted(worth)
    values = [usefulness(one, half_life_days=half, now=NOW) for one in free if one not in evicted]
    assert not worth or not values or max(worth) <= min(values)
    chance.shuffle(notes)
    assert evictions(notes, Limits(most, half), NOW) == evicted
