"""Shows, changes and forgets notes."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from app.json_records import Record
from app.page.routes.asked import Asked, route
from memory.records.notes import Note


@route("GET", "/memory")
async def list_notes(asked: Asked, everything: Annotated[bool, Field(alias="all")] = False) -> Record:
    """Return what is remembered; with `all` notes out of use too."""
    notes = await asked.memory.notes(include_inactive=everything)
    return {
        "notes": await asked.shown(*notes),
        "profile": await asked.memory.profile(),
        "consent": await asked.memory.consent(),
    }


@route("GET", "/memory/conflicts")
async def list_conflicts(asked: Asked) -> Record:
    """Return the pairs of notes that can't both hold, in each the older first."""
    return {"conflicts": [await asked.shown(*pair) for pair in await asked.memory.conflicts()]}


@route("PATCH", "/memory/notes/{key}")
async def edit(
    asked: Asked,
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
    """Change a note in use, or one that is staged in the conversation that `thread_id` names.

    What is left out stays. An empty condition takes it away.
    """
    if thread_id:
        await asked.concierge.standing(user_id=asked.user_id, thread_id=thread_id)
    since = await asked.memory.written()
    note = await asked.memory.edit(
        asked.key, text=text, topic=topic, condition=condition, when=when, claims=claims, scope=scope,
        expires_at=expires_at, pinned=pinned, thread_id=thread_id,
    )  # fmt: skip
    return await _changed(asked, note, since)


@route("DELETE", "/memory/notes/{key}")
async def remove(asked: Asked, forever: bool = False, thread_id: str = "") -> Record:
    """Take a note out of use, which can be undone, or with `forever` forget it for good, staged or kept."""
    if forever:
        staged: list[Note] = []
        if thread_id:
            staged = await asked.concierge.staged_notes(user_id=asked.user_id, thread_id=thread_id)
        if note := next((one for one in staged if one.id == asked.key), None):
            return {"forgotten": await asked.memory.forget_note(note, thread_id=thread_id)}
        return {"forgotten": await asked.memory.forget(asked.key)}
    since = await asked.memory.written()
    return await _changed(asked, await asked.memory.retire(asked.key), since)


@route("GET", "/memory/notes/{key}/history")
async def history(asked: Asked) -> Record:
    """Return every version of a note, oldest first."""
    return {"versions": await asked.memory.history(asked.key)}


@route("POST", "/memory/notes/{key}/restore")
async def restore(asked: Asked, seq: int | None = None) -> Record:
    """Put an earlier version back in use, without `seq` the last that says something else."""
    since = await asked.memory.written()
    return await _changed(asked, await asked.memory.restore(asked.key, seq), since)


async def _changed(asked: Asked, note: Note, since: int) -> Record:
    (shown,) = await asked.shown(note)
    return {"note": shown, "entry": await asked.entry(since, note.id)}
