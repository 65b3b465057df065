"""Offers the Python API: `open_concierge` for conversations, and the memory of one user.

The public names are loaded when first used, so that `import app.api` is quick and opens nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from app.api.history import HistoryEntry
    from app.api.opening import open_concierge
    from app.api.reply import MemoryEvent, Reply, Token
    from app.api.sync import SyncConcierge, open_concierge_sync

__all__ = [
    "Concierge",
    "HistoryEntry",
    "MemoryEvent",
    "Reply",
    "SyncConcierge",
    "Token",
    "open_concierge",
    "open_concierge_sync",
]

_MODULES = {
    "Concierge": "concierge",
    "HistoryEntry": "history",
    "MemoryEvent": "reply",
    "Reply": "reply",
    "SyncConcierge": "sync",
    "Token": "reply",
    "open_concierge": "opening",
    "open_concierge_sync": "sync",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'app.api' has no attribute {name!r}")
    return getattr(import_module(f"app.api.{_MODULES[name]}"), name)
