"""Says what to remember of a finished session (`EpisodeSummary`), out of the same reading as its summary."""

from __future__ import annotations

from typing import Any

from llm.offline.headings import UNVERIFIED
from llm.offline.summarising import summarised

_TELLING = ("trip", "decisions", "preferences", "constraints")
_MOST_SENTENCES = 3
_MOST_FACTS = 5


def remembered(previous: str, transcript: str) -> dict[str, Any]:
    """The fields of the episode. What nothing was said of is left out, so that a session of small talk has none."""
    fields = summarised(previous, transcript)
    told = [fields[name] for name in _TELLING if fields[name] != UNVERIFIED]
    facts = [fact.strip() for part in told for fact in part.split(";") if fact.strip()]
    return {
        "summary": " ".join(f"{part.rstrip('.')}." for part in told[:_MOST_SENTENCES]),
        "topics": [],
        "key_facts": facts[:_MOST_FACTS],
    }
