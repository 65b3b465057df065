"""The commands that change memory: edit, forget, clear, undo, restore, pause, resume, consent, profile."""

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
    claims = [_parse_claim(item) for item in claim] if claim else None
    before = await find_note(ctx, what, "used")
    note = await ctx.memory.edit(
        before.id, text=text, topic=topic, condition=condition, claims=claims, scope=scope,
        expires_at=_parse_until(until), pinned=pin, thread_id=ctx.thread_id,
    )  # fmt: skip
    return text_output(note, say("says_now", what=described(note)))


def _parse_claim(text: str) -> dict[str, str]:
    """Parse a claim of the form `STANCE ATTRIBUTE=VALUE`. Raises InvalidInputError."""
    stance, _, rest = text.strip().partition(" ")
    attribute, equals, value = rest.partition("=")
    if not equals:
        raise InvalidInputError(f"{text!r} is no claim. Write it as 'prefers seat_side=aisle'.")
    return {"stance": stance, "attribute": attribute.strip(), "value": value.strip()}


def _parse_until(text: str | None) -> date | Literal["never"] | None:
    if text is None or text == "never":
        return "never" if text else None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidInputError(f"--until is {text!r}; give a date as YYYY-MM-DD, or never.") from None


async def restore_note(
    ctx: CommandContext,
    what: NoteName,
    version: Annotated[int | None, typer.Option(min=0, help="Its number in `memory history NOTE`.")] = None,
) -> Output:
    """Put a note that is no longer in use, or an earlier version of one, back in use."""
    before = await find_note(ctx, what, "unused" if version is None else "any")
    note = await ctx.memory.restore(before.id, version)
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
    memory, target = ctx.memory, None
    try:
        target = await find_note(ctx, what, "any" if everything else "used")
    except NotFoundError as error:
        count = 0 if ctx.thread_id else await memory.mentions(what)
        if not count:
            raise
        if keep or not mentions:
            more = f"{count} earlier messages or summaries mention it: add --mentions to take it out of them."
            raise NotFoundError(f"{error} {more}") from None
        gone = await memory.forget_mentions(what)
    else:
        if keep:
            note = await memory.retire(target.id)
            lines = say("out_of_use", what=described(note)), say("to_bring_back", note=note.id[:8])
            return text_output({"status": "retired", "notes": [note]}, *lines)
        gone = await memory.forget_note(target)
    return text_output({"status": "forgotten", **to_json_value(gone)}, *_render_forgotten(gone, target))


def _render_forgotten(gone: Forgotten, target: Note | None) -> list[str]:
    """Return in sentences what was erased."""
    lines = [say("forgotten", what=described(target)) if target else say("forgotten_only")]
    lines += [say("with_it_went", what=described(note)) for note in gone.notes if target and note.id != target.id]
    counts = {"turn": gone.turns, "episode": gone.episodes}
    if any(counts.values()):
        what = ", ".join(counted(count, name) for name, count in counts.items() if count)
        lines.append(say("taken_out_of", what=what))
    if gone.threads:
        lines.append(say("looked_through", what=counted(len(gone.threads), "conversation")))
    return [*lines, *(say("cleaned_later", thread=thread) for thread in gone.waiting)]


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
    entry_id = find_entry(entry, await memory.journal()).id if entry is not None else None
    undo, journal = await memory.undo(entry_id), await memory.journal()
    undone = next((one for one in journal if one.id == undo.undoes), undo)
    redo = f"{'/undo' if ctx.thread_id else 'concierge memory undo'} {undo.seq}"
    lines = say("undone", what=f"{undone.seq}. {undone.action}"), *render_changes(undo), say("to_redo", command=redo)
    return text_output(entry_record(undo, journal), *lines)


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
        await memory.change_consent(deny=deny or (), allow=allow or ())
    consent, notes = await memory.consent(), Counter(note.topic for note in await memory.notes())
    unused = {topic: notes[topic] for topic in consent.denied if notes[topic]}
    topics = {*memory.schema.topics, *consent.denied, *notes}

    def write(screen: Screen) -> None:
        for topic in sorted(topics):
            state = say("denied" if topic in consent.denied else "allowed")
            count = f"  {counted(notes[topic], 'note')}" if notes[topic] else ""
            screen.row(topic, f"{state}{count}", width=14, style="bold" * (topic in consent.denied))
        screen.aside(say("paused" if consent.paused else "resumed"))
        for topic, number in unused.items():
            screen.aside(say("kept_unused", topic=topic, what=counted(number, "note")))

    allowed = sorted({*memory.schema.topics} - {*consent.denied})
    return Output({**consent.dump(), "allowed": allowed, "kept_unused": unused}, write)


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
    changes: dict[str, Any] = {}
    for text in fields or ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise InvalidInputError(f"{text!r} sets no field. Write it as home_city=Porto.")
        field, _, key = name.partition(".")
        changes[field] = _value(changes.get(field, profile.dump().get(field)), key, value)
    if changes:
        profile = await ctx.memory.edit_profile(changes)
    facts, consent = ctx.memory.schema.facts(profile), await ctx.memory.consent()

    def write(screen: Screen) -> None:
        write_profile(screen, facts, consent)
        if not facts.model_dump(exclude_defaults=True):
            screen.aside(say("nothing_remembered"))

    return Output(facts, write)


def _value(before: object, key: str, value: str) -> object:
    """Return the new value of a field: a list, a mapping with `key` set or removed, or the text; None if empty."""
    if isinstance(before, dict) and key:
        return {name: item for name, item in {**before, key: value}.items() if item != ""}
    if not value:
        return None
    return [part.strip() for part in value.split(",")] if isinstance(before, list) else value
