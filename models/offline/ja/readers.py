"""The functions that read Japanese."""

from __future__ import annotations

from functools import cache

from models.offline.ja.choices import cases, picked, undecided
from models.offline.ja.concerns import concern, content_words, polarity, relevant_kinds, search_terms
from models.offline.ja.control import asks_not_to_remember
from models.offline.ja.intents import request
from models.offline.ja.notes.save_requests import asks_to_remember, without_request
from models.offline.ja.notes.scope_cues import others
from models.offline.ja.notes.statements import detect
from models.offline.ja.trips.offers import read_offer_request
from models.offline.ja.trips.read import read_trip
from models.offline.ja.wording import plain
from models.offline.language import Readers

READERS = Readers(
    request=request,
    statements=cache(detect),
    about_others=lambda text: others(plain(text)),
    asks_to_remember=asks_to_remember,
    without_request=without_request,
    asks_not_to_remember=asks_not_to_remember,
    undecided=undecided,
    cases=cases,
    read_trip=read_trip,
    read_offer_request=read_offer_request,
    concern=concern,
    relevant_kinds=relevant_kinds,
    search_terms=search_terms,
    content_words=content_words,
    polarity=polarity,
    picked=picked,
    refusals=lambda texts: plain(" ".join(texts)),
)
