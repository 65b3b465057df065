"""Operations on stored conversations: read, undo a turn, edit staged notes, delete."""

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

from app.api.history import HistoryEntry, ThreadStatus, entries
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
"""The node that state updates from outside the graph are attributed to; only the end of the run follows it."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """The result of `set_remembered`.

    Attributes:
        remembered: True if memory learns from the conversation.
        dropped: Number of staged notes that were dropped.
        kept: Long-term notes from earlier sessions of the conversation; they stay until they are forgotten.
    """

    remembered: bool
    dropped: int
    kept: tuple[Note, ...]


@checked
class Threads:
    """The threads of one concierge. Methods that change a thread wait for its current run to end.

    Methods that take a thread id raise `AccessDeniedError` if the thread belongs to another user, and `NotFoundError`
    if it does not exist, unless their docstring says otherwise.
    """

    def __init__(self, graph: GuardedGraph) -> None:
        assert graph.store is not None
        assert isinstance(graph.checkpointer, BaseCheckpointSaver)
        self.graph = graph
        self._services = graph.services
        self._store: BaseStore = graph.store
        self._saver: BaseCheckpointSaver[str] = graph.checkpointer
        self._running: set[str] = set()
        self._unerased: set[str] = set()  # threads that an erasure met running

    async def history(self, *, user_id: str, thread_id: str, limit: PositiveInt | None = None) -> list[HistoryEntry]:
        """Return the messages in the state, oldest first, synthetic ones included; at most the last `limit`."""
        state = await self._existing_state(user_id, thread_id)
        history = entries(state["messages"])
        return history[-limit:] if limit else history

    async def full_history(self, *, user_id: str, thread_id: str) -> list[HistoryEntry]:
        """Return all messages of a conversation, oldest first, including archived turns and summaries."""
        await self._existing_state(user_id, thread_id)
        return await self.operator_history(thread_id=thread_id)

    async def operator_history(self, *, thread_id: str) -> list[HistoryEntry]:
        """Like `full_history`, for operators: whose conversation it is is not checked. Never call it for a user."""
        state = await self._existing_state(None, thread_id)
        owner = state.get("owner")
        archived = await Archive(self._store, decode_label(owner), thread_id).messages() if owner else []
        return entries([*archived, *state["messages"]])

    async def pop_last_turn(self, *, user_id: str, thread_id: str) -> str | None:
        """Remove the last turn and the notes staged in it; return the user's text, or None if there is no turn."""
        async with self._locked(thread_id):
            return await self._pop(user_id, thread_id)

    async def drop_unfinished_turn(self, *, user_id: str, thread_id: str) -> str | None:
        """Remove the turn of a cancelled run; return the user's text, or None if there is no such turn."""
        async with self._locked(thread_id):
            snapshot = await self.graph.aget_state(self._config(thread_id))
            pending = {task.name for task in snapshot.tasks}
            if not pending or START in pending:  # before START the message is not in the state yet
                return None
            return await self._pop(user_id, thread_id)

    async def _pop(self, user_id: str, thread_id: str) -> str | None:
        await self._existing_state(user_id, thread_id)
        # A snapshot also has writes of the cancelled step that no checkpoint holds yet; those can't be removed.
        saved = await self._saver.aget_tuple(self._config(thread_id))
        state = cast(State, saved.checkpoint["channel_values"] if saved else {})
        turns = Transcript.of(state.get("messages", [])).turns
        if not turns:
            return None
        last = turns[-1]
        user_message = last.messages[0]
        notes = (without_message(note, user_message.id or "") for note in staged_notes(state))
        changed_notes = [note for note in notes if note]
        removed = [RemoveMessage(id=message.id or "") for message in last.messages]
        # A turn that was interrupted before it got a number was not counted.
        turns_left = last.number - 1 if last.number else state.get("turns", 0)
        await self._update(thread_id, {"messages": removed, "session_notes": changed_notes, "turns": turns_left})
        await Archive(self._store, user_id, thread_id).remove_turn(last.number)
        return str(user_message.text)

    async def clear_thread(self, *, user_id: str, thread_id: str) -> None:
        """Delete a conversation: its state, its checkpoints and its archive. Long-term memory stays.

        A damaged conversation, or one whose first turn failed, can be deleted too.
        """
        async with self._locked(thread_id):
            is_listed = thread_id in {one.thread_id for one in await conversations_of(self._store, user_id)}
            try:
                snapshot = await self._snapshot(user_id, thread_id)
                if not is_listed and not owner_of(snapshot.values, snapshot.metadata):
                    raise NotFoundError(f"There is no conversation {thread_id!r}.")
            except DamagedThreadError:
                if not is_listed:
                    raise
            await self._saver.adelete_thread(thread_id)
            await drop_conversation(self._store, user_id, thread_id)
            await scrub(self._store)
            if isinstance(self._saver, PrunedSaver):
                await self._saver.scrub()

    async def erase_forgotten(self, user_id: str, thread_id: str) -> bool:
        """Erase what the user has forgotten from a thread's state and checkpoints.

        Returns False if a turn is running, which erases it when it ends; or if a run was interrupted or waits for a
        decision, in which case the next turn erases it. Returns False for a damaged thread too.
        """
        if thread_id in self._running:
            self._unerased.add(thread_id)
            return False
        async with self._locked(thread_id):
            try:
                snapshot = await self.graph.aget_state(self._config(thread_id))
            except DamagedThreadError:
                return False
            if snapshot.next:  # the update below would also save a finished step that has no checkpoint yet
                return False
            if snapshot.values:
                _check_owner(snapshot, user_id, thread_id)
                state = cast(State, snapshot.values)
                memory = UserMemory(self._store, user_id, clock=utc_now)
                update = erasure_update(state, (await memory.snapshot()).eraser(after=state.get("erased", 0)))
                if update:
                    await self._update(thread_id, update)
            return True

    async def set_max_turns(
        self, max_turns: Annotated[int, Field(ge=1, le=500)] | None, *, user_id: str, thread_id: str
    ) -> None:
        """Change how many turns this thread keeps, from its next turn on; None restores the setting."""
        async with self._locked(thread_id):
            await self._existing_state(user_id, thread_id)
            await self._update(thread_id, {"max_turns": max_turns})

    async def set_remembered(self, remember: bool, *, user_id: str, thread_id: str) -> Remembered:
        """Stop learning from a conversation, or start again; the conversation need not exist yet.

        Stopping drops its staged notes at once; long-term notes from its earlier sessions stay.

        Raises:
            ConflictError: a run was interrupted or waits for a decision; resume it first.
        """
        async with self._locked(thread_id):
            state = await self._idle_state(user_id, thread_id)
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
        """Return the staged notes of a conversation, which are consolidated when its session ends."""
        state = await self._existing_state(user_id, thread_id)
        return staged_notes(state)

    async def edit_staged(
        self, note_id: str, revise: Callable[[Note], Awaitable[Note]], *, user_id: str, thread_id: str
    ) -> Note | None:
        """Replace a staged note by what `revise` returns for it; return None if there is no such note.

        Raises:
            ConflictError: a run was interrupted or waits for a decision; resume it first.
        """
        async with self._locked(thread_id):
            state = await self._idle_state(user_id, thread_id)
            note = next((one for one in state.get("session_notes", []) if one["id"] == note_id), None)
            if note is None:
                return None
            after = await revise(Note.model_validate(note))
            await self._update(thread_id, {"session_notes": [after.dump()]})
            return after

    async def running(self, user_id: str) -> list[Running]:
        """Return the turns and notes of a user's conversations that only thread state holds; skip damaged threads."""
        running = []
        for thread_id in [one.thread_id for one in await conversations_of(self._store, user_id)]:
            with suppress(DamagedThreadError):
                state = (await self.graph.aget_state(self._config(thread_id))).values
                if state.get("owner") != encode_label(user_id):
                    continue
                withheld = await UserMemory(self._store, user_id, clock=utc_now).withheld(thread_id)
                turns = [archived_turn(turn, withheld) for turn in Transcript.of(state["messages"]).turns]
                running.append(Running(thread_id, turns, staged_notes(state)))
        return running

    async def waiting(self, *, user_id: str, thread_id: str) -> tuple[Any, ...]:
        """Return the approval requests that wait for `resume`. Raises InvalidInputError for an invalid thread id."""
        snapshot = await self._snapshot(user_id, thread_id)
        if snapshot.created_at is None:
            check_id(thread_id)
        return tuple(item.value for item in snapshot.interrupts)

    async def thread_status(self, *, user_id: str, thread_id: str) -> ThreadStatus:
        """Return how a conversation can continue other than with a message."""
        state = await self._existing_state(user_id, thread_id)
        snapshot = await self.graph.aget_state(self._config(thread_id))
        waiting = tuple(item.value for item in snapshot.interrupts)
        if snapshot.tasks:
            return ThreadStatus(waiting, is_unfinished=not waiting)
        with suppress(NotFoundError):
            left_open(state.get("messages", []))
            return ThreadStatus(can_ask_again=True)
        return ThreadStatus()

    async def left_open(self, *, user_id: str, thread_id: str) -> AIMessage:
        """Return the message whose tool calls `ask_again` would request again. Raises the same errors."""
        return left_open((await self._idle_state(user_id, thread_id))["messages"])

    async def damaged(self) -> list[tuple[str, str]]:
        """Return the name and fault of each unreadable record and conversation, of all users; for operators."""
        from app.api.health import find_damage

        return await find_damage(self._store, self.graph)

    async def _snapshot(self, user_id: str | None, thread_id: str) -> StateSnapshot:
        """Return the current snapshot of a conversation. Raises AccessDeniedError if another user owns it."""
        snapshot = await self.graph.aget_state(self._config(thread_id))
        _check_owner(snapshot, user_id, thread_id)
        return snapshot

    async def _existing_state(self, user_id: str | None, thread_id: str) -> State:
        snapshot = await self._snapshot(user_id, thread_id)
        if not snapshot.values.get("messages") and not owner_of(snapshot.values, snapshot.metadata):
            raise NotFoundError(f"There is no conversation {thread_id!r}.")
        return cast(State, snapshot.values)

    async def _idle_state(self, user_id: str, thread_id: str) -> State:
        """Return the state of a conversation. Raises ConflictError if a run was interrupted or waits for a decision."""
        snapshot = await self._snapshot(user_id, thread_id)
        if snapshot.tasks:
            raise ConflictError("A turn waits for an answer in this conversation. Answer it first.", code="waiting")
        return cast(State, {"messages": [], **snapshot.values})

    async def _update(self, thread_id: str, values: Mapping[str, Any], *, as_node: str = _EXTERNAL) -> None:
        await self.graph.aupdate_state(self._config(thread_id), dict(values), as_node=as_node)

    def _config(self, thread_id: str) -> RunnableConfig:
        encode_label(thread_id)  # raises for an invalid thread id
        return {"configurable": {"thread_id": thread_id}}

    def _locked(self, thread_id: str) -> AbstractAsyncContextManager[None]:
        return one_run(self._store, thread_id)


def _check_owner(snapshot: StateSnapshot, user_id: str | None, thread_id: str) -> None:
    owner = owner_of(snapshot.values, snapshot.metadata)
    if owner and user_id is not None and owner != encode_label(user_id):
        raise AccessDeniedError(f"Conversation {thread_id!r} belongs to another user. Start a new one.")
