"""`concierge chat`: scripted, for programs and one-off questions; the interactive conversation is next door."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from uuid import uuid4

from app.answering import answer
from app.exits import FAILED
from app.opening import speaker, with_concierge
from app.records import print_json, turn_record
from app.screen import Screen
from app.sessions import end as end_session
from graph.settings import load_settings
from graph.state import StopReason

if TYPE_CHECKING:
    from graph.concierge import Concierge
    from graph.context import MemoryMode
    from graph.reply import Reply

_MODEL_FAILED = (StopReason.MODEL_ERROR, StopReason.MODEL_TIMEOUT, StopReason.MODEL_EMPTY, StopReason.TURN_TIMEOUT)


def start_chat(
    user: str | None, thread: str | None, messages: list[str] | None, *, as_json: bool, mode: MemoryMode, end: bool
) -> None:
    """The command `chat`. With messages, or with `--json` and lines on stdin, it is scripted; else interactive.

    A scripted chat in which the model failed exits with 1, after all its turns.
    """
    settings = load_settings()
    user_id = speaker(user, settings)
    thread_id = str(uuid4()) if thread is None else thread
    if not messages and not as_json:
        from app.conversation import converse

        converse(settings, user_id=user_id, thread_id=thread_id, mode=mode)
        return
    script = Script(messages or _lines(), user_id=user_id, thread_id=thread_id, mode=mode, as_json=as_json, end=end)
    script.announces_thread = thread is None and not as_json
    failures = with_concierge(script.play, settings)
    if failures:
        print(f"concierge: the model failed in {failures} of the turns; see the replies.", file=sys.stderr)
        raise SystemExit(FAILED)


def _lines() -> Iterator[str]:
    """The lines of stdin that say something, as they arrive."""
    for line in sys.stdin:
        if line.strip():
            yield line.rstrip("\r\n")


class Script:
    """Messages sent one after the other on one thread."""

    def __init__(
        self, messages: Iterable[str], *, user_id: str, thread_id: str, mode: MemoryMode, as_json: bool, end: bool
    ) -> None:
        self._messages = messages
        self._user_id = user_id
        self._thread_id = thread_id
        self._mode: MemoryMode = mode
        self._json = as_json
        self._end = end
        self.announces_thread = False

    async def play(self, concierge: Concierge) -> int:
        """Send everything and print the answers; gives the number of turns in which the model failed."""
        screen = Screen()
        if self.announces_thread:
            print(f"thread: {self._thread_id}", file=sys.stderr)
        failures = 0
        for message in self._messages:
            reply = await self._turn(concierge, message, screen)
            failures += reply.stop_reason in _MODEL_FAILED
        if self._end:
            ended = await end_session(concierge, user_id=self._user_id, thread_id=self._thread_id)
            if self._json:
                print_json(ended.record())
            else:
                screen.ended(ended)
        return failures

    async def _turn(self, concierge: Concierge, message: str, screen: Screen) -> Reply:
        if not self._json:
            return await answer(
                concierge, screen, message, user_id=self._user_id, thread_id=self._thread_id, mode=self._mode
            )
        reply = await concierge.send(message, user_id=self._user_id, thread_id=self._thread_id, memory_mode=self._mode)
        print_json(turn_record(reply, user_id=self._user_id, thread_id=self._thread_id))
        return reply
