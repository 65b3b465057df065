"""The labelled sentences, and what the offline concierge sees in them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import cast

from memory.records.notes import Topic
from models.offline.en.notes.combine_verdicts import source_span
from models.offline.en.notes.durability_features import VERDICTS, ngrams, rule_features, topic_features
from models.offline.en.notes.statements import read_clauses
from models.offline.en.wording import clean, plain

_HERE = Path(__file__).parent
ORDINARY = frozenset({"question", "smalltalk", "trip_detail", "request"})
"""Kinds of passing remarks that every conversation is full of; the others are rarer and harder to tell."""


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence, whether it is worth keeping, and what it is about: a topic when it is, else a kind of remark."""

    text: str
    keep: bool
    about: str

    @property
    def topic(self) -> Topic:
        """The topic of a sentence worth keeping."""
        return cast(Topic, self.about)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a row looks like to the trained judgement: its words, what the rules found, and its travel words."""

    row: Row
    words: frozenset[str]
    rule_features: frozenset[str]
    topic_features: frozenset[str]


def read(part: str) -> list[Row]:
    """The rows of a part, in an order that tells nothing.

    The parts are `train`, `tuned` (sentences that the rules were written for) and `held` (opened to measure only).
    """
    lines = (_HERE / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [_row(json.loads(line)) for line in lines]
    return sorted(rows, key=lambda row: hashlib.sha256(row.text.encode()).digest())


def see(row: Row) -> Seen:
    """The longest sentence of a row, which speaks for it, as the concierge sees it."""
    source = clean(row.text)
    spoken = [list(group) for _, group in groupby(read_clauses(source), key=lambda item: item.clause.sentence)]
    judged = max(spoken, key=lambda group: len(source_span(group, source)))
    sentence = source_span(judged, source)
    return Seen(row, ngrams(plain(sentence)), rule_features(sentence, judged), topic_features(sentence))


def unaided(seen: Seen) -> Seen:
    """The same without what the rules decided, which is no evidence on sentences that they were written for."""
    told = frozenset(trait for trait in seen.rule_features if not trait.startswith(VERDICTS))
    return replace(seen, rule_features=told, topic_features=frozenset())


def _row(record: dict[str, object]) -> Row:
    keep = bool(record["keep"])
    return Row(str(record["text"]), keep, str(record["topic" if keep else "kind"]))
