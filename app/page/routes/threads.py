"""Routes that list, read and delete conversations."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from app.api.history import HistoryEntry
from app.json_records import Record
from app.page.routes.routing import RequestContext, route
from memory.records.journal import refusal_step, use_step
from memory.records.notes import Note


async def marks(ctx: RequestContext, history: Iterable[HistoryEntry], staged: Sequence[Note]) -> dict[int, Record]:
    """Return by turn number the notes used, written and blocked in it, in the form of `memory` in a reply.

    Uses and refusals come from the journal, written notes from the evidence of notes in use and of `staged`. Turns
    without any are left out.
    """
    notes = await ctx.memory.notes()
    shown = {note["id"]: note for note in await ctx.shown(*notes, *staged)}
    user_entries = [entry for entry in history if entry.role == "user" and not entry.synthetic]
    by_turn: dict[int, Record] = {}
    for note in (*staged, *notes):
        sources = {evidence.message_id for evidence in note.evidence if evidence.thread_id == ctx.key}
        for entry in user_entries:
            if entry.id in sources and shown[note.id] not in _turn_marks(by_turn, entry.turn)["written"]:
                _turn_marks(by_turn, entry.turn)["written"].append(shown[note.id])
    memory, steps = ctx.memory, {step.id: step for step in await ctx.memory.journal()}
    refusals = {(step.code, step.hash) for step in steps.values() if step.code and step.thread_id == ctx.key}
    for entry in user_entries:
        used = steps.get(memory.entry_id(use_step(ctx.key, entry.id)))
        if used and used.usage:
            _turn_marks(by_turn, entry.turn)["used"] += [shown[key] for key in used.usage.used if key in shown]
        for code, digest in refusals:
            if memory.entry_id(refusal_step(ctx.key, entry.turn, code or "", digest or "")) in steps:
                _turn_marks(by_turn, entry.turn)["blocked"].append({"code": code, "hash": digest})
    return {number: turn for number, turn in by_turn.items() if any(turn.values())}


def _turn_marks(by_turn: dict[int, Record], number: int) -> Record:
    return by_turn.setdefault(number, {"used": [], "written": [], "blocked": [], "forgotten": [], "consolidated": []})


@route("GET", "/threads")
async def list_threads(ctx: RequestContext, limit: Annotated[int, Field(ge=1, le=200)] = 50) -> Record:
    """List the conversations that the user can continue, the latest first."""
    return {"threads": await ctx.concierge.conversations(ctx.user_id, limit=limit)}


@route("GET", "/threads/{key}")
async def read_thread(ctx: RequestContext) -> Record:
    """Return the history of a conversation, its staged notes, and how it can continue."""
    status = await ctx.concierge.thread_status(**ctx.ids)
    staged = [note for note in await ctx.concierge.staged_notes(**ctx.ids) if note.status == "active"]
    history = await ctx.concierge.full_history(**ctx.ids)
    return {
        "thread_id": ctx.key,
        "entries": history,
        "marks": await marks(ctx, history, staged),
        "mode": next((entry.mode for entry in reversed(history) if entry.role == "user" and entry.mode), "on"),
        "waiting": next(iter(status.waiting), None),
        "unfinished": status.is_unfinished,
        "left_open": status.can_ask_again,
        "noted": await ctx.shown(*staged),
    }


@route("DELETE", "/threads/{key}")
async def delete_thread(ctx: RequestContext) -> None:
    """Delete a conversation; long-term notes learnt from it stay."""
    await ctx.concierge.clear_thread(**ctx.ids)
