"""Lists conversations, reads one back, deletes one."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from app.api.history import HistoryEntry
from app.json_records import Record
from app.page.routes.routing import RequestContext, route
from memory.records.journal import refusal_step, use_step
from memory.records.notes import Note


async def marks(ctx: RequestContext, said: Iterable[HistoryEntry], staged: Sequence[Note]) -> dict[int, Record]:
    """Return by number what each turn of a conversation used, noted and refused, as `memory` of a reply tells it.

    The journal tells what was used and refused, and the evidence of notes in use what was noted. Turns in which memory
    did nothing are left out.
    """
    notes = await ctx.memory.notes()
    shown = {note["id"]: note for note in await ctx.shown(*notes, *staged)}
    asking = [entry for entry in said if entry.role == "user" and not entry.synthetic]
    found: dict[int, Record] = {}
    for note in (*staged, *notes):
        words = {one.message_id for one in note.evidence if one.thread_id == ctx.key}
        for entry in asking:
            if entry.id in words and shown[note.id] not in _turn(found, entry.turn)["written"]:
                _turn(found, entry.turn)["written"].append(shown[note.id])
    memory, steps = ctx.memory, {step.id: step for step in await ctx.memory.journal()}
    refusals = {(step.code, step.hash) for step in steps.values() if step.code and step.thread_id == ctx.key}
    for entry in asking:
        used = steps.get(memory.entry_id(use_step(ctx.key, entry.id)))
        if used and used.usage:
            _turn(found, entry.turn)["used"] += [shown[key] for key in used.usage.used if key in shown]
        for code, digest in refusals:
            if memory.entry_id(refusal_step(ctx.key, entry.turn, code or "", digest or "")) in steps:
                _turn(found, entry.turn)["blocked"].append({"code": code, "hash": digest})
    return {number: told for number, told in found.items() if any(told.values())}


def _turn(found: dict[int, Record], number: int) -> Record:
    return found.setdefault(number, {"used": [], "written": [], "blocked": [], "forgotten": [], "consolidated": []})


@route("GET", "/threads")
async def list_threads(ctx: RequestContext, limit: Annotated[int, Field(ge=1, le=200)] = 50) -> Record:
    """List the conversations that can be gone on with, the latest first."""
    return {"threads": await ctx.concierge.conversations(ctx.user_id, limit=limit)}


@route("GET", "/threads/{key}")
async def read_thread(ctx: RequestContext) -> Record:
    """Return everything said in a conversation, what it noted, and what may come next in it."""
    thread_status = await ctx.concierge.thread_status(**ctx.ids)
    noted = [note for note in await ctx.concierge.staged_notes(**ctx.ids) if note.status == "active"]
    said = await ctx.concierge.full_history(**ctx.ids)
    return {
        "thread_id": ctx.key,
        "entries": said,
        "marks": await marks(ctx, said, noted),
        "mode": next((entry.mode for entry in reversed(said) if entry.role == "user" and entry.mode), "on"),
        "waiting": next(iter(thread_status.waiting), None),
        "unfinished": thread_status.is_unfinished,
        "left_open": thread_status.can_ask_again,
        "noted": await ctx.shown(*noted),
    }


@route("DELETE", "/threads/{key}")
async def delete_thread(ctx: RequestContext) -> None:
    """Delete a conversation; what was learnt from it stays."""
    await ctx.concierge.clear_thread(**ctx.ids)
