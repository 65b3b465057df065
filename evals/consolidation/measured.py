"""The outcomes of the scenarios as figures with their targets."""

from __future__ import annotations

from pathlib import Path

from evals.consolidation.run import run
from evals.consolidation.scoring import Outcome
from evals.figures import Figure, Miss, Part

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
    """Measure what becomes of notes at the end of a session by the offline model's plan.

    The plan that replaces a refused one is made by the same function, so it has no figures of its own.
    """
    return [_figure(part, outcome) for outcome in run(_HERE / part, every=every)]


def _figure(part: Part, outcome: Outcome) -> Figure:
    misses = tuple(Miss(miss.id, miss.what, outcome.measure) for miss in outcome.misses)
    suite = "consolidation"
    if outcome.measure in _GOOD:
        name, target = _GOOD[outcome.measure]
        right = outcome.total - len(misses)
        return Figure(suite, part, name, right, outcome.total, at_least=target, misses=misses)
    return Figure(suite, part, _BAD[outcome.measure], len(misses), outcome.total, at_most=0.0, misses=misses)
