"""The outcomes of the scenarios as figures with their targets, for both kinds of plan."""

from __future__ import annotations

from pathlib import Path

from evals.consolidation.run import Planner, run
from evals.consolidation.scoring import Outcome
from evals.figures import Figure, Miss, Part

_HERE = Path(__file__).parent
_PLANNERS: tuple[Planner, ...] = ("deterministic", "offline")
_GOOD = {"duplicates_removed": ("duplicates removed", 0.98), "newest_wins": ("newest wins", 1.0)}
_BAD = {
    "distinct_lost": "distinct facts lost",
    "invented": "invented facts",
    "trip_leaks": "trip-only leaks",
    "hard_lost": "hard constraints lost",
    "refused_plans": "plans refused",
}


def figures(part: Part) -> list[Figure]:
    """What becomes of notes at the end of a session (S6): the plan that code makes, and the offline model's."""
    return [_figure(part, planner, outcome) for planner in _PLANNERS for outcome in run(_HERE / part, planner)]


def _figure(part: Part, planner: Planner, outcome: Outcome) -> Figure:
    misses = tuple(Miss(miss.id, miss.what, outcome.measure) for miss in outcome.misses)
    suite = f"consolidation: {planner}"
    if outcome.measure in _GOOD:
        name, target = _GOOD[outcome.measure]
        right = outcome.total - len(misses)
        return Figure(suite, part, name, right, outcome.total, at_least=target, misses=misses)
    return Figure(suite, part, _BAD[outcome.measure], len(misses), outcome.total, at_most=0.0, misses=misses)
