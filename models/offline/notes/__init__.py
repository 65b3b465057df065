"""Reads what people say of themselves that lasts, and what they want done with what is remembered of them.

What the dialogue needs:
- `statements(said)`: what a message says that is worth keeping, as whole sentences; empty for most messages.
- `proposals(statement, today)`: the arguments of `save_memory_note` for one of them.
- `memory_wish(said)`: forget, list, recall, source, private, public; None for a message that wants nothing of memory.
- `memory_calls(transcript, briefing, tools, drops_trip_wish=…)`: all memory calls of the running turn, as (tool,
  arguments): what is saved, what is retracted, what is forgotten, listed or recalled. `drops_trip_wish` says that the
  reading found in the message a wish of the running trip that it takes back ("forget the pool"); then it is a wish
  over memory only where something in memory fits its words.
- `listed(notes, wish)`: of the notes that `list_memories` returned those that the wish is about.
- `polarity(text)`, `content_words(text)`, `topics_named(text)`: how notes and messages compare.
"""

from models.offline.notes.calls import MemoryCall, memory_calls
from models.offline.notes.comparing import content_words, polarity, search_terms, topics_named
from models.offline.notes.proposals import proposals
from models.offline.notes.statements import Statement, asks_not_to_remember, asks_to_remember, statements
from models.offline.notes.wishes import MemoryWish, listed, memory_wish

__all__ = [
    "MemoryCall", "MemoryWish", "Statement", "asks_not_to_remember", "asks_to_remember", "content_words",
    "listed", "memory_calls", "memory_wish", "polarity", "proposals", "search_terms", "statements",
    "topics_named",
]  # fmt: skip
