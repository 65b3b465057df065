"""Runs `concierge chat`, and by itself the scripted one: for programs and one-off questions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import uuid4

import typer

from app.cli.exits import FAILED
from app.cli.opening import CommandContext, Lang, User, Workspace, resolve_user, with_concierge
from app.cli.screen import Screen, print_json
from app.cli.sessions import end_session
from app.cli.wording import read_settings, say, set_language
from app.json_records import ThreadIds, turn_record
from config.errors import InvalidInputError

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from app.api.reply import Reply
    from graph.context import MemoryMode


_Message = Annotated[
    list[str] | None, typer.Option("--message", "-m", help="Say this and leave; may be given several times.")
]
_Mode = Annotated[
    Literal["on", "paused", "off"],
    typer.Option(
        help="paused: what is known is used, nothing new is learnt. "
        "off: a temporary chat, in which nothing known is used and nothing is learnt."
    ),
]
_Resume = Annotated[
    str | None,
    typer.Option(
        metavar="DECISION",
        help="Decide on the actions that wait in --thread: approve, reject, or JSON with one decision for each: "
        '{"decisions": [{"type": "approve"}, {"type": "reject", "message": "..."}, '
        '{"type": "edit", "edited_action": {"name": "...", "args": {...}}}]}.',
    ),
]
_Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="After each answer, tell note by note what memory did.")
]


def chat(
    user: User = None,
    thread: Annotated[str | None, typer.Option(help="The conversation; without it a new one begins.")] = None,
    message: _Message = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per turn, one line each.")] = False,
    memory: _Mode = "on",
    resume: _Resume = None,
    end: Annotated[bool, typer.Option("--end", help="End the session after the last message.")] = False,
    workspace: Workspace = None,
    lang: Lang = None,
    verbose: _Verbose = False,
) -> None:
    """Talk to the concierge. Leaving an interactive conversation ends its session, so that nothing is lost."""
    from app.cli.chat.approval import read_answer

    set_language(lang)
    settings = read_settings()
    if workspace:
        settings = settings.model_copy(update={"workspace": workspace})
    ids = ThreadIds(user_id=resolve_user(user, settings), thread_id=str(uuid4()) if thread is None else thread)
    if resume is not None and thread is None:
        raise InvalidInputError("Say which conversation is to be resumed: add --thread.")
    answer = None if resume is None else read_answer(resume)
    if not message and not as_json and resume is None:
        from app.cli.chat.interactive import converse

        converse(settings, ids, mode=memory, verbose=verbose)
        return
    screen = None if as_json else Screen(verbose=verbose)
    said = message or ([] if resume is not None else _lines())
    script = Script(said, ids, memory, screen, answer, end, is_new=thread is None)
    if failures := with_concierge(script.play, settings):
        print(f"concierge: {say('model_failed', count=failures)}", file=sys.stderr)
        raise SystemExit(FAILED)


def _lines() -> Iterator[str]:
    """Return the lines of stdin that say something, as they arrive."""
    for line in sys.stdin:
        if line.strip():
            yield line.rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Script:
    """Messages sent one after the other on one thread, up to one that has to wait for a decision.

    Attributes:
        own: Who speaks in which conversation.
        screen: Where answers are written; without one, each turn is printed as JSON.
        answer: What is decided of the actions that wait, before anything is said.
        end: Whether the session ends after the last message.
        is_new: Whether the conversation begins here, and its name is to be told.
    """

    messages: Iterable[str]
    ids: ThreadIds
    mode: MemoryMode
    screen: Screen | None
    answer: Any
    end: bool
    is_new: bool

    async def play(self, concierge: Concierge) -> int:
        """Send everything and print the answers; gives the number of turns in which the model failed.

        Raises:
            InvalidInputError: what was decided can't be carried out; the actions still wait.
        """
        from graph.state import StopReason

        if self.is_new and self.screen:
            print(say("thread", thread=self.ids["thread_id"]), file=sys.stderr)
        failed = (StopReason.MODEL_ERROR, StopReason.MODEL_TIMEOUT, StopReason.MODEL_EMPTY, StopReason.TURN_TIMEOUT)
        failures, left = 0, iter(self.messages)
        waits = self.answer is None and bool(await concierge.waiting(**self.ids))
        for message in chain([] if self.answer is None else [None], left):
            reply = await self._turn(concierge, message)
            failures += reply.stop_reason in failed
            if reply.interrupts:
                more = isinstance(self.messages, list) and next(left, None) is not None
                self._leave_open(reply.interrupts[0], more=more)
                return failures
        if waits and self.screen and not self.end:
            # What was said is answered, and what waited before it still waits.
            for request in (await concierge.ask_again(**self.ids)).interrupts:
                self._leave_open(request, more=False)
        if self.end:
            ended = await end_session(CommandContext(concierge, self.ids["user_id"]), self.ids["thread_id"])
            ended.show(as_json=self.screen is None)
        return failures

    async def _turn(self, concierge: Concierge, message: str | None) -> Reply:
        """Send a message, or without one what is decided, and print what comes of it."""
        from app.cli.chat.live import write_answer

        if self.screen:
            told = concierge.stream_resume(self.answer, **self.ids)
            if message is not None:
                told = concierge.stream(message, memory_mode=self.mode, **self.ids)
            return await write_answer(self.screen, told)
        if message is None:
            reply = await concierge.resume(self.answer, **self.ids)
        else:
            reply = await concierge.send(message, memory_mode=self.mode, **self.ids)
        print_json(turn_record(reply, **self.ids))
        return reply

    def _leave_open(self, request: Mapping[str, Any], *, more: bool) -> None:
        """Say what waits and how to decide. Nothing more is said before: a new message would drop the question."""
        from app.cli.chat.approval import write_request, write_resume_command

        if self.screen:
            write_request(self.screen, {**request, "error": ""})
            write_resume_command(self.screen, **self.ids)
        if self.end or more:
            print(f"concierge: {say('decide_first')}", file=sys.stderr)
        if request.get("error"):
            raise InvalidInputError(str(request["error"]))
