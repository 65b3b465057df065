"""What most commands begin with: shared options, settings, who is speaking, and an open concierge."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from app.cli.wording import read_settings
from config.errors import InvalidInputError
from config.settings import Settings

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from app.api.user_memory import OwnMemory


User = Annotated[str | None, typer.Option(help="Who is speaking; without it, CONCIERGE_DEFAULT_USER.")]
Thread = Annotated[str, typer.Option(help="The conversation.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Lang = Annotated[
    Literal["en", "ja"] | None, typer.Option(help="The language to be spoken to in; without it, CONCIERGE_LANGUAGE.")
]
Workspace = Annotated[
    str | None, typer.Option(help="The memory shared with others who name it; without it, CONCIERGE_WORKSPACE.")
]
Topics = list[str] | None
NoteName = Annotated[str, typer.Argument(help="The note's id, the beginning of it, or words that tell which one.")]

WHICH_BOOKING = "The booking's reference, its beginning, or words that occur in it."
BookingName = Annotated[str, typer.Argument(metavar="BOOKING", help=WHICH_BOOKING)]


T = TypeVar("T")


def speaker(user: str | None, settings: Settings) -> str:
    """Return the user named on the command line, or the default user.

    Raises:
        InvalidInputError: neither is there.
    """
    found = settings.default_user if user is None else user
    if not found:
        raise InvalidInputError("Say who is speaking: add --user NAME, or set CONCIERGE_DEFAULT_USER.")
    return found


def sharing(workspace: str | None) -> Settings:
    """Return the settings, with the workspace that is named on the command line."""
    settings = read_settings()
    return settings.model_copy(update={"workspace": workspace}) if workspace else settings


def with_concierge(use: Callable[[Concierge], Coroutine[Any, Any, T]], settings: Settings | None = None) -> T:
    """Open a concierge, run `use` with it, and close it. Raises what opening it raises."""

    used = settings or read_settings()

    async def opened() -> T:
        async with _loaded()(used) as concierge:
            return await use(concierge)

    return asyncio.run(opened())


@cache
def _loaded() -> Callable[[Settings], AbstractAsyncContextManager[Concierge]]:
    """Load what opens a concierge. None of it ever becomes garbage, so none of it is searched for any."""
    gc.disable()
    try:
        from app.api.opening import open_concierge
    finally:
        gc.enable()
    gc.freeze()
    return open_concierge


def as_user(
    user: str | None, use: Callable[[Concierge, str], Coroutine[Any, Any, T]], *, workspace: str | None = None
) -> T:
    """Run `use` with an open concierge and the id of who is speaking. Raises InvalidInputError where none is named."""
    settings = sharing(workspace)
    user_id = speaker(user, settings)
    return with_concierge(lambda concierge: use(concierge, user_id), settings)


def with_memory(user: str | None, use: Callable[[OwnMemory], Coroutine[Any, Any, T]]) -> T:
    """Run `use` with the memory of who is speaking. Raises InvalidInputError where nobody is named."""
    return as_user(user, lambda concierge, user_id: use(concierge.memory(user_id)))
