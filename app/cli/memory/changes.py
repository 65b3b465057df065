"""Changes memory by hand from `concierge memory`: edit, forget, clear, restore, pause, consent by topic."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from app.cli.memory.resolve import meant_notes, of_any_status, one_note, only
from app.cli.opening import Json, NoteName, Speaking, Topics, User, as_user, speaker
from app.cli.screen import Screen, Told, described, in_words
from app.cli.wording import counted, read_settings, say
from app.json_records import plain
from config.errors import InvalidInputError, NotFoundError
from config.settings import load_settings

if TYPE_CHECKING:
    from app.api.user_memory import OwnMemory
    from memory.control.forget import Forgotten
    from memory.records.notes import Note
    from memory.records.profile import Consent


async def edit_note(
    speaking: Speaking,
    what: NoteName,
    text: Annotated[str | None, typer.Argument(help="What it says from now on.")] = None,
    topic: Annotated[str | None, typer.Option(help="Another topic.")] = None,
    condition: Annotated[str | None, typer.Option(help="When it holds; '' takes the condition away.")] = None,
    claim: Annotated[
        Topics, typer.Option(help="What it says as data, as in 'prefers seat_side=aisle'; may be given more than once.")
    ] = None,
    scope: Annotated[str | None, typer.Option(help="user or trip.")] = None,
    until: Annotated[str | None, typer.Option(help="The last day it holds, YYYY-MM-DD, or never.")] = None,
    pin: Annotated[bool | None, typer.Option("--pin/--no-pin", help="Never let it go to make room.")] = None,
) -> Told:
    """Change a note. The policy is asked; `memory undo` takes it back."""
    changed: dict[str, Any] = {
        "text": text, "topic": topic, "condition": condition, "scope": scope, "pinned": pin,
        "claims": [_claim(one) for one in claim] if claim else None, "expires_at": _until(until),
    }  # fmt: skip
    note = await speaking.memory.edit((await one_note(what, speaking.memory)).id, **changed)
    return in_words(note, say("says_now", what=described(note)))


def _claim(written: str) -> dict[str, str]:
    """Read a claim as it is typed: stance, attribute and value. Raises InvalidInputError for another form."""
    stance, _, rest = written.strip().partition(" ")
    attribute, equals, value = rest.partition("=")
    if not equals:
        raise InvalidInputError(f"{written!r} is no claim. Write it as 'prefers seat_side=aisle'.")
    return {"stance": stance, "attribute": attribute.strip(), "value": value.strip()}


async def restore_note(
    speaking: Speaking,
    what: NoteName,
    version: Annotated[int | None, typer.Option(min=0, help="Its number in `memory history NOTE`.")] = None,
) -> Told:
    """Put a note that is no longer in use, or an earlier version of one, back in use."""
    memory = speaking.memory
    likely = await of_any_status(memory)
    if version is None:  # notes out of use alone are meant, where there are any
        live = {note.id for note in await memory.notes()}
        likely = [note for note in likely if note.id not in live] or likely
    note = await memory.restore(only(meant_notes(what, likely)).id, version)
    return in_words(note, say("in_use_again", what=described(note)))


async def forget_note(
    speaking: Speaking,
    what: NoteName,
    keep: Annotated[bool, typer.Option("--keep", help="Only take it out of use, so that undo brings it back.")] = False,
    mentions: Annotated[
        bool, typer.Option("--mentions", help="Where no note says it: take it out of earlier conversations.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Look among superseded and expired notes too.")] = False,
) -> Told:
    """Forget one note for good, every copy of it. When several match, they are listed and none is forgotten."""
    memory, meant = speaking.memory, None
    try:
        meant = only(await _meant(memory, what, everything=everything))
    except NotFoundError:
        gone = await _forget_mentions(memory, what, agreed=mentions and not keep)
    else:
        if keep:
            note = await memory.retire(meant.id)
            told = say("out_of_use", what=described(note)), say("to_bring_back", note=note.id[:8])
            return in_words({"status": "retired", "notes": [note]}, *told)
        gone = await memory.forget(meant.id)
    return Told({"status": "forgotten", **plain(gone)}, lambda screen: write_forgotten(screen, gone, meant))


async def _meant(memory: OwnMemory, what: str, *, everything: bool) -> list[Note]:
    """Return notes in use by words; others with `everything`, or by their id."""
    every = await of_any_status(memory)
    named = [note for note in every if what.strip() == note.id]
    return named or meant_notes(what, every if everything else await memory.notes())


async def _forget_mentions(memory: OwnMemory, words: str, *, agreed: bool) -> Forgotten:
    found = await memory.mentions(words)
    if found and agreed:
        return await memory.forget_mentions(words)
    more = f" {found} earlier messages or summaries mention it: add --mentions to take it out of them." if found else ""
    raise NotFoundError(say("no_such_note") + more)


def write_forgotten(screen: Screen, gone: Forgotten, meant: Note | None) -> None:
    """Say what an act of forgetting reached."""
    screen.aside(say("forgotten", what=described(meant)) if meant else say("forgotten_only"))
    for note in gone.notes:
        if meant is not None and note.id != meant.id:
            screen.aside(say("with_it_went", what=described(note)))
    reached = {"turn": gone.turns, "episode": gone.episodes}
    if told := [counted(count, name) for name, count in reached.items() if count]:
        screen.aside(say("taken_out_of", what=", ".join(told)))
    if gone.threads:
        screen.aside(say("looked_through", what=counted(len(gone.threads), "conversation")))
    for thread in gone.waiting:
        screen.aside(say("cleaned_later", thread=thread))


def clear_memory(
    user: User = None,
    yes: Annotated[str | None, typer.Option(metavar="USER", help="The user id, instead of being asked for it.")] = None,
    bookings: Annotated[
        Literal["keep", "delete"] | None, typer.Option(help="What becomes of open bookings; neither cancels any.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Delete everything: notes, profile, trips, history and all conversations. It asks for the user id first."""
    user_id = speaker(user, read_settings())
    typed = _asked(user_id) if yes is None else yes

    cleared = as_user(user_id, lambda speaking: speaking.memory.clear(typed, bookings=bookings))
    names = {"notes": "note", "trips": "trip", "episodes": "episode", "turns": "turn",
             "conversations": "conversation", "journal": "journal", "profile": "profile"}  # fmt: skip
    counts = asdict(cleared)
    told = [counted(counts[key], name) for key, name in names.items() if counts[key]]
    what = ", ".join(told) or say("there_was_nothing")
    in_words({"status": "cleared", **counts}, say("deleted", what=what)).show(as_json=as_json)


