"""Shows, searches, changes and forgets notes."""

from datetime import date
from typing import Literal

from pydantic import Field

from app.json_records import Record, plain
from app.page.routes.asked import Asked, Body, route
from memory.control.forget import Forgotten
from memory.recall.user_recall import KINDS
from memory.records.notes import Note


class ClaimGiven(Body):
    """A claim as its owner writes it."""

    attribute: str
    value: str
    stance: str = "is"
    about: str = "user"


class NoteEdit(Body):
    """What becomes of a note; what is left out stays. An empty condition takes it away."""

    text: str | None = None
    topic: str | None = None
    condition: str | None = None
    when: dict[str, str] | None = None
    claims: list[ClaimGiven] | None = Field(None, max_length=20)
    scope: str | None = None
    expires_at: date | Literal["never"] | None = None
    pinned: bool | None = None


class Restoring(Body):
    """The version to go back to; without one, the last that says something else."""

    seq: int | None = None


async def list_notes(asked: Asked) -> Record:
    """Return what is remembered; with `all=1` notes out of use too."""
    notes = await asked.memory.notes(include_inactive=asked.has("all"))
    return {
        "notes": await asked.shown(*notes),
        "profile": await asked.memory.profile(),
        "consent": await asked.memory.consent(),
    }


async def search(asked: Asked) -> Record:
    """Search the notes by meaning and words, best first."""
    hits = await asked.concierge.recall(
        asked.text("query"), user_id=asked.user_id, limit=asked.number("limit", 6, most=6), scopes=["note"]
    )
    by_id = {note.id: note for note in await asked.memory.notes()}
    found = [hit for hit in hits if hit.document.id in by_id]
    notes = await asked.shown(*(by_id[hit.document.id] for hit in found))
    return {
        "hits": [{"note": note, "score": hit.score, "why": hit.why} for note, hit in zip(notes, found, strict=True)]
    }


async def recall(asked: Asked) -> Record:
    """Search notes, episodes and everything that was said."""
    hits = await asked.concierge.recall(
        asked.text("query"), user_id=asked.user_id, limit=asked.number("limit", 6, most=6), scopes=KINDS
    )
    return {"hits": [{**plain(hit.document), "score": hit.score, "why": hit.why} for hit in hits]}


async def edit(asked: Asked) -> Record:
    """Change a note in use, or one that is staged in the conversation that `thread_id` names."""
    given = await asked.body(NoteEdit)
    thread_id = asked.text("thread_id")
    if thread_id:
        await asked.standing(thread_id)
    since = await asked.memory.written()
    note = await asked.memory.edit(asked.key, **given.model_dump(), thread_id=thread_id)
    return await _changed(asked, note, since)


async def remove(asked: Asked) -> Record:
    """Take a note out of use, which can be undone, or forget it for good with `forever=1`."""
    if asked.has("forever"):
        return {"forgotten": await _forgotten(asked)}
    since = await asked.memory.written()
    return await _changed(asked, await asked.memory.retire(asked.key), since)


async def history(asked: Asked) -> Record:
    """Return every version of a note, oldest first."""
    return {"versions": await asked.memory.history(asked.key)}


async def restore(asked: Asked) -> Record:
    """Put an earlier version back in use."""
    seq = (await asked.body(Restoring)).seq
    since = await asked.memory.written()
    return await _changed(asked, await asked.memory.restore(asked.key, seq), since)


async def list_conflicts(asked: Asked) -> Record:
    """Return the pairs of notes that can't both hold, in each the older first."""
    return {"conflicts": [await asked.shown(*pair) for pair in await asked.memory.conflicts()]}


async def _changed(asked: Asked, note: Note, since: int) -> Record:
    (shown,) = await asked.shown(note)
    return {"note": shown, "entry": await asked.entry(since, note.id)}


async def _forgotten(asked: Asked) -> Forgotten:
    """Forget a note that is kept, or one that is staged in the conversation that `thread_id` names."""
    if thread_id := asked.text("thread_id"):
        await asked.standing(thread_id)
        for note in await asked.concierge.staged_notes(user_id=asked.user_id, thread_id=thread_id):
            if note.id == asked.key:
                return await asked.memory.forget_note(note, thread_id=thread_id)
    return await asked.memory.forget(asked.key)


ROUTES = [
    route("GET", "/memory", list_notes),
    route("GET", "/memory/search", search),
    route("GET", "/memory/recall", recall),
    route("GET", "/memory/conflicts", list_conflicts),
    route("PATCH", "/memory/notes/{key}", edit),
    route("DELETE", "/memory/notes/{key}", remove),
    route("GET", "/memory/notes/{key}/history", history),
    route("POST", "/memory/notes/{key}/restore", restore),
]
