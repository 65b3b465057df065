"""Shows everything about one note: where it came from, when it was last used, its scope and expiry."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from app.cli.screen import Screen, counted, described

if TYPE_CHECKING:
    from memory.control.versions import Version
    from memory.records.consent import Consent
    from memory.records.notes import Note
    from memory.records.profile import Profile


def state_of(note: Note, consent: Consent, now: datetime) -> str:
    """Return how a note stands: `in use`, `not used: ...` or what became of it."""
    if note.status == "superseded":
        return f"replaced by {note.superseded_by}" if note.superseded_by else "replaced"
    if note.status == "expired":
        return "out of use"
    if not note.is_live(now):
        return f"out of use since {note.expires_at:%Y-%m-%d}"
    if note.topic in consent.denied:
        return f"not used: you denied the topic {note.topic}"
    return "in use"


def write_card(screen: Screen, note: Note, *, consent: Consent, versions: Sequence[Version], now: datetime) -> None:
    """Write all that is known of a note, one fact a line; `versions` are those of its history."""
    screen.line(described(note))
    source = note.latest
    quote = f': "{source.quote}"' if source.quote else ""
    rows = {
        "id": note.id,
        "state": state_of(note, consent, now) + (", pinned" if note.pinned else ""),
        "came from": f"conversation {source.thread_id or '(none)'}{quote}",
        "first said": _day(note.created_at),
        "updated": f"{note.last_update_date}, said in {counted(note.confirmations, 'session')}",
        "last used": _day(note.last_used_at) if note.last_used_at else "never",
        "scope": note.scope,
        "holds until": _day(note.expires_at) if note.expires_at else "no end",
        "claims": "; ".join(f"{one.stance} {one.attribute} {one.value}" for one in note.claims) or "none",
    }
    if own := [version for version in versions if version.note.id == note.id]:
        rows["last change"] = f"{own[-1].action} by {own[-1].actor}, {_day(own[-1].at)}"
        rows["versions"] = f"{len(versions)}  (concierge memory history {note.id[:8]})"
    if note.supersedes:
        rows["replaced"] = ", ".join(note.supersedes)
    for name, value in rows.items():
        screen.line(f"  {name:<12} {value}", style="dim")


def write_profile(screen: Screen, profile: Profile, consent: Consent) -> None:
    """Write what the profile says, one field a line; nothing where it is empty."""
    used = profile.without(consent.denied)
    for name, value in profile.model_dump(mode="json", exclude_defaults=True).items():
        unused = "" if getattr(used, name) == getattr(profile, name) else "  (not used: you denied its topic)"
        told = ", ".join(f"{key} {one}" for key, one in value.items()) if isinstance(value, dict) else value
        told = ", ".join(value) if isinstance(value, list) else told
        screen.aside(f"profile, {name.replace('_', ' ')}: {told}{unused}")


def write_version(screen: Screen, version: Version) -> None:
    """Write one version of a note on two lines."""
    state = "taken away" if version.removed else version.note.status
    screen.line(f"{version.seq:>4}. {described(version.note)} [{state}]")
    why = f": {version.reason}" if version.reason else ""
    screen.line(f"      {version.at:%Y-%m-%d %H:%M}  {version.action} by {version.actor}{why}  {version.note.id[:8]}",
                style="dim")  # fmt: skip


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
