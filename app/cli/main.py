"""Names the commands of `concierge`. What loads much is imported when they run."""

import atexit
import gc
from collections.abc import Callable
from functools import cache
from inspect import iscoroutinefunction
from typing import Annotated, Any

import typer

from app.cli.chat.chat import chat
from app.cli.demo import make_demo
from app.cli.memory.changes import clear_memory, edit_note, forget_note, pause, restore_note, resume, show_consent
from app.cli.memory.files import export_memory, import_memory
from app.cli.memory.history import show_history, undo_entry
from app.cli.memory.profile import change_profile
from app.cli.memory.show import list_notes, search_notes, show_note
from app.cli.opening import Lang, for_user
from app.cli.sessions import delete_conversation, end_session, list_conversations, set_max_turns, sweep
from app.cli.sessions import show_history as show_conversation
from app.cli.system.backup import back_up_all, restore_all
from app.cli.system.doctor import examine, rebuild_index
from app.cli.system.serve import mint_token, serve, serve_memory
from app.cli.system.settings import show_graph, show_settings
from app.cli.trips.changes import cancel_trip, export_trips
from app.cli.trips.show import list_trips, show_trip
from app.cli.wording import speak

_GROUPS: dict[str, tuple[str, dict[str, Callable[..., Any]]]] = {
    "memory": (
        "See, search, change, take along and forget what is remembered.",
        {
            "list": list_notes,
            "show": show_note,
            "search": search_notes,
            "edit": edit_note,
            "profile": change_profile,
            "forget": forget_note,
            "clear": clear_memory,
            "history": show_history,
            "undo": undo_entry,
            "restore": restore_note,
            "pause": pause,
            "resume": resume,
            "consent": show_consent,
            "export": export_memory,
            "import": import_memory,
        },
    ),
    "trips": (
        "See, cancel and take along what is booked.",
        {"list": list_trips, "show": show_trip, "cancel": cancel_trip, "export": export_trips},
    ),
    "sessions": (
        "List conversations; end a session; read, shorten or delete a conversation.",
        {
            "list": list_conversations,
            "end": end_session,
            "history": show_conversation,
            "set-max-turns": set_max_turns,
            "delete": delete_conversation,
        },
    ),
}

_COMMANDS: dict[str, Callable[..., None]] = {
    "chat": chat,
    "serve": serve,
    "sweep": sweep,
    "doctor": examine,
    "reindex": rebuild_index,
    "mcp": serve_memory,
    "backup": back_up_all,
    "restore": restore_all,
    "demo": make_demo,
    "settings": show_settings,
    "graph": show_graph,
    "token": mint_token,
}

app = typer.Typer(
    name="concierge",
    help="A travel concierge that remembers people well.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _group, (_help, _commands) in _GROUPS.items():
    _typer = typer.Typer(help=_help, no_args_is_help=True)
    for _name, _command in _commands.items():
        _typer.command(_name)(for_user(_command) if iscoroutinefunction(_command) else _command)
    app.add_typer(_typer, name=_group)


_command_of = cache(typer.main.get_command)


def main() -> None:
    """Run the command that was typed and exit with its code."""
    from app.cli.exits import run

    atexit.register(gc.freeze)  # a process that ends searches nothing for garbage
    run(lambda: _command_of(app)(prog_name="concierge"))


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"concierge {version('travel-concierge')}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[  # noqa: ARG001  (its callback prints it)
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    lang: Lang = None,
) -> None:
    speak(lang)


for _name, _command in _COMMANDS.items():
    app.command(_name)(_command)


if __name__ == "__main__":
    main()
