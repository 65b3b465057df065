"""`distill_notes`: stages the notes of a turn that the policy accepted, merges repeats, and journals refusals.

Unless the agent's tool proposes the notes, one model call extracts them from user messages; the policy judges each.
"""

import json
import logging
from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.messages import ToolMessage, convert_to_messages
from langgraph.runtime import Runtime

from config.errors import ModelError
from graph.context import Context
from graph.state import BlockedNote, MemoryReport, State, blank_report, changes, merge_notes
from memory.claims import says_the_same
from memory.policy import Candidate, Heard, screen
from memory.policy.wording import find_message, own_sentence
from memory.records.journal import Step, refusal_step
from memory.records.notes import Note
from models.schemas import extracted_notes
from nodes.capture import Rules, capture, erasing, heard_in, staged_notes, vocabulary
from nodes.messages.turns import Transcript, latest_turn
from nodes.services import Run, Services, emit
from prompts import conversation

_log = logging.getLogger(__name__)


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
    if any(isinstance(message, ToolMessage) for message in latest_turn(state["messages"])):
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


async def extract(heard: Sequence[Heard], run: Run) -> tuple[list[Note], list[BlockedNote]]:
    """Return notes extracted from user messages, and refusals. If the model fails, both are empty, and it is logged.

    The model sees the user's messages and the answers before them, but no memory and no tool results.
    """
    if not any(one.text.strip() for one in heard):
        return [], []
    speaker = run.schema.domain.speaker
    lines = [json.dumps({"asked": one.question, speaker: one.text}, ensure_ascii=False) for one in heard]
    messages = conversation(
        "extract",
        run.language,
        run.words,
        schema=run.schema.outline(),
        today=run.now.date().isoformat(),
        user_words="\n".join(lines),
    )
    try:
        schema = extracted_notes(vocabulary(run.schema))
        extracted = await run.structured("consolidation", schema, convert_to_messages(messages))
    except ModelError as error:
        _log.warning("no notes were extracted from %d messages: %s", len(heard), error)
        return [], []
    return await _judged([note for note in extracted.model_dump()["notes"] if note["kind"] == speaker], heard, run)


async def _judged(
    extracted: Sequence[dict[str, Any]], heard: Sequence[Heard], run: Run
) -> tuple[list[Note], list[BlockedNote]]:
    rules = await Rules.of(run)
    notes: list[Note] = []
    blocked: list[BlockedNote] = []
    for fields in extracted:
        # Without a text of its own, a note has the user's words.
        text, scope = fields["text"] or fields["quote"], "user" if fields["holds"] == "always" else "trip"
        proposal = Candidate.model_validate({**fields, "text": text, "scope": scope})
        source = find_message(proposal.quote, heard)
        if source and own_sentence(proposal.quote, source.text).endswith(("?", "？")):  # a question states nothing
            blocked.append(await run.refusal("ungrounded", proposal.text))
            continue
        parts = (run.thread_id, *(one.message_id for one in heard[-1:]), proposal.text)
        taken = max(len(notes) - rules.gate.max_per_turn * (len(heard) - 1), 0)
        verdict, note = capture(proposal, rules, heard=heard, parts=parts, taken=taken)
        if note is None:
            blocked.append({"code": str(verdict.code), "hash": verdict.hash})
            if verdict.code == "consent_denied":
                await run.memory.withhold(run.thread_id, proposal.text, proposal.quote)
        else:
            notes.append(note)
    return notes, blocked


def stage(candidates: list[Note], staged: list[Note]) -> list[Note]:
    """Return the new or changed session notes: each candidate, merged into the staged note that it repeats, if any."""
    changed: dict[str, Note] = {}
    for note in candidates:
        others = (other for other in (*staged, *changed.values()) if other.id != note.id)
        same = next((other for other in others if says_the_same(note, other)), None)
        dates = {"created_at": note.created_at, "last_update_date": note.last_update_date}
        ends = {"expires_at": note.expires_at or same.expires_at} if same else {}
        changed[same.id if same else note.id] = same.heard_again(note, **dates, **ends) if same else note
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
