"""From a proposal to a session note: the policy's verdict, and the note it lets through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.control.erased import Eraser
from memory.policy import Candidate, Gate, Verdict, asks_to_remember, fingerprint, judge
from memory.records.notes import Note, Source, note_id
from models.offline.statements import same_statement
from nodes.services import Run


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides over proposals now: what may be written, what was forgotten, and the key of the user's hashes."""

    gate: Gate
    forgotten: Eraser
    key: bytes

    @classmethod
    async def of(cls, run: Run) -> Rules:
        """The rules of a run, read afresh."""
        return cls(await run.gate(), await run.memory.eraser(), await run.memory.hash_key())


def capture(
    proposal: Candidate,
    *,
    run: Run,
    rules: Rules,
    words: Sequence[str],
    said: str,
    parts: Sequence[str],
    message_id: str,
    taken: int,
    now: datetime,
) -> tuple[Verdict, Note | None]:
    """Judge one proposal; the note is None when it was blocked.

    Args:
        proposal: What the model asked to keep.
        run: Whose memory it is.
        rules: What memory may do.
        words: The user's own messages of this thread, which the note must rest on.
        said: The message that it came from: what was forgotten is kept again only when it asks for that.
        parts: What the note's id is derived from.
        message_id: The id of that message.
        taken: Proposals already accepted in this turn.
        now: The time in UTC.
    """
    verdict = judge(proposal, rules.gate, user_words=words, taken=taken, key=rules.key)
    draft = verdict.draft
    if draft is None:
        return verdict, None
    if rules.forgotten.repeats(draft.text, draft.quote) and not asks_to_remember(said):
        return Verdict("blocked", "consent_denied", fingerprint(draft.text, rules.key), None), None
    note = Note(
        id=note_id(*parts),
        text=draft.text,
        topic=draft.topic,
        keywords=tuple(draft.keywords),
        scope=draft.scope,
        condition=draft.condition,
        hard=draft.hard,
        confidence=draft.confidence,
        created_at=now,
        last_update_date=now.date(),
        expires_at=now + timedelta(days=draft.ttl_days) if draft.ttl_days else None,
        source=Source(
            thread_id=run.thread_id,
            message_id=message_id,
            quote=draft.quote,
            workspace=(run.workspace or "") if draft.scope == "workspace" else "",
        ),
    )
    return verdict, note


def is_repeat(one: Note, other: Note) -> bool:
    """True when `one` is another note that says the same as `other`."""
    return one.id != other.id and same_statement(one, other)
