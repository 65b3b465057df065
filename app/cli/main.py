"""The command line `concierge`: what can be typed. What a command does is in the module it imports when it runs."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from app.cli.memory.commands import memory
from app.cli.options import Json, Thread, User
from app.cli.trips.commands import trips

app = typer.Typer(
    name="concierge",
    help="A travel concierge that remembers people well.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
sessions = typer.Typer(help="End a session, read its history, change its length.", no_args_is_help=True)
app.add_typer(memory, name="memory")
app.add_typer(trips, name="trips")
app.add_typer(sessions, name="sessions")


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
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None: ...


@app.command()
def chat(
    user: User = None,
    thread: Annotated[str | None, typer.Option(help="The conversation; without it a new one begins.")] = None,
    message: Annotated[
        list[str] | None, typer.Option("--message", "-m", help="Say this and leave; may be given several times.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per turn, one line each.")] = False,
    memory: Annotated[
        Literal["on", "paused", "off"], typer.Option(help="paused reads and writes nothing; off does neither.")
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
) -> None:
    """Talk to the concierge. Leaving an interactive conversation ends its session, so that nothing is lost."""
    from app.cli.chat.chat import start_chat

    start_chat(user, thread, message, resume=resume, as_json=as_json, mode=memory, end=end)


@sessions.command("end")
def sessions_end(thread: Thread, user: User = None, as_json: Json = False) -> None:
    """End the session of a conversation: what it learnt becomes long-term memory."""
    from app.cli.sessions import end_session

    end_session(user, thread, as_json=as_json)


@sessions.command("history")
def sessions_history(
    thread: Thread,
    user: Annotated[str | None, typer.Option(help="Refuse a conversation that is not this user's.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the last so many messages.")] = None,
    as_json: Json = False,
) -> None:
    """Show everything ever said in a conversation, oldest first."""
    from app.cli.sessions import show_history

    show_history(user, thread, limit=limit, as_json=as_json)


@sessions.command("set-max-turns")
def sessions_set_max_turns(
    turns: Annotated[int, typer.Argument(min=0, max=500, help="Turns to keep, 1 to 500; 0 goes back to the settings.")],
    thread: Thread,
    user: User = None,
) -> None:
    """Change how many turns a conversation keeps, from its next turn on."""
    from app.cli.sessions import set_max_turns

    set_max_turns(turns or None, user, thread)


@app.command()
def sweep(
    idle: Annotated[
        float | None,
        typer.Option(min=0, help="Minutes without a message; without it, CONCIERGE_SESSION_IDLE_MINUTES."),
    ] = None,
    as_json: Json = False,
) -> None:
    """End every session in which nobody has spoken for a while, of all users."""
    from app.cli.sessions import sweep_sessions

    sweep_sessions(idle, as_json=as_json)


@app.command()
def reindex() -> None:
    """Rebuild the search index from what is stored; needed only when a search finds less than there is."""
    from app.cli.reindex import rebuild_index

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
    from app.cli.settings import show_settings

    show_settings(as_json=as_json, env=env)


@app.command()
def graph() -> None:
    """Print the drawing of the graph as Mermaid."""
    from app.cli.drawing import show_graph

    show_graph()


if __name__ == "__main__":
    main()
