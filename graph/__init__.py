"""What runs, and in which order: state, context, settings, wiring and sessions.

The public names are loaded when first used, so that `import graph` is quick and opens nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.builder import build_graph
    from graph.concierge import Concierge
    from graph.context import Context
    from graph.history import HistoryEntry
    from graph.opening import open_concierge
    from graph.reply import MemoryEvent, Reply, Token
    from graph.settings import Settings, load_settings
    from graph.state import State, StopReason
    from graph.sync import SyncConcierge, open_concierge_sync

__all__ = [
    "Concierge",
    "Context",
    "HistoryEntry",
    "MemoryEvent",
    "Reply",
    "Settings",
    "State",
    "StopReason",
    "SyncConcierge",
    "Token",
    "build_graph",
    "load_settings",
    "open_concierge",
    "open_concierge_sync",
]

_HOMES = {
    "Concierge": "concierge",
    "Context": "context",
    "HistoryEntry": "history",
    "MemoryEvent": "reply",
    "Reply": "reply",
    "Settings": "settings",
    "State": "state",
    "StopReason": "state",
    "SyncConcierge": "sync",
    "Token": "reply",
    "build_graph": "builder",
    "load_settings": "settings",
    "open_concierge": "opening",
    "open_concierge_sync": "sync",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'graph' has no attribute {name!r}")
    return getattr(import_module(f"graph.{_HOMES[name]}"), name)
