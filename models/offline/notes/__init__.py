"""Reads lasting statements that users make about themselves, and their requests about what is remembered."""

from models.offline.notes.forms import content_words, polarity, search_terms
from models.offline.notes.judge import merely_wishes
from models.offline.notes.people import Companions, companions_in
from models.offline.notes.proposals import proposals
from models.offline.notes.statements import Statement, statements
from models.offline.notes.wishes import (
    MemoryWish,
    asks_to_remember,
    is_revision,
    kept_out,
    memory_wish,
    not_to_remember,
    withheld,
)

__all__ = [
    "Companions", "MemoryWish", "Statement", "asks_to_remember", "companions_in",
    "content_words", "is_revision", "kept_out", "memory_wish", "merely_wishes", "not_to_remember", "polarity",
    "proposals", "search_terms", "statements", "withheld",
]  # fmt: skip
