"""An interactive conversation: input lines, messages, decisions, and the end of its session."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Coroutine
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from app.cli.chat.approval import (
    Choice,
    PendingApproval,
    decisions_of,
    write_choices,
    write_reminder,
    write_request,
    write_resume_command,
)  # fmt: skip
from app.cli.chat.live import write_answer
from app.cli.opening import CommandContext
from app.cli.screen import Output, Screen
from app.cli.sessions import end_session
from app.cli.wording import follow_language, say
from config.errors import ConflictError, NotFoundError

if TYPE_CHECKING:
    from app.api.reply import Event, Reply, ReplyMemory
    from graph.context import MemoryMode


_BOLD, _PLAIN = "\x01\x1b[1m\x02", "\x01\x1b[0m\x02"
"""Readline does not count characters between \\x01 and \\x02 when it computes columns."""


def is_person(screen: Screen) -> bool:
    """Return whether input and output are a terminal; a program is never asked to approve."""
    return sys.stdin.isatty() and screen.console is not None


def read_line(screen: Screen, prompt: str) -> str | None:
    """Return the next input line, or None at the end of the input. Raises KeyboardInterrupt."""
    if not is_person(screen):
        line = sys.stdin.readline()
        return line.rstrip("\r\n") if line else None
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (its import gives `input` a line editor and a history)

        prompt = f"{_BOLD}{prompt}{_PLAIN}"
    try:
        return input(prompt)
    except EOFError:
        return None


T = TypeVar("T")


class Conversation:
    """A user on a thread. Input is read outside the event loop, so that Ctrl-C raises KeyboardInterrupt.

    Attributes:
        ctx: The concierge, the user and the thread.
        mode: Memory mode of the next turns.
        leaving: True once the conversation should end.
        pending: The approval that was shown and is not decided yet.
        latest: What memory did in the last turn; None before the first.
    """

    def __init__(self, ctx: CommandContext, runner: asyncio.Runner, screen: Screen, *, mode: MemoryMode) -> None:
        self.ctx = ctx
        self.screen = screen
        self.mode: MemoryMode = mode
        self.leaving = False
        self.pending: PendingApproval | None = None
        self.latest: ReplyMemory | None = None
        self._runner = runner
        self._is_unsaved = False

    @property
    def is_undecided(self) -> bool:
        """Whether an action waits for a decision, which ending the session would drop."""
        return self.pending is not None and not self.pending.was_bypassed

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` to completion. Raises KeyboardInterrupt if the user presses Ctrl-C."""
        return self._runner.run(work, context=copy_context())

    def end(self) -> Output | None:
        """End the session; return None if it has no new messages. Raises ConflictError if an approval is pending."""
        if self.is_undecided:
            raise ConflictError(say("end_would_drop"))
        self.pending = None
        if not self._is_unsaved:
            return None
        output = None
        with self.screen.doing(say("doing_ending")), contextlib.suppress(NotFoundError):  # every message was taken back
            output = self.wait(end_session(self.ctx, self.ctx.thread_id))
        self._is_unsaved = False
        return output

    def show_pending(self) -> bool:
        """Show the pending approval of this conversation; return False if there is none."""
        if waiting := self.wait(self.ctx.concierge.waiting(**self.ctx.ids)):
            self._present(PendingApproval(waiting[0]))
        elif self.pending:
            self._present(replace(self.pending, is_fresh=True))
        return self.pending is not None

    def say(self, message: str) -> None:
        """Send a message and write its answer; Ctrl-C takes the message back.

        The message may be sent while an approval is pending. If the reply does not request the approval again, the user
        is reminded of it.
        """
        follow_language(message)
        self._is_unsaved, before = True, self.pending
        reply = self._run(self.ctx.concierge.stream(message, memory_mode=self.mode, **self.ctx.ids))
        if reply is None:
            self._take_back()
        elif self.pending and not reply.interrupts:
            self._show_reminder(replace(self.pending, tools_ran=self.pending.tools_ran or bool(reply.tools)))
        elif before and self.pending and before.actions == self.pending.actions:
            self.screen.aside(say("answer_please"))

    def _take_back(self) -> None:
        """Undo a message that was stopped; an approval that was pending before stays pending."""
        if waiting := self.wait(self.ctx.concierge.waiting(**self.ctx.ids)):
            self.screen.aside(say("stopped"))
            self._present(PendingApproval(waiting[0]))
            return
        taken_back = self.wait(self.ctx.concierge.drop_unfinished_turn(**self.ctx.ids))
        self.screen.aside(say("taken_back" if taken_back else "stopped"))
        if self.pending:
            self._show_reminder(self.pending)

    def _show_reminder(self, waiting: PendingApproval) -> None:
        self.pending = replace(waiting, is_fresh=False, was_bypassed=True)
        write_reminder(self.screen, self.pending)

    def answer(self, text: str) -> None:
        """Answer the pending question."""
        self._resume(text)

    def decide(self, choice: Choice) -> None:
        """Carry out the user's choice for the pending approval."""
        assert self.pending is not None  # choices are read only while an approval is pending
        if choice == "edit":
            self.screen.aside(say("say_the_change"))
        elif choice == "later":
            self._postpone()
        elif self.pending.was_bypassed and choice == "reject":
            self.pending = None
            self.screen.aside(say("let_it_go"))
        elif not self.pending.was_bypassed or self._ask_again(self.pending):
            decisions = decisions_of(choice, self.pending, self.screen, self._ask)
            if decisions is None:
                self._postpone()
            else:
                self._resume({"decisions": decisions})

    def _ask_again(self, earlier: PendingApproval) -> bool:
        """Request a bypassed approval again; return False if the user must see it before deciding.

        That is so if its terms have changed or tools have run since.
        """
        try:
            with self.screen.doing(say("doing_thinking")):
                reply = self.wait(self.ctx.concierge.ask_again(**self.ctx.ids))
        except KeyboardInterrupt:
            self.screen.aside(say("stopped"))
            return False
        if not reply.interrupts:
            self.pending = None
            self.screen.markdown(reply.text)
            return False
        self.pending = PendingApproval(reply.interrupts[0])
        if self.pending.actions != earlier.actions:
            self.screen.aside(say("terms_changed"))
        elif not earlier.tools_ran:
            return True
        self._present(self.pending)
        return False

    def _resume(self, value: object) -> None:
        """Carry out a decision, and show the next pending approval."""
        self._is_unsaved, self.pending = True, None
        events = self.ctx.concierge.stream_resume(value, **self.ctx.ids)
        if not self._run(events):
            self.screen.aside(say("stopped_deciding"))

    def _run(self, events: AsyncIterator[Event]) -> Reply | None:
        """Write an answer and its approval request; return None if the user stopped it."""
        try:
            reply = self.wait(write_answer(self.screen, events))
        except KeyboardInterrupt:
            self.screen.line()
            return None
        self.latest = reply.memory
        if reply.interrupts:
            self._present(PendingApproval(reply.interrupts[0]))
        return reply

    def _present(self, waiting: PendingApproval) -> None:
        """Show a pending approval; ask a user in a terminal, and end the conversation with a program."""
        self.pending = waiting
        write_request(self.screen, waiting.request)
        if is_person(self.screen):
            write_choices(self.screen, waiting)
        else:
            write_resume_command(self.screen, waiting.request, **self.ctx.ids)
            self.leaving = True

    def _postpone(self) -> None:
        assert self.pending is not None
        self.pending = replace(self.pending, is_fresh=False)
        if self.is_undecided:
            write_resume_command(self.screen, self.pending.request, **self.ctx.ids)
        self.screen.aside(say("left_for_later"))

    def _ask(self, prompt: str) -> str:
        line = read_line(self.screen, prompt)
        if line is None:
            raise EOFError
        return line
