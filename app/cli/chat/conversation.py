"""Holds a conversation with a person: messages, decisions, and the end of its session."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from app.cli.chat.answer import answer, decide
from app.cli.chat.approval import asked_decisions, write_request, write_way_back
from app.cli.chat.keyboard import is_person, read_line
from app.cli.json_records import Ended
from app.cli.screen import Screen
from app.cli.sessions import end as end_session
from config.errors import ConflictError

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from graph.context import MemoryMode

T = TypeVar("T")


class Conversation:
    """One person on one thread. Between answers it waits outside the event loop, where Ctrl-C reaches it.

    Attributes:
        mode: What memory may do in the turns to come.
        leaving: True once the conversation is to end.
        is_undecided: True while an action waits for a decision.
    """

    def __init__(
        self,
        concierge: Concierge,
        runner: asyncio.Runner,
        screen: Screen,
        *,
        user_id: str,
        thread_id: str,
        mode: MemoryMode,
    ) -> None:
        self.concierge = concierge
        self.screen = screen
        self.user_id = user_id
        self.thread_id = thread_id
        self.mode: MemoryMode = mode
        self.leaving = False
        self._runner = runner
        self._is_unsaved = False
        self.is_undecided = False

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` to its end. Raises KeyboardInterrupt when the person stops it."""
        return self._runner.run(work)

    def end(self) -> Ended | None:
        """End the session; None when nothing was said in it. Raises ConflictError when a decision is awaited."""
        if self.is_undecided:
            raise ConflictError("An action waits for your decision, which the end of the session would drop: /decide")
        if not self._is_unsaved:
            return None
        ended = self.wait(end_session(self.concierge, user_id=self.user_id, thread_id=self.thread_id))
        self._is_unsaved = False
        return ended

    def decide_what_waits(self) -> bool:
        """Ask about what waits for a decision in this conversation; False when nothing does."""
        waiting = self.wait(self.concierge.waiting(user_id=self.user_id, thread_id=self.thread_id))
        self._decide(waiting)
        return bool(waiting)

    def say(self, message: str) -> None:
        """Send a message and write its answer; Ctrl-C takes the message back."""
        self._is_unsaved, self.is_undecided = True, False
        try:
            reply = self.wait(
                answer(
                    self.concierge, self.screen, message,
                    user_id=self.user_id, thread_id=self.thread_id, mode=self.mode,
                )
            )  # fmt: skip
        except KeyboardInterrupt:
            self.screen.line()
            dropping = self.concierge.drop_unfinished_turn(user_id=self.user_id, thread_id=self.thread_id)
            taken_back = self.wait(dropping)
            self.screen.aside("stopped; your message is taken back" if taken_back else "stopped")
        else:
            self._decide(reply.interrupts)

    def _decide(self, waiting: Sequence[Any]) -> None:
        """Ask until nothing waits any more, or the person leaves it for later; nobody else is asked."""
        while waiting:
            write_request(self.screen, waiting[0])
            self.is_undecided = True
            decisions = None
            if is_person(self.screen):
                decisions = asked_decisions(self.screen, waiting[0]["action_requests"], self._ask)
            if decisions is None:
                self._leave_open()
                return
            waiting = self._resume({"decisions": decisions})

    def _resume(self, value: object) -> Sequence[Any]:
        """Carry out what was decided; gives what waits after that."""
        self._is_unsaved = True
        deciding = decide(self.concierge, self.screen, value, user_id=self.user_id, thread_id=self.thread_id)
        try:
            waiting = self.wait(deciding).interrupts
        except KeyboardInterrupt:
            self.screen.line()
            self.screen.aside("stopped; /trips shows what is booked, and /decide what still waits")
            waiting = ()
        self.is_undecided = bool(waiting)
        return waiting

    def _leave_open(self) -> None:
        write_way_back(self.screen, user_id=self.user_id, thread_id=self.thread_id)
        if is_person(self.screen):
            self.screen.aside("here: /decide asks again; a new message drops the question, and nothing is done")
        else:
            self.leaving = True

    def _ask(self, prompt: str) -> str:
        line = read_line(self.screen, prompt)
        if line is None:
            raise EOFError
        return line
