"""`distill_notes`: stages the notes of a turn that the policy accepted, merges repeats, and journals refusals."""

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
    run = (await Run.of(state, runtime, services)).with_message_mode(state["messages"])
    candidates, blocked = await _candidates(state, run)
    written = stage(candidates, staged_notes(state))
    await journal_refusals(blocked, state.get("turns", 0), run)
    run.publish("memory.created", [note.model_dump(include={"id", "text", "topic", "scope"}) for note in written])
    emit("memory.blocked", blocked)
    report = state.get("report") or blank_report(run.run_id)
    staging = [note.dump() for note in written]
    erased: dict[str, Any] = {}
    if any(isinstance(message, ToolMessage) for message in Transcript.of(state["messages"]).turns[-1].messages):
        # The turn is over: erase from it what was forgotten in it, including the request to forget.
        notes = merge_notes(state.get("session_notes", []), staging)
        erased = erasing({**state, "session_notes": notes}, await run.snapshots())
    memory: MemoryReport = {**report["memory"], "written": [note.id for note in written], "blocked": blocked}
    memory["forgotten"] = list(dict.fromkeys(state.get("forgotten", [])))
    update = {
        **erased,
        "session_notes": [*staging, *erased.get("session_notes", ())],
        "candidates": None,
        "blocked": None,
        "forgotten": None,
        "report": {**report, "memory": memory},
    }
    return changes(state, update)


async def _candidates(state: State, run: Run) -> tuple[list[Note], list[BlockedNote]]:
    """Return the turn's candidates, up to the limit per turn, and the refusals."""
    candidates = [Note.model_validate(note) for note in state.get("candidates", [])]
    blocked = list(state.get("blocked", []))
    if run.settings.distillation == "turn" and run.mode == "on" and run.user_id:
        turns = Transcript.of(state["messages"]).turns
        heard = heard_in([message for turn in turns[-2:] for message in turn.messages])
        extracted, refused = await extract(heard[-1:], run)
        candidates, blocked = [*candidates, *extracted], [*blocked, *refused]
    if candidates:
        withheld = await run.memory.withheld(run.thread_id)
        candidates = [note for note in candidates if not (state.get("unremembered") or withheld.repeats(note.text))]
    limit = run.services.gate.max_per_turn
    blocked += [await run.refusal("limit", note.text) for note in candidates[limit:]]
    return candidates[:limit], blocked


def stage(candidates: list[Note], staged: list[Note]) -> list[Note]:
    """Return the new or changed session notes: each candidate, merged into the staged note that it repeats, if any."""
    changed: dict[str, Note] = {}
    for note in candidates:
        others = (other for other in (*staged, *changed.values()) if other.id != note.id)
        same = next((other for other in others if says_the_same(note, other)), None)
        dates = {"created_at": note.created_at, "last_update_date": note.last_update_date}
        changed[same.id if same else note.id] = same.heard_again(note, **dates) if same else note
    return list(changed.values())


async def journal_refusals(refused: Sequence[BlockedNote], turn: int, run: Run) -> None:
    """Journal what was refused in a turn, by code and hash, once each."""
    for refusal in refused:
        name = refusal_step(run.thread_id, turn, refusal["code"], refusal["hash"])
        step = Step(name, "agent", "blocked", thread_id=run.thread_id, code=refusal["code"], hash=refusal["hash"])
        await run.memory.commit([step])


async def journal_refused_texts(texts: Iterable[str], turn: int, run: Run) -> None:
    """Journal those of a model's texts about a conversation that the policy refuses, if memory is on."""
    if run.mode != "on" or run.user_id is None:
        return
    refused = [await run.refusal(code, text) for text in texts if (code := screen(text))]
    await journal_refusals(refused, turn, run)