def _asked(user_id: str) -> str:
    """Return the line that is typed to confirm."""
    print(say("confirm_clear", user=user_id), end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().rstrip("\r\n")


def _until(given: str | None) -> date | Literal["never"] | None:
    if given is None or given == "never":
        return "never" if given else None
    try:
        return date.fromisoformat(given)
    except ValueError:
        raise InvalidInputError(f"--until is {given!r}; give a date as YYYY-MM-DD, or never.") from None


async def pause(speaking: Speaking) -> Told:
    """Learn nothing from any conversation until `memory resume`; what is known is still used."""
    return in_words(await speaking.memory.pause(), say("paused"))


async def resume(speaking: Speaking) -> Told:
    """Learn from conversations again."""
    return in_words(await speaking.memory.resume(), say("resumed"))


async def show_consent(
    speaking: Speaking,
    deny: Annotated[Topics, typer.Option(metavar="TOPIC", help="Neither keep nor use it; may be repeated.")] = None,
    allow: Annotated[Topics, typer.Option(metavar="TOPIC", help="Keep and use it again; may be repeated.")] = None,
) -> Told:
    """Show what may be remembered, topic by topic, or change it."""
    memory = speaking.memory
    if deny or allow:
        await memory.change_topics(deny=deny or (), allow=allow or ())
    consent, notes = await memory.consent(), Counter(note.topic for note in await memory.notes())
    kept = {topic: notes[topic] for topic in consent.denied if notes[topic]}
    allowed = sorted({*_topics()} - {*consent.denied})
    record = {**consent.dump(), "allowed": allowed, "kept_unused": kept}
    return Told(record, lambda screen: write_consent(screen, consent, notes))


def _topics() -> tuple[str, ...]:
    from memory.schema import TRAVEL, load_schema

    return load_schema(load_settings().memory_schema or TRAVEL).topic_names


def write_consent(screen: Screen, consent: Consent, notes: Counter[str]) -> None:
    """Write what may be remembered, topic by topic, and what is kept of denied ones."""
    for topic in sorted({*_topics(), *consent.denied, *notes}):
        is_denied = topic in consent.denied
        kept = f"  {counted(notes[topic], 'note')}" if notes[topic] else ""
        screen.row(topic, f"{say('denied' if is_denied else 'allowed')}{kept}", width=14, style="bold" * is_denied)
    screen.aside(say("paused" if consent.paused else "resumed"))
    for topic in consent.denied:
        if notes[topic]:
            screen.aside(say("kept_unused", topic=topic, what=counted(notes[topic], "note")))
