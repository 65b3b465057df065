"""`concierge chat` with a person at the other end: prompt, streaming, slash commands, and a session that ends well."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from app.answering import answer
from app.commands import Commands
from app.records import Ended
from app.screen import Screen
from app.sessions import end as end_session
from graph.errors import RequestError

if TYPE_CHECKING:
    from graph.concierge import Concierge
    from graph.context import MemoryMode
    from graph.settings import Settings

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
    from graph.concierge import open_concierge

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
        while not self.leaving:
            try:
                line = _read(self.screen)
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
        """End the session; None when nothing was said in it."""
        if not self._unsaved:
            return None
        ended = self.wait(end_session(self.concierge, user_id=self.user_id, thread_id=self.thread_id))
        self._unsaved = False
        return ended

    def _take(self, line: str) -> None:
        if not line.strip():
            return
        try:
            if line.lstrip().startswith("/"):
                self._commands.run(line.strip())
            else:
                self._say(line)
        except RequestError as error:
            self.screen.aside(str(error))

    def _say(self, message: str) -> None:
        self._unsaved = True
        try:
            self.wait(
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

    def _leave(self) -> None:
        if self.screen.is_terminal:
            self.screen.line()
        try:
            ended = self.end()
        except KeyboardInterrupt:
            self.screen.aside(f"stopped; what was noted is still in thread {self.thread_id}")
            return
        if ended:
            self.screen.ended(ended)
        self.screen.aside("goodbye")


def _read(screen: Screen) -> str | None:
    """The next line, None at the end of the input."""
    if not (sys.stdin.isatty() and screen.is_terminal):
        line = sys.stdin.readline()
        return line.rstrip("\r\n") if line else None
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (its import gives `input` a line editor and a history)
    try:
        return input(PROMPT)
    except EOFError:
        return None
