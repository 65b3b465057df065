"""Offers conversations to people who want no graph: `open_concierge()`."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from pydantic import PositiveInt

from app.api.history import ConversationSummary, HistoryEntry, summary_of
from app.api.reply import Event, Outcome, Reply, final_reply, is_asked, is_idle, reply_of, run_context, turn_input
from app.api.threads import Threads
from app.api.user_memory import OwnMemory
from app.logs import log_run
from config.arguments import checked
from config.errors import ConciergeError, NotFoundError
from graph.context import Context, MemoryMode
from graph.state import Input, State
from graph.trace import Trace
from memory.control.forget import Forgotten, users_unreached
from memory.events import Listener, MemoryEvent, publish, subscribe
from memory.recall.user_recall import KINDS
from memory.records.conversations import close_session, conversations_of, idle_sessions
from memory.records.notes import Note
from memory.records.reading import held_snapshots
from memory.records.repository import UserMemory
from nodes.approve import decisions

if TYPE_CHECKING:
    from memory.recall import Hit
    from travel.booking.ledger import Bookings

_log = logging.getLogger(__name__)


@checked
class Concierge(Threads):
    """Conversations with memory. Runs on one thread wait for each other; different threads run side by side."""

    async def send(
        self,
        message: str,
        *,
        user_id: str,
        thread_id: str,
        memory_mode: MemoryMode = "on",
        language: str | None = None,
        workspace: str | None = None,
        end_session: bool = False,
    ) -> Reply:
        """Say something and wait for the answer.

        Args:
            message: What the user says.
            user_id: Who says it; from your sign-in, never from the message.
            thread_id: The conversation; a new one begins with its first message.
            memory_mode: `on`, `paused` (read, write nothing) or `off` (temporary chat).
            language: `en` or `ja`; None takes the setting.
            workspace: The memory shared with others who name it, read and written beside the user's own.
            end_session: Consolidate the session after the answer.

        Raises:
            InvalidInputError: an id is empty or too long, or an argument is of another type; the message names it.
            AccessDeniedError: the conversation belongs to another user, or the user is no member of the workspace.
            StorageError: memory or thread state cannot be read or written.
        """
        context = run_context(user_id, memory_mode, language, workspace)
        given = turn_input(message, memory_mode, end_session)
        return await final_reply(self._run(given, context, thread_id, streamed=False))

    async def stream(
        self,
        message: str,
        *,
        user_id: str,
        thread_id: str,
        memory_mode: MemoryMode = "on",
        language: str | None = None,
        workspace: str | None = None,
        end_session: bool = False,
    ) -> AsyncIterator[Event]:
        """Like `send`, giving the answer and what memory does as they happen; the last event is the `Reply`."""
        context = run_context(user_id, memory_mode, language, workspace)
        async for event in self._run(turn_input(message, memory_mode, end_session), context, thread_id):
            yield event

    async def resume(
        self,
        value: Any = None,
        *,
        user_id: str,
        thread_id: str,
        language: str | None = None,
        workspace: str | None = None,
    ) -> Reply:
        """Decide on what waits for approval; without a value, finish a run that a crash cut short.

        Args:
            value: `"approve"` or `"reject"` for all of it, or `{"decisions": [...]}` with one for each action of
                `Reply.interrupts`: `{"type": "approve"}`, `{"type": "reject", "message": ...}`, or
                `{"type": "edit", "edited_action": {"name": ..., "args": {...}}}`. What was edited, or has other terms
                by now, waits in the reply's `interrupts` to be decided on as it is now; nothing runs before that.
            user_id: Whose conversation it is.
            thread_id: The conversation.
            language, workspace: As in `send`.

        Raises:
            NotFoundError: nothing waits and nothing was cut short, or another answer came first.
            InvalidInputError: the decisions can't be understood, or are not one for each action; nothing was done.
            AccessDeniedError: the conversation belongs to another user.
        """
        own: Any = {"user_id": user_id, "thread_id": thread_id, "language": language, "workspace": workspace}
        return await final_reply(self.stream_resume(value, **own))

    async def stream_resume(
        self,
        value: Any = None,
        *,
        user_id: str,
        thread_id: str,
        language: str | None = None,
        workspace: str | None = None,
    ) -> AsyncIterator[Event]:
        """Like `resume`, giving what is done and said as it happens; the last event is the `Reply`."""
        asked = await self.resumable(value, user_id=user_id, thread_id=thread_id)
        given: Command[Any] | None = None if value is None else Command(resume=value)
        check = None if value is None else partial(is_asked, self.graph, asked)
        context = run_context(user_id, language=language, workspace=workspace)
        async for event in self._run(given, context, thread_id, check=check):
            yield event

    async def resumable(self, value: Any = None, *, user_id: str, thread_id: str) -> list[str]:
        """Return the ids of the questions that `resume` would answer with `value`; raises what it would."""
        state = await self._snapshot(user_id, thread_id)
        if not state.tasks or (value is not None and not state.interrupts):
            raise NotFoundError(f"Nothing waits to be resumed in conversation {thread_id}.", code="nothing_waits")
        if value is not None:
            decisions(value, len(state.interrupts[0].value["action_requests"]))
        return [one.id for one in state.interrupts]

    async def ask_again(self, *, user_id: str, thread_id: str, language: str | None = None) -> Reply:
        """Put up anew the latest question of approval that a new message left open, with today's terms.

        Raises:
            NotFoundError: no question was left open.
            ConflictError: a run is cut short or waits for an answer; resume it first.
        """
        async with self._locked(thread_id):
            again = await self.left_open(user_id=user_id, thread_id=thread_id)
            await self._update(thread_id, {"messages": [again]}, as_node="tools")
        return await final_reply(self._run(None, run_context(user_id, language=language), thread_id))

    async def end_session(self, *, user_id: str, thread_id: str, language: str | None = None) -> Reply:
        """Consolidate what the session learnt; ending an ended session changes nothing.

        Raises:
            NotFoundError: there is no such conversation.
        """
        await self._existing(user_id, thread_id)
        return await final_reply(self._run(Input(end_session=True), run_context(user_id, language=language), thread_id))

    async def conversations(self, user_id: str, *, limit: PositiveInt | None = None) -> list[ConversationSummary]:
        """Return the conversations that a user can go on with, the latest session first."""
        found = []
        for one in (await conversations_of(self._store, user_id))[:limit]:
            said: list[HistoryEntry] = []
            with suppress(ConciergeError):  # one that is damaged, or that broke off before it began, can be deleted
                said = await self.full_history(user_id=user_id, thread_id=one.thread_id)
            found.append(summary_of(one, said))
        return found

    async def recall(
        self,
        query: str,
        *,
        user_id: str,
        limit: int = 3,
        scopes: Sequence[str] = KINDS,
        after: datetime | None = None,
        before: datetime | None = None,
        workspace: str | None = None,
    ) -> list[Hit]:
        """Search a user's notes, episodes and earlier conversations by meaning and keywords; see `Recollection.search`.

        Raises:
            InvalidInputError: the query, the limit or a scope is out of bounds.
            AccessDeniedError: the user is no member of the workspace.
            SetupError: the embedder failed, and nothing was found without it.
        """
        name = workspace or self._services.settings.workspace
        shared = [await self.shared(name, user_id=user_id)] if name else []
        hits = await self._services.recollection.search(
            self._store, [self.memory(user_id), *shared], query, limit=limit, scopes=scopes, after=after, before=before
        )
        items = tuple({"id": hit.document.id, "kind": hit.document.kind} for hit in hits)
        publish(self._store, MemoryEvent("memory.recalled", items, user_id))
        return hits

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every event of every memory, whatever caused it, until what this returns is called."""
        return subscribe(self._store, listener)

    async def sweep(self, *, idle: timedelta) -> list[Reply]:
        """End every session in which nobody has spoken for `idle`; sessions that are ended are not ended again.

        What was forgotten and did not reach every conversation, because of a crash, reaches them now.
        """
        for user_id in await users_unreached(self._store):
            await self.memory(user_id).finish_forgetting()
        replies: list[Reply] = []
        for one in await idle_sessions(self._store, self._services.clock() - idle):
            try:
                await self._existing(one.user_id, one.thread_id)
                check = partial(is_idle, self.graph, self._store, one)
                ending = self._run(Input(end_session=True), run_context(one.user_id), one.thread_id, check=check)
                replies += [event async for event in ending if isinstance(event, Reply)]
            except NotFoundError:
                await close_session(self._store, one.thread_id)
            except ConciergeError as error:
                _log.warning("the session of thread %s could not be ended and stays open: %s", one.thread_id, error)
        return replies

    def memory(self, user_id: str) -> OwnMemory:
        """Return the memory of one user: what they may see, change, take along and have forgotten."""
        return OwnMemory(self._store, user_id, threads=self, services=self._services)

    async def shared(self, workspace: str, *, user_id: str) -> UserMemory:
        """Return what the members of a workspace share. Raises AccessDeniedError where the user is not one."""
        await self._services.check_member(user_id, workspace)
        return UserMemory.of_workspace(self._store, workspace, clock=self._services.clock)

    def bookings(self, user_id: str) -> Bookings:
        """Return what one user has booked. Raises SetupError where travel is switched off."""
        return self._services.bookings(self.memory(user_id))

    async def _run(
        self,
        given: Any,
        context: Context,
        thread_id: str,
        *,
        check: Callable[[RunnableConfig], Awaitable[bool]] | None = None,
        streamed: bool = True,
    ) -> AsyncIterator[Event]:
        trace, run_id = Trace(), uuid4()
        config: RunnableConfig = {**self._config(thread_id), "run_id": run_id, "callbacks": [trace]}
        async with self._locked(thread_id):
            if check and not await check(config):
                return
            modes: list[Any] = ["values", "updates", *(["custom", "messages"] if streamed else [])]
            parts = self.graph.astream(given, config, context=context, stream_mode=modes, durability="sync")
            outcome = Outcome()
            async for event in outcome.events(cast(AsyncIterator[Any], parts)):
                yield event
            told = await self._reply(outcome, context, str(run_id), given)
        reply = replace(told, trace=tuple(trace.steps))
        if reply.memory.forgotten and context.user_id:
            # What the state keeps of this answer is what may be kept; the person hears all of it.
            reply = replace(reply, text=outcome.said.strip() or reply.text)
            await self.memory(context.user_id).reach(Forgotten(), without=[thread_id])
        log_run(reply, thread_id)
        yield reply

    async def _reply(self, outcome: Outcome, context: Context, run_id: str, given: Any) -> Reply:
        """Return the reply of a run that ended so."""
        state = cast(State, outcome.values)
        known: Sequence[Note] = ()
        if context.user_id and state.get("report", {}).get("memory", {}).get("shown"):
            memory = self.memory(context.user_id)
            known = (held_snapshots(self._store).get(memory.root) or await memory.snapshot()).every
        interrupts = [item.value for item in outcome.values.get("__interrupt__", ())]
        return reply_of(state, run_id, said=outcome.turn, notes=known, interrupts=interrupts, given=given)
