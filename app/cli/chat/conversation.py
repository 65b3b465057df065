"""Holds a conversation with a person: lines, messages, decisions, and the end of its session."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Coroutine
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
from app.cli.wording import say
from app.json_records import ThreadIds
from config.errors import ConflictError

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from app.api.reply import Event, Reply, ReplyMemory
    from graph.context import MemoryMode


_BOLD, _PLAIN = "\x01\x1b[1m\x02", "\x01\x1b[0m\x02"
"""Between \\x01 and \\x02 stands what takes no room, so that the line editor counts columns right."""


def is_person(screen: Screen) -> bool:
    """Return True in a terminal; a program at the other end is never asked to approve."""
    return sys.stdin.isatty() and screen.console is not None


def read_line(screen: Screen, prompt: str) -> str | None:
    """Return the next line, None at the end of the input. Raises KeyboardInterrupt."""
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
    """One person on one thread. Between answers it waits outside the event loop, where Ctrl-C reaches it.

    Attributes:
        own: Who speaks in which conversation.
        mode: What memory may do in the turns to come.
        leaving: True once the conversation is to end.
        open: What waits for a decision, as far as it was shown here.
        latest: What memory did in the last turn; None before the first.
    """

    def __init__(
        self,
        concierge: Concierge,
        runner: asyncio.Runner,
        screen: Screen,
        *,
        ids: ThreadIds,
        mode: MemoryMode,
    ) -> None:
        self.concierge = concierge
        self.screen = screen
        self.ids = ids
        self.mode: MemoryMode = mode
        self.leaving = False
        self.open: PendingApproval | None = None
        self.latest: ReplyMemory | None = None
        self._runner = runner
        self._is_unsaved = False

    @property
    def is_undecided(self) -> bool:
        """True while an action waits for a decision, which the end of the session would drop."""
        return self.open is not None and not self.open.is_left

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` to its end. Raises KeyboardInterrupt when the person stops it."""
        return self._runner.run(work)

    def end(self) -> Output | None:
        """End the session; None when nothing was said in it. Raises ConflictError when a decision is awaited."""
        if self.is_undecided:
            raise ConflictError(say("end_would_drop"))
        self.open = None
        if not self._is_unsaved:
            return None
        with self.screen.doing(say("doing_ending")):
            ended = self.wait(end_session(CommandContext(self.concierge, **self.ids), self.ids["thread_id"]))
        self._is_unsaved = False
        return ended

    def show_pending(self) -> bool:
        """Show what waits for a decision in this conversation; False when nothing does."""
        if waiting := self.wait(self.concierge.waiting(**self.ids)):
            self._present(PendingApproval(waiting[0]))
        elif self.open:
            self._present(replace(self.open, is_fresh=True))
        return self.open is not None

    def say(self, message: str) -> None:
        """Send a message and write its answer; Ctrl-C takes the message back.

        A message that comes while something waits is one like any other: the concierge reads what it means, and what
        it does not put up anew is offered again.
        """
        self._is_unsaved = True
        reply = self._run(self.concierge.stream(message, memory_mode=self.mode, **self.ids))
        if reply is None:
            self._take_back()
        elif self.open and not reply.interrupts:
            self._remind(replace(self.open, is_past=self.open.is_past or bool(reply.tools)))

    def _take_back(self) -> None:
        """Undo a message that was stopped; what waited before it was read still waits."""
        if waiting := self.wait(self.concierge.waiting(**self.ids)):
            self.screen.aside(say("stopped"))
            self._present(PendingApproval(waiting[0]))
            return
        taken_back = self.wait(self.concierge.drop_unfinished_turn(**self.ids))
        self.screen.aside(say("taken_back" if taken_back else "stopped"))
        if self.open:
            self._remind(self.open)

    def _remind(self, waiting: PendingApproval) -> None:
        self.open = replace(waiting, is_fresh=False, is_left=True)
        write_reminder(self.screen, self.open)

    def decide(self, choice: Choice) -> None:
        """Do what was decided of what waits."""
        assert self.open is not None  # there is no choice where nothing waits
        if choice == "edit":
            self.screen.aside(say("say_the_change"))
        elif choice == "later":
            self._leave_open()
        elif self.open.is_left and choice == "reject":
            self.open = None
            self.screen.aside(say("let_it_go"))
        elif not self.open.is_left or self._ask_again(self.open):
            decisions = decisions_of(choice, self.open, self.screen, self._ask)
            if decisions is None:
                self._leave_open()
            else:
                self._resume({"decisions": decisions})

    def _ask_again(self, left: PendingApproval) -> bool:
        """Put up again what a message left open; False when it is shown first: its terms or the talk have moved on."""
        try:
            with self.screen.doing(say("doing_thinking")):
                reply = self.wait(self.concierge.ask_again(**self.ids))
        except KeyboardInterrupt:
            self.screen.aside(say("stopped"))
            return False
        if not reply.interrupts:
            self.open = None
            self.screen.markdown(reply.text)
            return False
        self.open = PendingApproval(reply.interrupts[0])
        if self.open.actions != left.actions:
            self.screen.aside(say("terms_changed"))
        elif not left.is_past:
            return True
        self._present(self.open)
        return False

    def _resume(self, value: object) -> None:
        """Carry out what was decided, and show what waits after that."""
        self._is_unsaved, self.open = True, None
        events = self.concierge.stream_resume(value, **self.ids)
        if not self._run(events):
            self.screen.aside(say("stopped_deciding"))

    def _run(self, events: AsyncIterator[Event]) -> Reply | None:
        """Write an answer, and what waits after it; None when the person stopped it."""
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
        """Show what waits; nobody but a person is asked."""
        self.open = waiting
        write_request(self.screen, waiting.request)
        if is_person(self.screen):
            write_choices(self.screen, waiting)
        else:
            write_resume_command(self.screen, **self.ids)
            self.leaving = True

    def _leave_open(self) -> None:
        assert self.open is not None
        self.open = replace(self.open, is_fresh=False)
        if self.is_undecided:
            write_resume_command(self.screen, **self.ids)
        self.screen.aside(say("left_for_later"))

    def _ask(self, prompt: str) -> str:
        line = read_line(self.screen, prompt)
        if line is None:
            raise EOFError
        return line
