"""Routes that control a user's memory: profile, consent, journal, undo, export, import and deletion."""

import asyncio
from typing import Annotated, Literal

from pydantic import Field, JsonValue
from starlette.responses import Response

from app.json_records import Record, entry_record
from app.page.routes.routing import RequestContext, json_response, route
from memory.control.delete_all import Cleared
from memory.transfer.export import loaded
from memory.transfer.importing import ImportReport

_NOT_CHANGES = ("used", "blocked")
"""Actions of journal entries that change nothing."""


@route("PATCH", "/memory/profile")
async def edit_profile(ctx: RequestContext, **fields: JsonValue) -> Record:
    """Set fields of the profile; None clears a field."""
    since = await ctx.memory.written()
    profile = await ctx.memory.edit_profile(fields)
    return {"profile": ctx.memory.schema.facts(profile), "entry": await ctx.entry(since, "profile")}


@route("PUT", "/memory/consent")
async def change_consent(
    ctx: RequestContext, paused: bool | None = None, deny: tuple[str, ...] = (), allow: tuple[str, ...] = ()
) -> Record:
    """Pause or resume learning, deny and allow topics; omitted arguments change nothing."""
    since = await ctx.memory.written()
    consent = await ctx.memory.change_consent(paused=paused, deny=deny, allow=allow)
    return {**consent.dump(), "entry": await ctx.entry(since, "consent")}


@route("GET", "/memory/journal")
async def read_journal(
    ctx: RequestContext,
    everything: Annotated[bool, Field(alias="all")] = False,
    limit: Annotated[int, Field(ge=1, le=1000)] = 100,
) -> Record:
    """Return the journal, newest entry first; uses and refusals only with `all`."""
    journal = await ctx.memory.journal()
    entries = [entry for entry in journal if everything or entry.action not in _NOT_CHANGES]
    return {"entries": [entry_record(entry, journal) for entry in reversed(entries[-limit:])]}


@route("POST", "/memory/undo")
async def undo(ctx: RequestContext, entry: str | None = None) -> Record:
    """Undo one change, by default the latest."""
    undone = await ctx.memory.undo(entry)
    return {"entry": entry_record(undone, await ctx.memory.journal())}


@route("GET", "/memory/export")
async def export(ctx: RequestContext) -> Response:
    """Return everything that is stored about the user, as a file."""
    response = json_response(await ctx.memory.export())
    response.headers["Content-Disposition"] = 'attachment; filename="concierge-memory.json"'
    return response


@route("POST", "/memory/import")
async def import_file(ctx: RequestContext, file: bytes, overwrite: bool = False) -> ImportReport:
    """Merge an export into the user's memory."""
    megabytes = ctx.concierge.graph.services.settings.max_import_mb
    data = await asyncio.to_thread(loaded, file, megabytes=megabytes)
    return await ctx.memory.import_(data, overwrite=overwrite)


@route("POST", "/memory/clear")
async def clear(ctx: RequestContext, confirm: str, bookings: Literal["keep", "delete"] | None = None) -> Cleared:
    """Delete everything that is stored about the user; `confirm` is the user id, as the user typed it."""
    return await ctx.memory.clear(confirm, bookings=bookings)
