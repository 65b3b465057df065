"""Keeps what another program reports that a user said: there is no conversation here in which it could be looked up.

So it is kept in the reported words and no others, with the program's name in its evidence and in the journal, and as
sure only where the user agreed to it themselves.
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
"""How sure a note is that nobody but a program vouches for."""

_MOST_OF_NAME = 40


@dataclass(frozen=True, slots=True)
class Report:
    """What a program says that the user said: their words, whole.

    `claims` are as a model proposes them; what the words don't bear out is left out. `agreed` says that the user was
    asked, by the program's own form, and agreed. `replaces` is the note in use that it takes the place of.
    """

    said: str
    topic: str
    program: str
    agreed: bool
    claims: Sequence[Mapping[str, object]] = field(default_factory=list)
    replaces: Note | None = None


async def keep(memory: UserMemory, report: Report, *, gate: Gate, most: int, now: datetime) -> Note:
    """Keep what was reported, or return the note that says it already.

    Raises:
        InvalidInputError: the policy, the user's consent or what they had forgotten stands against it, or there are
            `most` notes already; the message says which.
        ConflictError: what it replaces is a hard constraint and the user was not asked, or is not in use any more.
    """
    old = report.replaces
    if old and old.hard and not report.agreed:
        raise ConflictError(f"Note {old.id} is a hard constraint; only the user's own agreement replaces it.")

    async def revise() -> tuple[Note, list[Step]]:
        draft = await _judged(memory, report, gate, now)
        known = await memory.notes()
        if old and old.id not in {note.id for note in known}:
            raise ConflictError(f"Note {old.id} is not in use any more. List the notes again.")
        key = note_id("reported", *memory.root, draft.text, now.isoformat())
        thread, supersedes = REPORTED + _name(report.program), (old.id,) if old else ()
        note = draft.said_in(thread, id=key, own_words=True, supersedes=supersedes)
        same = next((one for one in known if one != old and says_the_same(note, one)), None)
        if same:
            return same, []
        if not old and len(known) >= most:
            raise InvalidInputError(f"There are {len(known)} notes already, as many as are kept. Forget some first.")
        changes = [changed(None, note)]
        if old:
            changes += [changed(old, old.superseded(note.id)), *await memory.demoted([old.id])]
        return note, [Step("", "agent", "reported", tuple(changes), reason=_by(report.program))]

    return await memory.revise(revise)


async def set_aside(memory: UserMemory, note: Note, program: str) -> None:
    """Take a note out of use at a program's wish, so that `undo` and `restore` bring it back.

    Raises:
        ConflictError: it is a hard constraint, which only the user's own agreement takes out of use.
    """
    if note.hard:
        raise ConflictError(f"Note {note.id} is a hard constraint; only the user's own agreement takes it out of use.")
    await retire(memory, note.id, actor="agent", reason=_by(program))


async def _judged(memory: UserMemory, report: Report, gate: Gate, now: datetime) -> Note:
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
    """Return a program's name as a few plain letters: it is what the program says of itself."""
    plain = re.sub(r"[^\w. -]", "", program)[:_MOST_OF_NAME].strip()
    return plain if plain and not screen(plain) else "another program"
