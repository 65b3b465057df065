"""What most commands begin with: settings, who is speaking, an open concierge."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from config.errors import InvalidInputError
from config.settings import Settings, load_settings

if TYPE_CHECKING:
    from app.api.concierge import Concierge

T = TypeVar("T")


def speaker(user: str | None, settings: Settings) -> str:
    """The user named on the command line, or the default user.

    Raises:
        InvalidInputError: neither is there.
    """
    found = settings.default_user if user is None else user
    if not found:
        raise InvalidInputError("Say who is speaking: add --user NAME, or set CONCIERGE_DEFAULT_USER.")
    return found


def with_concierge(use: Callable[[Concierge], Coroutine[Any, Any, T]], settings: Settings | None = None) -> T:
    """What `use` gives for an open concierge, which is closed again. Raises what opening it raises."""

    async def opened() -> T:
        from app.api.opening import open_concierge

        async with open_concierge(settings or load_settings()) as concierge:
            return await use(concierge)

    return asyncio.run(opened())
