"""Lists conversations, reads one back, deletes one."""

from __future__ import annotations

from contextlib import suppress

from app.api.history import HistoryEntry
from app.json_records import Record
from app.page.routes.asked import Asked, route
from app.page.routes.marks import marks
from config.errors import ConciergeError
from memory.records.conversations import Conversation, Conversations

_MOST = 200
_LONGEST_TITLE = 80


async def list_threads(asked: Asked) -> Record:
    """List the conversations that can be gone on with, the latest first."""
    found = await Conversations(asked.memory.store, asked.user_id).all()
    told = []
    for one in found[: asked.number("limit", 50, most=_MOST)]:
        history: list[HistoryEntry] = []
        with suppress(ConciergeError):  # one that is damaged, or that broke off before it began, can be deleted
            history = await asked.concierge.full_history(user_id=asked.user_id, thread_id=one.thread_id)
        told.append(_summary(one, [entry for entry in history if entry.role == "user" and not entry.synthetic]))
    return {"threads": told}


async def read_thread(asked: Asked) -> Record:
    """Return everything said in a conversation, what it noted, and what may come next in it."""
    standing = await asked.standing()
    noted = [note for note in await asked.concierge.staged_notes(**asked.own) if note.status == "active"]
    said = await asked.concierge.full_history(**asked.own)
    return {
        "thread_id": asked.key,
        "entries": said,
        "marks": await marks(asked, said, noted),
        "mode": next((entry.mode for entry in reversed(said) if entry.role == "user" and entry.mode), "on"),
        "waiting": next(iter(standing.waiting), None),
        "unfinished": standing.is_cut_short,
        "left_open": standing.is_left_open,
        "noted": await asked.shown(*noted),
    }


async def delete_thread(asked: Asked) -> None:
    """Delete a conversation; what was learnt from it stays."""
    known = {one.thread_id for one in await Conversations(asked.memory.store, asked.user_id).all()}
    if asked.key not in known:  # one that is may be damaged, or have broken off before it began
        await asked.standing()
    await asked.concierge.drop_thread(asked.user_id, asked.key)


def _summary(one: Conversation, said: list[HistoryEntry]) -> Record:
    first = " ".join(said[0].text.split()) if said else ""
    return {
        "thread_id": one.thread_id,
        "title": first if len(first) <= _LONGEST_TITLE else f"{first[: _LONGEST_TITLE - 1]}…",
        "last_at": (said[-1].at if said else None) or one.session_at,
        "turns": len(said),
    }


ROUTES = [
    route("GET", "/threads", list_threads),
    route("GET", "/threads/{key}", read_thread),
    route("DELETE", "/threads/{key}", delete_thread),
]
