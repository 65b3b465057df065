"""Publishes what happens in the memories of a store to the listeners that subscribed to it."""

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
        name: `memory.created` (a note was staged), `memory.recalled`, `memory.blocked`, `memory.consolidated` (the
            end of a session changed records) or `memory.changed` (an edit, an undo, an import or forgetting did).
        items: The records concerned; for a refused text its code and hash, never the text itself.
        owner: The user or workspace that owns the memory; empty in the stream of a run, where it is the run's user.
    """

    name: EventName
    items: tuple[dict[str, Any], ...]
    owner: str = ""


Listener = Callable[[MemoryEvent], object]

_listeners: WeakKeyDictionary[BaseStore, list[Listener]] = WeakKeyDictionary()


def subscribe(store: BaseStore, listener: Listener) -> Callable[[], None]:
    """Call `listener` with every event of `store` in this process; the returned function unsubscribes it."""
    listeners = _listeners.setdefault(store, [])
    listeners.append(listener)
    return lambda: listeners.remove(listener)


def publish(store: BaseStore, event: MemoryEvent) -> None:
    """Call each listener with `event`, unless it has no items; log the exception of a listener that fails."""
    for listener in [*_listeners.get(store, ())] if event.items else ():
        try:
            listener(event)
        except Exception:
            _log.exception("a listener failed on %s", event.name)


def publish_steps(store: BaseStore, owner: str, steps: Sequence[Step]) -> None:
    """Publish `steps`, which were just written to the journal, as one event per name."""
    events: dict[EventName, list[dict[str, Any]]] = {}
    for step in steps:
        if step.action == "blocked":
            events.setdefault("memory.blocked", []).append({"code": step.code, "hash": step.hash})
        elif step.action != USED:
            name: EventName = "memory.consolidated" if step.actor == "consolidation" else "memory.changed"
            changes: list[dict[str, Any]] = [{"kind": change.kind, "id": change.key} for change in step.changes]
            did = {"action": step.action, "actor": step.actor}
            events.setdefault(name, []).extend({**did, **change} for change in changes or [{}])
    for name, items in events.items():
        publish(store, MemoryEvent(name, tuple(items), owner))
