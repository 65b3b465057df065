"""The `Concierge`: conversations with memory, for callers who do not want to run the graph themselves."""

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

from app.api.history import ConversationSummary, HistoryEntry, summarize
from app.api.reply import Event, Outcome, Reply, build_reply, final_reply, is_idle, is_pending, run_context, turn_input
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
from nodes.approve import decisions, is_approval

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
        """Send a message and wait for the reply.

        Args:
            message: Text of the user's message.
            user_id: The user who sends it; take it from your authentication, never from the message.
            thread_id: The conversation; a new one begins with its first message.
            memory_mode: `on`, `paused` (read, write nothing) or `off` (temporary chat).
            language: `en` or `ja`; None takes the setting.
            workspace: Name of a shared memory to read and write in addition to the user's own.
            end_session: Consolidate the session after the answer.

        Raises:
            InvalidInputError: an id is empty or too long, or an argument has the wrong type; the message names it.
            AccessDeniedError: the conversation belongs to another user, or the user is not a member of the workspace.
            StorageError: memory or thread state cannot be read or written.
        """
        context = run_context(user_id, memory_mode, language, workspace)
        run_input = turn_input(message, memory_mode, end_session)
        return await final_reply(self._run(run_input, context, thread_id, streamed=False))

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
        """Like `send`, but yield tokens, steps and memory events as they happen; the last event is the `Reply`."""
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
        """Decide on the actions that wait for approval, or answer an interrupt of your own code.

        Args:
            value: Without one, an interrupted run is finished. An interrupt of your own tool or node gets the value as
                it is; if several wait, the first one does. For an approval: `"approve"` or `"reject"` for all actions,
                or `{"decisions": [...]}` with one for each action of `Reply.interrupts`: `{"type": "approve"}`,
                `{"type": "reject", "message": ...}`, or `{"type": "edit", "edited_action": {"name": ..., "args":
                {...}}}`. An edited action, or one whose terms have changed, is returned in the reply's `interrupts` for
                a new decision; nothing runs before that.
            user_id: Owner of the conversation.
            thread_id: The conversation.
            language, workspace: As in `send`.

        Raises:
            NotFoundError: no approval is pending and no run was interrupted, or another decision came first.
            InvalidInputError: the decisions are malformed, or are not one for each action; nothing was done.
            AccessDeniedError: the conversation belongs to another user.
        """
        ids: Any = {"user_id": user_id, "thread_id": thread_id}
        return await final_reply(self.stream_resume(value, **ids, language=language, workspace=workspace))

    async def stream_resume(
        self,
        value: Any = None,
        *,
        user_id: str,
        thread_id: str,
        language: str | None = None,
        workspace: str | None = None,
    ) -> AsyncIterator[Event]:
        """Like `resume`, but yield events as they happen; the last one is the `Reply`."""
        interrupt_ids = await self.resumable(value, user_id=user_id, thread_id=thread_id)
        run_input: Command[Any] | None = None if value is None else Command(resume={interrupt_ids[0]: value})
        check = None if value is None else partial(is_pending, self.graph, interrupt_ids)
        context = run_context(user_id, language=language, workspace=workspace)
        async for event in self._run(run_input, context, thread_id, check=check):
            yield event

    async def resumable(self, value: Any = None, *, user_id: str, thread_id: str) -> list[str]:
        """Return the ids of the interrupts that `resume(value)` would answer. Raises the same errors as `resume`."""
        state = await self._snapshot(user_id, thread_id)
        if not state.tasks or (value is not None and not state.interrupts):
            raise NotFoundError(f"Nothing waits to be resumed in conversation {thread_id}.", code="nothing_waits")
        if value is not None and is_approval(request := state.interrupts[0].value):
            decisions(value, len(request["action_requests"]))
        return [interrupt.id for interrupt in state.interrupts]

    async def ask_again(self, *, user_id: str, thread_id: str, language: str | None = None) -> Reply:
        """Request again, with the current terms, the latest approval that a message left undecided.

        Raises:
            NotFoundError: no approval was left undecided.
            ConflictError: a run was interrupted or waits for a decision; resume it first.
        """

        async def request(_: RunnableConfig) -> bool:
            again = await self.left_open(user_id=user_id, thread_id=thread_id)
            await self._update(thread_id, {"messages": [again]}, as_node="tools")
            return True

        return await final_reply(self._run(None, run_context(user_id, language=language), thread_id, check=request))

    async def end_session(self, *, user_id: str, thread_id: str, language: str | None = None) -> Reply:
        """Consolidate the notes of the session; ending an ended session changes nothing.

        Raises:
            NotFoundError: there is no such conversation.
        """
        await self._existing_state(user_id, thread_id)
        return await final_reply(self._run(Input(end_session=True), run_context(user_id, language=language), thread_id))

    async def conversations(self, user_id: str, *, limit: PositiveInt | None = None) -> list[ConversationSummary]:
        """Return the conversations that a user can continue, the latest session first."""
        summaries = []
        for conversation in (await conversations_of(self._store, user_id))[:limit]:
            history: list[HistoryEntry] = []
            with suppress(ConciergeError):  # list a damaged or empty conversation too, so that it can be deleted
                history = await self.full_history(user_id=user_id, thread_id=conversation.thread_id)
            summaries.append(summarize(conversation, history))
        return summaries

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
            AccessDeniedError: the user is not a member of the workspace.
            SetupError: the embedder failed, and the search by keywords found nothing.
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
        """Call `listener` with every event of every memory; call the returned function to unsubscribe."""
        return subscribe(self._store, listener)

    async def sweep(self, *, idle: timedelta) -> list[Reply]:
        """End every open session that has been idle for `idle`, and return their replies.

        Erasures that a crash kept from reaching every conversation are finished first.
        """
        for user_id in await users_unreached(self._store):
            await self.memory(user_id).finish_forgetting()
        replies: list[Reply] = []
        for session in await idle_sessions(self._store, self._services.clock() - idle):
            user_id, thread_id = session.user_id, session.thread_id
            try:
                await self._existing_state(user_id, thread_id)
                check = partial(is_idle, self.graph, self._store, session)
                events = self._run(Input(end_session=True), run_context(user_id), thread_id, check=check)
                replies += [event async for event in events if isinstance(event, Reply)]
            except NotFoundError:
                await close_session(self._store, thread_id)
            except ConciergeError as error:
                _log.warning("the session of thread %s could not be ended and stays open: %s", thread_id, error)
        return replies

    def memory(self, user_id: str) -> OwnMemory:
        """Return the memory of one user, to read, change, export and erase."""
        return OwnMemory(self._store, user_id, threads=self, services=self._services)

    async def shared(self, workspace: str, *, user_id: str) -> UserMemory:
        """Return the memory shared by a workspace. Raises AccessDeniedError if the user is not a member."""
        await self._services.check_member(user_id, workspace)
        return UserMemory.of_workspace(self._store, workspace, clock=self._services.clock)

    def bookings(self, user_id: str) -> Bookings:
        """Return the bookings of one user. Raises SetupError if travel is switched off."""
        return self._services.bookings(self.memory(user_id))

    async def _run(
        self,
        run_input: Any,
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
            how: Any = {"context": context, "stream_mode": modes, "durability": "sync"}
            parts = self.graph.astream_unlocked(run_input, config, **how)
            outcome = Outcome()
            self._running.add(thread_id)
            try:
                async for event in outcome.events(cast(AsyncIterator[Any], parts)):
                    yield event
            finally:
                self._running.discard(thread_id)
            reply = await self._reply(outcome, context, config, run_input)
        reply = replace(reply, trace=tuple(trace.steps))
        if reply.memory.forgotten and context.user_id:
            # The answer in the state has lost its forgotten parts; the user gets the whole answer.
            reply = replace(reply, text=outcome.text.strip() or reply.text)
            await self.memory(context.user_id).erase_from_threads(Forgotten(), without=[thread_id])
        if thread_id in self._unerased and context.user_id:
            self._unerased.discard(thread_id)
            await self.memory(context.user_id).erase_from_threads(Forgotten())
        log_run(reply, thread_id)
        yield reply

    async def _reply(self, outcome: Outcome, context: Context, config: RunnableConfig, run_input: Any) -> Reply:
        """Return the reply of a finished run."""
        state = cast(State, outcome.values)
        notes: Sequence[Note] = ()
        if context.user_id and state.get("report", {}).get("memory", {}).get("shown"):
            memory = self.memory(context.user_id)
            notes = (held_snapshots(self._store).get(memory.root) or await memory.snapshot()).every
        # In the order of the snapshot, in which `resume` answers them; the state has them as they came.
        waiting = (await self.graph.aget_state(config)).interrupts if "__interrupt__" in outcome.values else ()
        more: Any = {"turn": outcome.turn, "notes": notes, "interrupts": [one.value for one in waiting]}
        return build_reply(state, str(config["run_id"]), run_input=run_input, **more)
