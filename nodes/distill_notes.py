"""`distill_notes`: closes a turn's capture: stages what policy let through, merges repeats, journals refusals (S3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from graph.context import Context
from graph.state import BlockedNote, State
from nodes.capture import is_repeat
from nodes.events import emit
from nodes.extraction import extract
from nodes.inject_memory import blank_report
from nodes.services import Run, Services
from nodes.turns import Transcript, latest_user_message
from stores.memory import Step
from stores.notes import Note
from stores.policy import fingerprint

MOST_PER_TURN = 6


async def distill_notes(state: State, runtime: Runtime[Context], *, services: Services) -> dict[str, Any]:
    """Stage the turn's accepted candidates as session notes and report what was written and what was refused."""
    run = Run.of(runtime, services).within(latest_user_message(state["messages"]))
    candidates = [Note.model_validate(note) for note in state.get("candidates", [])]
    blocked = list(state.get("blocked", []))
    if services.settings.distillation == "turn" and run.mode == "on" and run.user_id:
        turns = Transcript.of(state["messages"]).turns
        found, refused = await extract(turns[-1:], run, services)
        candidates, blocked = [*candidates, *found], [*blocked, *refused]
    kept, surplus = candidates[:MOST_PER_TURN], candidates[MOST_PER_TURN:]
    if surplus:
        key = await run.memory.hash_key()
        blocked += [BlockedNote(code="limit", hash=fingerprint(note.text, key)) for note in surplus]
    staged = [Note.model_validate(note) for note in state.get("session_notes", [])]
    written = stage(kept, staged)
    await journal_refusals(blocked, state.get("turns", 0), run)
    emit("memory.created", [note.model_dump(include={"id", "text", "topic", "scope"}) for note in written])
    emit("memory.blocked", blocked)
    report = state.get("report") or blank_report(run.run_id)
    memory = {**report["memory"], "written": [note.id for note in written], "blocked": blocked}
    return {
        "session_notes": [note.dump() for note in written],
        "candidates": None,
        "blocked": None,
        "report": {**report, "memory": memory},
    }


def stage(candidates: list[Note], staged: list[Note]) -> list[Note]:
    """The session notes that change: each candidate that is new, or the staged note it repeats, made current."""
    changed: dict[str, Note] = {}
    for note in candidates:
        same = next((other for other in (*staged, *changed.values()) if is_repeat(note, other)), None)
        kept = note
        if same is not None:
            kept = same.model_copy(update={"created_at": note.created_at, "last_update_date": note.last_update_date})
        changed[kept.id] = kept
    return list(changed.values())


def merged(staged: Sequence[Note], changed: Sequence[Note]) -> list[Note]:
    """`staged`, with `changed` put in their places or behind."""
    return list({**{note.id: note for note in staged}, **{note.id: note for note in changed}}.values())


async def journal_refusals(refused: Sequence[BlockedNote], turn: int, run: Run) -> None:
    """Write down that something was refused in a turn: the code and the hash, once each."""
    for refusal in refused:
        name = f"blocked:{run.thread_id}:{turn}:{refusal['code']}:{refusal['hash']}"
        step = Step(name, "agent", "blocked", thread_id=run.thread_id, code=refusal["code"], digest=refusal["hash"])
        await run.memory.commit([step])
