"""Shows everything about one note: where it came from, when it was last used, its scope and expiry."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from app.cli.screen import Screen, described
from app.cli.wording import counted, say

if TYPE_CHECKING:
    from memory.control.consent import Consent
    from memory.control.versions import Version
    from memory.records.notes import Evidence, Note
    from memory.records.profile import Profile


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
        told = ", ".join(f"{key} {one}" for key, one in value.items()) if isinstance(value, dict) else value
        told = ", ".join(value) if isinstance(value, list) else told
        screen.aside(say("profile", name=name.replace("_", " "), value=told, unused=unused))


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
