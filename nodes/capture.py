"""Turns a proposal into a session note where the policy lets it through, and takes out what was forgotten since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from graph.state import State, is_real_user, meta
from memory.control.erased import Eraser
from memory.control.forget import erased_evidence, erased_messages
from memory.policy import Candidate, Gate, Heard, Verdict, fingerprint, judge
from memory.records.notes import Note, note_id
from memory.records.reading import Snapshot
from nodes.services import Run

_LONGEST_TOOL_TEXT = 4000


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides over a run's proposals: what may be written, what was forgotten or withheld, and the hashes' key."""

    run: Run
    gate: Gate
    forgotten: Eraser
    withheld: Eraser
    key: bytes

    @classmethod
    async def of(cls, run: Run, state: State | None = None) -> Rules:
        """Return the rules of a run, read afresh; nothing may be written in a conversation that is not learnt from."""
        gate = await run.gate()
        gate = replace(gate, paused=True) if state and state.get("unremembered") else gate
        own = run.memory
        return cls(run, gate, (await own.snapshot()).eraser(), await own.withheld(run.thread_id), await own.hash_key())


def heard_in(messages: Sequence[AnyMessage]) -> list[Heard]:
    """Return what the person wrote for memory to learn from, oldest first; private words are left out.

    Each message comes with what the concierge said before it, and with what tools have returned since it was said or
    in the turn before: text from there can't become a note.
    """
    heard: list[Heard] = []
    before, tools, latest_tools = "", "", ""
    for message in messages:
        if isinstance(message, AIMessage) and message.text.strip():
            before = message.text
        elif isinstance(message, ToolMessage):
            told = f"{message.text[:_LONGEST_TOOL_TEXT]}\n"
            latest_tools += told
            if heard:
                heard[-1] = replace(heard[-1], tool_text=heard[-1].tool_text + told)
        elif is_real_user(message):
            tools, latest_tools = latest_tools, ""
            if not meta(message).get("private"):
                heard.append(Heard(message.text, before, tools, message.id or ""))
    return heard


def capture(
    proposal: Candidate, rules: Rules, *, heard: Sequence[Heard], parts: Sequence[str], taken: int
) -> tuple[Verdict, Note | None]:
    """Judge one proposal; the note is None when it was blocked.

    It must rest on what was `heard` in this thread, and its id is derived from `parts`; `taken` proposals were accepted
    in this turn before it.
    """
    run = rules.run
    verdict = judge(proposal, rules.gate, heard=heard, now=run.now, taken=taken, key=rules.key)
    draft = verdict.draft
    if draft is None:
        return verdict, None
    refused = rules.forgotten.repeats(draft.text, draft.latest.quote) or rules.withheld.repeats(draft.text)
    if refused and not proposal.asked:
        hint = "the user wants it forgotten; save it with `asked` when they ask for it again"
        return Verdict("blocked", "consent_denied", fingerprint(draft.text, rules.key), None, hint), None
    workspace = (run.workspace or "") if draft.scope == "workspace" else ""
    return verdict, draft.said_in(run.thread_id, id=note_id(*parts), workspace=workspace)


def staged_notes(state: Mapping[str, Any], *, live_at: datetime | None = None) -> list[Note]:
    """Return what is noted in a thread's running session; with `live_at`, what of it holds then."""
    staged = [Note.model_validate(note) for note in state.get("session_notes", [])]
    return [note for note in staged if live_at is None or note.is_live(live_at)]


def erasing(state: State, known: Sequence[Snapshot]) -> dict[str, Any]:
    """Return what changes in `state` because of what was forgotten since it was last cleaned; empty if nothing was."""
    return erasure_update(state, known[0].eraser(after=state.get("erased", 0))) if known else {}


def erasure_update(state: State, eraser: Eraser) -> dict[str, Any]:
    """Return the update that takes what `eraser` knows out of a thread's messages, staged notes and plan."""
    if not eraser:
        return {}
    staged = staged_notes(state)
    gone = [note.id for note in staged if eraser.tells(" ".join((note.text, *note.sayings)))]
    left = [erased_evidence(note, eraser).dump() for note in staged if note.id not in gone]
    return {
        "messages": erased_messages(state["messages"], eraser),
        "session_notes": [*left, *({"id": key, "status": "forgotten"} for key in gone)],
        "plan": None,
        "erased": eraser.latest,
    }


def without_message(note: Note, message_id: str) -> dict[str, Any] | None:
    """Return the update of a staged note when a message is taken back; None where the note does not rest on it."""
    left = tuple(one for one in note.evidence if one.message_id != message_id)
    if left == note.evidence:
        return None
    return note.model_copy(update={"evidence": left}).dump() if left else {"id": note.id, "status": "forgotten"}
