"""Turns accepted proposals into session notes, reads those notes, and erases from a thread what was forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from graph.state import State, is_real_user, meta
from memory.control.erased import Eraser
from memory.control.forget import erased_evidence, erased_messages
from memory.policy import Candidate, Gate, Heard, Verdict, fingerprint, judge, screen
from memory.records.notes import SCOPES, STANCES, Note, note_id
from memory.records.reading import Snapshot
from memory.schema import Schema
from models.schemas import Vocabulary
from nodes.services import Run
from text import neutralise

_LONGEST_TOOL_TEXT = 4000


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides on the proposals of a run: the gate, what was forgotten or withheld, and the key for hashes."""

    run: Run
    gate: Gate
    forgotten: Eraser
    withheld: Eraser
    key: bytes

    @classmethod
    async def of(cls, run: Run, state: State | None = None) -> Rules:
        """Read the rules of a run. In a conversation that the user does not want remembered, nothing may be written."""
        gate = await run.gate()
        gate = replace(gate, paused=True) if state and state.get("unremembered") else gate
        memory = run.memory
        forgotten, withheld = (await memory.snapshot()).eraser(), await memory.withheld(run.thread_id)
        return cls(run, gate, forgotten, withheld, await memory.hash_key())


def heard_in(messages: Sequence[AnyMessage]) -> list[Heard]:
    """Return the user messages that memory may learn from, oldest first; private messages are left out.

    Each comes with the answer before it, and with the tool results of its turn and the one before: text that comes from
    a tool can't become a note.
    """
    heard: list[Heard] = []
    before, tools, latest_tools = "", "", ""
    for message in messages:
        if isinstance(message, AIMessage) and message.text.strip():
            before = message.text
        elif isinstance(message, ToolMessage):
            text = f"{message.text[:_LONGEST_TOOL_TEXT]}\n"
            latest_tools += text
            if heard:
                heard[-1] = replace(heard[-1], tool_text=heard[-1].tool_text + text)
        elif is_real_user(message):
            tools, latest_tools = latest_tools, ""
            if not meta(message).get("private"):
                heard.append(Heard(message.text, before, tools, message.id or ""))
    return heard


def capture(
    proposal: Candidate, rules: Rules, *, heard: Sequence[Heard], parts: Sequence[str], taken: int
) -> tuple[Verdict, Note | None]:
    """Judge one proposal; the note is None if it was blocked.

    The proposal must quote one of the messages in `heard`. The id of the note is made from `parts`. `taken` is the
    number of proposals that were accepted in this turn before.
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
    """Return the staged notes of a thread's running session; with `live_at`, those that are live at that time."""
    staged = [Note.model_validate(note) for note in state.get("session_notes", [])]
    return [note for note in staged if live_at is None or note.is_live(live_at)]


async def known_notes(state: State, run: Run) -> tuple[list[Note], list[Note]]:
    """Return the long-term notes, and the notes staged in this conversation, newest first."""
    live = staged_notes(state, live_at=run.now)
    return await run.notes(), sorted(live, key=lambda note: note.created_at, reverse=True)


def note_for_model(note: Note, where: str) -> dict[str, Any] | None:
    """Return the fields of a note for the model, screened and neutralised; None if the policy refuses its text."""
    if screen(note.text) or screen(note.condition):
        return None
    return {
        "handle": note.id,
        "text": neutralise(note.text),
        "topic": note.topic,
        "scope": note.scope,
        "condition": neutralise(note.condition) or None,
        "said": neutralise(note.latest.quote) if screen(note.latest.quote) is None else "",
        "date": note.last_update_date.isoformat(),
        "where": where,
    }


def erasing(state: State, snapshots: Sequence[Snapshot]) -> dict[str, Any]:
    """Return the update that erases what was forgotten since `state` was last cleaned; empty if nothing was."""
    return erasure_update(state, snapshots[0].eraser(after=state.get("erased", 0))) if snapshots else {}


def erasure_update(state: State, eraser: Eraser) -> dict[str, Any]:
    """Return the update that erases what `eraser` matches from the messages and staged notes, and drops the plan."""
    if not eraser:
        return {}
    staged = staged_notes(state)
    forgotten = [note.id for note in staged if eraser.tells(" ".join((note.text, *note.sayings)))]
    kept = [erased_evidence(note, eraser).dump() for note in staged if note.id not in forgotten]
    return {
        "messages": erased_messages(state["messages"], eraser),
        "session_notes": [*kept, *({"id": key, "status": "forgotten"} for key in forgotten)],
        "plan": None,
        "erased": eraser.latest,
    }


def without_message(note: Note, message_id: str) -> dict[str, Any] | None:
    """Return the update of a staged note when a message is retracted; None if the note has no evidence from it."""
    evidence = tuple(one for one in note.evidence if one.message_id != message_id)
    if evidence == note.evidence:
        return None
    return note.model_copy(update={"evidence": evidence}).dump() if evidence else {"id": note.id, "status": "forgotten"}


def vocabulary(schema: Schema) -> Vocabulary:
    """Return the closed lists and terms of a schema, from which the answer schemas of models are built."""
    domain = schema.domain
    return Vocabulary(
        topics=tuple(schema.topics),
        attributes=tuple(schema.attributes),
        conditions=tuple(schema.when),
        stances=STANCES,
        scopes=tuple(map(schema.scope_name, SCOPES)),
        kinds=(domain.speaker, f"this_{domain.once}"),
        along=domain.en["along"],
        headings=tuple((name, heading.about) for name, heading in schema.summary.items()),
    )
