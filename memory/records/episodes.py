"""Makes and checks episodes: what is remembered of a finished session as a whole."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import Field

from memory.control.erased import ERASED, Eraser
from memory.policy import screen
from memory.records.notes import Record
from text import normalise
from text.words import key_terms, sentences

MOST_SENTENCES = 3
MOST_TOPICS = 5
MOST_FACTS = 5
LONGEST_SUMMARY = 600
LONGEST_FACT = 160

_NAMES_AND_NUMBERS = re.compile(r"\d+(?:[.,:]\d+)*|(?<=[a-z,;] )[A-Z][\w'-]+")


class Episode(Record):
    """One finished session. `summary` has 1 to 3 sentences; `message_count` counts what the user and we said."""

    stored_as = "episode"
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


def checked_texts(
    summary: str,
    topics: Sequence[str],
    key_facts: Sequence[str],
    *,
    said: Sequence[str],
    told: Sequence[str],
    forgotten: Eraser,
) -> dict[str, Any] | None:
    """Return the texts of an episode that a model proposed, checked against what the user said and were `told`.

    What the policy refuses, holds a name or number nobody said, or says again what was `forgotten`, is left out; where
    no sentence stands, what the user said opens the episode. None when they said nothing that may be kept.
    """
    source = normalise(" ".join((*said, *told))).casefold()

    def passes(text: str) -> bool:
        """Return whether policy lets it pass, its names and numbers were said, and nothing of it was forgotten."""
        is_said = all(normalise(name).casefold() in source for name in _NAMES_AND_NUMBERS.findall(text))
        return bool(text) and is_said and screen(text) is None and not (forgotten.restates(text) or ERASED in text)

    own = [part for text in said for part in sentences(text)]
    sound = [*filter(passes, sentences(summary))] or [*filter(passes, own)]
    if not sound:
        return None
    whole = " ".join(sound[:MOST_SENTENCES])[:LONGEST_SUMMARY]
    named = dict.fromkeys(topic.strip().lower() for topic in topics)
    subjects = [topic for topic in named if topic in source and passes(topic)] or key_terms(whole, MOST_TOPICS)
    facts = dict.fromkeys(given.strip()[:LONGEST_FACT] for given in key_facts)
    return texts_of(whole, [one for one in subjects if not forgotten.tells(one)], [*filter(passes, facts)])


def texts_of(summary: str, topics: Sequence[str], facts: Sequence[str]) -> dict[str, Any]:
    """Return the fields of an episode that tell what it was about."""
    kept = {"summary": summary, "topics": tuple(topics[:MOST_TOPICS]), "key_facts": tuple(facts[:MOST_FACTS])}
    return {**kept, "text": "\n".join([summary, ", ".join(topics), *facts])}
