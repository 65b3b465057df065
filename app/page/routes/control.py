"""Gives users control of all of their memory: profile, consent, journal and undo, export, import, delete everything."""

import asyncio
from typing import Annotated, Literal

from pydantic import Field, JsonValue
from starlette.responses import Response

from app.json_records import Record, entry_record
from app.page.routes.routing import RequestContext, json_response, route
from memory.control.delete_all import Cleared
from memory.transfer.export import loaded
from memory.transfer.importing import ImportReport

_QUIET = ("used", "blocked")
"""Entries of the journal that change nothing."""


@route("PATCH", "/memory/profile")
async def edit_profile(ctx: RequestContext, **fields: JsonValue) -> Record:
    """Set fields of the profile; None empties one."""
    since = await ctx.memory.written()
    profile = await ctx.memory.edit_profile(fields)
    return {"profile": profile, "entry": await ctx.entry(since, "profile")}


@route("PUT", "/memory/consent")
async def change_consent(
    ctx: RequestContext, paused: bool | None = None, deny: tuple[str, ...] = (), allow: tuple[str, ...] = ()
) -> Record:
    """Pause or resume learning, deny and allow topics; what is left out stays."""
    since = await ctx.memory.written()
    if deny or allow:
        await ctx.memory.change_topics(deny=deny, allow=allow)
    if paused is not None:
        await (ctx.memory.pause() if paused else ctx.memory.resume())
    return {**(await ctx.memory.consent()).dump(), "entry": await ctx.entry(since, "consent")}


@route("GET", "/memory/journal")
async def read_journal(
    ctx: RequestContext,
    everything: Annotated[bool, Field(alias="all")] = False,
    limit: Annotated[int, Field(ge=1, le=1000)] = 100,
) -> Record:
    """Return what happened to memory, newest first; with `all` uses and refusals too."""
    journal = await ctx.memory.journal()
    found = [entry for entry in journal if everything or entry.action not in _QUIET]
    return {"entries": [entry_record(entry, journal) for entry in reversed(found[-limit:])]}


@route("POST", "/memory/undo")
async def undo(ctx: RequestContext, entry: str | None = None) -> Record:
    """Take back one change, without `entry` the latest."""
    undone = await ctx.memory.undo(entry)
    return {"entry": entry_record(undone, await ctx.memory.journal())}


@route("GET", "/memory/export")
async def export(ctx: RequestContext) -> Response:
    """Return everything that is kept, as a file."""
    answer = json_response(await ctx.memory.export())
    answer.headers["Content-Disposition"] = 'attachment; filename="concierge-memory.json"'
    return answer


@route("POST", "/memory/import")
async def import_file(ctx: RequestContext, file: bytes, overwrite: bool = False) -> ImportReport:
    """Merge an export into what is remembered."""
    megabytes = ctx.concierge.graph.services.settings.max_import_mb
    data = await asyncio.to_thread(loaded, file, megabytes=megabytes)
    return await ctx.memory.import_(data, overwrite=overwrite)


@route("POST", "/memory/clear")
async def clear(ctx: RequestContext, confirm: str, bookings: Literal["keep", "delete"] | None = None) -> Cleared:
    """Delete everything that is kept of who is asking; `confirm` is their user id, as they typed it."""
    return await ctx.memory.clear(confirm, bookings=bookings)
