"""The concierge for people who want a conversation and not a graph: `open_concierge()`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4
from weakref import WeakValueDictionary

from langchain_core.messages import AIMessageChunk, AnyMessage, HumanMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import START
from langgraph.types import Command

from graph.builder import ConciergeGraph, build_graph
from graph.context import Context, MemoryMode
from graph.errors import AccessDeniedError, InvalidInputError, NotFoundError
from graph.history import HistoryEntry, entries
from graph.reply import Reply, Token, latest_answer, reply_of
from graph.settings import Settings, load_settings
from graph.state import Input, State
from llm.models import Role
from nodes.citations import without_marker
from nodes.services import utc_now
from nodes.turns import Transcript
from stores.archive import Archive
from stores.memory import Clock, UserMemory
from stores.namespaces import decode_label, encode_label
from stores.notes import Note

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.store.base import BaseStore

_EXTERNAL = "trim_history"
"""The node in whose name state is changed from outside: nothing but the end of the run follows it."""


class Concierge:
    """Conversations with memory. Runs on one thread wait for each other; different threads run side by side.

    Every method that names a thread raises `AccessDeniedError` when it belongs to another user.
    """

    def __init__(
        self, graph: ConciergeGraph, *, store: BaseStore, checkpointer: BaseCheckpointSaver[str], clock: Clock = utc_now
    ) -> None:
        self.graph = graph
        self._store = store
        self._saver = checkpointer
        self._clock = clock
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def send(
        self,
        message: str,
        *,
        user_id: str,
        thread_id: str,
        memory_mode: MemoryMode = "on",
        language: str | None = None,
        end_session: bool = False,
    ) -> Reply:
        """Say something and wait for the answer.

        Args:
            message: What the user says.
            user_id: Who says it; from your sign-in, never from the message.
            thread_id: The conversation; a new one begins with its first message.
            memory_mode: `on`, `paused` (read, write nothing) or `off` (temporary chat).
            language: `en` or `ja`; None takes the setting.
            end_session: Consolidate the session after the answer.

        Raises:
            InvalidInputError: an id is empty or too long.
            StorageError: memory or thread state cannot be read or written.
        """
        reply: Reply | None = None
        async for event in self.stream(
            message, user_id=user_id, thread_id=thread_id, memory_mode=memory_mode, language=language,
            end_session=end_session,
        ):  # fmt: skip
            reply = event if isinstance(event, Reply) else reply
        assert reply is not None  # `stream` always ends with one
        return reply

    async def stream(
        self,
        message: str,
        *,
        user_id: str,
        thread_id: str,
        memory_mode: MemoryMode = "on",
        language: str | None = None,
        end_session: bool = False,
    ) -> AsyncIterator[Token | Reply]:
        """Like `send`, giving the answer as it is written; the last event is the `Reply`."""
        context = _context(user_id, memory_mode, language)
        given = Input(messages=[HumanMessage(message, id=str(uuid4()))], end_session=end_session)
        async for event in self._run(given, context, thread_id):
            yield event

    async def resume(self, value: Any = None, *, user_id: str, thread_id: str) -> Reply:
        """Answer what a run waits for with `value`; without one, finish a run that a crash cut short.

        Raises:
            NotFoundError: nothing waits and nothing was cut short.
        """
        state = await self.graph.aget_state(self._config(thread_id))
        if not state.next:
            raise NotFoundError(f"Nothing waits to be resumed in conversation {thread_id}.")
        given: Command[Any] | None = None if value is None else Command(resume=value)
        return await self._finish(given, _context(user_id), thread_id)

    async def end_session(self, *, user_id: str, thread_id: str) -> Reply:
        """Consolidate what the session learnt; ending an ended session changes nothing.

        Raises:
            NotFoundError: there is no such conversation.
        """
        await self._existing(user_id, thread_id)
        return await self._finish(Input(end_session=True), _context(user_id), thread_id)

    async def history(self, *, user_id: str, thread_id: str, limit: int | None = None) -> list[HistoryEntry]:
        """The live messages, oldest first, synthetic ones included; with `limit`, the last so many."""
        state = await self._existing(user_id, thread_id)
        told = entries(state["messages"])
        return told[-limit:] if limit else told

    async def full_history(self, *, thread_id: str, user_id: str | None = None) -> list[HistoryEntry]:
        """Everything ever said in a conversation, archived turns and summaries included, oldest first.

        Without `user_id` the thread's owner is taken: for operators only.
        """
        state = await self._existing(user_id, thread_id)
        owner = state.get("owner")
        archived = await Archive(self._store, decode_label(owner), thread_id).messages() if owner else []
        return entries([*archived, *state["messages"]])

    async def pop_last_turn(self, *, user_id: str, thread_id: str) -> str | None:
        """Take back the last turn and the notes staged in it; gives the user's text, None when no turn is left."""
        async with self._alone(thread_id):
            state = await self._existing(user_id, thread_id)
            turns = Transcript.of(state["messages"]).turns
            if not turns:
                return None
            last = turns[-1]
            asked = last.messages[0]
            taken_back = [
                {"id": note["id"], "status": "forgotten"}
                for note in state.get("session_notes", [])
                if note["source"]["message_id"] == asked.id
            ]
            removed = [RemoveMessage(id=message.id or "") for message in last.messages]
            # A turn cut off before it was numbered was never counted.
            turns_left = last.number - 1 if last.number else state.get("turns", 0)
            await self._update(thread_id, {"messages": removed, "session_notes": taken_back, "turns": turns_left})
            return str(asked.text)

    async def drop_unfinished_turn(self, *, user_id: str, thread_id: str) -> str | None:
        """Take back the turn of a run that was cancelled; None when no such turn was begun."""
        snapshot = await self.graph.aget_state(self._config(thread_id))
        if not snapshot.next or START in snapshot.next:  # before START the message is not in the state yet
            return None
        return await self.pop_last_turn(user_id=user_id, thread_id=thread_id)

    async def clear_thread(self, *, user_id: str, thread_id: str) -> None:
        """Delete a conversation: its state, its checkpoints and its archive. Long-term memory stays."""
        async with self._alone(thread_id):
            await self._existing(user_id, thread_id)
            await Archive(self._store, user_id, thread_id).clear()
            await self._saver.adelete_thread(thread_id)

    async def set_max_turns(self, max_turns: int | None, *, user_id: str, thread_id: str) -> None:
        """Change how many turns this thread keeps, from its next turn on; None goes back to the settings."""
        if max_turns is not None and not 1 <= max_turns <= 500:
            raise InvalidInputError(f"max_turns is {max_turns}; 1 to 500 are allowed.")
        async with self._alone(thread_id):
            await self._existing(user_id, thread_id)
            await self._update(thread_id, {"max_turns": max_turns})

    def memory(self, user_id: str) -> UserMemory:
        """The long-term memory of one user."""
        return UserMemory(self._store, user_id, clock=self._clock)

    async def staged_notes(self, *, user_id: str, thread_id: str) -> list[Note]:
        """The notes of a conversation's running session, which the end of the session consolidates."""
        state = await self._existing(user_id, thread_id)
        return [Note.model_validate(note) for note in state.get("session_notes", [])]

    async def forget_staged(self, note_id: str, *, user_id: str, thread_id: str) -> Note:
        """Drop one note of a conversation's running session. Raises NotFoundError where it is not staged."""
        async with self._alone(thread_id):
            staged = await self.staged_notes(user_id=user_id, thread_id=thread_id)
            found = next((note for note in staged if note.id == note_id), None)
            if found is None:
                raise NotFoundError(f"There is no note {note_id} in conversation {thread_id!r}.")
            await self._update(thread_id, {"session_notes": [{"id": note_id, "status": "forgotten"}]})
            return found

    async def _finish(self, given: Any, context: Context, thread_id: str) -> Reply:
        reply: Reply | None = None
        async for event in self._run(given, context, thread_id):
            reply = event if isinstance(event, Reply) else reply
        assert reply is not None  # `_run` always ends with one
        return reply

    async def _run(self, given: Any, context: Context, thread_id: str) -> AsyncIterator[Token | Reply]:
        config = self._config(thread_id)
        run_id = uuid4()
        config["run_id"] = run_id
        async with self._alone(thread_id):
            await self._check_owner(context, thread_id)
            parts = self.graph.astream(given, config, context=context, stream_mode="messages", durability="sync")
            async for text in without_marker(_texts(cast(AsyncIterator[Any], parts))):
                yield Token(text)
            yield await self._reply(thread_id, context, str(run_id), silent=_is_silent(given))

    async def _reply(self, thread_id: str, context: Context, run_id: str, *, silent: bool) -> Reply:
        snapshot = await self.graph.aget_state(self._config(thread_id))
        state = cast(State, snapshot.values)
        staged = [Note.model_validate(note) for note in state.get("session_notes", [])]
        known = staged
        if context.user_id and state.get("report", {}).get("memory", {}).get("shown"):
            known = [*staged, *await self.memory(context.user_id).notes(include_inactive=True)]
        text = "" if silent else latest_answer(state)
        return reply_of(state, run_id, text=text, notes=known, interrupts=[item.value for item in snapshot.interrupts])

    async def _check_owner(self, context: Context, thread_id: str) -> None:
        found = await self.graph.aget_state(self._config(thread_id))
        _check(found.values.get("owner"), context.user_id, thread_id)

    async def _existing(self, user_id: str | None, thread_id: str) -> State:
        snapshot = await self.graph.aget_state(self._config(thread_id))
        if not snapshot.values.get("messages") and not snapshot.values.get("owner"):
            raise NotFoundError(f"There is no conversation {thread_id!r}.")
        if user_id is not None:
            _check(snapshot.values.get("owner"), user_id, thread_id)
        return cast(State, snapshot.values)

    async def _update(self, thread_id: str, values: Mapping[str, Any]) -> None:
        await self.graph.aupdate_state(self._config(thread_id), dict(values), as_node=_EXTERNAL)

    def _config(self, thread_id: str) -> RunnableConfig:
        encode_label(thread_id)  # raises for what cannot name a conversation
        return {"configurable": {"thread_id": thread_id}}

    @contextlib.asynccontextmanager
    async def _alone(self, thread_id: str) -> AsyncIterator[None]:
        """One run at a time on a thread: two at once would drop each other's messages."""
        lock = self._locks.setdefault(thread_id, asyncio.Lock())
        async with lock:
            yield


