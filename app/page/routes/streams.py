"""Streams a run to the browser as server-sent events, and stops it when it is told to or nobody listens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import ExitStack

from anyio import CancelScope
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app.api.reply import Event, Reply, Step, Token
from app.json_records import Record, turn_record
from app.page.routes.routing import RequestContext, describe_error, to_json
from memory.events import MemoryEvent

_ALIVE = ": still here\n\n"
_ALIVE_EVERY = 15.0
"""Seconds of silence after which a comment keeps a connection open that a proxy would close."""
_MOST_WAITING = 200
"""Events that wait for a slow listener; what comes then is dropped."""


class _Stream(StreamingResponse):
    """What a queue gives until it gives None; `close` is called however the connection ends."""

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
    """Start a run and answer with its events; it is cancelled when the browser leaves."""
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    async def run() -> None:
        # One task for the whole run: context variables that it sets must hold from event to event.
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
    return _Stream(queue, lambda: _ended([task]))


async def stop_runs(ctx: RequestContext) -> None:
    """Cancel what runs in a conversation of who is asking, and wait for its end."""
    await _ended([task for task, ids in ctx.request.app.state.runs.items() if ids == ctx.ids])


def memory_response(ctx: RequestContext) -> Response:
    """Answer with the name of everything that happens in the memory of who is asking, from now on."""
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def put(event: str) -> None:
        if queue.qsize() < _MOST_WAITING:
            queue.put_nowait(event)

    def listen(event: MemoryEvent) -> None:
        # A workspace may have the name of a user, so what happened to it is not told.
        if event.owner == ctx.user_id:
            told = _event({"type": "memory", "event": event.name})
            loop.call_soon_threadsafe(put, told)  # who publishes may run on another loop

    ending = ExitStack()
    ending.callback(ctx.concierge.subscribe(listen))
    ending.enter_context(ctx.request.app.state.shutdown.on_shutdown(lambda: queue.put_nowait(None)))

    async def close() -> None:
        ending.close()

    return _Stream(queue, close)


async def _ended(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel tasks and wait for their end."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _event_stream(queue: asyncio.Queue[str | None]) -> AsyncIterator[str]:
    yield _ALIVE
    while (event := await _next(queue)) is not None:
        yield event


async def _next(queue: asyncio.Queue[str | None]) -> str | None:
    try:
        return await asyncio.wait_for(queue.get(), _ALIVE_EVERY)
    except TimeoutError:
        return _ALIVE


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
