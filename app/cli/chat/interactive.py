"""Runs the interactive mode of `concierge chat`: prompt, slash commands, and the end of the session."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app.cli.chat.approval import write_choices, write_resume_command
from app.cli.chat.conversation import Conversation, is_person, read_line
from app.cli.chat.slash_commands import run_command
from app.cli.opening import CommandContext
from app.cli.screen import Screen
from app.cli.wording import say
from app.json_records import ThreadIds
from config.errors import RequestError

if TYPE_CHECKING:
    from config.settings import Settings
    from graph.context import MemoryMode


def converse(settings: Settings, ids: ThreadIds, *, mode: MemoryMode, verbose: bool = False) -> None:
    """Run the conversation until the user leaves; then end the session and show what was saved.

    Raises:
        AccessDeniedError: the conversation belongs to another user.
    """
    screen = Screen(verbose=verbose)
    with asyncio.Runner() as runner, contextlib.ExitStack() as stack:
        with screen.doing(say("opening")):
            from app.api.opening import open_concierge

            opened = contextlib.AsyncExitStack()
            concierge = runner.run(opened.enter_async_context(open_concierge(settings)))
            stack.callback(lambda: runner.run(opened.aclose()))
        talk = Conversation(CommandContext(concierge, **ids), runner, screen, mode=mode)
        talk.wait(concierge.waiting(**ids))  # raises if another user owns the conversation
        _greet(talk, offline=settings.is_offline)
        if is_person(talk.screen):
            _try(talk, talk.show_pending)
        _read_lines(talk)
        _leave(talk)


def _greet(talk: Conversation, *, offline: bool) -> None:
    """Write the user and conversation, the memory mode, and how to leave."""
    model = say("model_offline" if offline else "model_online")
    talk.screen.aside(say("greeting", model=model, user=talk.ctx.user_id, thread=talk.ctx.thread_id))
    paused = talk.mode == "on" and talk.wait(talk.ctx.memory.consent()).paused
    talk.screen.aside(say("memory_consent_paused" if paused else f"memory_{talk.mode}"))
    talk.screen.aside(say("how_to_leave"))
    if is_person(talk.screen):
        talk.screen.aside(say("example"))


def _read_lines(talk: Conversation) -> None:
    """Read and answer lines until the user leaves or the input ends."""
    interrupted = False
    while not talk.leaving:
        if is_person(talk.screen):
            talk.screen.line()
        try:
            line = read_line(talk.screen, say("prompt"))
        except KeyboardInterrupt:
            talk.screen.line()
            if interrupted:
                return
            interrupted = True
            talk.screen.aside(say("press_again"))
            continue
        interrupted = False
        if line is None:
            return
        _try(talk, partial(_answer, talk, line))


def _answer(talk: Conversation, line: str) -> None:
    """Handle one line: a slash command, a decision on the pending approval or an answer, or a message."""
    if line.lstrip().startswith("/"):
        run_command(talk, line.strip())
    elif talk.pending and not line.strip():
        write_choices(talk.screen, talk.pending)
    elif talk.pending and talk.pending.is_question:
        talk.answer(line)
    elif talk.pending and (choice := talk.pending.choice(line)):
        talk.decide(choice)
    elif line.strip():
        talk.say(line)


def _try(talk: Conversation, act: Callable[[], object]) -> None:
    try:
        act()
    except RequestError as error:
        talk.screen.aside(str(error))
    except KeyboardInterrupt:
        talk.screen.line()
        talk.screen.aside(say("stopped"))


def _leave(talk: Conversation) -> None:
    """End the session, unless an approval is pending."""
    if talk.screen.console:
        talk.screen.line()
    if talk.pending and talk.is_undecided:
        if is_person(talk.screen):
            write_resume_command(talk.screen, talk.pending.request, **talk.ctx.ids)
        talk.screen.aside(say("stays_open"))
        return
    try:
        output = talk.end()
    except KeyboardInterrupt:
        talk.screen.aside(say("stopped_ending", thread=talk.ctx.thread_id))
        return
    if output:
        output.write(talk.screen)
    talk.screen.aside(say("goodbye"))
