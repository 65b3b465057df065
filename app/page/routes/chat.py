"""Talks: messages, decisions on what waits for approval, the end of a session, and stopping in the middle."""

from collections.abc import AsyncIterator, Awaitable
from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.responses import Response

from app.api.reply import Event, Reply
from app.json_records import Record
from app.page.routes.asked import Asked, route
from app.page.routes.streams import memory_response, run_response, stop_runs
from config.errors import AccessDeniedError, NotFoundError

Language = Literal["en", "ja"] | None


@route("POST", "/threads/{key}/messages")
async def send_message(
    asked: Asked,
    message: Annotated[str, Field(min_length=1, max_length=1_000_000)],
    memory_mode: Literal["on", "paused", "off"] = "on",
    language: Language = None,
) -> Response:
    """Say something; a conversation begins with its first message."""
    await asked.concierge.waiting(**asked.own)  # refuses another's conversation
    return run_response(
        asked, asked.concierge.stream(message, memory_mode=memory_mode, language=language, **asked.own)
    )  # fmt: skip


@route("POST", "/threads/{key}/decisions")
async def decide(
    asked: Asked,
    decisions: Annotated[list[dict[str, Any]] | None, Field(max_length=100)] = None,
    language: Language = None,
) -> Response:
    """Approve, edit or reject what waits, or without decisions finish a run that was cut short."""
    await asked.concierge.standing(**asked.own)
    value = None if decisions is None else {"decisions": decisions}
    await asked.concierge.resumable(value, **asked.own)  # what is wrong is told by the status, before the stream begins
    return run_response(asked, asked.concierge.stream_resume(value, language=language, **asked.own))


@route("POST", "/threads/{key}/ask_again")
async def ask_again(asked: Asked, language: Language = None) -> Response:
    """Put up anew what a message left undecided."""
    await asked.concierge.standing(**asked.own)
    await asked.concierge.left_open(**asked.own)
    return run_response(asked, _one(asked.concierge.ask_again(language=language, **asked.own)))


@route("POST", "/threads/{key}/end")
async def end_session(asked: Asked, language: Language = None) -> Response:
    """End the session: what it learnt becomes long-term memory."""
    await asked.concierge.standing(**asked.own)
    return run_response(asked, _one(asked.concierge.end_session(language=language, **asked.own)))


async def _one(reply: Awaitable[Reply]) -> AsyncIterator[Event]:
    yield await reply


@route("POST", "/threads/{key}/stop")
async def stop(asked: Asked) -> Record:
    """Cancel what runs and take the turn back; what waited before it was read still waits."""
    await stop_runs(asked)
    try:
        waiting = (await asked.concierge.standing(**asked.own)).waiting
    except (NotFoundError, AccessDeniedError):  # it was stopped before anything was written, or is not there
        return {"message": None, "waiting": None}
    message = None if waiting else await asked.concierge.drop_unfinished_turn(**asked.own)
    return {"message": message, "waiting": waiting[0] if waiting else None}


@route("GET", "/events")
async def listen(asked: Asked) -> Response:
    """Tell what happens in memory, whatever caused it."""
    return memory_response(asked)
