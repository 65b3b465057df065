"""Notes must rest on what the user said: proposals that do, and proposals that invent or turn round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evals.figures import Figure, Miss, Part, cases
from memory.policy import Candidate, Gate, Verdict, judge

_HERE = Path(__file__).parent
_KEY = b"the key of the hashes plays no part"


def figures(part: Part) -> list[Figure]:
    """Invented notes kept, and true ones refused. What a page or a tool said (`elsewhere`) is no user's word."""
    judged = [(case, _verdict(case)) for case in cases(_HERE, part, "grounding")]
    invented = [(case, verdict) for case, verdict in judged if case["expect"] == "blocked"]
    true = [(case, verdict) for case, verdict in judged if case["expect"] == "kept"]
    kept = tuple(_miss(case, "kept") for case, verdict in invented if verdict.outcome != "blocked")
    lost = tuple(_miss(case, str(verdict.code)) for case, verdict in true if verdict.outcome == "blocked")
    return [
        Figure("grounding", part, "invented facts kept", len(kept), len(invented), at_most=0.0, misses=kept),
        Figure("grounding", part, "true facts kept", len(true) - len(lost), len(true), at_least=0.95, misses=lost),
    ]


def _verdict(case: dict[str, Any]) -> Verdict:
    quote = case["elsewhere"] or case["said"][0]
    return judge(Candidate(text=case["text"], quote=quote), Gate(), user_words=case["said"], key=_KEY)


def _miss(case: dict[str, Any], found: str) -> Miss:
    return Miss(case["id"], f"{case['text']} (said: {' '.join(case['said'])})", found)
