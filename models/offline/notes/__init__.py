"""Reads what people say of themselves that lasts, and what they want done with what is remembered of them."""

from models.offline.notes.forms import content_words, polarity, search_terms, topics_named
from models.offline.notes.judge import merely_wishes
from models.offline.notes.people import Companions, companions_in
from models.offline.notes.proposals import proposals
from models.offline.notes.statements import (
    Statement,
    is_stated,
    reset,
    statements,
)
from models.offline.notes.wishes import (
    MemoryWish,
    asked_of_oneself,
    asks_not_to_remember,
    asks_to_remember,
    is_revision,
    kept_out,
    memory_wish,
    not_to_remember,
    withheld,
)

__all__ = [
    "Companions", "MemoryWish", "Statement", "asked_of_oneself", "asks_not_to_remember", "asks_to_remember",
    "companions_in", "content_words", "is_revision", "is_stated", "kept_out", "memory_wish", "merely_wishes",
    "not_to_remember", "polarity", "proposals", "reset", "search_terms", "statements", "topics_named", "withheld",
]  # fmt: skip
