"""Changes memory by hand: edit, forget, clear, undo, restore, pause, consent by topic, profile."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from app.cli.memory.resolve import find_entry, find_note
from app.cli.memory.show import render_changes, write_profile
from app.cli.opening import CommandContext, NoteName, User, resolve_user, run_as_user
from app.cli.screen import Output, Screen, described, text_output
from app.cli.wording import counted, read_settings, say
from app.json_records import entry_record, to_json_value
from config.errors import InvalidInputError, NotFoundError

if TYPE_CHECKING:
    from memory.control.forget import Forgotten
    from memory.records.notes import Note

Several = list[str] | None


async def edit_note(
    ctx: CommandContext,
    what: NoteName,
    text: Annotated[str | None, typer.Argument(help="What it says from now on.")] = None,
    topic: Annotated[str | None, typer.Option(help="Another topic.")] = None,
    condition: Annotated[str | None, typer.Option(help="When it holds; '' takes the condition away.")] = None,
    claim: Annotated[
        Several, typer.Option(help="What it says as data, as in 'prefers seat_side=aisle'; may be repeated.")
    ] = None,
    scope: Annotated[str | None, typer.Option(help="user or trip.")] = None,
    until: Annotated[str | None, typer.Option(help="The last day it holds, YYYY-MM-DD, or never.")] = None,
    pin: Annotated[bool | None, typer.Option("--pin/--no-pin", help="Never let it go to make room.")] = None,
) -> Output:
    """Change a note. The policy is asked; `memory undo` takes it back."""
    claims = [_claim(one) for one in claim] if claim else None
    meant = await find_note(ctx, what, "used")
    note = await ctx.memory.edit(
        meant.id, text=text, topic=topic, condition=condition, claims=claims, scope=scope, expires_at=_until(until),
        pinned=pin, thread_id=ctx.thread_id,
    )  # fmt: skip
    return text_output(note, say("says_now", what=described(note)))


def _claim(written: str) -> dict[str, str]:
    """Read a claim as it is typed: stance, attribute and value. Raises InvalidInputError for another form."""
    stance, _, rest = written.strip().partition(" ")
    attribute, equals, value = rest.partition("=")
    if not equals:
        raise InvalidInputError(f"{written!r} is no claim. Write it as 'prefers seat_side=aisle'.")
    return {"stance": stance, "attribute": attribute.strip(), "value": value.strip()}


def _until(given: str | None) -> date | Literal["never"] | None:
    if given is None or given == "never":
        return "never" if given else None
    try:
        return date.fromisoformat(given)
    except ValueError:
        raise InvalidInputError(f"--until is {given!r}; give a date as YYYY-MM-DD, or never.") from None


async def restore_note(
    ctx: CommandContext,
    what: NoteName,
    version: Annotated[int | None, typer.Option(min=0, help="Its number in `memory history NOTE`.")] = None,
) -> Output:
    """Put a note that is no longer in use, or an earlier version of one, back in use."""
    meant = await find_note(ctx, what, "unused" if version is None else "any")
    note = await ctx.memory.restore(meant.id, version)
    return text_output(note, say("in_use_again", what=described(note)))


async def forget_note(
    ctx: CommandContext,
    what: NoteName,
    keep: Annotated[bool, typer.Option("--keep", help="Only take it out of use, so that undo brings it back.")] = False,
    mentions: Annotated[
        bool, typer.Option("--mentions", help="Where no note says it: take it out of earlier conversations.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Look among superseded and expired notes too.")] = False,
) -> Output:
    """Forget one note for good, every copy of it. When several match, they are listed and none is forgotten."""
    memory, meant = ctx.memory, None
    try:
        meant = await find_note(ctx, what, "any" if everything else "used")
    except NotFoundError as error:
        found = 0 if ctx.thread_id else await memory.mentions(what)
        if not found:
            raise
        if keep or not mentions:
            more = f"{found} earlier messages or summaries mention it: add --mentions to take it out of them."
            raise NotFoundError(f"{error} {more}") from None
        gone = await memory.forget_mentions(what)
    else:
        if keep:
            note = await memory.retire(meant.id)
            told = say("out_of_use", what=described(note)), say("to_bring_back", note=note.id[:8])
            return text_output({"status": "retired", "notes": [note]}, *told)
        gone = await memory.forget_note(meant)
    return text_output({"status": "forgotten", **to_json_value(gone)}, *_render_forgotten(gone, meant))


def _render_forgotten(gone: Forgotten, meant: Note | None) -> list[str]:
    """Return what an act of forgetting reached, in sentences."""
    told = [say("forgotten", what=described(meant)) if meant else say("forgotten_only")]
    told += [say("with_it_went", what=described(note)) for note in gone.notes if meant and note.id != meant.id]
    reached = {"turn": gone.turns, "episode": gone.episodes}
    if any(reached.values()):
        what = ", ".join(counted(count, name) for name, count in reached.items() if count)
        told.append(say("taken_out_of", what=what))
    if gone.threads:
        told.append(say("looked_through", what=counted(len(gone.threads), "conversation")))
    return [*told, *(say("cleaned_later", thread=thread) for thread in gone.waiting)]


def clear_memory(
    user: User = None,
    yes: Annotated[str | None, typer.Option(metavar="USER", help="The user id, instead of being asked for it.")] = None,
    bookings: Annotated[
        Literal["keep", "delete"] | None, typer.Option(help="What becomes of open bookings; neither cancels any.")
    ] = None,
) -> Output:
    """Delete everything: notes, profile, trips, history and all conversations. It asks for the user id first."""
    user_id = resolve_user(user, read_settings())
    if yes is None:
        print(say("confirm_clear", user=user_id), end="", file=sys.stderr, flush=True)
        yes = sys.stdin.readline().rstrip("\r\n")
    typed = yes
    counts = asdict(run_as_user(user_id, lambda ctx: ctx.memory.clear(typed, bookings=bookings)))
    names = {"notes": "note", "trips": "trip", "episodes": "episode", "turns": "turn",
             "conversations": "conversation", "journal": "journal", "profile": "profile"}  # fmt: skip
    deleted = ", ".join(counted(counts[key], name) for key, name in names.items() if counts[key])
    return text_output({"status": "cleared", **counts}, say("deleted", what=deleted or say("there_was_nothing")))


async def undo_entry(
    ctx: CommandContext,
    entry: Annotated[str | None, typer.Argument(help="Number or id of an entry of `memory history`.")] = None,
) -> Output:
    """Take back a change: without ENTRY the latest of a note, the profile or consent, one at a time.

    An undo is taken back by undoing it; what was forgotten stays forgotten. The summary of a session is undone by its
    number.
    """
    memory = ctx.memory
    wanted = find_entry(entry, await memory.journal()).id if entry is not None else None
    made, journal = await memory.undo(wanted), await memory.journal()
    taken = next((one for one in journal if one.id == made.undoes), made)
    again = f"{'/undo' if ctx.thread_id else 'concierge memory undo'} {made.seq}"
    told = say("undone", what=f"{taken.seq}. {taken.action}"), *render_changes(made), say("to_redo", command=again)
    return text_output(entry_record(made, journal), *told)


async def pause(ctx: CommandContext) -> Output:
    """Learn nothing from any conversation until `memory resume`; what is known is still used."""
    consent, paused = await ctx.memory.pause(), say("paused")
    return text_output(consent, say("paused_until", paused=paused) if ctx.thread_id else paused)


async def resume(ctx: CommandContext) -> Output:
    """Learn from conversations again."""
    return text_output(await ctx.memory.resume(), say("resumed"))


async def show_consent(
    ctx: CommandContext,
    deny: Annotated[Several, typer.Option(metavar="TOPIC", help="Neither keep nor use it; may be repeated.")] = None,
    allow: Annotated[Several, typer.Option(metavar="TOPIC", help="Keep and use it again; may be repeated.")] = None,
) -> Output:
    """Show what may be remembered, topic by topic, or change it."""
    memory = ctx.memory
    if deny or allow:
        await memory.change_topics(deny=deny or (), allow=allow or ())
    consent, notes = await memory.consent(), Counter(note.topic for note in await memory.notes())
    kept = {topic: notes[topic] for topic in consent.denied if notes[topic]}
    known = {*memory.schema.topics, *consent.denied, *notes}

    def write(screen: Screen) -> None:
        for topic in sorted(known):
            state = say("denied" if topic in consent.denied else "allowed")
            told = f"  {counted(notes[topic], 'note')}" if notes[topic] else ""
            screen.row(topic, f"{state}{told}", width=14, style="bold" * (topic in consent.denied))
        screen.aside(say("paused" if consent.paused else "resumed"))
        for topic, count in kept.items():
            screen.aside(say("kept_unused", topic=topic, what=counted(count, "note")))

    allowed = sorted({*memory.schema.topics} - {*consent.denied})
    return Output({**consent.dump(), "allowed": allowed, "kept_unused": kept}, write)


async def change_profile(
    ctx: CommandContext,
    fields: Annotated[
        Several,
        typer.Argument(metavar="FIELD=VALUE", help="home_city=Porto, active_visas=US,JP, loyalty_status.SkyTeam=Gold; "
                       "an empty value empties the field."),
    ] = None,
) -> Output:  # fmt: skip
    """Show the profile, or set fields of it; `memory undo` takes that back."""
    profile = await ctx.memory.profile()
    wanted: dict[str, Any] = {}
    for written in fields or ():
        name, equals, value = (part.strip() for part in written.partition("="))
        if not equals:
            raise InvalidInputError(f"{written!r} sets no field. Write it as home_city=Porto.")
        field, _, key = name.partition(".")
        wanted[field] = _value(wanted.get(field, profile.dump().get(field)), key, value)
    if wanted:
        profile = await ctx.memory.edit_profile(wanted)
    consent = await ctx.memory.consent()

    def write(screen: Screen) -> None:
        write_profile(screen, profile, consent)
        if not profile.model_dump(exclude_defaults=True):
            screen.aside(say("nothing_remembered"))

    return Output(profile, write)


def _value(before: object, key: str, value: str) -> object:
    """Return what a field becomes: a list of values, a mapping with one of them set or taken away, or a value."""
    if isinstance(before, dict) and key:
        return {name: one for name, one in {**before, key: value}.items() if one != ""}
    if not value:
        return None
    return [part.strip() for part in value.split(",")] if isinstance(before, list) else value
