"""`after_turn`: hands the open session of a finished turn to whoever plans the end of idle sessions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from langgraph.runtime import Runtime

from graph.context import Context
from graph.state import State
from memory.records.conversations import OpenSession, OpenSessions
from nodes.services import Run, Services

AfterTurn = Callable[[OpenSession], Awaitable[None]]


async def after_turn(state: State, runtime: Runtime[Context], *, services: Services, hook: AfterTurn) -> None:
    """Call `hook` with the thread's open session; a turn that memory takes no part in may leave none."""
    run = await Run.of(state, runtime, services)
    session = await OpenSessions(run.store).of(run.thread_id) if run.user_id else None
    if session is not None:
        await hook(session)
