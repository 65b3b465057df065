"""`concierge memory`: what can be typed. What a command does is in the module it imports when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.cli.options import Json, NoteName, User

memory = typer.Typer(help="See, search, change, take along and forget what is remembered.", no_args_is_help=True)

Topics = list[str] | None


@memory.command("list")
def memory_list(
    user: User = None,
    everything: Annotated[bool, typer.Option("--all", help="Superseded and expired notes too.")] = False,
    as_json: Json = False,
) -> None:
    """List the long-term notes, newest first."""
    from app.cli.memory.show import list_notes

    list_notes(user, everything=everything, as_json=as_json)


@memory.command("show")
def memory_show(what: NoteName, user: User = None, as_json: Json = False) -> None:
    """Show where a note came from, when, how it is used, and until when it holds."""
    from app.cli.memory.show import show_note

    show_note(what, user, as_json=as_json)


@memory.command("search")
def memory_search(
    query: str,
    user: User = None,
    limit: Annotated[int, typer.Option(min=1, max=6, help="Most notes listed.")] = 6,
    as_json: Json = False,
) -> None:
    """Search the long-term notes by meaning and words, best first."""
    from app.cli.memory.show import search_notes

    search_notes(query, user, limit=limit, as_json=as_json)


@memory.command("edit")
def memory_edit(
    what: NoteName,
    text: Annotated[str | None, typer.Argument(help="What it says from now on.")] = None,
    user: User = None,
    topic: Annotated[str | None, typer.Option(help="Another topic.")] = None,
    condition: Annotated[str | None, typer.Option(help="When it holds; '' takes the condition away.")] = None,
    keyword: Annotated[Topics, typer.Option(help="A keyword; may be given up to three times.")] = None,
    scope: Annotated[str | None, typer.Option(help="user or trip.")] = None,
    until: Annotated[str | None, typer.Option(help="The last day it holds, YYYY-MM-DD, or never.")] = None,
    pin: Annotated[bool | None, typer.Option("--pin/--no-pin", help="Never let it go to make room.")] = None,
    as_json: Json = False,
) -> None:
    """Change a note. The policy is asked; `memory undo` takes it back."""
    from app.cli.memory.changes import edit_note

    given = {"text": text, "topic": topic, "condition": condition, "keywords": keyword, "scope": scope, "pinned": pin}
    edit_note(what, user, given, until=until, as_json=as_json)


@memory.command("forget")
def memory_forget(
    what: NoteName,
    user: User = None,
    keep: Annotated[bool, typer.Option("--keep", help="Only take it out of use, so that undo brings it back.")] = False,
    mentions: Annotated[
        bool, typer.Option("--mentions", help="Where no note says it: take it out of earlier conversations.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Look among superseded and expired notes too.")] = False,
    as_json: Json = False,
) -> None:
    """Forget one note for good, every copy of it. When several match, they are listed and none is forgotten."""
    from app.cli.memory.changes import forget_note

    forget_note(what, user, keep=keep, mentions=mentions, everything=everything, as_json=as_json)


@memory.command("clear")
def memory_clear(
    user: User = None,
    yes: Annotated[str | None, typer.Option(metavar="USER", help="The user id, instead of being asked for it.")] = None,
    as_json: Json = False,
) -> None:
    """Delete everything: notes, profile, trips, history and all conversations. It asks for the user id first."""
    from app.cli.memory.changes import clear_memory

    clear_memory(user, yes, as_json=as_json)


@memory.command("history")
def memory_history(
    what: Annotated[str | None, typer.Argument(help="A note; without one, everything that happened.")] = None,
    user: User = None,
    everything: Annotated[bool, typer.Option("--all", help="Refusals and uses too.")] = False,
    as_json: Json = False,
) -> None:
    """Show every version of a note, or the whole journal: who changed what, when and why."""
    from app.cli.memory.history import show_journal, show_versions

    if what is None:
        show_journal(user, everything=everything, as_json=as_json)
    else:
        show_versions(what, user, as_json=as_json)


@memory.command("undo")
def memory_undo(
    entry: Annotated[str | None, typer.Argument(help="Number or id of an entry of `memory history`.")] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Take back a change: without ENTRY the latest of a note, the profile or consent, one at a time.

    An undo is taken back by undoing it; what was forgotten stays forgotten. The summary of a session is undone by its
    number.
    """
    from app.cli.memory.history import undo_entry

    undo_entry(entry, user, as_json=as_json)


@memory.command("restore")
def memory_restore(
    what: NoteName,
    user: User = None,
    version: Annotated[int | None, typer.Option(min=0, help="Its number in `memory history NOTE`.")] = None,
    as_json: Json = False,
) -> None:
    """Put a note that is no longer in use, or an earlier version of one, back in use."""
    from app.cli.memory.changes import restore_note

    restore_note(what, user, version=version, as_json=as_json)


@memory.command("pause")
def memory_pause(user: User = None, as_json: Json = False) -> None:
    """Learn nothing from any conversation until `memory resume`; what is known is still used."""
    from app.cli.memory.consent import set_paused

    set_paused(user, paused=True, as_json=as_json)


@memory.command("resume")
def memory_resume(user: User = None, as_json: Json = False) -> None:
    """Learn from conversations again."""
    from app.cli.memory.consent import set_paused

    set_paused(user, paused=False, as_json=as_json)


@memory.command("consent")
def memory_consent(
    user: User = None,
    deny: Annotated[Topics, typer.Option(metavar="TOPIC", help="Neither keep nor use it; may be repeated.")] = None,
    allow: Annotated[Topics, typer.Option(metavar="TOPIC", help="Keep and use it again; may be repeated.")] = None,
    as_json: Json = False,
) -> None:
    """Show what may be remembered, topic by topic, or change it."""
    from app.cli.memory.consent import show_consent

    show_consent(user, deny=deny or [], allow=allow or [], as_json=as_json)


@memory.command("export")
def memory_export(
    file: Annotated[Path | None, typer.Argument(help="Where to; without it, or with -, to standard output.")] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Write everything that is remembered as JSON. A file can be read by its owner only."""
    from app.cli.memory.files import export_memory

    export_memory(file, user, as_json=as_json)


@memory.command("import")
def memory_import(
    file: Annotated[Path | None, typer.Argument(help="The export; without it, or with -, standard input.")] = None,
    user: User = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Take the file's word where both differ.")] = False,
    as_json: Json = False,
) -> None:
    """Merge an export into what is remembered, whole or not at all; the same file again adds nothing."""
    from app.cli.memory.files import import_memory

    import_memory(file, user, overwrite=overwrite, as_json=as_json)
