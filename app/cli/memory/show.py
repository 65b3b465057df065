"""The commands that show memory: list, search, one note, and the history of notes and journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.memory.resolve import find_note
from app.cli.opening import CommandContext, NoteName, Workspace
from app.cli.screen import Output, Screen, described
from app.cli.wording import counted, say
from app.json_records import entry_record
from config.errors import NotFoundError

if TYPE_CHECKING:
    from memory.records.journal import JournalEntry, Version
    from memory.records.notes import Evidence, Note
    from memory.records.profile import Consent, Profile
    from memory.records.repository import UserMemory


_WIDTH = 160
_NOTE_FIELDS = ("topic", "when", "claims", "scope", "expires_at", "pinned", "hard", "confirmations")
"""Fields of a note, besides its text and status, whose changes are named."""
_RECORD_FIELDS = (
    "summary", "paused", "denied", "origin", "destination", "start", "name", "home_city", "currency",
    "seat_preference", "tone", "tight_connections",
)  # fmt: skip
"""Fields of other records whose changes are shown."""


async def list_notes(
    ctx: CommandContext,
    everything: Annotated[bool, typer.Option("--all", help="Superseded and expired notes too.")] = False,
    workspace: Workspace = None,
) -> Output:
    """List the long-term notes, newest first, and those that a workspace shares."""
    memories = await _memories(ctx, workspace)
    notes = [note for one in memories for note in await one.notes(include_inactive=everything)]
    facts, consent = ctx.memory.schema.facts(await ctx.memory.profile()), await ctx.memory.consent()

    def write(screen: Screen) -> None:
        screen.notes(notes, none=say("nothing_remembered"))
        write_profile(screen, facts, consent)
        if consent.paused:
            screen.aside(say("is_paused"))
        if unused := sum(not note.topics.isdisjoint(consent.denied) and note.status == "active" for note in notes):
            screen.aside(say("unused_notes", count=unused))

    return Output(notes, write)


async def search_notes(
    ctx: CommandContext,
    query: str,
    limit: Annotated[int, typer.Option(min=1, max=6, help="Most notes listed.")] = 6,
    workspace: Workspace = None,
) -> Output:
    """Search the long-term notes by meaning and words, best first."""
    hits = await ctx.concierge.recall(query, user_id=ctx.user_id, limit=limit, scopes=["note"], workspace=workspace)
    notes = {note.id: note for one in await _memories(ctx, workspace) for note in await one.notes()}
    matches = [(notes[hit.document.id], hit) for hit in hits if hit.document.id in notes]
    record = [{**note.dump(), "score": hit.score, "why": hit.why} for note, hit in matches]
    return Output(record, lambda screen: screen.notes([note for note, _ in matches], none=say("nothing_like_that")))


async def _memories(ctx: CommandContext, workspace: str | None) -> list[UserMemory]:
    """Return the memory of the user, and that of the workspace if one is named or set."""
    name = workspace or ctx.concierge.graph.services.settings.workspace
    shared = [await ctx.concierge.shared(name, user_id=ctx.user_id)] if name else []
    return [ctx.memory, *shared]


def write_profile(screen: Screen, profile: Profile, consent: Consent) -> None:
    """Write the filled fields of the profile, one per line."""
    used = profile.without(consent.denied)
    for name, value in profile.model_dump(mode="json", exclude_defaults=True).items():
        unused = "" if getattr(used, name) == getattr(profile, name) else say("profile_unused")
        screen.aside(say("profile", name=name.replace("_", " "), value=_render_value(value), unused=unused))


def _render_value(value: object) -> str:
    """Return a profile value as text."""
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {_render_value(one)}" for key, one in value.items())
    if isinstance(value, bool):
        return say("yes" if value else "no")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


async def show_note(ctx: CommandContext, what: NoteName) -> Output:
    """Show where a note came from, when, how it is used, and until when it holds."""
    note = await find_note(ctx, what)
    versions: Sequence[Version] = ()
    with suppress(NotFoundError):  # a staged note has no history
        versions = await ctx.memory.history(note.id)
    state = _state(note, await ctx.memory.consent(), datetime.now(UTC))

    def write(screen: Screen) -> None:
        screen.line(described(note))
        for name, value in _facts(note, state, versions).items():
            screen.row(say(f"card_{name}"), value, style="dim")

    return Output({**note.dump(), "state": state, "versions": len(versions)}, write)


def _state(note: Note, consent: Consent, now: datetime) -> str:
    """Return the state of a note in words: in use, unused because its topic is denied, or why it is out of use."""
    if note.status == "superseded":
        return say("replaced_by", note=note.superseded_by) if note.superseded_by else say("replaced")
    if note.status == "expired":
        return say("out_of_use_plain")
    if not note.is_live(now):
        return say("out_of_use_since", day=f"{note.expires_at:%Y-%m-%d}")
    if denied := note.topics.intersection(consent.denied):
        return say("topic_denied", topic=", ".join(sorted(denied)))
    return say("in_use")


def _facts(note: Note, state: str, versions: Sequence[Version]) -> dict[str, str]:
    """Return the facts of a note by name: source, dates, scope, claims and versions."""
    source = note.latest
    facts = {
        "id": note.id,
        "state": state + (say("pinned") if note.pinned else ""),
        "from": _source(source) + (f': "{source.quote}"' if source.quote else ""),
        "first": _moment(note.created_at),
        "updated": say("confirmed_in", day=note.last_update_date, sessions=counted(note.confirmations, "session")),
        "used": _moment(note.last_used_at) if note.last_used_at else say("never"),
        "scope": note.scope,
        "until": _moment(note.expires_at) if note.expires_at else say("no_end"),
        "claims": "; ".join(f"{one.stance} {one.attribute} {one.value}" for one in note.claims) or say("none"),
    }
    if own := [version for version in versions if version.note.id == note.id]:
        facts["change"] = say("changed_by", action=own[-1].action, actor=own[-1].actor, day=_moment(own[-1].at))
        facts["versions"] = f"{len(versions)}  (concierge memory history {note.id[:8]})"
    if note.supersedes:
        facts["replaced"] = ", ".join(note.supersedes)
    return facts


def _moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _source(evidence: Evidence) -> str:
    """Return where evidence comes from: a conversation, or another program that reported it."""
    if evidence.program:
        return say("from_program", name=evidence.program)
    return say("from_conversation", thread=evidence.thread_id or say("no_conversation"))


async def show_history(
    ctx: CommandContext,
    what: Annotated[str | None, typer.Argument(help="A note; without one, everything that happened.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Refusals and uses too.")] = False,
) -> Output:
    """Show every version of a note, or the whole journal: who changed what, when and why."""
    memory = ctx.memory
    if what is None:
        return _journal(await memory.journal(), everything=everything)
    versions = await memory.history((await find_note(ctx, what)).id)

    def write(screen: Screen) -> None:
        for one in versions:
            state = say("gone") if one.removed else one.note.status
            screen.line(f"{one.seq:>4}. {described(one.note)} [{state}]")
            changed = f"{one.action} {say('by_actor', actor=one.actor)}{_why(one.reason)}"
            screen.line(f"      {one.at:%Y-%m-%d %H:%M}  {changed}  {one.note.id[:8]}", style="dim")

    return Output(versions, write)


def _journal(journal: Sequence[JournalEntry], *, everything: bool) -> Output:
    shown = [entry for entry in journal if everything or entry.action not in ("used", "blocked")]
    records = [entry_record(entry, journal) for entry in shown]

    def write(screen: Screen) -> None:
        if not shown:
            screen.aside(say("nothing_happened"))
        for entry, record in zip(shown, records, strict=True):
            state = (f" ({entry.code})" if entry.code else "") + (say("is_undone") if record["undone"] else "")
            screen.line(f"{entry.seq:>4}. {entry.action}{state}{_why(entry.reason)}")
            for text in render_changes(entry):
                screen.line(f"      {text}")
            by = say("by_actor", actor=entry.actor)
            screen.line(f"      {entry.at:%Y-%m-%d %H:%M}  {by}  {entry.id[:8]}", style="dim")

    return Output(records, write)


def _why(reason: str) -> str:
    return f": {reason}" if reason else ""


def render_changes(entry: JournalEntry) -> list[str]:
    """Return a short text for each change of a journal entry."""
    lines = []
    for change in entry.changes:
        before, after = change.before or {}, change.after or {}
        if not before and not after:
            lines.append(f"{change.kind}: {say('no_longer_told')}")
        elif change.kind == "note":
            lines.append(_render_note(before, after))
        else:
            changed = [
                name for name in (after or before) if name in _RECORD_FIELDS and before.get(name) != after.get(name)
            ]
            fields = [text for name in changed if (text := _render_field(name, before.get(name), after.get(name)))]
            lines.append(f"{change.kind}: {', '.join(fields)}"[:_WIDTH] if fields else change.kind)
    return lines


def _render_field(name: str, before: object, after: object) -> str:
    empty: tuple[object, ...] = (None, [], {})
    removed = f"{name} {before} [{say('gone')}]" if before not in empty else ""
    return f"{name} {after}" if after not in empty else removed


def _render_note(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    if before and after and before["text"] != after["text"]:
        return f"{before['text']} -> {after['text']}"
    state = after.get("status", say("gone"))
    details = [] if state == "active" else [state]
    details += [name for name in _NOTE_FIELDS if before and after and before[name] != after[name]]
    return str((after or before)["text"]) + (f" [{', '.join(details)}]" if details else "")
