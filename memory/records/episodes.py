"""Describes episodes, the summaries of finished sessions, and checks the texts that a model proposes for them."""

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
    """One finished session. `summary` has 1 to 3 sentences; `message_count` counts messages of the user and of ours."""

    stored_as = "episode"
    id: str
    thread_id: str
    session_id: str
    text: str
    """The text to search: summary, topics and facts together."""
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
    """Return the text fields of an episode that a model proposed, checked against the conversation.

    `said` are the user's messages, `told` other texts of the conversation. A sentence, topic or fact is dropped if the
    policy refuses it, if it has a name or number that is not in the conversation, or if it restates what was
    `forgotten`. If no sentence of the summary is left, the user's own sentences replace it; None if none of these is.
    """
    source = normalise(" ".join((*said, *told))).casefold()

    def passes(text: str) -> bool:
        is_grounded = all(normalise(name).casefold() in source for name in _NAMES_AND_NUMBERS.findall(text))
        return bool(text) and is_grounded and screen(text) is None and not (forgotten.restates(text) or ERASED in text)

    own_sentences = [part for text in said for part in sentences(text)]
    kept = [*filter(passes, sentences(summary))] or [*filter(passes, own_sentences)]
    if not kept:
        return None
    whole = " ".join(kept[:MOST_SENTENCES])[:LONGEST_SUMMARY]
    proposed = dict.fromkeys(topic.strip().lower() for topic in topics)
    subjects = [topic for topic in proposed if topic in source and passes(topic)] or key_terms(whole, MOST_TOPICS)
    facts = dict.fromkeys(fact.strip()[:LONGEST_FACT] for fact in key_facts)
    return texts_of(whole, [topic for topic in subjects if not forgotten.tells(topic)], [*filter(passes, facts)])


def texts_of(summary: str, topics: Sequence[str], facts: Sequence[str]) -> dict[str, Any]:
    """Return the text fields of an episode, cut to their limits, with the `text` that is searched."""
    kept = {"summary": summary, "topics": tuple(topics[:MOST_TOPICS]), "key_facts": tuple(facts[:MOST_FACTS])}
    return {**kept, "text": "\n".join([summary, ", ".join(topics), *facts])}
