"""Ends the session of each scenario and scores what is active afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from evals.consolidation.scenarios import Scenario, read
from evals.consolidation.scoring import Active, Outcome, score
from evals.session import end_session

_NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


def run(folder: Path, *, every: int = 1) -> list[Outcome]:
    """Carry out the scenarios of `folder` with the offline model, and score them.

    Args:
        folder: Holds one `*.jsonl` file for each set of scenarios.
        every: Take each so manieth only.

    Returns:
        One outcome for each measure, with its misses.
    """
    scenarios = read(folder)[::every]
    return score(scenarios, asyncio.run(_all(scenarios)))


async def _all(scenarios: Sequence[Scenario]) -> list[Active]:
    return [await _one(scenario) for scenario in scenarios]


async def _one(scenario: Scenario) -> Active:
    known, staged = list(scenario.known.values()), list(scenario.session.values())
    ended = await end_session(scenario.id, known, staged, model=None, now=_NOW)
    active = tuple(note for note in ended.notes if note.is_live(_NOW))
    keys = {note.latest.quote: key for key, note in scenario.notes.items()}
    origins = {note.id: tuple(keys[quote] for quote in note.sayings if quote in keys) for note in active}
    return Active(active, origins, tuple(ended.refused))
