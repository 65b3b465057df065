"""Lists, shows and searches what is remembered of a user: where each note came from, its last use, scope and expiry."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.memory.resolve import of_any_status, with_note
from app.cli.opening import Json, NoteName, User, Workspace, as_user
from app.cli.screen import Screen, described, print_json
from app.cli.wording import counted, say

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from app.api.user_memory import OwnMemory
    from memory.control.versions import Version
    from memory.recall import Hit
    from memory.records.notes import Evidence, Note
    from memory.records.profile import Consent, Profile


def state_of(note: Note, consent: Consent, now: datetime) -> str:
    """Return how a note stands: `in use`, `not used: ...` or what became of it."""
    if note.status == "superseded":
        return say("replaced_by", note=note.superseded_by) if note.superseded_by else say("replaced")
    if note.status == "expired":
        return say("out_of_use_plain")
    if not note.is_live(now):
        return say("out_of_use_since", day=f"{note.expires_at:%Y-%m-%d}")
    if note.topic in consent.denied:
        return say("topic_denied", topic=note.topic)
    return say("in_use")


def write_card(screen: Screen, note: Note, *, consent: Consent, versions: Sequence[Version], now: datetime) -> None:
    """Write all that is known of a note, one fact a line; `versions` are those of its history."""
    screen.line(described(note))
    source = note.latest
    quote = f': "{source.quote}"' if source.quote else ""
    rows = {
        "id": note.id,
        "state": state_of(note, consent, now) + (say("pinned") if note.pinned else ""),
        "from": _source(source) + quote,
        "first": _day(note.created_at),
        "updated": say("confirmed_in", day=note.last_update_date, sessions=counted(note.confirmations, "session")),
        "used": _day(note.last_used_at) if note.last_used_at else say("never"),
        "scope": note.scope,
        "until": _day(note.expires_at) if note.expires_at else say("no_end"),
        "claims": "; ".join(f"{one.stance} {one.attribute} {one.value}" for one in note.claims) or say("none"),
    }
    if own := [version for version in versions if version.note.id == note.id]:
        rows["change"] = say("changed_by", action=own[-1].action, actor=own[-1].actor, day=_day(own[-1].at))
        rows["versions"] = f"{len(versions)}  (concierge memory history {note.id[:8]})"
    if note.supersedes:
        rows["replaced"] = ", ".join(note.supersedes)
    for name, value in rows.items():
        screen.row(say(f"card_{name}"), value, style="dim")


def write_profile(screen: Screen, profile: Profile, consent: Consent) -> None:
    """Write what the profile says, one field a line; nothing where it is empty."""
    used = profile.without(consent.denied)
    for name, value in profile.model_dump(mode="json", exclude_defaults=True).items():
        unused = "" if getattr(used, name) == getattr(profile, name) else say("profile_unused")
        screen.aside(say("profile", name=name.replace("_", " "), value=_told(value), unused=unused))


def _told(value: object) -> str:
    """Say a value of the profile in words."""
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {_told(one)}" for key, one in value.items())
    if isinstance(value, bool):
        return say("yes" if value else "no")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def write_version(screen: Screen, version: Version) -> None:
    """Write one version of a note on two lines."""
    state = say("gone") if version.removed else version.note.status
    screen.line(f"{version.seq:>4}. {described(version.note)} [{state}]")
    why = f": {version.reason}" if version.reason else ""
    changed = f"{version.action} {say('by_actor', actor=version.actor)}{why}"
    screen.line(f"      {version.at:%Y-%m-%d %H:%M}  {changed}  {version.note.id[:8]}", style="dim")


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _source(said: Evidence) -> str:
    """Say where something was said: in a conversation, or to another agent that reported it."""
    if said.program:
        return say("from_program", name=said.program)
    return say("from_conversation", thread=said.thread_id or say("no_conversation"))


def list_notes(
    user: User = None,
    everything: Annotated[bool, typer.Option("--all", help="Superseded and expired notes too.")] = False,
    workspace: Workspace = None,
    as_json: Json = False,
) -> None:
    """List the long-term notes, newest first, and those that a workspace shares."""

    async def read(concierge: Concierge, user_id: str) -> tuple[list[Note], Profile, Consent]:
        memory, name = concierge.memory(user_id), concierge.graph.services.settings.workspace
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
        name = concierge.graph.services.settings.workspace
        memories = [concierge.memory(user_id), *([await concierge.shared(name, user_id=user_id)] if name else [])]
        notes = {note.id: note for memory in memories for note in await memory.notes()}
        return [(notes[hit.document.id], hit) for hit in hits if hit.document.id in notes]

    found = as_user(user, search, workspace=workspace)
    if as_json:
        print_json([{**note.dump(), "score": hit.score, "why": hit.why} for note, hit in found])
    else:
        Screen().notes([note for note, _ in found], none=say("nothing_like_that"))
