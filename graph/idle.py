"""Ends sessions that go idle on a LangGraph server by a delayed background run that the next turn replaces.

The run that waits is on a thread of its own, one per conversation. Waiting on the conversation itself, it would mark
it busy for as long: messages sent with `multitask_strategy="reject"` would be refused, and its state locked. When the
time is up the waiting run looks at the store, which knows when somebody last spoke, and starts the run that
consolidates. That one names the session and turn it is for, and does nothing if they have moved on.

Nothing depends on the server keeping its queue: `Idling.catch_up`, at its start, looks at every session that is open.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine
from contextvars import Context as Variables
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal
from uuid import NAMESPACE_URL, uuid5

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import RetryPolicy
from typing_extensions import TypedDict  # that of typing gives no schema to a server before Python 3.12

from config.errors import SetupError
from config.settings import Settings
from graph.state import IdleSession
from memory.records.conversations import OpenSession, OpenSessions
from memory.records.transaction import Clock
from nodes.services import utc_now

if TYPE_CHECKING:
    from langgraph_sdk.client import LangGraphClient

CONCIERGE = "concierge"
IDLE = "idle"
"""The names of both graphs in `langgraph.json`."""

OFFERED = {"offered_to": "users"}
"""Metadata of the assistant that users may see; that of the idle graph has none."""

_ALL = "*"
_MOST_TRIES = 5
_TIMEOUT = 10.0

_log = logging.getLogger(__name__)


class Look(TypedDict):
    """Which conversation to look at (`*`: all of them), and how often its session was asked to end before."""

    thread_id: str
    tries: int


IdleGraph = CompiledStateGraph[Look, None, Look, Look]


def in_process() -> LangGraphClient:
    """Return the server this code runs in, without its sign-in."""
    from langgraph_sdk import get_client

    return get_client(api_key=None, timeout=_TIMEOUT)


class Idling:
    """Ends sessions in which nobody has spoken for `settings.session_idle_minutes`.

    All it starts acts for the user of the session, whom the server signed in when the session was opened.
    """

    def __init__(
        self, settings: Settings, *, connect: Callable[[], LangGraphClient] = in_process, clock: Clock = utc_now
    ) -> None:
        self._idle = timedelta(minutes=settings.session_idle_minutes)
        self._connect = connect
        self._clock = clock
        self._is_failing = False

    def graph(self) -> IdleGraph:
        """Return the graph of the runs that wait; it goes into `langgraph.json` as `idle`."""
        graph = StateGraph(Look)
        graph.add_node("look", self._look, retry_policy=RetryPolicy())
        graph.add_edge(START, "look")
        return graph.compile(name=IDLE)

    async def after_turn(self, session: OpenSession) -> None:
        """Look at the session when it may have gone idle, and not before; a failure is logged and harms no turn."""
        await self._harmless(self._wait(session.thread_id, self._idle, instead="rollback"))

    async def catch_up(self) -> None:
        """Look at all open sessions once: what ended the server before took its plans along."""
        await self._harmless(self._wait(_ALL, timedelta(0), instead="rollback"))

    async def _look(self, state: Look, runtime: Runtime[None]) -> dict[str, Any]:
        if runtime.store is None:
            raise SetupError("The idle graph runs without a store. It is made for a LangGraph server that has one.")
        sessions = OpenSessions(runtime.store)
        if state["thread_id"] == _ALL:
            for session in await sessions.idle_since(self._clock()):
                await self._wait(session.thread_id, self._left(session), instead="rollback")
        elif (one := await sessions.of(state["thread_id"])) is not None:
            await self._end_or_wait(one, state["tries"])
        return {"tries": 0}

    async def _end_or_wait(self, session: OpenSession, tries: int) -> None:
        """End the session if it is idle; look again later either way, until it is over."""
        left = self._left(session)
        if left <= timedelta(0):
            if tries == _MOST_TRIES:
                _log.warning("the session of thread %s stays open until it is spoken in again", session.thread_id)
                return
            await self._end(session)
            tries += 1
            left = self._idle * 2**tries
        await self._wait(session.thread_id, left, instead="enqueue", tries=tries)

    async def _end(self, session: OpenSession) -> None:
        """Start the run that consolidates; a conversation in which something runs is not idle, and refuses it.

        Neither is one that waits for a decision, which a new run would drop.
        """
        from langgraph_sdk.errors import ConflictError

        if await self._awaits_decision(session.thread_id):
            return
        asked = IdleSession(session=session.session_id, turn=session.turn)
        try:
            await self._start(
                session.thread_id, CONCIERGE, {"idle_session": asked}, user_id=session.user_id, instead="reject"
            )
        except ConflictError:
            _log.debug("thread %s is busy", session.thread_id)

    async def _awaits_decision(self, thread_id: str) -> bool:
        from langgraph_sdk.errors import NotFoundError

        async with self._connect() as client:
            try:
                return (await client.threads.get(thread_id))["status"] == "interrupted"
            except NotFoundError:  # a crash may have cost the server its record of the thread
                return False

    async def _wait(
        self, thread_id: str, left: timedelta, *, instead: Literal["rollback", "enqueue"], tries: int = 0
    ) -> None:
        await self._start(
            str(uuid5(NAMESPACE_URL, f"idle:{thread_id}")),
            IDLE,
            {"thread_id": thread_id, "tries": tries},
            after=left,
            instead=instead,
        )

    async def _start(
        self,
        thread_id: str,
        graph: str,
        given: dict[str, Any],
        *,
        user_id: str | None = None,
        after: timedelta = timedelta(0),
        instead: Literal["rollback", "enqueue", "reject"],
    ) -> None:
        async with self._connect() as client:
            if user_id:  # a server that was killed may have lost its record of whose thread it is
                await client.threads.create(
                    thread_id=thread_id, metadata={"owner": user_id}, if_exists="do_nothing"
                )  # fmt: skip
            await client.runs.create(
                thread_id,
                graph,
                input=given,
                context={"user_id": user_id} if user_id else None,
                after_seconds=math.ceil(max(after, timedelta(0)).total_seconds()),
                multitask_strategy=instead,
                if_not_exists="create",
                durability="sync",
            )

    def _left(self, session: OpenSession) -> timedelta:
        return session.last_at + self._idle - self._clock()

    async def _harmless(self, work: Coroutine[Any, Any, None]) -> None:
        """Do `work` as the server itself and not as who is signed in: their rules are about what they may ask for."""
        try:
            await asyncio.create_task(work, context=Variables())
        except Exception as error:  # whatever a server may answer, the turn has its answer already
            if not self._is_failing:
                _log.warning("idle sessions wait for the next start of the server or `concierge sweep`: %r", error)
            self._is_failing = True
        else:
            self._is_failing = False
