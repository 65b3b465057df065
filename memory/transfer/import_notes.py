"""The notes of an export, one by one: new, newer, known, said already, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from langchain_core.messages import HumanMessage, messages_from_dict

from memory.control.erased import Eraser
from memory.policy import Candidate, Gate, judge
from memory.policy.refusals import Blocked
from memory.records.journal import Change, Step, changed
from memory.records.notes import Note
from memory.transfer.export import Portable
from memory.transfer.import_log import Known
from models.offline.statements import same_statement


@dataclass(slots=True)
class Arrivals:
    """What becomes of the notes of an export."""

    changes: list[Change] = field(default_factory=list)
    confirmations: list[Step] = field(default_factory=list)
    blocked: list[Blocked] = field(default_factory=list)
    added: int = 0
    updated: int = 0


def arrivals(given: Portable, known: Known, gate: Gate, *, here: Eraser, now: datetime, overwrite: bool) -> Arrivals:
    """Decide about every note of `given`.

    Args:
        given: The export.
        known: What is here.
        gate: What may be kept.
        here: What was forgotten here.
        now: The time in UTC.
        overwrite: Take the file's version of a note that is here.
    """
    result = Arrivals()
    there = Eraser(given.erasures, bytes.fromhex(given.hash_key or ""))
    by_id = {note.id: note for note in known.notes}
    live = [note for note in known.notes if note.is_live(now)]
    merged: dict[str, str] = {}
    taken: list[Note] = []
    for note in given.notes:
        before = by_id.get(note.id)
        if before == note or (before and not overwrite and note.last_update_date <= before.last_update_date):
            continue
        if code := _refusal(note, given, known, gate, here, there):
            result.blocked.append(Blocked("note", note.id, code))
            continue
        same = None if before or not note.is_live(now) else next((n for n in live if same_statement(n, note)), None)
        if same is None:
            taken.append(note)
            continue
        merged[note.id] = same.id
        name = f"import:{note.id}:{same.id}"
        if not known.has_step(name):
            grown = _confirmed(same, note)
            live[live.index(same)] = grown
            result.confirmations.append(Step(name, "user", "confirm", (changed(same, grown),), reason="import"))
    for note in taken:
        before, after = by_id.get(note.id), _relinked(note, merged)
        if before != after:
            result.added += before is None
            result.updated += before is not None
            result.changes.append(changed(before, after))
    return result


def _refusal(note: Note, given: Portable, known: Known, gate: Gate, here: Eraser, there: Eraser) -> str | None:
    """Why a note may not be kept: the policy's code, or None."""
    if note.id in known.forgotten or here.repeats(note.text) or there.repeats(note.text):
        return "consent_denied"
    if note.status != "active" and here.tells(note.text):
        return "consent_denied"
    code = _judged(note, gate, note.source.quote, [])
    if code == "third_party":  # somebody who comes along may have been introduced elsewhere in the conversation
        code = _judged(note, gate, note.source.quote, _said(given, note.source.thread_id))
    # A merged note can rest on more words than its quote; the quote itself was looked at above.
    return _judged(note, gate, "", []) if code == "ungrounded" else code


def _judged(note: Note, gate: Gate, quote: str, said: Sequence[str]) -> str | None:
    proposal = Candidate(
        text=note.text, topic=note.topic, keywords=list(note.keywords), scope=note.scope, condition=note.condition,
        confidence=note.confidence, quote=quote,
    )  # fmt: skip
    words = [text for text in (note.text, note.condition, quote, *said) if text]
    return judge(proposal, gate, user_words=words, key=b"import").code


def _said(given: Portable, thread_id: str) -> list[str]:
    """What the user said in a conversation, as far as the export has it."""
    archived = [turn for thread in given.archive if thread.thread_id == thread_id for turn in thread.turns]
    messages = [message for turn in archived for message in messages_from_dict(list(turn.messages))]
    return [str(message.text) for message in messages if isinstance(message, HumanMessage)]


def _confirmed(same: Note, note: Note) -> Note:
    never = same.expires_at is None or note.expires_at is None
    return same.model_copy(
        update={
            "confirmations": same.confirmations + 1,
            "last_update_date": max(same.last_update_date, note.last_update_date),
            "hard": same.hard or note.hard,
            "pinned": same.pinned or note.pinned,
            "expires_at": None if never else max(filter(None, [same.expires_at, note.expires_at])),
        }
    )


def _relinked(note: Note, merged: dict[str, str]) -> Note:
    """`note`, tied to the notes here that stand for those it was tied to."""
    by = note.superseded_by
    return note.model_copy(
        update={
            "supersedes": tuple(merged.get(key, key) for key in note.supersedes),
            "superseded_by": merged.get(by, by) if by else None,
        }
    )
