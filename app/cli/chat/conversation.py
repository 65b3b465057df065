"""`concierge chat` with a person at the other end: prompt, streaming, slash commands, and a session that ends well."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from app.cli.chat.answer import answer, decide
from app.cli.chat.approval import write_request, write_way_back
from app.cli.chat.decide import asked_decisions
from app.cli.chat.keyboard import is_person, read_line
from app.cli.chat.slash_commands import Commands
from app.cli.json_records import Ended
from app.cli.screen import Screen
from app.cli.sessions import end as end_session
from config.errors import ConflictError, RequestError

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from config.settings import Settings
    from graph.context import MemoryMode

T = TypeVar("T")

PROMPT = "you> "


def converse(settings: Settings, *, user_id: str, thread_id: str, mode: MemoryMode) -> None:
    """Talk until the person leaves; then end the session and say what was kept."""
    with asyncio.Runner() as runner, contextlib.ExitStack() as stack:
        concierge = _open(settings, runner, stack)
        screen = Screen()
        talk = Conversation(concierge, runner, screen, user_id=user_id, thread_id=thread_id, mode=mode)
        talk.greet(offline=not settings.uses_openai)
        talk.run()


def _open(settings: Settings, runner: asyncio.Runner, stack: contextlib.ExitStack) -> Concierge:
    from app.api.opening import open_concierge

    opened = contextlib.AsyncExitStack()
    concierge = runner.run(opened.enter_async_context(open_concierge(settings)))
    stack.callback(lambda: runner.run(opened.aclose()))
    return concierge


class Conversation:
    """One person on one thread. Between answers it waits outside the event loop, where Ctrl-C is its own."""

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
        self._unsaved = False
        self._left_open = False
        self._commands = Commands(self)

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` to its end. Raises KeyboardInterrupt when the person stops it."""
        return self._runner.run(work)

    def greet(self, *, offline: bool) -> None:
        """Say who is talking, and how to leave."""
        model = "offline concierge" if offline else "concierge"
        self.screen.aside(f"{model}, user {self.user_id}, thread {self.thread_id}, memory {self.mode}")
        if self.mode == "on" and self.wait(self.concierge.memory(self.user_id).consent()).paused:
            self.screen.aside("you paused memory: nothing is learnt until /resume")
        self.screen.aside("/help lists the commands, /quit or Ctrl-D leaves")

    def run(self) -> None:
        """Read and answer until the person leaves or the input ends."""
        interrupted = False
        if is_person(self.screen):
            self._try(self.decide_what_waits)
        while not self.leaving:
            try:
                line = read_line(self.screen, PROMPT)
            except KeyboardInterrupt:
                self.screen.line()
                if interrupted:
                    break
                interrupted = True
                self.screen.aside("press Ctrl-C again, or type /quit, to leave")
                continue
            interrupted = False
            if line is None:
                break
            self._take(line)
        self._leave()

    def end(self) -> Ended | None:
        """End the session; None when nothing was said in it. Raises ConflictError when a decision is awaited."""
        if self._left_open:
            raise ConflictError("An action waits for your decision, which the end of the session would drop: /decide")
        if not self._unsaved:
            return None
        ended = self.wait(end_session(self.concierge, user_id=self.user_id, thread_id=self.thread_id))
        self._unsaved = False
        return ended

    def decide_what_waits(self) -> bool:
        """Ask about what waits for a decision in this conversation; False when nothing does."""
        waiting = self.wait(self.concierge.waiting(user_id=self.user_id, thread_id=self.thread_id))
        self._decide(waiting)
        return bool(waiting)

    def _take(self, line: str) -> None:
        if line.lstrip().startswith("/"):
            self._try(lambda: self._commands.run(line.strip()))
        elif line.strip():
            self._try(lambda: self._say(line))

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except RequestError as error:
            self.screen.aside(str(error))

    def _say(self, message: str) -> None:
        self._unsaved, self._left_open = True, False
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
            self._left_open = True
            decisions = None
            if is_person(self.screen):
                decisions = asked_decisions(self.screen, waiting[0]["action_requests"], self._ask)
            if decisions is None:
                self._leave_open()
                return
            waiting = self._resume({"decisions": decisions})

    def _resume(self, value: object) -> Sequence[Any]:
        """Carry out what was decided; gives what waits after that."""
        self._unsaved = True
        deciding = decide(self.concierge, self.screen, value, user_id=self.user_id, thread_id=self.thread_id)
        try:
            waiting = self.wait(deciding).interrupts
        except KeyboardInterrupt:
            self.screen.line()
            self.screen.aside("stopped; /trips shows what is booked, and /decide what still waits")
            waiting = ()
        self._left_open = bool(waiting)
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

    def _leave(self) -> None:
        if self.screen.is_terminal:
            self.screen.line()
        if self._left_open:
            if is_person(self.screen):
                write_way_back(self.screen, user_id=self.user_id, thread_id=self.thread_id)
            self.screen.aside("the session stays open until then; goodbye")
            return
        try:
            ended = self.end()
        except KeyboardInterrupt:
            self.screen.aside(f"stopped; what was noted is still in thread {self.thread_id}")
            return
        if ended:
            self.screen.ended(ended)
        self.screen.aside("goodbye")
