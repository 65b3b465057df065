"""Streams runs and memory events as server-sent events; cancels a run on request or when its client disconnects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from anyio import CancelScope
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app.api.reply import Event, Reply, Step, Token
from app.json_records import Record, turn_record
from app.page.routes.routing import RequestContext, describe_error, to_json
from memory.events import MemoryEvent

_KEEPALIVE = ": still here\n\n"
_KEEPALIVE_SECONDS = 15.0
"""Seconds without an event after which a comment is sent, so that proxies keep the connection open."""
_MAX_QUEUED = 200
"""Events that may wait for a slow client; more are dropped."""


class _Stream(StreamingResponse):
    """Sends the events of a queue until it yields None; calls `close` however the connection ends."""

    def __init__(self, queue: asyncio.Queue[str | None], close: Callable[[], Awaitable[object]]) -> None:
        super().__init__(_event_stream(queue), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        self._close = close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            with CancelScope(shield=True):
                await self._close()


def run_response(ctx: RequestContext, events: AsyncIterator[Event]) -> Response:
    """Start a run and stream its events; it is cancelled when the client disconnects."""
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    async def run() -> None:
        # One task runs the whole run, so that context variables keep their values between events.
        try:
            async for event in events:
                queue.put_nowait(_event(_record(event, ctx)))
        except Exception as error:
            queue.put_nowait(_event({"type": "error", "error": describe_error(error)[1]}))
        finally:
            queue.put_nowait(None)

    task = asyncio.create_task(run())
    runs = ctx.request.app.state.runs
    runs[task] = ctx.ids
    task.add_done_callback(runs.pop)
    return _Stream(queue, lambda: _cancel([task]))


async def stop_runs(ctx: RequestContext) -> None:
    """Cancel the runs in a conversation of the user, and wait until they have ended."""
    await _cancel([task for task, ids in ctx.request.app.state.runs.items() if ids == ctx.ids])


def memory_response(ctx: RequestContext) -> Response:
    """Stream the names of events in the memory of the user, from now on."""
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def put(event: str) -> None:
        if queue.qsize() < _MAX_QUEUED:
            queue.put_nowait(event)

    def listen(event: MemoryEvent) -> None:
        # Send no items: a workspace may have the same name as the user.
        if event.owner == ctx.user_id:
            text = _event({"type": "memory", "event": event.name})
            loop.call_soon_threadsafe(put, text)  # the publisher may run on another loop

    async def close() -> None:
        unsubscribe()
        endless.discard(queue)

    unsubscribe, endless = ctx.concierge.subscribe(listen), ctx.request.app.state.shutdown.endless
    endless.add(queue)
    return _Stream(queue, close)


async def _cancel(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel tasks and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _event_stream(queue: asyncio.Queue[str | None]) -> AsyncIterator[str]:
    event: str | None = _KEEPALIVE
    while event is not None:
        yield event
        try:
            event = await asyncio.wait_for(queue.get(), _KEEPALIVE_SECONDS)
        except TimeoutError:
            event = _KEEPALIVE


def _event(record: Record) -> str:
    return f"event: {record['type']}\ndata: {to_json(record)}\n\n"


def _record(event: Event, ctx: RequestContext) -> Record:
    match event:
        case Token(text):
            return {"type": "token", "text": text}
        case Step(name):
            return {"type": "step", "name": name}
        case MemoryEvent(name, items):
            return {"type": "memory", "event": name, "items": items}
        case Reply():
            return {"type": "reply", **turn_record(event, **ctx.ids)}
