"""`distill_notes`: closes a turn's capture: stages what policy let through, merges repeats, journals refusals."""

from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.messages import ToolMessage
from langgraph.runtime import Runtime

from graph.context import Context
from graph.state import BlockedNote, MemoryReport, State, blank_report, changes, merge_notes
from memory.claims import says_the_same
from memory.policy import screen
from memory.records.journal import Step, refusal_step
from memory.records.notes import Note
from nodes.capture import erasing, heard_in, staged_notes
from nodes.extraction import extract
from nodes.messages.turns import Transcript
from nodes.services import Run, Services, emit


async def distill_notes(state: State, runtime: Runtime[Context], *, services: Services) -> dict[str, Any]:
    """Stage the turn's accepted candidates as session notes and report what was written and what was refused."""
    run = (await Run.of(state, runtime, services)).within(state["messages"])
    kept, blocked = await _taken(state, run)
    staged = staged_notes(state)
    written = stage(kept, staged)
    await journal_refusals(blocked, state.get("turns", 0), run)
    run.tell("memory.created", [note.model_dump(include={"id", "text", "topic", "scope"}) for note in written])
    emit("memory.blocked", blocked)
    report = state.get("report") or blank_report(run.run_id)
    staging = [note.dump() for note in written]
    erased: dict[str, Any] = {}
    if any(isinstance(message, ToolMessage) for message in Transcript.of(state["messages"]).turns[-1].messages):
        # What was forgotten in this turn is taken out of it now that it is over, the asking included.
        noted = merge_notes(state.get("session_notes", []), staging)
        erased = erasing({**state, "session_notes": noted}, await run.known())
    told: MemoryReport = {**report["memory"], "written": [note.id for note in written], "blocked": blocked}
    told["forgotten"] = list(dict.fromkeys(state.get("forgotten", [])))
    update = {
        **erased,
        "session_notes": [*staging, *erased.get("session_notes", ())],
        "candidates": None,
        "blocked": None,
        "forgotten": None,
        "report": {**report, "memory": told},
    }
    return changes(state, update)


async def _taken(state: State, run: Run) -> tuple[list[Note], list[BlockedNote]]:
    """Return the turn's candidates, as many as one turn may have, and the refusals."""
    candidates = [Note.model_validate(note) for note in state.get("candidates", [])]
    blocked = list(state.get("blocked", []))
    if run.settings.distillation == "turn" and run.mode == "on" and run.user_id:
        turns = Transcript.of(state["messages"]).turns
        heard = heard_in([message for turn in turns[-2:] for message in turn.messages])
        found, more = await extract(heard[-1:], run)
        candidates, blocked = [*candidates, *found], [*blocked, *more]
    if candidates:
        refused = await run.memory.withheld(run.thread_id)
        candidates = [note for note in candidates if not (state.get("unremembered") or refused.repeats(note.text))]
    most = run.services.gate.max_per_turn
    blocked += [await run.refusal("limit", note.text) for note in candidates[most:]]
    return candidates[:most], blocked


def stage(candidates: list[Note], staged: list[Note]) -> list[Note]:
    """Return the session notes that change: each candidate that is new, or the staged note it repeats, made current."""
    changed: dict[str, Note] = {}
    for note in candidates:
        others = (other for other in (*staged, *changed.values()) if other.id != note.id)
        same = next((other for other in others if says_the_same(note, other)), None)
        dates = {"created_at": note.created_at, "last_update_date": note.last_update_date}
        changed[same.id if same else note.id] = same.heard_again(note, **dates) if same else note
    return list(changed.values())


async def journal_refusals(refused: Sequence[BlockedNote], turn: int, run: Run) -> None:
    """Write down that something was refused in a turn: the code and the hash, once each."""
    for refusal in refused:
        name = refusal_step(run.thread_id, turn, refusal["code"], refusal["hash"])
        step = Step(name, "agent", "blocked", thread_id=run.thread_id, code=refusal["code"], hash=refusal["hash"])
        await run.memory.commit([step])


async def journal_refused_texts(texts: Iterable[str], turn: int, run: Run) -> None:
    """Write down which of the texts that a model made of a conversation the policy refuses, if memory is on."""
    if run.mode != "on" or run.user_id is None:
        return
    refused = [await run.refusal(code, text) for text in texts if (code := screen(text))]
    await journal_refusals(refused, turn, run)
