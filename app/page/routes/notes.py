"""Routes that list, edit, retire, restore and forget notes."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from app.json_records import Record
from app.page.routes.routing import RequestContext, route
from memory.records.notes import Note


@route("GET", "/memory")
async def list_notes(ctx: RequestContext, everything: Annotated[bool, Field(alias="all")] = False) -> Record:
    """Return notes, profile and consent; with `all`, notes that are out of use too."""
    notes = await ctx.memory.notes(include_inactive=everything)
    return {
        "notes": await ctx.shown(*notes),
        "profile": ctx.memory.schema.facts(await ctx.memory.profile()),
        "consent": await ctx.memory.consent(),
    }


@route("GET", "/memory/conflicts")
async def list_conflicts(ctx: RequestContext) -> Record:
    """Return the pairs of notes that contradict each other, each with the older note first."""
    return {"conflicts": [await ctx.shown(*pair) for pair in await ctx.memory.conflicts()]}


@route("PATCH", "/memory/notes/{key}")
async def edit(
    ctx: RequestContext,
    text: str | None = None,
    topic: str | None = None,
    condition: str | None = None,
    when: dict[str, str] | None = None,
    claims: Annotated[list[dict[str, str]] | None, Field(max_length=20)] = None,
    scope: str | None = None,
    expires_at: date | Literal["never"] | None = None,
    pinned: bool | None = None,
    thread_id: str = "",
) -> Record:
    """Change a note in use, or a note staged in the conversation `thread_id`.

    Omitted fields stay unchanged. An empty condition removes the condition.
    """
    if thread_id:
        await ctx.concierge.thread_status(user_id=ctx.user_id, thread_id=thread_id)
    since = await ctx.memory.written()
    note = await ctx.memory.edit(
        ctx.key, text=text, topic=topic, condition=condition, when=when, claims=claims, scope=scope,
        expires_at=expires_at, pinned=pinned, thread_id=thread_id,
    )  # fmt: skip
    return await _changed(ctx, note, since)


@route("DELETE", "/memory/notes/{key}")
async def remove(ctx: RequestContext, forever: bool = False, thread_id: str = "") -> Record:
    """Retire a note, which can be undone; with `forever`, forget a staged or long-term note for good."""
    if forever:
        staged: list[Note] = []
        if thread_id:
            staged = await ctx.concierge.staged_notes(user_id=ctx.user_id, thread_id=thread_id)
        if note := next((note for note in staged if note.id == ctx.key), None):
            return {"forgotten": await ctx.memory.forget_note(note, thread_id=thread_id)}
        return {"forgotten": await ctx.memory.forget(ctx.key)}
    since = await ctx.memory.written()
    return await _changed(ctx, await ctx.memory.retire(ctx.key), since)


@route("GET", "/memory/notes/{key}/history")
async def history(ctx: RequestContext) -> Record:
    """Return every version of a note, oldest first."""
    return {"versions": await ctx.memory.history(ctx.key)}


@route("POST", "/memory/notes/{key}/restore")
async def restore(ctx: RequestContext, seq: int | None = None) -> Record:
    """Restore an earlier version, by default the latest that differs."""
    since = await ctx.memory.written()
    return await _changed(ctx, await ctx.memory.restore(ctx.key, seq), since)


async def _changed(ctx: RequestContext, note: Note, since: int) -> Record:
    (record,) = await ctx.shown(note)
    return {"note": record, "entry": await ctx.entry(since, note.id)}
