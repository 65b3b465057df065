"""What most commands begin with: shared options, settings, who is speaking, and an open concierge."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from app.cli.exits import WRONG
from app.cli.screen import Told
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

_SHARED = [
    Parameter("user", Parameter.KEYWORD_ONLY, default=None, annotation=User),
    Parameter("as_json", Parameter.KEYWORD_ONLY, default=False, annotation=Json),
]
"""What every command takes that tells something to a user."""

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


@dataclass(frozen=True, slots=True)
class Speaking:
    """Somebody who speaks to an open concierge."""

    concierge: Concierge
    user_id: str

    @property
    def memory(self) -> OwnMemory:
        """Return what is remembered of them."""
        return self.concierge.memory(self.user_id)


class UnclearError(Exception):
    """Raised where a command can't tell what is meant; `told` lists what may be, and the command ends as wrong."""

    def __init__(self, told: Told) -> None:
        super().__init__()
        self.told = told


def as_user(user: str | None, use: Callable[[Speaking], Coroutine[Any, Any, T]]) -> T:
    """Run `use` with who is speaking to an open concierge. Raises InvalidInputError where nobody is named."""
    settings = read_settings()
    user_id = speaker(user, settings)
    return with_concierge(lambda concierge: use(Speaking(concierge, user_id)), settings)


def for_user(act: Callable[..., Coroutine[Any, Any, Told]]) -> Callable[..., None]:
    """Return the command that shows what `act` tells to somebody who speaks; it takes `--user` and `--json` too."""
    own = list(signature(act, eval_str=True).parameters.values())[1:]

    @wraps(act)
    def command(*, user: str | None, as_json: bool, **given: Any) -> None:
        try:
            told = as_user(user, lambda speaking: act(speaking, **given))
        except UnclearError as error:
            error.told.show(as_json=as_json)
            raise SystemExit(WRONG) from None
        told.show(as_json=as_json)

    parameters = [*(one.replace(kind=Parameter.KEYWORD_ONLY) for one in own), *_SHARED]
    vars(command)["__signature__"] = Signature(parameters, return_annotation=None)
    return command
