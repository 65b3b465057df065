"""Shared parts of commands: options, settings, an open concierge, and printing their output."""

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

from app.cli.exits import INVALID
from app.cli.screen import Output, Screen
from app.cli.wording import read_settings, say
from app.json_records import ThreadIds
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


def resolve_user(user: str | None, settings: Settings) -> str:
    """Return the user named on the command line, or the default user.

    Raises:
        InvalidInputError: no user is named and there is no default user.
    """
    user_id = settings.default_user if user is None else user
    if not user_id:
        raise InvalidInputError("Say who is speaking: add --user NAME, or set CONCIERGE_DEFAULT_USER.")
    return user_id


def with_concierge(use: Callable[[Concierge], Coroutine[Any, Any, T]], settings: Settings | None = None) -> T:
    """Open a concierge, run `use` with it, and close it. Raises the errors of `open_concierge`."""
    loaded = settings or read_settings()

    async def run() -> T:
        async with _load_open_concierge()(loaded) as concierge:
            return await use(concierge)

    return asyncio.run(run())


@cache
def _load_open_concierge() -> Callable[[Settings], AbstractAsyncContextManager[Concierge]]:
    """Import `open_concierge`, and exempt the imported modules from garbage collection, which they never need."""
    gc.disable()
    try:
        from app.api.opening import open_concierge
    finally:
        gc.enable()
    gc.freeze()
    return open_concierge


@dataclass(slots=True)
class CommandContext:
    """What a command runs with: an open concierge and a user.

    Attributes:
        thread_id: The conversation of a slash command; empty on the command line.
        listed: Ids of the notes that were listed last, which the user may name by their number.
    """

    concierge: Concierge
    user_id: str
    thread_id: str = ""
    listed: list[str] = field(default_factory=list)

    @property
    def memory(self) -> OwnMemory:
        """Return the memory of the user."""
        return self.concierge.memory(self.user_id)

    @property
    def ids(self) -> ThreadIds:
        """Return the user id and thread id as keyword arguments."""
        return ThreadIds(user_id=self.user_id, thread_id=self.thread_id)


class UnclearError(Exception):
    """Raised when several `notes` match what the user named."""

    def __init__(self, notes: list[Note]) -> None:
        super().__init__()
        self.notes = notes


def run_as_user(user: str | None, use: Callable[[CommandContext], Coroutine[Any, Any, T]]) -> T:
    """Run `use` with an open concierge for a user. Raises InvalidInputError if no user is named or set as default."""
    settings = read_settings()
    user_id = resolve_user(user, settings)
    return with_concierge(lambda concierge: use(CommandContext(concierge, user_id)), settings)


def command(act: Callable[..., Any]) -> Callable[..., None]:
    """Return a command that prints the `Output` of `act`, as JSON with `--json`; return other functions unchanged.

    The command of a coroutine function takes `--user`, and passes a `CommandContext` as its first argument.
    """
    typed = signature(act, eval_str=True)
    if typed.return_annotation is not Output:
        return act
    parameters = list(typed.parameters.values())
    shared = [Parameter("as_json", Parameter.KEYWORD_ONLY, default=False, annotation=_JSON)]
    if takes_context := iscoroutinefunction(act):
        parameters = parameters[1:]
        shared = [Parameter("user", Parameter.KEYWORD_ONLY, default=None, annotation=User), *shared]

    @wraps(act)
    def run(*, as_json: bool, **kwargs: Any) -> None:
        try:
            output = run_as_user(kwargs.pop("user"), lambda ctx: act(ctx, **kwargs)) if takes_context else act(**kwargs)
        except UnclearError as error:
            output = _which_one(error.notes)
        output.show(as_json=as_json)
        if output.code:
            raise SystemExit(output.code)

    parameters = [*(parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in parameters), *shared]
    vars(run)["__signature__"] = Signature(parameters, return_annotation=None)
    return run


def _which_one(notes: list[Note]) -> Output:
    def write(screen: Screen) -> None:
        screen.notes(notes, none="")
        screen.aside(say("which_id"))

    return Output({"status": "which_one", "notes": notes}, write, code=INVALID)
