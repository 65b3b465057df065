"""Runs `concierge chat` with a person: prompt, slash commands, and the end of the session."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app.cli.chat.approval import write_way_back
from app.cli.chat.conversation import Conversation
from app.cli.chat.keyboard import is_person, read_line
from app.cli.chat.slash_commands import Commands
from app.cli.screen import Screen
from config.errors import RequestError

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from config.settings import Settings
    from graph.context import MemoryMode

PROMPT = "you> "


def converse(settings: Settings, *, user_id: str, thread_id: str, mode: MemoryMode) -> None:
    """Talk until the person leaves; then end the session and say what was kept."""
    with asyncio.Runner() as runner, contextlib.ExitStack() as stack:
        concierge = _open(settings, runner, stack)
        talk = Conversation(concierge, runner, Screen(), user_id=user_id, thread_id=thread_id, mode=mode)
        _greet(talk, offline=not settings.uses_openai)
        if is_person(talk.screen):
            _try(talk, talk.decide_what_waits)
        _read_lines(talk)
        _leave(talk)


def _open(settings: Settings, runner: asyncio.Runner, stack: contextlib.ExitStack) -> Concierge:
    from app.api.opening import open_concierge

    opened = contextlib.AsyncExitStack()
    concierge = runner.run(opened.enter_async_context(open_concierge(settings)))
    stack.callback(lambda: runner.run(opened.aclose()))
    return concierge


def _greet(talk: Conversation, *, offline: bool) -> None:
    """Say who is talking, and how to leave."""
    model = "offline concierge" if offline else "concierge"
    talk.screen.aside(f"{model}, user {talk.user_id}, thread {talk.thread_id}, memory {talk.mode}")
    if talk.mode == "on" and talk.wait(talk.concierge.memory(talk.user_id).consent()).paused:
        talk.screen.aside("you paused memory: nothing is learnt until /resume")
    talk.screen.aside("/help lists the commands, /quit or Ctrl-D leaves")


def _read_lines(talk: Conversation) -> None:
    """Read and answer until the person leaves or the input ends."""
    commands = Commands(talk)
    interrupted = False
    while not talk.leaving:
        try:
            line = read_line(talk.screen, PROMPT)
        except KeyboardInterrupt:
            talk.screen.line()
            if interrupted:
                return
            interrupted = True
            talk.screen.aside("press Ctrl-C again, or type /quit, to leave")
            continue
        interrupted = False
        if line is None:
            return
        if line.lstrip().startswith("/"):
            _try(talk, partial(commands.run, line.strip()))
        elif line.strip():
            _try(talk, partial(talk.say, line))


def _try(talk: Conversation, act: Callable[[], object]) -> None:
    try:
        act()
    except RequestError as error:
        talk.screen.aside(str(error))


def _leave(talk: Conversation) -> None:
    """End the session, unless an action waits for a decision."""
    if talk.screen.is_terminal:
        talk.screen.line()
    if talk.is_undecided:
        if is_person(talk.screen):
            write_way_back(talk.screen, user_id=talk.user_id, thread_id=talk.thread_id)
        talk.screen.aside("the session stays open until then; goodbye")
        return
    try:
        ended = talk.end()
    except KeyboardInterrupt:
        talk.screen.aside(f"stopped; what was noted is still in thread {talk.thread_id}")
        return
    if ended:
        talk.screen.ended(ended)
    talk.screen.aside("goodbye")
