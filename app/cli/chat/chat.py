"""Runs `concierge chat`; the scripted mode, for programs and one-off questions, is implemented here."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import uuid4

import typer

from app.cli.exits import FAILED
from app.cli.opening import CommandContext, Lang, User, Workspace, resolve_user, with_concierge
from app.cli.screen import Screen, print_json
from app.cli.sessions import end_session
from app.cli.wording import follow_language, read_settings, say, set_language
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
        help="Decide on the actions that wait in --thread: approve, reject, or JSON with one decision for each "
        "(a question of your own code takes any text): "
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
    set_language(lang)
    settings = read_settings()
    if workspace:
        settings = settings.model_copy(update={"workspace": workspace})
    ids = ThreadIds(user_id=resolve_user(user, settings), thread_id=str(uuid4()) if thread is None else thread)
    if resume is not None and thread is None:
        raise InvalidInputError("Say which conversation is to be resumed: add --thread.")
    if not message and not as_json and resume is None:
        from app.cli.chat.interactive import converse

        converse(settings, ids, mode=memory, verbose=verbose)
        return
    screen = None if as_json else Screen(verbose=verbose)
    messages = message or ([] if resume is not None else _lines())
    script = Script(messages, ids, memory, screen, resume, end, is_new=thread is None)
    if failures := with_concierge(script.play, settings):
        print(f"concierge: {say('model_failed', count=failures)}", file=sys.stderr)
        raise SystemExit(FAILED)


def _lines() -> Iterator[str]:
    """Yield the lines of stdin that are not blank, as they arrive."""
    for line in sys.stdin:
        if line.strip():
            yield line.rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Script:
    """Messages sent one after the other on one thread, until one leads to an approval request.

    Attributes:
        ids: The user and the conversation.
        screen: Where answers are written; None prints each turn as JSON.
        resume: The value of `--resume`, which is answered before the messages; None if it was not given.
        end: Whether to end the session after the last message.
        is_new: Whether the conversation is new, so that its id is printed.
    """

    messages: Iterable[str]
    ids: ThreadIds
    mode: MemoryMode
    screen: Screen | None
    resume: str | None
    end: bool
    is_new: bool

    async def play(self, concierge: Concierge) -> int:
        """Send everything and print the answers; return the number of turns in which the model failed.

        Raises:
            InvalidInputError: the decision can't be carried out; the actions still wait.
        """
        from app.cli.chat.approval import read_answer
        from graph.state import StopReason
        from nodes.approve import is_approval

        if self.is_new and self.screen:
            print(say("thread", thread=self.ids["thread_id"]), file=sys.stderr)
        failed = (StopReason.MODEL_ERROR, StopReason.MODEL_TIMEOUT, StopReason.MODEL_EMPTY, StopReason.TURN_TIMEOUT)
        failures, remaining = 0, iter(self.messages)
        waiting = await concierge.waiting(**self.ids)
        was_waiting = self.resume is None and any(map(is_approval, waiting))
        answer = None if self.resume is None else read_answer(self.resume, waiting)
        for message in chain([] if self.resume is None else [None], remaining):
            reply = await self._turn(concierge, message, answer)
            failures += reply.stop_reason in failed
            if reply.interrupts:
                more = isinstance(self.messages, list) and next(remaining, None) is not None
                self._report_pending(reply.interrupts[0], more=more)
                return failures
        if was_waiting and self.screen and not self.end:
            # The messages were answered without a decision on the actions that waited before.
            for request in (await concierge.ask_again(**self.ids)).interrupts:
                self._report_pending(request, more=False)
        if self.end:
            ended = await end_session(CommandContext(concierge, self.ids["user_id"]), self.ids["thread_id"])
            ended.show(as_json=self.screen is None)
        return failures

    async def _turn(self, concierge: Concierge, message: str | None, answer: Any) -> Reply:
        """Send a message, or the answer to what waits if there is none, and print the reply."""
        from app.cli.chat.live import write_answer

        if self.screen:
            events = concierge.stream_resume(answer, **self.ids)
            if message is not None:
                follow_language(message)
                events = concierge.stream(message, memory_mode=self.mode, **self.ids)
            return await write_answer(self.screen, events)
        if message is None:
            reply = await concierge.resume(answer, **self.ids)
        else:
            reply = await concierge.send(message, memory_mode=self.mode, **self.ids)
        print_json(turn_record(reply, **self.ids))
        return reply

    def _report_pending(self, request: Any, *, more: bool) -> None:
        """Write the pending actions and how to decide; no more messages are sent, which would bypass the approval."""
        from app.cli.chat.approval import write_request, write_resume_command
        from nodes.approve import is_approval

        error = request.get("error") if is_approval(request) else None
        if self.screen:
            write_request(self.screen, {**request, "error": ""} if error else request)
            write_resume_command(self.screen, request, **self.ids)
        if self.end or more:
            print(f"concierge: {say('decide_first')}", file=sys.stderr)
        if error:
            raise InvalidInputError(str(error))
