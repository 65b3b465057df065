"""Tells whoever listens what happens in the memories of a store, whatever caused it."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from weakref import WeakKeyDictionary

from langgraph.store.base import BaseStore

from memory.records.journal import USED, Step

EventName = Literal["memory.created", "memory.recalled", "memory.blocked", "memory.consolidated", "memory.changed"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MemoryEvent:
    """Something that memory did.

    Attributes:
        name: `memory.created` (a note was staged), `memory.recalled`, `memory.blocked`, `memory.consolidated` (what
            became of a session's notes) or `memory.changed` (by anybody else: an edit, an undo, an import, forgetting).
        items: What it did it to; of what was refused a code and a hash, never the text.
        owner: The user, or the workspace, whose memory it is; empty in the stream of a run, which is its user's.
    """

    name: EventName
    items: tuple[dict[str, Any], ...]
    owner: str = ""


Listener = Callable[[MemoryEvent], object]

_listeners: WeakKeyDictionary[BaseStore, list[Listener]] = WeakKeyDictionary()


def subscribe(store: BaseStore, listener: Listener) -> Callable[[], None]:
    """Call `listener` with every event of `store` in this process, until what this returns is called."""
    listening = _listeners.setdefault(store, [])
    listening.append(listener)
    return lambda: listening.remove(listener)


def publish(store: BaseStore, event: MemoryEvent) -> None:
    """Tell whoever listens; one that fails is logged and harms nothing."""
    for listener in [*_listeners.get(store, ())] if event.items else ():
        try:
            listener(event)
        except Exception:
            _log.exception("a listener failed on %s", event.name)


def publish_steps(store: BaseStore, owner: str, steps: Sequence[Step]) -> None:
    """Tell what the journal was told of just now, by the name of the event."""
    told: dict[EventName, list[dict[str, Any]]] = {}
    for step in steps:
        if step.action == "blocked":
            told.setdefault("memory.blocked", []).append({"code": step.code, "hash": step.hash})
        elif step.action != USED:
            name: EventName = "memory.consolidated" if step.actor == "consolidation" else "memory.changed"
            changes: list[dict[str, Any]] = [{"kind": change.kind, "id": change.key} for change in step.changes]
            did = {"action": step.action, "actor": step.actor}
            told.setdefault(name, []).extend({**did, **one} for one in changes or [{}])
    for name, items in told.items():
        publish(store, MemoryEvent(name, tuple(items), owner))
