"""Talks: messages, decisions on what waits for approval, the end of a session, and stopping in the middle."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Literal

from pydantic import Field
from starlette.responses import Response

from app.api.reply import Event, Reply
from app.json_records import Record
from app.page.routes.asked import NO_CONVERSATION, Asked, Body, route
from app.page.routes.streams import Runs, memory_response, run_response
from config.errors import AccessDeniedError, NotFoundError


class Spoken(Body):
    """What every run may be told: the language to speak."""

    language: Literal["en", "ja"] | None = None


class Message(Spoken):
    """Something said."""

    message: str = Field(min_length=1, max_length=1_000_000)
    memory_mode: Literal["on", "paused", "off"] = "on"


class Decisions(Spoken):
    """One decision for each action that waits, in the form of `Concierge.resume`; none finishes a run cut short."""

    decisions: list[dict[str, Any]] | None = Field(None, max_length=100)


async def send_message(asked: Asked) -> Response:
    """Say something; a conversation begins with its first message."""
    said = await asked.body(Message)
    try:
        await asked.concierge.waiting(**asked.own)
    except AccessDeniedError:
        raise NotFoundError(NO_CONVERSATION) from None
    events = asked.concierge.stream(
        said.message, memory_mode=said.memory_mode, language=said.language, **asked.own
    )  # fmt: skip
    return run_response(asked, events)


async def decide(asked: Asked) -> Response:
    """Approve, edit or reject what waits, or finish a run that was cut short."""
    given = await asked.body(Decisions)
    await asked.standing()
    value = None if given.decisions is None else {"decisions": given.decisions}
    return run_response(asked, asked.concierge.stream_resume(value, language=given.language, **asked.own))


async def ask_again(asked: Asked) -> Response:
    """Put up anew what a message left undecided."""
    return await _one(asked, asked.concierge.ask_again)


async def end_session(asked: Asked) -> Response:
    """End the session: what it learnt becomes long-term memory."""
    return await _one(asked, asked.concierge.end_session)


async def stop(asked: Asked) -> Record:
    """Cancel what runs and take the turn back; what waited before it was read still waits."""
    await Runs.of(asked).stop(asked)
    try:
        waiting = (await asked.standing()).waiting
    except NotFoundError:  # it was stopped before anything was written, or is not there
        return {"message": None, "waiting": None}
    message = None if waiting else await asked.concierge.drop_unfinished_turn(**asked.own)
    return {"message": message, "waiting": waiting[0] if waiting else None}


async def listen(asked: Asked) -> Response:
    """Tell what happens in memory, whatever caused it."""
    return memory_response(asked)


async def _one(asked: Asked, act: Callable[..., Awaitable[Reply]]) -> Response:
    given = await asked.body(Spoken)
    await asked.standing()

    async def events() -> AsyncIterator[Event]:
        yield await act(language=given.language, **asked.own)

    return run_response(asked, events())


ROUTES = [
    route("POST", "/threads/{key}/messages", send_message),
    route("POST", "/threads/{key}/decisions", decide),
    route("POST", "/threads/{key}/ask_again", ask_again),
    route("POST", "/threads/{key}/end", end_session),
    route("POST", "/threads/{key}/stop", stop),
    route("GET", "/events", listen),
]
