"""A user's memory as its owner holds it: `UserMemory`, with a reach into the conversations it was learnt in (S8)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from langgraph.store.base import BaseStore

from stores.conversations import Conversations
from stores.forgetting import Forgotten
from stores.journal import Actor
from stores.memory import UserMemory
from stores.notes import Note
from stores.records import Clock

Reach = Callable[[str, str], Awaitable[bool]]
"""Takes what was forgotten out of one user's thread; False when it must wait for the thread's next turn."""


class OwnMemory(UserMemory):
    """What is kept of one user, everywhere: `Concierge.memory` gives it."""

    def __init__(self, store: BaseStore, user_id: str, *, clock: Clock, reach: Reach) -> None:
        super().__init__(store, user_id, clock=clock)
        self._reach = reach

    async def forget_note(self, note: Note, *, actor: Actor = "user", thread_id: str = "", name: str = "") -> Forgotten:
        """Forget a note, staged or kept, in the long-term memory and in every conversation; see `forget`."""
        return await self.reach(await super().forget_note(note, actor=actor, thread_id=thread_id, name=name))

    async def forget_mentions(self, words: str, *, thread_id: str = "", name: str = "") -> Forgotten:
        """Forget what no note says, in all that is kept and in every conversation."""
        return await self.reach(await super().forget_mentions(words, thread_id=thread_id, name=name))

    async def reach(self, gone: Forgotten, *, without: Sequence[str] = ()) -> Forgotten:
        """Take what was forgotten out of the user's conversations, except those named in `without`."""
        threads = [one.thread_id for one in await Conversations(self._store, self.user_id).all()]
        cleaned = {thread: await self._reach(self.user_id, thread) for thread in threads if thread not in without}
        done = tuple(thread for thread, is_clean in cleaned.items() if is_clean)
        return replace(gone, threads=done, waiting=tuple(thread for thread in cleaned if thread not in done))
