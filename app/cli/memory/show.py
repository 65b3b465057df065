"""Lists, shows and searches what is remembered of a user from `concierge memory`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.memory.cards import state_of, write_card, write_profile
from app.cli.memory.resolve import of_any_status, with_note
from app.cli.opening import as_user
from app.cli.options import Json, NoteName, User, Workspace
from app.cli.screen import Screen, print_json
from app.cli.wording import say

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from app.api.user_memory import OwnMemory
    from memory.control.consent import Consent
    from memory.control.versions import Version
    from memory.recall import Hit
    from memory.records.notes import Note
    from memory.records.profile import Profile


def list_notes(
    user: User = None,
    everything: Annotated[bool, typer.Option("--all", help="Superseded and expired notes too.")] = False,
    workspace: Workspace = None,
    as_json: Json = False,
) -> None:
    """List the long-term notes, newest first, and those that a workspace shares."""

    async def read(concierge: Concierge, user_id: str) -> tuple[list[Note], Profile, Consent]:
        memory, name = concierge.memory(user_id), concierge.graph.settings.workspace
        notes = await memory.notes(include_inactive=everything)
        notes += (
            await (await concierge.shared(name, user_id=user_id)).notes(include_inactive=everything) if name else []
        )
        return notes, await memory.profile(), await memory.consent()

    notes, profile, consent = as_user(user, read, workspace=workspace)
    if as_json:
        print_json(notes)
        return
    screen = Screen()
    screen.notes(notes, none=say("nothing_remembered"))
    write_profile(screen, profile, consent)
    if consent.paused:
        screen.aside(say("is_paused"))
    if unused := sum(note.topic in consent.denied and note.status == "active" for note in notes):
        screen.aside(say("unused_notes", count=unused))


def show_note(what: NoteName, user: User = None, as_json: Json = False) -> None:
    """Show where a note came from, when, how it is used, and until when it holds."""

    async def read(memory: OwnMemory, note: Note) -> tuple[Note, Consent, list[Version]]:
        return note, await memory.consent(), await memory.history(note.id)

    note, consent, versions = with_note(what, user, read, among=of_any_status, as_json=as_json)
    now = datetime.now(UTC)
    if as_json:
        print_json({**note.dump(), "state": state_of(note, consent, now), "versions": len(versions)})
    else:
        write_card(Screen(), note, consent=consent, versions=versions, now=now)


def search_notes(
    query: str,
    user: User = None,
    limit: Annotated[int, typer.Option(min=1, max=6, help="Most notes listed.")] = 6,
    workspace: Workspace = None,
    as_json: Json = False,
) -> None:
    """Search the long-term notes by meaning and words, best first."""

    async def search(concierge: Concierge, user_id: str) -> list[tuple[Note, Hit]]:
        hits = await concierge.recall(query, user_id=user_id, limit=limit, scopes=["note"])
        name = concierge.graph.settings.workspace
        memories = [concierge.memory(user_id), *([await concierge.shared(name, user_id=user_id)] if name else [])]
        notes = {note.id: note for memory in memories for note in await memory.notes()}
        return [(notes[hit.document.id], hit) for hit in hits if hit.document.id in notes]

    found = as_user(user, search, workspace=workspace)
    if as_json:
        print_json([{**note.dump(), "score": hit.score, "why": hit.why} for note, hit in found])
    else:
        Screen().notes([note for note, _ in found], none=say("nothing_like_that"))
