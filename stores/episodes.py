"""Episodes: what is remembered of a finished session as a whole (S7.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from stores.notes import Record, note_id
from stores.policy import normalise, screen
from stores.policy.words import key_terms, sentences

MOST_SENTENCES = 3
MOST_TOPICS = 5
MOST_FACTS = 5
LONGEST_SUMMARY = 600
LONGEST_FACT = 160

_NAMES_AND_NUMBERS = re.compile(r"\d+(?:[.,:]\d+)*|(?<=[a-z,;] )[A-Z][\w'-]+")


class Episode(Record):
    """One finished session. `summary` has 1 to 3 sentences; `message_count` counts what the user and we said."""

    id: str
    thread_id: str
    session_id: str
    text: str
    """What is searched: summary, topics and facts together."""
    summary: str
    topics: tuple[str, ...] = ()
    key_facts: tuple[str, ...] = ()
    started_at: datetime
    ended_at: datetime
    message_count: int = Field(ge=0)


def make_episode(
    *,
    thread_id: str,
    session_id: str,
    summary: str,
    topics: Sequence[str],
    key_facts: Sequence[str],
    told: Sequence[str],
    started_at: datetime,
    ended_at: datetime,
    message_count: int,
) -> Episode | None:
    """An episode out of what a model proposed, checked against `told`, what was really said.

    Sentences that the policy refuses, or that hold a name or number nobody said, are left out; where no sentence
    stands, what the user said opens the episode. None when nothing worth a sentence was said.
    """
    source = normalise(" ".join(told)).casefold()
    kept = [part for part in sentences(summary) if _holds(part, source)][:MOST_SENTENCES]
    kept = kept or [part for text in told for part in sentences(text) if _holds(part, source)][:MOST_SENTENCES]
    if not kept:
        return None
    whole = " ".join(kept)[:LONGEST_SUMMARY]
    subjects = _short([topic.strip().lower() for topic in topics if topic.strip().lower() in source], source)
    subjects = subjects or list(key_terms(whole, MOST_TOPICS))
    facts = _short([fact.strip()[:LONGEST_FACT] for fact in key_facts], source)
    return Episode(
        id=note_id("episode", session_id),
        thread_id=thread_id,
        session_id=session_id,
        text="\n".join([whole, ", ".join(subjects), *facts]),
        summary=whole,
        topics=tuple(subjects[:MOST_TOPICS]),
        key_facts=tuple(facts[:MOST_FACTS]),
        started_at=started_at,
        ended_at=ended_at,
        message_count=message_count,
    )


def _short(texts: Sequence[str], source: str) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text and _holds(text, source)))


def _holds(text: str, source: str) -> bool:
    """True when policy lets `text` pass and each name and number in it was said."""
    said = all(normalise(name).casefold() in source for name in _NAMES_AND_NUMBERS.findall(text))
    return said and screen(text) is None
