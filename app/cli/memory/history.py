"""Shows what happened to memory and takes it back from `concierge memory`: history and undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.memory.resolve import meant_entry, one_note
from app.cli.memory.show import write_version
from app.cli.opening import Speaking
from app.cli.screen import Screen, Told
from app.cli.wording import say
from app.json_records import entry_record

if TYPE_CHECKING:
    from memory.records.journal import JournalEntry


_WIDTH = 160
_SHOWN = ("topic", "when", "claims", "scope", "expires_at", "pinned", "hard", "confirmations")
"""What of a note, besides its text and status, is named when it changes."""
_BRIEF = (
    "summary", "paused", "denied", "origin", "destination", "start", "name", "home_city", "currency",
    "seat_preference", "tone", "tight_connections",
)  # fmt: skip
"""What of other records is told when it changes."""


async def show_history(
    speaking: Speaking,
    what: Annotated[str | None, typer.Argument(help="A note; without one, everything that happened.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Refusals and uses too.")] = False,
) -> Told:
    """Show every version of a note, or the whole journal: who changed what, when and why."""
    memory = speaking.memory
    if what is None:
        return _journal(await memory.journal(), everything=everything)
    versions = await memory.history((await one_note(what, memory)).id)

    def write(screen: Screen) -> None:
        for version in versions:
            write_version(screen, version)

    return Told(versions, write)


def _journal(journal: Sequence[JournalEntry], *, everything: bool) -> Told:
    shown = [entry for entry in journal if everything or entry.action not in ("used", "blocked")]

    def write(screen: Screen) -> None:
        if not shown:
            screen.aside(say("nothing_happened"))
        for entry in shown:
            write_entry(screen, entry, journal)

    return Told([entry_record(entry, journal) for entry in shown], write)


async def undo_entry(
    speaking: Speaking,
    entry: Annotated[str | None, typer.Argument(help="Number or id of an entry of `memory history`.")] = None,
) -> Told:
    """Take back a change: without ENTRY the latest of a note, the profile or consent, one at a time.

    An undo is taken back by undoing it; what was forgotten stays forgotten. The summary of a session is undone by its
    number.
    """
    return await undone(speaking, entry, again="concierge memory undo")


async def undone(speaking: Speaking, entry: str | None, *, again: str) -> Told:
    """Take back a change, and tell with which command, `again` and a number, it is redone."""
    memory = speaking.memory
    wanted = meant_entry(entry, await memory.journal()).id if entry is not None else None
    made, journal = await memory.undo(wanted), await memory.journal()

    def write(screen: Screen) -> None:
        taken = next((one for one in journal if one.id == made.undoes), made)
        screen.aside(say("undone", what=f"{taken.seq}. {taken.action}"))
        for text in _told(made):
            screen.aside(text)
        screen.aside(say("to_redo", command=f"{again} {made.seq}"))

    return Told(entry_record(made, journal), write)


def write_entry(screen: Screen, entry: JournalEntry, journal: Sequence[JournalEntry]) -> None:
    """Write one entry of the journal, and what it changed."""
    from memory.control.undo import is_undone

    undone = say("is_undone") if is_undone(entry, journal) else ""
    reason = f": {entry.reason}" if entry.reason else ""
    code = f" ({entry.code})" if entry.code else ""
    screen.line(f"{entry.seq:>4}. {entry.action}{code}{undone}{reason}")
    for text in _told(entry):
        screen.line(f"      {text}")
    screen.line(f"      {entry.at:%Y-%m-%d %H:%M}  {say('by_actor', actor=entry.actor)}  {entry.id[:8]}", style="dim")


def _told(entry: JournalEntry) -> list[str]:
    """Return each change in a few words."""
    lines = []
    for change in entry.changes:
        before, after = change.before or {}, change.after or {}
        if not before and not after:
            lines.append(f"{change.kind}: {say('no_longer_told')}")
        elif change.kind == "note":
            lines.append(_told_note(before, after))
        else:
            moved = [name for name in (after or before) if name in _BRIEF and before.get(name) != after.get(name)]
            brief = [_told_field(name, before.get(name), after.get(name)) for name in moved]
            brief = [text for text in brief if text]
            lines.append(f"{change.kind}: {', '.join(brief)}"[:_WIDTH] if brief else change.kind)
    return lines


def _told_field(name: str, before: object, after: object) -> str:
    empty: tuple[object, ...] = (None, [], {})
    gone = f"{name} {before} [{say('gone')}]" if before not in empty else ""
    return f"{name} {after}" if after not in empty else gone


def _told_note(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    if before and after and before["text"] != after["text"]:
        return f"{before['text']} -> {after['text']}"
    state = after.get("status", say("gone"))
    told = [] if state == "active" else [state]
    told += [name for name in _SHOWN if before and after and before[name] != after[name]]
    return str((after or before)["text"]) + (f" [{', '.join(told)}]" if told else "")
