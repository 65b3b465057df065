"""Names the commands of `concierge`. Those that load much are imported when they run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import typer

from app.cli.doctor import examine
from app.cli.memory.changes import clear_memory, edit_note, forget_note, restore_note
from app.cli.memory.consent import pause, resume, show_consent
from app.cli.memory.files import export_memory, import_memory
from app.cli.memory.history import show_history, undo_entry
from app.cli.memory.profile import change_profile
from app.cli.memory.show import list_notes, search_notes, show_note
from app.cli.options import Json, Lang, User, Workspace
from app.cli.sessions import end_session, set_max_turns, sweep
from app.cli.sessions import show_history as show_conversation
from app.cli.trips.changes import cancel_trip, export_trips
from app.cli.trips.show import list_trips, show_trip
from app.cli.wording import speak

_GROUPS: dict[str, tuple[str, dict[str, Callable[..., None]]]] = {
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
        "End a session, read its history, change its length.",
        {"end": end_session, "history": show_conversation, "set-max-turns": set_max_turns},
    ),
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
        _typer.command(_name)(_command)
    app.add_typer(_typer, name=_group)


def main() -> None:
    """Run the command that was typed and exit with its code."""
    from app.cli.exits import run

    run(lambda: app(prog_name="concierge"))


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


@app.command()
def chat(
    user: User = None,
    thread: Annotated[str | None, typer.Option(help="The conversation; without it a new one begins.")] = None,
    message: Annotated[
        list[str] | None, typer.Option("--message", "-m", help="Say this and leave; may be given several times.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per turn, one line each.")] = False,
    memory: Annotated[
        Literal["on", "paused", "off"],
        typer.Option(
            help="paused: what is known is used, nothing new is learnt. "
            "off: a temporary chat, in which nothing known is used and nothing is learnt."
        ),
    ] = "on",
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="DECISION",
            help="Decide on the actions that wait in --thread: approve, reject, or JSON with one decision for each: "
            '{"decisions": [{"type": "approve"}, {"type": "reject", "message": "..."}, '
            '{"type": "edit", "edited_action": {"name": "...", "args": {...}}}]}.',
        ),
    ] = None,
    end: Annotated[bool, typer.Option("--end", help="End the session after the last message.")] = False,
    workspace: Workspace = None,
    lang: Lang = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="After each answer, tell note by note what memory did.")
    ] = False,
) -> None:
    """Talk to the concierge. Leaving an interactive conversation ends its session, so that nothing is lost."""
    from app.cli.chat.chat import start_chat

    start_chat(
        user, thread, message, resume=resume, as_json=as_json, mode=memory, end=end, workspace=workspace, language=lang,
        verbose=verbose,
    )  # fmt: skip


app.command()(sweep)
app.command("doctor")(examine)


@app.command()
def reindex() -> None:
    """Rebuild the search index from what is stored; needed only when a search finds less than there is."""
    from app.cli.system.reindex import rebuild_index

    rebuild_index()


@app.command()
def demo(user: Annotated[str, typer.Option(help="Who becomes the demo traveller.")]) -> None:
    """Give a user without a profile a made-up one, with past trips. Doing it again changes nothing."""
    from app.cli.demo import make_demo

    make_demo(user)


@app.command()
def settings(
    as_json: Json = False,
    env: Annotated[bool, typer.Option("--env", help="Print a commented .env file.")] = False,
) -> None:
    """List each setting with its value, its default and its meaning."""
    from app.cli.system.settings import show_settings

    show_settings(as_json=as_json, env=env)


@app.command()
def graph() -> None:
    """Print the drawing of the graph as Mermaid."""
    from app.cli.system.drawing import show_graph

    show_graph()


if __name__ == "__main__":
    main()
