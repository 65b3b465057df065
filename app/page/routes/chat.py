"""Talks: messages, decisions on what waits for approval, the end of a session, and stopping in the middle."""

from collections.abc import AsyncIterator, Awaitable
from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.responses import Response

from app.api.reply import Event, Reply
from app.json_records import Record
from app.page.routes.routing import RequestContext, route
from app.page.routes.streams import memory_response, run_response, stop_runs
from config.errors import AccessDeniedError, NotFoundError

Language = Literal["en", "ja"] | None


@route("POST", "/threads/{key}/messages")
async def send_message(
    ctx: RequestContext,
    message: Annotated[str, Field(min_length=1, max_length=1_000_000)],
    memory_mode: Literal["on", "paused", "off"] = "on",
    language: Language = None,
) -> Response:
    """Say something; a conversation begins with its first message."""
    await ctx.concierge.waiting(**ctx.ids)  # refuses another's conversation
    return run_response(
        ctx, ctx.concierge.stream(message, memory_mode=memory_mode, language=language, **ctx.ids)
    )  # fmt: skip


@route("POST", "/threads/{key}/decisions")
async def decide(
    ctx: RequestContext,
    decisions: Annotated[list[dict[str, Any]] | None, Field(max_length=100)] = None,
    language: Language = None,
) -> Response:
    """Approve, edit or reject what waits, or without decisions finish a run that was cut short."""
    await ctx.concierge.thread_status(**ctx.ids)
    value = None if decisions is None else {"decisions": decisions}
    await ctx.concierge.resumable(value, **ctx.ids)  # what is wrong is told by the status, before the stream begins
    return run_response(ctx, ctx.concierge.stream_resume(value, language=language, **ctx.ids))


@route("POST", "/threads/{key}/ask_again")
async def ask_again(ctx: RequestContext, language: Language = None) -> Response:
    """Put up anew what a message left undecided."""
    await ctx.concierge.thread_status(**ctx.ids)
    await ctx.concierge.left_open(**ctx.ids)
    return run_response(ctx, _one(ctx.concierge.ask_again(language=language, **ctx.ids)))


@route("POST", "/threads/{key}/end")
async def end_session(ctx: RequestContext, language: Language = None) -> Response:
    """End the session: what it learnt becomes long-term memory."""
    await ctx.concierge.thread_status(**ctx.ids)
    return run_response(ctx, _one(ctx.concierge.end_session(language=language, **ctx.ids)))


async def _one(reply: Awaitable[Reply]) -> AsyncIterator[Event]:
    yield await reply


@route("POST", "/threads/{key}/stop")
async def stop(ctx: RequestContext) -> Record:
    """Cancel what runs and take the turn back; what waited before it was read still waits."""
    await stop_runs(ctx)
    try:
        waiting = (await ctx.concierge.thread_status(**ctx.ids)).waiting
    except (NotFoundError, AccessDeniedError):  # it was stopped before anything was written, or is not there
        return {"message": None, "waiting": None}
    message = None if waiting else await ctx.concierge.drop_unfinished_turn(**ctx.ids)
    return {"message": message, "waiting": waiting[0] if waiting else None}


@route("GET", "/events")
async def listen(ctx: RequestContext) -> Response:
    """Tell what happens in memory, whatever caused it."""
    return memory_response(ctx)