@contextlib.asynccontextmanager
async def open_concierge(
    settings: Settings | None = None,
    *,
    models: Mapping[Role, BaseChatModel] | None = None,
    clock: Clock = utc_now,
) -> AsyncIterator[Concierge]:
    """A concierge on the embedded stores under `settings.data_dir`, closed on exit.

    Args:
        settings: Read from the environment when None.
        models: Chat models by role, in place of those of the settings.
        clock: The time in UTC.

    Raises:
        SettingsError: a setting is wrong.
        StorageError: the data directory cannot be used; StoreLockedError when another process uses it.
    """
    from stores.lifespan import open_checkpoints, open_store

    settings = settings or load_settings()
    async with open_store(settings) as store, open_checkpoints(settings) as saver:
        graph = build_graph(settings, models=models, checkpointer=saver, store=store, clock=clock)
        yield Concierge(graph, store=store, checkpointer=saver, clock=clock)


async def _texts(parts: AsyncIterator[tuple[AnyMessage, dict[str, Any]]]) -> AsyncIterator[str]:
    """The agent's words out of a stream of messages and their metadata."""
    async for message, origin in parts:
        if origin.get("langgraph_node") != "agent" or not message.text:
            continue
        if isinstance(message, AIMessageChunk) or message.type == "ai":
            yield str(message.text)


def _is_silent(given: Any) -> bool:
    """True for a run that only ends the session: nobody asked, nothing is said."""
    return isinstance(given, dict) and not given.get("messages")


def _context(user_id: str, memory_mode: MemoryMode = "on", language: str | None = None) -> Context:
    encode_label(user_id)  # raises for what cannot name a user
    if memory_mode not in ("on", "paused", "off"):
        raise InvalidInputError(f"memory_mode is {memory_mode!r}; use 'on', 'paused' or 'off'.")
    if language not in (None, "en", "ja"):
        raise InvalidInputError(f"language is {language!r}; use 'en' or 'ja'.")
    return Context(user_id=user_id, memory_mode=memory_mode, language=cast(Any, language))


def _check(owner: str | None, user_id: str | None, thread_id: str) -> None:
    if owner and user_id and owner != encode_label(user_id):
        raise AccessDeniedError(f"Conversation {thread_id!r} belongs to another user. Start a new one.")
