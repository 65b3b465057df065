"""The functions that read English; those that a greeting does not need are imported when first called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache

from models.offline.en.choices import cases, picked, undecided
from models.offline.en.clauses import sentences
from models.offline.en.concerns import concern, content_words, polarity, relevant_kinds
from models.offline.en.control import asks_not_to_remember
from models.offline.en.intents import request
from models.offline.en.notes.save_requests import asks_to_remember, without_request
from models.offline.en.recalling import search_terms
from models.offline.en.trips.offers import read_offer_request
from models.offline.en.wording import clean, plain
from models.offline.language import Readers
from models.offline.readings import Reading, Slot, Statement

_PART = re.compile(r"[,;.!?]|\bbut\b")


def _refusals(texts: Sequence[str]) -> str:
    parts = [part for text in texts for part in _PART.split(text.lower())]
    return " ".join(part for part in parts if polarity(part) < 0)


def _about_others(text: str) -> bool:
    from models.offline.en.notes.scope_cues import others

    return others(plain(text))


def _read_trip(text: str, today: date, asked: Slot | None, month: date | None, running: bool) -> Reading:
    from models.offline.en.trips.read import read_trip

    return read_trip(text, today, asked, month, running)


@cache
def _statements(text: str) -> list[Statement]:
    from models.offline.en.notes.statements import detect

    return detect(text)


READERS = Readers(
    request=request,
    statements=_statements,
    about_others=_about_others,
    asks_to_remember=lambda text: any(asks_to_remember(sentence) for sentence, _ in sentences(text)),
    without_request=lambda text: without_request(clean(text)),
    asks_not_to_remember=asks_not_to_remember,
    undecided=undecided,
    cases=cases,
    read_trip=_read_trip,
    read_offer_request=read_offer_request,
    concern=concern,
    relevant_kinds=relevant_kinds,
    search_terms=search_terms,
    content_words=content_words,
    polarity=polarity,
    picked=picked,
    refusals=_refusals,
)
