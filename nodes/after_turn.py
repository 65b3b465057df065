"""`after_turn`: tells who plans the end of sessions which one a finished turn leaves open (S6.8)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from langgraph.runtime import Runtime

from graph.context import Context
from graph.state import State
from memory.records.sessions import OpenSession, OpenSessions
from nodes.services import Run, Services


async def after_turn(
    _: State, runtime: Runtime[Context], *, services: Services, hook: Callable[[OpenSession], Awaitable[None]]
) -> None:
    """Hand the thread's open session to `hook`; a turn that memory takes no part in may leave none."""
    run = Run.of(runtime, services)
    session = await OpenSessions(run.store).of(run.thread_id) if run.user_id else None
    if session is not None:
        await hook(session)
