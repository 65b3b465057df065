"""The concierge without `await`, for scripts and notebooks: the same methods, run on a loop of their own."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from app.api.concierge import Concierge
from app.api.history import HistoryEntry
from app.api.opening import open_concierge
from app.api.reply import Reply
from app.api.sync_memory import SyncMemory
from app.api.threads import Remembered
from config.settings import Settings
from memory.control.forget import Forgotten
from memory.records.notes import Note

if TYPE_CHECKING:
    from memory.recall import Hit

P = ParamSpec("P")
T = TypeVar("T")


class SyncConcierge:
    """A `Concierge` for code that has no event loop; see there for arguments and errors."""

    def __init__(self, concierge: Concierge, portal: BlockingPortal) -> None:
        self._concierge = concierge
        self._portal = portal

    def _call(self, method: Callable[P, Coroutine[Any, Any, T]], *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = self._portal.call(partial(method, *args, **kwargs))
        return result

    def send(self, message: str, *, user_id: str, thread_id: str, **options: Any) -> Reply:
        """Say something and wait for the answer."""
        return self._call(self._concierge.send, message, user_id=user_id, thread_id=thread_id, **options)

    def resume(self, value: Any = None, *, user_id: str, thread_id: str) -> Reply:
        """Answer what a run waits for, or finish one that was cut short."""
        return self._call(self._concierge.resume, value, user_id=user_id, thread_id=thread_id)

    def end_session(self, *, user_id: str, thread_id: str) -> Reply:
        """Consolidate what the session learnt."""
        return self._call(self._concierge.end_session, user_id=user_id, thread_id=thread_id)

    def sweep(self, *, idle: timedelta) -> list[Reply]:
        """End every session in which nobody has spoken for `idle`."""
        return self._call(self._concierge.sweep, idle=idle)

    def recall(self, query: str, *, user_id: str, **options: Any) -> list[Hit]:
        """Search a user's notes, episodes and earlier conversations."""
        return self._call(self._concierge.recall, query, user_id=user_id, **options)

    def history(self, *, user_id: str, thread_id: str, limit: int | None = None) -> list[HistoryEntry]:
        """The live messages."""
        return self._call(self._concierge.history, user_id=user_id, thread_id=thread_id, limit=limit)

    def full_history(self, *, thread_id: str, user_id: str | None = None) -> list[HistoryEntry]:
        """Everything ever said in a conversation."""
        return self._call(self._concierge.full_history, thread_id=thread_id, user_id=user_id)

    def pop_last_turn(self, *, user_id: str, thread_id: str) -> str | None:
        """Take back the last turn."""
        return self._call(self._concierge.pop_last_turn, user_id=user_id, thread_id=thread_id)

    def clear_thread(self, *, user_id: str, thread_id: str) -> None:
        """Delete a conversation."""
        self._call(self._concierge.clear_thread, user_id=user_id, thread_id=thread_id)

    def set_remembered(self, remember: bool, *, user_id: str, thread_id: str) -> Remembered:
        """Learn nothing from a conversation, or learn from it again."""
        return self._call(self._concierge.set_remembered, remember, user_id=user_id, thread_id=thread_id)

    def memory(self, user_id: str) -> SyncMemory:
        """What one user may see, change, take along and have forgotten."""
        return SyncMemory(self._concierge.memory(user_id), self._portal)

    def set_max_turns(self, max_turns: int | None, *, user_id: str, thread_id: str) -> None:
        """Change how many turns a thread keeps."""
        self._call(self._concierge.set_max_turns, max_turns, user_id=user_id, thread_id=thread_id)

    def notes(self, user_id: str) -> list[Note]:
        """The live long-term notes of a user, newest first."""
        return self._call(self._concierge.memory(user_id).notes)

    def forget(self, user_id: str, note_id: str) -> Forgotten:
        """Forget a long-term note for good."""
        return self._call(self._concierge.memory(user_id).forget, note_id)


@contextmanager
def open_concierge_sync(settings: Settings | None = None, **options: Any) -> Iterator[SyncConcierge]:
    """`open_concierge` for code that has no event loop; takes the same options."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(open_concierge(settings, **options)) as c:
        yield SyncConcierge(c, portal)
