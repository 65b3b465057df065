"""Gives users control of all of their memory: profile, consent, journal and undo, export, import, delete everything."""

import asyncio
from typing import Annotated, Literal

from pydantic import Field, JsonValue
from starlette.responses import Response

from app.json_records import Record, entry_record
from app.page.routes.asked import Asked, json_response, route
from memory.control.delete_all import Cleared
from memory.transfer.export import loaded
from memory.transfer.importing import ImportReport

_QUIET = ("used", "blocked")
"""Entries of the journal that change nothing."""


@route("PATCH", "/memory/profile")
async def edit_profile(asked: Asked, **fields: JsonValue) -> Record:
    """Set fields of the profile; None empties one."""
    since = await asked.memory.written()
    profile = await asked.memory.edit_profile(fields)
    return {"profile": profile, "entry": await asked.entry(since, "profile")}


@route("PUT", "/memory/consent")
async def change_consent(
    asked: Asked, paused: bool | None = None, deny: tuple[str, ...] = (), allow: tuple[str, ...] = ()
) -> Record:
    """Pause or resume learning, deny and allow topics; what is left out stays."""
    since = await asked.memory.written()
    if deny or allow:
        await asked.memory.change_topics(deny=deny, allow=allow)
    if paused is not None:
        await (asked.memory.pause() if paused else asked.memory.resume())
    return {**(await asked.memory.consent()).dump(), "entry": await asked.entry(since, "consent")}


@route("GET", "/memory/journal")
async def read_journal(
    asked: Asked,
    everything: Annotated[bool, Field(alias="all")] = False,
    limit: Annotated[int, Field(ge=1, le=1000)] = 100,
) -> Record:
    """Return what happened to memory, newest first; with `all` uses and refusals too."""
    journal = await asked.memory.journal()
    found = [entry for entry in journal if everything or entry.action not in _QUIET]
    return {"entries": [entry_record(entry, journal) for entry in reversed(found[-limit:])]}


@route("POST", "/memory/undo")
async def undo(asked: Asked, entry: str | None = None) -> Record:
    """Take back one change, without `entry` the latest."""
    undone = await asked.memory.undo(entry)
    return {"entry": entry_record(undone, await asked.memory.journal())}


@route("GET", "/memory/export")
async def export(asked: Asked) -> Response:
    """Return everything that is kept, as a file."""
    answer = json_response(await asked.memory.export())
    answer.headers["Content-Disposition"] = 'attachment; filename="concierge-memory.json"'
    return answer


@route("POST", "/memory/import")
async def import_file(asked: Asked, file: bytes, overwrite: bool = False) -> ImportReport:
    """Merge an export into what is remembered."""
    megabytes = asked.concierge.graph.services.settings.max_import_mb
    data = await asyncio.to_thread(loaded, file, megabytes=megabytes)
    return await asked.memory.import_(data, overwrite=overwrite)


@route("POST", "/memory/clear")
async def clear(asked: Asked, confirm: str, bookings: Literal["keep", "delete"] | None = None) -> Cleared:
    """Delete everything that is kept of who is asking; `confirm` is their user id, as they typed it."""
    return await asked.memory.clear(confirm, bookings=bookings)
