"""Runs `concierge chat` from a script: for programs and one-off questions."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from app.cli.chat.answer import write_answer
from app.cli.chat.approval import read_answer, write_request, write_way_back
from app.cli.exits import FAILED
from app.cli.json_records import print_json, turn_record
from app.cli.opening import sharing, speaker, with_concierge
from app.cli.screen import Screen
from app.cli.sessions import end as end_session
from app.cli.wording import say, speak
from config.errors import InvalidInputError
from graph.state import StopReason

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from app.api.reply import Reply
    from app.cli.wording import Language
    from graph.context import MemoryMode

_MODEL_FAILED = (StopReason.MODEL_ERROR, StopReason.MODEL_TIMEOUT, StopReason.MODEL_EMPTY, StopReason.TURN_TIMEOUT)


def start_chat(
    user: str | None,
    thread: str | None,
    messages: list[str] | None,
    *,
    resume: str | None,
    as_json: bool,
    mode: MemoryMode,
    end: bool,
    workspace: str | None,
    language: Language | None,
    verbose: bool,
) -> None:
    """The command `chat`. With messages, an answer, or `--json` and lines on stdin it is scripted; else interactive.

    A scripted chat in which the model failed exits with 1, after all its turns.
    """
    speak(language)
    settings = sharing(workspace)
    user_id = speaker(user, settings)
    thread_id = str(uuid4()) if thread is None else thread
    if resume is not None and thread is None:
        raise InvalidInputError("Say which conversation is to be resumed: add --thread.")
    value = None if resume is None else read_answer(resume)
    if not messages and not as_json and resume is None:
        from app.cli.chat.interactive import converse

        converse(settings, user_id=user_id, thread_id=thread_id, mode=mode, verbose=verbose)
        return
    said = messages or ([] if resume is not None else _lines())
    script = Script(said, user_id=user_id, thread_id=thread_id, mode=mode, as_json=as_json, end=end)
    script.announces_thread = thread is None and not as_json
    script.answer = value
    script.screen = Screen(verbose=verbose)
    failures = with_concierge(script.play, settings)
    if failures:
        print(f"concierge: {say('model_failed', count=failures)}", file=sys.stderr)
        raise SystemExit(FAILED)


def _lines() -> Iterator[str]:
    """Return the lines of stdin that say something, as they arrive."""
    for line in sys.stdin:
        if line.strip():
            yield line.rstrip("\r\n")


class Script:
    """Messages sent one after the other on one thread, up to one that has to wait for a decision."""

    def __init__(
        self, messages: Iterable[str], *, user_id: str, thread_id: str, mode: MemoryMode, as_json: bool, end: bool
    ) -> None:
        self._messages = messages
        self._user_id = user_id
        self._thread_id = thread_id
        self._mode: MemoryMode = mode
        self._json = as_json
        self._end = end
        self._sent = 0
        self.announces_thread = False
        self.screen = Screen()
        self.answer: Any = None
        """What is decided of the actions that wait, before anything is said."""

    async def play(self, concierge: Concierge) -> int:
        """Send everything and print the answers; gives the number of turns in which the model failed.

        Raises:
            InvalidInputError: what was decided can't be carried out; the actions still wait.
        """
        if self.announces_thread:
            print(say("thread", thread=self._thread_id), file=sys.stderr)
        failures = 0
        for step in self._steps(concierge):
            reply = await step
            failures += reply.stop_reason in _MODEL_FAILED
            if reply.interrupts:
                self._leave_open(reply.interrupts[0])
                return failures
        if self._end:
            ended = await end_session(concierge, user_id=self._user_id, thread_id=self._thread_id)
            if self._json:
                print_json(ended.record())
            else:
                self.screen.ended(ended)
        return failures

    def _steps(self, concierge: Concierge) -> Iterator[Awaitable[Reply]]:
        if self.answer is not None:
            yield self._decide(concierge)
        for message in self._messages:
            self._sent += 1
            yield self._turn(concierge, message)

    async def _turn(self, concierge: Concierge, message: str) -> Reply:
        if not self._json:
            events = concierge.stream(
                message, user_id=self._user_id, thread_id=self._thread_id, memory_mode=self._mode
            )  # fmt: skip
            return await write_answer(self.screen, events)
        reply = await concierge.send(message, user_id=self._user_id, thread_id=self._thread_id, memory_mode=self._mode)
        print_json(turn_record(reply, user_id=self._user_id, thread_id=self._thread_id))
        return reply

    async def _decide(self, concierge: Concierge) -> Reply:
        if not self._json:
            events = concierge.stream_resume(self.answer, user_id=self._user_id, thread_id=self._thread_id)
            return await write_answer(self.screen, events)
        reply = await concierge.resume(self.answer, user_id=self._user_id, thread_id=self._thread_id)
        print_json(turn_record(reply, user_id=self._user_id, thread_id=self._thread_id))
        return reply

    def _leave_open(self, request: Mapping[str, Any]) -> None:
        """Say what waits and how to decide. Nothing more is said before: a new message would drop the question."""
        if not self._json:
            write_request(self.screen, {**request, "error": ""})
            write_way_back(self.screen, user_id=self._user_id, thread_id=self._thread_id)
        if self._end or (isinstance(self._messages, list) and self._sent < len(self._messages)):
            print(f"concierge: {say('decide_first')}", file=sys.stderr)
        if request.get("error"):
            raise InvalidInputError(str(request["error"]))
