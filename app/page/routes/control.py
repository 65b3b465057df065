"""Gives users control of all of their memory: profile, consent, journal and undo, export, import, delete everything."""

import asyncio
from typing import Literal

from pydantic import JsonValue, RootModel
from starlette.responses import Response

from app.json_records import Record, entry_record, exported
from app.page.routes.asked import Asked, Body, json_response, route
from memory.control.delete_all import Cleared
from memory.records.profile import Consent
from memory.transfer.importing import ImportReport

_QUIET = ("used", "blocked")
"""Entries of the journal that change nothing."""


class Undoing(Body):
    """The journal entry to take back; without one, the latest."""

    entry: str | None = None


class ProfileEdit(RootModel[dict[str, JsonValue]]):
    """Fields of the profile by name; None empties one."""


class ConsentChange(Body):
    """What memory may do from now on; what is left out stays."""

    paused: bool | None = None
    deny: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()


class Clearing(Body):
    """The user id, typed to confirm, and what becomes of open bookings."""

    confirm: str
    bookings: Literal["keep", "delete"] | None = None


async def edit_profile(asked: Asked) -> Record:
    """Set fields of the profile."""
    fields = (await asked.body(ProfileEdit)).root
    since = await asked.memory.written()
    profile = await asked.memory.edit_profile(fields)
    return {"profile": profile, "entry": await asked.entry(since, "profile")}


async def change_consent(asked: Asked) -> Record:
    """Pause or resume learning, deny and allow topics."""
    given = await asked.body(ConsentChange)
    since = await asked.memory.written()
    if given.deny or given.allow:
        await asked.memory.change_topics(deny=given.deny, allow=given.allow)
    if given.paused is not None:
        await (asked.memory.pause() if given.paused else asked.memory.resume())
    consent: Consent = await asked.memory.consent()
    return {**consent.dump(), "entry": await asked.entry(since, "consent")}


async def read_journal(asked: Asked) -> Record:
    """Return what happened to memory, newest first; with `all=1` uses and refusals too."""
    journal = await asked.memory.journal()
    limit, before = asked.number("limit", 100, most=1000), asked.number("before", 999_999_999, most=999_999_999)
    found = [entry for entry in journal if entry.seq < before and (asked.has("all") or entry.action not in _QUIET)]
    return {"entries": [entry_record(entry, journal) for entry in reversed(found[-limit:])]}


async def undo(asked: Asked) -> Record:
    """Take back one change."""
    undone = await asked.memory.undo((await asked.body(Undoing)).entry)
    return {"entry": entry_record(undone, await asked.memory.journal())}


async def export(asked: Asked) -> Response:
    """Return everything that is kept, as a file."""
    answer = json_response(await asked.memory.export())
    answer.headers["Content-Disposition"] = 'attachment; filename="concierge-memory.json"'
    return answer


async def import_file(asked: Asked) -> ImportReport:
    """Merge an export into what is remembered."""
    megabytes = asked.concierge.graph.services.settings.max_import_mb
    data = await asyncio.to_thread(exported, await asked.request.body(), megabytes)
    return await asked.memory.import_(data, overwrite=asked.has("overwrite"))


async def clear(asked: Asked) -> Cleared:
    """Delete everything that is kept of who is asking."""
    given = await asked.body(Clearing)
    return await asked.memory.clear(given.confirm, bookings=given.bookings)


ROUTES = [
    route("PATCH", "/memory/profile", edit_profile),
    route("PUT", "/memory/consent", change_consent),
    route("GET", "/memory/journal", read_journal),
    route("POST", "/memory/undo", undo),
    route("GET", "/memory/export", export),
    route("POST", "/memory/import", import_file),
    route("POST", "/memory/clear", clear),
]
