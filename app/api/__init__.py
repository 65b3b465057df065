"""The Python API: `open_concierge` opens a `Concierge`, for conversations and the memory of each user."""

from app.api.concierge import Concierge
from app.api.history import HistoryEntry
from app.api.opening import open_concierge
from app.api.reply import Reply, Step, Token, ToolUse
from app.api.sync import SyncConcierge, open_concierge_sync
from memory.events import MemoryEvent
from nodes.tools import acting

__all__ = [
    "Concierge",
    "HistoryEntry",
    "MemoryEvent",
    "Reply",
    "Step",
    "SyncConcierge",
    "Token",
    "ToolUse",
    "acting",
    "open_concierge",
    "open_concierge_sync",
]
