"""Lists, shows and searches what is remembered of a user: where each note came from, its last use, scope and expiry."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.memory.resolve import one_note
from app.cli.opening import NoteName, Speaking, Workspace
from app.cli.screen import Screen, Told, described
from app.cli.wording import counted, say

if TYPE_CHECKING:
    from memory.control.versions import Version
    from memory.records.notes import Evidence, Note
    from memory.records.profile import Consent, Profile
    from memory.records.repository import UserMemory


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


async def list_notes(
    speaking: Speaking,
    everything: Annotated[bool, typer.Option("--all", help="Superseded and expired notes too.")] = False,
    workspace: Workspace = None,
) -> Told:
    """List the long-term notes, newest first, and those that a workspace shares."""
    memories = await _memories(speaking, workspace)
    notes = [note for one in memories for note in await one.notes(include_inactive=everything)]
    profile, consent = await speaking.memory.profile(), await speaking.memory.consent()

    def write(screen: Screen) -> None:
        screen.notes(notes, none=say("nothing_remembered"))
        write_profile(screen, profile, consent)
        if consent.paused:
            screen.aside(say("is_paused"))
        if unused := sum(note.topic in consent.denied and note.status == "active" for note in notes):
            screen.aside(say("unused_notes", count=unused))

    return Told(notes, write)


async def _memories(speaking: Speaking, workspace: str | None) -> list[UserMemory]:
    """Return the memory of who is speaking, and that of the workspace, where one is named or set."""
    name = workspace or speaking.concierge.graph.services.settings.workspace
    shared = [await speaking.concierge.shared(name, user_id=speaking.user_id)] if name else []
    return [speaking.memory, *shared]


async def show_note(speaking: Speaking, what: NoteName) -> Told:
    """Show where a note came from, when, how it is used, and until when it holds."""
    note = await one_note(what, speaking.memory)
    consent, versions = await speaking.memory.consent(), await speaking.memory.history(note.id)
    now = datetime.now(UTC)
    record = {**note.dump(), "state": state_of(note, consent, now), "versions": len(versions)}
    return Told(record, lambda screen: write_card(screen, note, consent=consent, versions=versions, now=now))


async def search_notes(
    speaking: Speaking,
    query: str,
    limit: Annotated[int, typer.Option(min=1, max=6, help="Most notes listed.")] = 6,
    workspace: Workspace = None,
) -> Told:
    """Search the long-term notes by meaning and words, best first."""
    hits = await speaking.concierge.recall(
        query, user_id=speaking.user_id, limit=limit, scopes=["note"], workspace=workspace
    )
    notes = {note.id: note for one in await _memories(speaking, workspace) for note in await one.notes()}
    found = [(notes[hit.document.id], hit) for hit in hits if hit.document.id in notes]
    record = [{**note.dump(), "score": hit.score, "why": hit.why} for note, hit in found]
    return Told(record, lambda screen: screen.notes([note for note, _ in found], none=say("nothing_like_that")))
