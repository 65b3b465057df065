"""How commands are made: shared options, settings, an open concierge, and showing what they have to say."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import cache, wraps
from inspect import Parameter, Signature, iscoroutinefunction, signature
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from app.cli.exits import WRONG
from app.cli.screen import Screen, Told
from app.cli.wording import read_settings, say
from app.json_records import Own
from config.errors import InvalidInputError
from config.settings import Settings

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from app.api.user_memory import OwnMemory
    from memory.records.notes import Note


User = Annotated[str | None, typer.Option(help="Who is speaking; without it, CONCIERGE_DEFAULT_USER.")]
Thread = Annotated[str, typer.Option(help="The conversation.")]
Lang = Annotated[
    Literal["en", "ja"] | None, typer.Option(help="The language to be spoken to in; without it, CONCIERGE_LANGUAGE.")
]
Workspace = Annotated[
    str | None, typer.Option(help="The memory shared with others who name it; without it, CONCIERGE_WORKSPACE.")
]
NoteName = Annotated[str, typer.Argument(help="The note's id, the beginning of it, or words that tell which one.")]

WHICH_BOOKING = "The booking's reference, its beginning, or words that occur in it."
BookingName = Annotated[str, typer.Argument(metavar="BOOKING", help=WHICH_BOOKING)]

_JSON = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]

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


@dataclass(slots=True)
class Speaking:
    """Somebody who speaks to an open concierge.

    Attributes:
        thread_id: The conversation in which it is said; empty on the command line.
        listed: Ids of the notes that were listed last in it, which may be named by their number.
    """

    concierge: Concierge
    user_id: str
    thread_id: str = ""
    listed: list[str] = field(default_factory=list)

    @property
    def memory(self) -> OwnMemory:
        """Return what is remembered of them."""
        return self.concierge.memory(self.user_id)

    @property
    def own(self) -> Own:
        """Return who speaks in which conversation."""
        return Own(user_id=self.user_id, thread_id=self.thread_id)


class UnclearError(Exception):
    """Raised where a command can't tell which of several `notes` is meant."""

    def __init__(self, notes: list[Note]) -> None:
        super().__init__()
        self.notes = notes


def as_user(user: str | None, use: Callable[[Speaking], Coroutine[Any, Any, T]]) -> T:
    """Run `use` with who is speaking to an open concierge. Raises InvalidInputError where nobody is named."""
    settings = read_settings()
    user_id = speaker(user, settings)
    return with_concierge(lambda concierge: use(Speaking(concierge, user_id)), settings)


def command(act: Callable[..., Any]) -> Callable[..., None]:
    """Return the command that shows what `act` tells, as JSON with `--json`; one that tells nothing is as it is.

    A coroutine is given who is speaking, and its command takes `--user`.
    """
    typed = signature(act, eval_str=True)
    if typed.return_annotation is not Told:
        return act
    own = list(typed.parameters.values())
    shared = [Parameter("as_json", Parameter.KEYWORD_ONLY, default=False, annotation=_JSON)]
    if speaks := iscoroutinefunction(act):
        own, shared = own[1:], [Parameter("user", Parameter.KEYWORD_ONLY, default=None, annotation=User), *shared]

    @wraps(act)
    def run(*, as_json: bool, **given: Any) -> None:
        try:
            told = as_user(given.pop("user"), lambda speaking: act(speaking, **given)) if speaks else act(**given)
        except UnclearError as error:
            told = _which_one(error.notes)
        told.show(as_json=as_json)
        if told.code:
            raise SystemExit(told.code)

    parameters = [*(one.replace(kind=Parameter.KEYWORD_ONLY) for one in own), *shared]
    vars(run)["__signature__"] = Signature(parameters, return_annotation=None)
    return run


def _which_one(notes: list[Note]) -> Told:
    def write(screen: Screen) -> None:
        screen.notes(notes, none="")
        screen.aside(say("which_id"))

    return Told({"status": "which_one", "notes": notes}, write, code=WRONG)
