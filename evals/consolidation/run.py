"""Ends the session of each scenario and scores the notes that are active afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from evals.consolidation.scoring import Active, Outcome, Scenario, read, score
from evals.figures import Figure, Miss, Part
from evals.session import end_session

_NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


def run(folder: Path, *, every: int = 1) -> list[Outcome]:
    """Run the scenarios of `folder` with the offline model, and score them.

    Args:
        folder: The folder with one `*.jsonl` file for each set of scenarios.
        every: The step through the scenarios: 3 takes every third one.

    Returns:
        The outcome of each measure, with its misses.
    """
    scenarios = read(folder)[::every]
    return score(scenarios, asyncio.run(_run_all(scenarios)))


async def _run_all(scenarios: Sequence[Scenario]) -> list[Active]:
    return [await _run_one(scenario) for scenario in scenarios]


async def _run_one(scenario: Scenario) -> Active:
    known, staged = list(scenario.known.values()), list(scenario.session.values())
    ended = await end_session(scenario.id, known, staged, model=None, now=_NOW)
    active = tuple(note for note in ended.notes if note.is_live(_NOW))
    keys = {note.latest.quote: key for key, note in scenario.notes.items()}
    origins = {note.id: tuple(keys[quote] for quote in note.sayings if quote in keys) for note in active}
    return Active(active, origins, tuple(ended.refused))


_HERE = Path(__file__).parent
_GOOD = {"duplicates_removed": ("duplicates removed", 0.98), "newest_wins": ("newest wins", 1.0)}
_BAD = {
    "distinct_lost": "distinct facts lost",
    "invented": "invented facts",
    "trip_leaks": "trip-only leaks",
    "hard_lost": "hard constraints lost",
    "refused_plans": "plans refused",
}


def figures(part: Part, *, every: int = 1) -> list[Figure]:
    """Measure the plans that the offline model makes for the notes of a session.

    The fallback for a refused plan is made by the same function, so it has no figures of its own.
    """
    return [_figure(part, outcome) for outcome in run(_HERE / part, every=every)]


def _figure(part: Part, outcome: Outcome) -> Figure:
    misses = tuple(Miss(miss.id, miss.what, outcome.measure) for miss in outcome.misses)
    suite = "consolidation"
    if outcome.measure in _GOOD:
        name, target = _GOOD[outcome.measure]
        hits = outcome.total - len(misses)
        return Figure(suite, part, name, hits, outcome.total, at_least=target, misses=misses)
    return Figure(suite, part, _BAD[outcome.measure], len(misses), outcome.total, at_most=0.0, misses=misses)
