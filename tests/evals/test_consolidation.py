"""The scoring of consolidation scenarios."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.consolidation.run import run


def _note(key: str, text: str, **fields: Any) -> dict[str, Any]:
    note = {"key": key, "text": text, "topic": "seat", "condition": None, "scope": "user", "date": "2026-01-01"}
    return note | fields


def _write(folder: Path, known: list[Any], session: list[Any], active: list[list[str]], gone: list[str]) -> None:
    scenario = {
        "id": "one", "set": "tried", "lang": "en", "known": known, "session": session,
        "expect": {"active": active, "gone": gone}, "why": "",
    }  # fmt: skip
    (folder / "tried.jsonl").write_text(json.dumps(scenario) + "\n", encoding="utf-8")


def test_right_outcomes_have_no_misses(tmp_path: Path) -> None:
    known = [_note("k1", "Prefers the aisle"), _note("k2", "Likes the front")]
    session = [_note("s1", "Window from now on", date="2026-02-01"), _note("s2", "Aisle this time", scope="trip")]
    _write(tmp_path, known, session, [["s1"], ["k2"]], ["k1", "s2"])
    outcomes = {outcome.measure: outcome for outcome in run(tmp_path)}
    assert {name for name, outcome in outcomes.items() if outcome.misses} == set()
    assert (outcomes["newest_wins"].total, outcomes["trip_leaks"].total) == (1, 1)


def test_each_wrong_outcome_is_a_miss_of_its_measure(tmp_path: Path) -> None:
    _write(
        tmp_path,
        [_note("k1", "Prefers the aisle"), _note("k2", "Likes the front")],
        [_note("s1", "Window from now on", date="2026-02-01"), _note("s2", "Needs a plug", date="2026-02-01")],
        [["k1"], ["k2", "s2"]],
        ["s1"],
    )
    misses = {outcome.measure: [miss.id for miss in outcome.misses] for outcome in run(tmp_path)}
    assert misses["distinct_lost"] == ["one"]
    assert misses["duplicates_removed"] == ["one"]
    assert misses["newest_wins"] == ["one"]


def test_scenario_without_an_expectation_for_each_note_is_rejected(tmp_path: Path) -> None:
    _write(tmp_path, [_note("k1", "Prefers the aisle")], [], [], [])
    with pytest.raises(ValueError, match="has expectations for"):
        run(tmp_path)
