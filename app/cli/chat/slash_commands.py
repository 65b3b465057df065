"""Runs the slash commands of an interactive conversation; most call a command of `concierge`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from app.cli.memory.changes import edit_note, forget_note, pause, restore_note, resume, show_consent, undo_entry
from app.cli.memory.resolve import staged_notes
from app.cli.memory.show import show_note, write_profile
from app.cli.opening import CommandContext, UnclearError
from app.cli.screen import Output, Screen, text_output
from app.cli.sessions import history
from app.cli.trips import export_trips, list_trips, show_trip
from app.cli.wording import command_help, say
from config.errors import InvalidInputError, SetupError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.chat.conversation import Conversation
    from graph.context import MemoryMode
    from memory.records.notes import Note

Act = Callable[[CommandContext, str], Coroutine[Any, Any, Output]]


async def _edit(ctx: CommandContext, args: str) -> Output:
    what, equals, text = (part.strip() for part in args.partition("="))
    if not (what and equals and text):
        raise InvalidInputError(say("say_edit"))
    return await edit_note(ctx, what, text)


async def _consent(ctx: CommandContext, args: str) -> Output:
    verb, *topics = args.split() or [""]
    if verb not in ("", "deny", "allow") or bool(verb) != bool(topics):
        raise InvalidInputError(say("say_consent"))
    return await show_consent(ctx, **({verb: topics} if verb else {}))


async def _private(ctx: CommandContext, args: str) -> Output:
    if args not in ("", "on", "off"):
        raise InvalidInputError(say("say_private"))
    result = await ctx.concierge.set_remembered(args == "off", **ctx.ids)
    ctx.listed = [note.id for note in result.kept] or ctx.listed

    def write(screen: Screen) -> None:
        screen.aside(say("not_private" if result.remembered else "private"))
        if result.dropped:
            screen.aside(say("dropped", count=result.dropped))
        if result.kept and not result.remembered:
            screen.aside(say("kept_from_before"))
            screen.notes(result.kept, none="")

    return Output(result, write)


async def _trips(ctx: CommandContext, args: str) -> Output:
    verb, _, file = args.partition(" ")
    try:
        if verb == "export":
            return await export_trips(ctx, Path(file.strip() or "trips.ics"))
        return await (show_trip(ctx, args) if args else list_trips(ctx))
    except SetupError as error:  # travel is switched off; the conversation goes on
        return text_output(None, str(error))


async def _history(ctx: CommandContext, _: str) -> Output:
    return history(await ctx.concierge.full_history(**ctx.ids))


COMMANDS: dict[str, Act] = {
    "/show": show_note,
    "/edit": _edit,
    "/forget": forget_note,
    "/undo": lambda ctx, what: undo_entry(ctx, what or None),
    "/restore": restore_note,
    "/pause": lambda ctx, _: pause(ctx),
    "/resume": lambda ctx, _: resume(ctx),
    "/consent": _consent,
    "/private": _private,
    "/trips": _trips,
    "/history": _history,
}
"""Commands that need only a context and their arguments."""
_WITHOUT_ARGUMENTS = frozenset({"/pause", "/resume", "/decide", "/history", "/end", "/help", "/quit", "/exit"})


def run_command(talk: Conversation, line: str) -> None:
    """Run the slash command in a line. Notes are named by number, id or words. Raises RequestError if it fails."""
    typed, _, rest = line.partition(" ")
    name, args = typed.lower(), rest.strip()
    if name not in COMMANDS and name not in CONVERSATION_COMMANDS:
        talk.screen.aside(say("no_such_command", name=typed))
    elif args and name in _WITHOUT_ARGUMENTS:
        raise InvalidInputError(say("stands_alone", name=typed))
    elif name in CONVERSATION_COMMANDS:
        CONVERSATION_COMMANDS[name](talk, args)
    else:
        _write_output(talk, COMMANDS[name](talk.ctx, args))
        if name == "/resume":
            talk.mode = "on"


def _write_output(talk: Conversation, output: Coroutine[Any, Any, Output]) -> None:
    try:
        talk.wait(output).write(talk.screen)
    except UnclearError as error:
        _list(talk, error.notes)
        talk.screen.aside(say("which_number"))


def _list(talk: Conversation, notes: Sequence[Note], *, first: int = 1, none: str = "") -> None:
    """List notes numbered from `first`, and remember their numbers, by which the user may name them."""
    talk.screen.notes(notes, none=none, first=first)
    talk.ctx.listed[first - 1 :] = [note.id for note in notes]


def _memory(talk: Conversation, args: str) -> None:
    """List long-term and staged notes, the profile and the latest turn's memory; or set the memory mode."""
    screen, memory = talk.screen, talk.ctx.memory
    if args in ("on", "paused", "off"):
        talk.mode = cast("MemoryMode", args)
        screen.aside(say(f"memory_{args}"))
        return
    if args:
        raise InvalidInputError(say("say_memory"))
    screen.aside(say("long_term"))
    long_term = talk.wait(memory.notes())
    _list(talk, long_term, none=say("nothing_remembered"))
    write_profile(screen, memory.schema.facts(talk.wait(memory.profile())), talk.wait(memory.consent()))
    if staged := talk.wait(staged_notes(talk.ctx)):
        screen.aside(say("noted_here"))
        _list(talk, staged, first=len(long_term) + 1)
    if (latest := talk.latest) and (latest.used or latest.written or latest.blocked):
        screen.aside(say("in_last_answer"))
        screen.memory_details(latest)


def _decide(talk: Conversation, _: str) -> None:
    if not talk.show_pending():
        talk.screen.aside(say("nothing_to_decide"))


def _end(talk: Conversation, _: str) -> None:
    if output := talk.end():
        output.write(talk.screen)
    else:
        talk.screen.aside(say("nothing_since"))


def _help(talk: Conversation, _: str) -> None:
    screen = talk.screen
    screen.line(say("help_talk"), style="bold")
    for example in say("help_examples").splitlines():
        screen.line(f"  {example}")
    screen.line(say("help_decide"))
    screen.line(say("help_stop"))
    screen.line(say("help_commands"), style="bold")
    for name, meaning in command_help().items():
        screen.row(name, meaning, width=22)
    screen.aside(say("naming_notes"))
    screen.line(say("help_memory"), style="bold")
    for mode in ("paused", "off"):
        screen.row(f"--memory {mode}", say(f"memory_{mode}"), width=22)


def _quit(talk: Conversation, _: str) -> None:
    talk.leaving = True


CONVERSATION_COMMANDS: dict[str, Callable[[Conversation, str], None]] = {
    "/memory": _memory,
    "/decide": _decide,
    "/end": _end,
    "/help": _help,
    "/quit": _quit,
    "/exit": _quit,
}
"""Commands that read or change the conversation itself."""
