"""Keeps conversations: reads them back, takes a turn back, clears them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, cast

from langchain_core.messages import AIMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.constants import START
from pydantic import Field, PositiveInt

from app.api.history import HistoryEntry, Standing, entries
from config.arguments import checked
from config.errors import AccessDeniedError, ConflictError, DamagedThreadError, NotFoundError
from graph.entry import GuardedGraph, one_run, owner_of
from graph.state import State
from memory.control.forget import scrub
from memory.records.conversations import Archive, Running, conversations_of, drop_conversation
from memory.records.notes import Note
from memory.records.reading import check_id, decode_label, encode_label
from memory.records.repository import UserMemory
from nodes.approve import left_open
from nodes.capture import erasure_update, staged_notes, without_message
from nodes.messages.turns import Transcript
from nodes.tools.memory.forget import stop_remembering
from nodes.trim_history import archived_turn
from stores.checkpoints.base import PrunedSaver
from stores.chroma import utc_now

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore
    from langgraph.types import StateSnapshot

_EXTERNAL = "trim_history"
"""The node in whose name state is changed from outside: nothing but the end of the run follows it."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """Whether a conversation is learnt from now.

    Attributes:
        remembered: True when it is.
        dropped: How many notes of its running session were dropped for it.
        kept: The long-term notes that its earlier sessions left, which stay until they are forgotten.
    """

    remembered: bool
    dropped: int
    kept: tuple[Note, ...]


@checked
class Threads:
    """The threads of one concierge. What changes a thread waits for the run that is on it.

    Every method that names a thread raises `AccessDeniedError` when it belongs to another user, and `NotFoundError`
    when there is none.
    """

    def __init__(self, graph: GuardedGraph) -> None:
        assert graph.store is not None
        assert isinstance(graph.checkpointer, BaseCheckpointSaver)
        self.graph = graph
        self._services = graph.services
        self._store: BaseStore = graph.store
        self._saver: BaseCheckpointSaver[str] = graph.checkpointer

    async def history(self, *, user_id: str, thread_id: str, limit: PositiveInt | None = None) -> list[HistoryEntry]:
        """Return the live messages, oldest first, synthetic ones included; with `limit`, the last so many."""
        state = await self._existing(user_id, thread_id)
        told = entries(state["messages"])
        return told[-limit:] if limit else told

    async def full_history(self, *, thread_id: str, user_id: str | None = None) -> list[HistoryEntry]:
        """Return everything ever said in a conversation, archived turns and summaries included, oldest first.

        Without `user_id` the thread's owner is taken: for operators only.
        """
        state = await self._existing(user_id, thread_id)
        owner = state.get("owner")
        archived = await Archive(self._store, decode_label(owner), thread_id).messages() if owner else []
        return entries([*archived, *state["messages"]])

    async def pop_last_turn(self, *, user_id: str, thread_id: str) -> str | None:
        """Take back the last turn and the notes staged in it; gives the user's text, None when no turn is left."""
        async with self._locked(thread_id):
            return await self._pop(user_id, thread_id)

    async def drop_unfinished_turn(self, *, user_id: str, thread_id: str) -> str | None:
        """Take back the turn of a run that was cancelled; None when no such turn was begun."""
        async with self._locked(thread_id):
            snapshot = await self.graph.aget_state(self._config(thread_id))
            begun = {task.name for task in snapshot.tasks}
            if not begun or START in begun:  # before START the message is not in the state yet
                return None
            return await self._pop(user_id, thread_id)

    async def _pop(self, user_id: str, thread_id: str) -> str | None:
        await self._existing(user_id, thread_id)
        # A snapshot shows what a cancelled step did before its checkpoint, too; that is not there to be removed.
        saved = await self._saver.aget_tuple(self._config(thread_id))
        state = cast(State, saved.checkpoint["channel_values"] if saved else {})
        turns = Transcript.of(state.get("messages", [])).turns
        if not turns:
            return None
        last = turns[-1]
        asked = last.messages[0]
        staged = (without_message(note, asked.id or "") for note in staged_notes(state))
        taken_back = [changed for changed in staged if changed]
        removed = [RemoveMessage(id=message.id or "") for message in last.messages]
        # A turn cut off before it was numbered was never counted.
        turns_left = last.number - 1 if last.number else state.get("turns", 0)
        await self._update(thread_id, {"messages": removed, "session_notes": taken_back, "turns": turns_left})
        await Archive(self._store, user_id, thread_id).remove_turn(last.number)
        return str(asked.text)

    async def clear_thread(self, *, user_id: str, thread_id: str) -> None:
        """Delete a conversation: its state, its checkpoints and its archive. Long-term memory stays.

        One that is damaged, or that broke off before it began, can be deleted too.
        """
        async with self._locked(thread_id):
            has_spoken = thread_id in {one.thread_id for one in await conversations_of(self._store, user_id)}
            try:
                kept = await self._snapshot(user_id, thread_id)
                if not has_spoken and not owner_of(kept.values, kept.metadata):
                    raise NotFoundError(f"There is no conversation {thread_id!r}.")
            except DamagedThreadError:
                if not has_spoken:
                    raise
            await self._saver.adelete_thread(thread_id)
            await drop_conversation(self._store, user_id, thread_id)
            await scrub(self._store)
            if isinstance(self._saver, PrunedSaver):
                await self._saver.scrub()

    async def clean(self, user_id: str, thread_id: str) -> bool:
        """Take what the user had forgotten out of a thread's live state and its checkpoints.

        False when a turn is cut short or waits for an answer in it: then that happens at its next turn. False too for
        a thread that is damaged.
        """
        async with self._locked(thread_id):
            try:
                snapshot = await self.graph.aget_state(self._config(thread_id))
            except DamagedThreadError:
                return False
            if snapshot.next:  # a step that is done but for its checkpoint is saved by the update below
                return False
            if snapshot.values:
                _check(snapshot, user_id, thread_id)
                state = cast(State, snapshot.values)
                memory = UserMemory(self._store, user_id, clock=utc_now)
                update = erasure_update(state, (await memory.snapshot()).eraser(after=state.get("erased", 0)))
                if update:
                    await self._update(thread_id, update)
            return True

    async def set_max_turns(
        self, max_turns: Annotated[int, Field(ge=1, le=500)] | None, *, user_id: str, thread_id: str
    ) -> None:
        """Change how many turns this thread keeps, from its next turn on; None goes back to the settings."""
        async with self._locked(thread_id):
            await self._existing(user_id, thread_id)
            await self._update(thread_id, {"max_turns": max_turns})

    async def set_remembered(self, remember: bool, *, user_id: str, thread_id: str) -> Remembered:
        """Learn nothing from a conversation, or learn from it again; the conversation need not have begun.

        What was noted in it and not kept yet is dropped at once; what earlier sessions of it left stays.

        Raises:
            ConflictError: a run is cut short or waits for an answer in it; resume it first.
        """
        async with self._locked(thread_id):
            state = await self._at_rest(user_id, thread_id)
            update: dict[str, Any] = {"unremembered": False}
            if not remember:
                update = await stop_remembering(state, self._store, user_id=user_id, thread_id=thread_id)
            await self._update(thread_id, {**update, "owner": encode_label(user_id)})
        kept = await UserMemory(self._store, user_id, clock=utc_now).notes()
        return Remembered(
            remembered=remember,
            dropped=len(update.get("session_notes", ())),
            kept=tuple(note for note in kept if note.latest.thread_id == thread_id),
        )

    async def staged_notes(self, *, user_id: str, thread_id: str) -> list[Note]:
        """Return the notes of a conversation's running session, which the end of the session consolidates."""
        state = await self._existing(user_id, thread_id)
        return staged_notes(state)

    async def edit_staged(
        self, note_id: str, revise: Callable[[Note], Awaitable[Note]], *, user_id: str, thread_id: str
    ) -> Note | None:
        """Put what `revise` makes of a note of the running session in its place; None where there is no such note.

        Raises:
            ConflictError: a run is cut short or waits for an answer in it; resume it first.
        """
        async with self._locked(thread_id):
            state = await self._at_rest(user_id, thread_id)
            note = next((one for one in state.get("session_notes", []) if one["id"] == note_id), None)
            if note is None:
                return None
            after = await revise(Note.model_validate(note))
            await self._update(thread_id, {"session_notes": [after.dump()]})
            return after

    async def running(self, user_id: str) -> list[Running]:
        """Return what a user's conversations hold that is in no record yet; damaged ones are left out."""
        found = []
        for one in await conversations_of(self._store, user_id):
            with suppress(DamagedThreadError):
                state = (await self.graph.aget_state(self._config(one.thread_id))).values
                if state.get("owner") != encode_label(user_id):
                    continue
                own = UserMemory(self._store, user_id, clock=utc_now)
                withheld = await own.withheld(one.thread_id)
                turns = [archived_turn(turn, withheld) for turn in Transcript.of(state["messages"]).turns]
                found.append(Running(one.thread_id, turns, staged_notes(state)))
        return found

    async def waiting(self, *, user_id: str, thread_id: str) -> tuple[Any, ...]:
        """Return the questions that wait for `resume`. Raises InvalidInputError for what can't name a conversation."""
        snapshot = await self._snapshot(user_id, thread_id)
        if snapshot.created_at is None:
            check_id(thread_id)
        return tuple(item.value for item in snapshot.interrupts)

    async def standing(self, *, user_id: str, thread_id: str) -> Standing:
        """Return what may come next in a conversation besides a message."""
        state = await self._existing(user_id, thread_id)
        snapshot = await self.graph.aget_state(self._config(thread_id))
        waiting = tuple(item.value for item in snapshot.interrupts)
        if snapshot.tasks:
            return Standing(waiting, is_cut_short=not waiting)
        with suppress(NotFoundError):
            left_open(state.get("messages", []))
            return Standing(is_left_open=True)
        return Standing()

    async def left_open(self, *, user_id: str, thread_id: str) -> AIMessage:
        """Return the calls that `ask_again` would put up anew. Raises what it would."""
        return left_open((await self._at_rest(user_id, thread_id))["messages"])

    async def damaged(self) -> list[tuple[str, str]]:
        """Return the name of each record and conversation, of all users, that can't be read, and why; for operators."""
        from app.api.health import damage

        return await damage(self._store, self.graph)

    async def _snapshot(self, user_id: str | None, thread_id: str) -> StateSnapshot:
        """Return a conversation as it stands. Raises AccessDeniedError where it is another user's."""
        found = await self.graph.aget_state(self._config(thread_id))
        _check(found, user_id, thread_id)
        return found

    async def _existing(self, user_id: str | None, thread_id: str) -> State:
        snapshot = await self._snapshot(user_id, thread_id)
        if not snapshot.values.get("messages") and not owner_of(snapshot.values, snapshot.metadata):
            raise NotFoundError(f"There is no conversation {thread_id!r}.")
        return cast(State, snapshot.values)

    async def _at_rest(self, user_id: str, thread_id: str) -> State:
        """Return the state of a conversation. Raises ConflictError when a run is cut short or waits in it."""
        snapshot = await self._snapshot(user_id, thread_id)
        if snapshot.tasks:
            raise ConflictError("A turn waits for an answer in this conversation. Answer it first.", code="waiting")
        return cast(State, {"messages": [], **snapshot.values})

    async def _update(self, thread_id: str, values: Mapping[str, Any], *, as_node: str = _EXTERNAL) -> None:
        await self.graph.aupdate_state(self._config(thread_id), dict(values), as_node=as_node)

    def _config(self, thread_id: str) -> RunnableConfig:
        encode_label(thread_id)  # raises for what cannot name a conversation
        return {"configurable": {"thread_id": thread_id}}

    def _locked(self, thread_id: str) -> AbstractAsyncContextManager[None]:
        return one_run(self._store, thread_id)


def _check(kept: StateSnapshot, user_id: str | None, thread_id: str) -> None:
    owner = owner_of(kept.values, kept.metadata)
    if owner and user_id is not None and owner != encode_label(user_id):
        raise AccessDeniedError(f"Conversation {thread_id!r} belongs to another user. Start a new one.")
