"""Routes of a conversation: messages, approval decisions, ending a session, and stopping a run."""

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
    """Send a message; a conversation begins with its first message."""
    await ctx.concierge.waiting(**ctx.ids)  # raises if another user owns the conversation
    events = ctx.concierge.stream(message, memory_mode=memory_mode, language=language, **ctx.ids)
    return run_response(ctx, events)


@route("POST", "/threads/{key}/decisions")
async def decide(
    ctx: RequestContext,
    decisions: Annotated[list[dict[str, Any]] | None, Field(max_length=100)] = None,
    answer: Annotated[str | None, Field(max_length=1_000_000)] = None,
    language: Language = None,
) -> Response:
    """Approve, edit or reject the actions that wait, or answer a question; with neither, finish an interrupted run."""
    await ctx.concierge.thread_status(**ctx.ids)
    value = answer if decisions is None else {"decisions": decisions}
    await ctx.concierge.resumable(value, **ctx.ids)  # so that errors set the status, before the stream begins
    return run_response(ctx, ctx.concierge.stream_resume(value, language=language, **ctx.ids))


@route("POST", "/threads/{key}/ask_again")
async def ask_again(ctx: RequestContext, language: Language = None) -> Response:
    """Request again the approval that a message left undecided."""
    await ctx.concierge.thread_status(**ctx.ids)
    await ctx.concierge.left_open(**ctx.ids)
    return run_response(ctx, _single_event(ctx.concierge.ask_again(language=language, **ctx.ids)))


@route("POST", "/threads/{key}/end")
async def end_session(ctx: RequestContext, language: Language = None) -> Response:
    """End the session, which consolidates its notes into long-term memory."""
    await ctx.concierge.thread_status(**ctx.ids)
    return run_response(ctx, _single_event(ctx.concierge.end_session(language=language, **ctx.ids)))


async def _single_event(reply: Awaitable[Reply]) -> AsyncIterator[Event]:
    yield await reply


@route("POST", "/threads/{key}/stop")
async def stop(ctx: RequestContext) -> Record:
    """Cancel the current run and remove its turn; an approval that was pending before stays pending."""
    await stop_runs(ctx)
    try:
        waiting = (await ctx.concierge.thread_status(**ctx.ids)).waiting
    except (NotFoundError, AccessDeniedError):  # stopped before the first checkpoint, or no such thread
        return {"message": None, "waiting": None}
    message = None if waiting else await ctx.concierge.drop_unfinished_turn(**ctx.ids)
    return {"message": message, "waiting": waiting[0] if waiting else None}


@route("GET", "/events")
async def listen(ctx: RequestContext) -> Response:
    """Stream the names of all events in the user's memory."""
    return memory_response(ctx)
