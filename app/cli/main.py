"""Registers the commands of `concierge`. Heavy modules are imported when a command runs."""

import atexit
import gc
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

import typer

from app.cli import sessions, trips
from app.cli.chat.chat import chat
from app.cli.demo import make_demo
from app.cli.memory import changes, files
from app.cli.memory import show as memory
from app.cli.opening import Lang, command
from app.cli.system.backup import back_up_all, restore_all
from app.cli.system.doctor import examine, rebuild_index
from app.cli.system.serve import mint_token, serve, serve_memory
from app.cli.system.settings import show_graph, show_settings
from app.cli.wording import set_language

_GROUPS = {
    "memory": "See, search, change, take along and forget what is remembered.",
    "trips": "See, cancel and take along what is booked.",
    "sessions": "List conversations; end a session; read or delete a conversation.",
}
_COMMANDS: dict[str, Callable[..., Any]] = {
    "memory list": memory.list_notes,
    "memory show": memory.show_note,
    "memory search": memory.search_notes,
    "memory edit": changes.edit_note,
    "memory profile": changes.change_profile,
    "memory forget": changes.forget_note,
    "memory clear": changes.clear_memory,
    "memory history": memory.show_history,
    "memory undo": changes.undo_entry,
    "memory restore": changes.restore_note,
    "memory pause": changes.pause,
    "memory resume": changes.resume,
    "memory consent": changes.show_consent,
    "memory export": files.export_memory,
    "memory import": files.import_memory,
    "trips list": trips.list_trips,
    "trips show": trips.show_trip,
    "trips cancel": trips.cancel_trip,
    "trips export": trips.export_trips,
    "sessions list": sessions.list_conversations,
    "sessions end": sessions.end_session,
    "sessions history": sessions.show_history,
    "sessions delete": sessions.delete_conversation,
    "chat": chat,
    "serve": serve,
    "sweep": sessions.sweep,
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
_groups = {"": app} | {name: typer.Typer(help=text, no_args_is_help=True) for name, text in _GROUPS.items()}
for _path, _function in _COMMANDS.items():
    _group, _, _name = _path.rpartition(" ")
    _groups[_group].command(_name)(command(_function))
for _name in _GROUPS:
    app.add_typer(_groups[_name], name=_name)

_command_of = cache(typer.main.get_command)


def main() -> None:
    """Run the command that was typed and exit with its code."""
    from app.cli.exits import run

    atexit.register(gc.freeze)  # skip garbage collection at exit
    run(lambda: _command_of(app)(prog_name="concierge"))


def _version(requested: bool) -> None:
    if requested:
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
    set_language(lang)


if __name__ == "__main__":
    main()
