"""From a proposal to a session note: the policy's verdict, and the note it lets through."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from nodes.services import Run
from stores.notes import Note, Scope, Source, note_id
from stores.policy import Candidate, Gate, Verdict, judge
from stores.statements import same_statement


def capture(
    proposal: Candidate,
    *,
    run: Run,
    words: Sequence[str],
    parts: Sequence[str],
    message_id: str,
    taken: int,
    key: bytes,
    now: datetime,
) -> tuple[Verdict, Note | None]:
    """Judge one proposal; the note is None when it was blocked.

    Args:
        proposal: What the model asked to keep.
        run: Whose memory it is, and what memory may do.
        words: The user's own messages of this thread, which the note must rest on.
        parts: What the note's id is derived from.
        message_id: The message that it came from.
        taken: Proposals already accepted in this turn.
        key: The key of the hash under which a blocked text is journalled.
        now: The time in UTC.
    """
    scopes: set[Scope] = {"user", "trip", "workspace"} if run.workspace else {"user", "trip"}
    gate = Gate(scopes=frozenset(scopes), paused=run.mode != "on")
    verdict = judge(proposal, gate, user_words=words, taken=taken, key=key)
    draft = verdict.draft
    if draft is None:
        return verdict, None
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
