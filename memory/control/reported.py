"""Keeps statements of a user that another program reports, which can't be checked against a conversation here.

So the reported words are kept unchanged, with the program's name in the evidence and the journal, and with full
confidence only if the user agreed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from config.errors import ConflictError, InvalidInputError
from memory.claims import says_the_same
from memory.control.edit import permitted, retire
from memory.policy import Candidate, Gate, screen
from memory.records.journal import Step, changed
from memory.records.notes import REPORTED, Note, note_id
from memory.records.repository import UserMemory

UNCONFIRMED = 0.6
"""The confidence in a note that the user has not agreed to."""

_MOST_OF_NAME = 40


@dataclass(frozen=True, slots=True)
class Report:
    """A statement of the user, word for word, as a program reports it.

    `claims` are those that a model proposes; claims that the words don't support are dropped. `agreed` means that the
    program asked the user in a form of its own and they agreed. `replaces` is the active note to replace.
    """

    said: str
    topic: str
    program: str
    agreed: bool
    claims: Sequence[Mapping[str, object]] = field(default_factory=list)
    replaces: Note | None = None


async def keep(memory: UserMemory, report: Report, *, gate: Gate, most: int, now: datetime) -> Note:
    """Keep a reported statement as a note, or return the note that says the same already.

    Raises:
        InvalidInputError: the policy, the user's consent or an erasure forbids it, or there are `most` notes already;
            the message says which.
        ConflictError: the note to replace is a hard constraint and the user did not agree, or it is not active.
    """
    old = report.replaces
    if old and old.hard and not report.agreed:
        raise ConflictError(f"Note {old.id} is a hard constraint; only the user's own agreement replaces it.")

    async def revise() -> tuple[Note, list[Step]]:
        draft = await _checked(memory, report, gate, now)
        notes = await memory.notes()
        if old and old.id not in {note.id for note in notes}:
            raise ConflictError(f"Note {old.id} is not in use any more. List the notes again.")
        key = note_id("reported", *memory.root, draft.text, now.isoformat())
        thread, supersedes = REPORTED + _name(report.program), (old.id,) if old else ()
        note = draft.said_in(thread, id=key, own_words=True, supersedes=supersedes)
        same = next((one for one in notes if one != old and says_the_same(note, one)), None)
        if same:
            return same, []
        if not old and len(notes) >= most:
            raise InvalidInputError(f"There are {len(notes)} notes already, as many as are kept. Forget some first.")
        changes = [changed(None, note)]
        if old:
            changes += [changed(old, old.superseded(note.id)), *await memory.demoted([old.id])]
        return note, [Step("", "agent", "reported", tuple(changes), reason=_by(report.program))]

    return await memory.revise(revise)


async def set_aside(memory: UserMemory, note: Note, program: str) -> None:
    """Take a note out of use because a program asks for it; `undo` and `restore` can bring it back.

    Raises:
        ConflictError: the note is a hard constraint, which needs the user's own agreement.
    """
    if note.hard:
        raise ConflictError(f"Note {note.id} is a hard constraint; only the user's own agreement takes it out of use.")
    await retire(memory, note.id, actor="agent", reason=_by(program))


async def _checked(memory: UserMemory, report: Report, gate: Gate, now: datetime) -> Note:
    consent = await memory.consent()
    allowed = replace(gate, denied_topics=frozenset(consent.denied), paused=consent.paused)
    candidate = Candidate(
        text=report.said,
        quote=report.said,
        topic=report.topic,
        claims=[dict(claim) for claim in report.claims],
        confidence=1.0 if report.agreed else UNCONFIRMED,
    )
    code = "consent_denied" if (await memory.snapshot()).eraser().repeats(report.said) else None
    blocked = Step("", "agent", "blocked", reason=_by(report.program), code=code)
    return await permitted(memory, candidate, allowed, now, blocked)


def _by(program: str) -> str:
    return f"by {_name(program)}, over MCP"


def _name(program: str) -> str:
    """Return a program's name in at most 40 plain characters: the program chose it, so it is not trusted."""
    plain = re.sub(r"[^\w. -]", "", program)[:_MOST_OF_NAME].strip()
    return plain if plain and not screen(plain) else "another program"
