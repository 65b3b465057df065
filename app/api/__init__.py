"""Offers the Python API: `open_concierge` for conversations, and the memory of one user.

The public names are loaded when first used, so that `import app.api` is quick and opens nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_MODULES = {
    "Concierge": "app.api.concierge",
    "HistoryEntry": "app.api.history",
    "MemoryEvent": "memory.events",
    "Reply": "app.api.reply",
    "Step": "app.api.reply",
    "SyncConcierge": "app.api.sync",
    "Token": "app.api.reply",
    "ToolUse": "app.api.reply",
    "acting": "nodes.tools",
    "open_concierge": "app.api.opening",
    "open_concierge_sync": "app.api.sync",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'app.api' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
