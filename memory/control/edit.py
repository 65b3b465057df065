"""Changes that users make to their notes by hand: edit, retire, restore. Each passes the whole policy (S4.5, S8.1)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time
from typing import Literal, TypeVar

from config.errors import ConflictError, InvalidInputError
from memory.control.versions import Version, history
from memory.policy import Candidate, Gate, NoteDraft, judge
from memory.policy.refusals import refusal
from memory.records.journal import Change, Step, changed
from memory.records.notes import SCOPES, TOPICS, Note
from memory.records.repository import UserMemory
from models.offline.statements import same_statement, stated_field

T = TypeVar("T")

Until = datetime | date | Literal["never"]

_TRIES = 10


@dataclass(frozen=True, slots=True)
class Edit:
    """What is to be another; None leaves a value as it is.

    Attributes:
        text: The statement, in the user's own words.
        topic: One of the closed list.
        condition: When it holds; an empty one takes the condition away.
        keywords: One to three words; without them, a new text brings its own.
        scope: `user`, `trip` or `workspace`.
        expires_at: When it ends, a day including itself; `never` takes the end away.
        pinned: True keeps it from being let go to make room.
    """

    text: str | None = None
    topic: str | None = None
    condition: str | None = None
    keywords: Sequence[str] | None = None
    scope: str | None = None
    expires_at: Until | None = None
    pinned: bool | None = None

    @property
    def speaks(self) -> bool:
        """True when it changes what the note says, and the policy must be asked."""
        return any(value is not None for value in (self.text, self.topic, self.condition, self.keywords, self.scope))


async def edit(memory: UserMemory, note_id: str, wanted: Edit, *, gate: Gate, now: datetime) -> Note:
    """Change a note in use and give it as it is then; an edit that changes nothing writes nothing.

    Args:
        memory: Whose note it is.
        note_id: The note.
        wanted: What is to be another.
        gate: What this deployment lets memory keep; the user's consent is added to it.
        now: The time in UTC.

    Raises:
        NotFoundError: there is no such note.
        InvalidInputError: the edit is empty or malformed, the policy refuses it, another note says the same, or the
            note is not in use. Nothing is changed then.
    """
    _check(wanted, now)

    async def revise() -> tuple[Note, list[Step]]:
        note = await memory.note(note_id)
        if note.status != "active":
            raise InvalidInputError(f"Note {note_id} is {note.status}. Restore it before you edit it.")
        after = await _edited(memory, note, wanted, gate, now)
        if after == note:
            return note, []
        changes = [changed(note, after), *await _demoting(memory, note, after)]
        return after, [*await _lifting(memory, after), Step("", "user", "edited", tuple(changes))]

    return await revised(memory, revise)


async def retire(memory: UserMemory, note_id: str) -> Note:
    """Take a note out of use at once; `undo` and `restore` bring it back. Retiring it again changes nothing.

    Raises:
        NotFoundError: there is no such note.
    """

    async def revise() -> tuple[Note, list[Step]]:
        note = await memory.note(note_id)
        if note.status != "active":
            return note, []
        after = note.model_copy(update={"status": "expired"})
        return after, [Step("", "user", "retired", (changed(note, after), *await memory.demoted([note_id])))]

    return await revised(memory, revise)


async def restore(memory: UserMemory, note_id: str, seq: int | None = None, *, gate: Gate, now: datetime) -> Note:
    """Put an earlier version of a note, or a note that is no longer in use, back in use.

    What replaced it steps back and is replaced by it. Without `seq` the last version comes back that says something
    else than what is in use now.

    Args:
        memory: Whose note it is.
        note_id: The note; it may be one that was let go or whose adding was undone.
        seq: The number of a version of this note, as `history` gives it.
        gate: What this deployment lets memory keep; the user's consent is added to it.
        now: The time in UTC.

    Raises:
        NotFoundError: there is no such note, or no such version of it.
        InvalidInputError: there is nothing to bring back, or the policy refuses it. Nothing is changed then.
    """

    async def revise() -> tuple[Note, list[Step]]:
        told = [version for version in await history(memory, note_id) if version.note.id == note_id]
        every = {note.id: note for note in await memory.notes(include_inactive=True)}
        current = every.get(note_id)
        chosen = _version(told, current, note_id, seq, now)
        rivals = _replacing(current or chosen, every)
        expires_at = chosen.expires_at if chosen.expires_at and chosen.expires_at > now else None
        supersedes = tuple(dict.fromkeys([*chosen.supersedes, *(note.id for note in rivals)]))
        after = chosen.model_copy(
            update={"status": "active", "superseded_by": None, "supersedes": supersedes, "expires_at": expires_at,
                    "last_update_date": now.date(), "last_used_at": current.last_used_at if current else None}
        )  # fmt: skip
        await _judged(memory, after, list(after.keywords), gate)
        steps = [changed(current, after), *_stepping_back(after, rivals, every)]
        steps += await _demoting(memory, current or chosen, after, rivals)
        return after, [*await _lifting(memory, after), Step("", "user", "restored", tuple(steps))]

    return await revised(memory, revise)


async def revised(memory: UserMemory, make: Callable[[], Awaitable[tuple[T, list[Step]]]]) -> T:
    """What `make` gives, after its steps are written against the very memory it read; it is asked again otherwise.

    Raises:
        ConflictError: memory is being changed all the time.
    """
    for _ in range(_TRIES):
        revision = await memory.revision()
        result, steps = await make()
        try:
            await memory.commit(steps, expected=revision)
            return result
        except ConflictError:
            continue
    raise ConflictError("The memory is being changed by somebody else at this moment. Try again.")


def _check(wanted: Edit, now: datetime) -> None:
    if all(getattr(wanted, field.name) is None for field in fields(wanted)):
        raise InvalidInputError("Say what to change: text, topic, condition, keywords, scope, expires_at or pinned.")
    if wanted.topic is not None and wanted.topic not in TOPICS:
        raise InvalidInputError(f"There is no topic {wanted.topic!r}. The topics are: {', '.join(TOPICS)}.")
    if wanted.scope is not None and wanted.scope not in SCOPES:
        raise InvalidInputError(f"There is no scope {wanted.scope!r}. The scopes are: {', '.join(SCOPES)}.")
    if wanted.text is not None and not wanted.text.strip():
        raise InvalidInputError("The new text is empty. To take a note out of use, retire or forget it.")
    until = wanted.expires_at
    if until is not None and until != "never" and _moment(until) <= now:
        raise InvalidInputError(f"{until} is over already. To take a note out of use at once, retire it.")


def _moment(until: datetime | date) -> datetime:
    """The end that is meant, in UTC; a day ends with its last second."""
    if isinstance(until, datetime):
        return until.astimezone(UTC) if until.tzinfo else until.replace(tzinfo=UTC)
    return datetime.combine(until, time(23, 59, 59), UTC)


async def _edited(memory: UserMemory, note: Note, wanted: Edit, gate: Gate, now: datetime) -> Note:
    update: dict[str, object] = {}
    if wanted.pinned is not None:
        update["pinned"] = wanted.pinned
    if wanted.expires_at is not None:
        update["expires_at"] = None if wanted.expires_at == "never" else _moment(wanted.expires_at)
    if not wanted.speaks:
        return note.model_copy(update=update)
    given = {"text": wanted.text, "topic": wanted.topic, "scope": wanted.scope}
    draft_of = note.model_copy(update={name: value for name, value in given.items() if value is not None})
    if wanted.condition is not None:
        draft_of = draft_of.model_copy(update={"condition": wanted.condition.strip() or None})
    keywords = list(note.keywords) if wanted.text is None and not wanted.keywords else list(wanted.keywords or ())
    draft = await _judged(memory, draft_of, keywords, gate)
    says_else = (draft.text, draft.condition) != (note.text, note.condition)
    update |= {name: getattr(draft, name) for name in ("text", "topic", "keywords", "scope", "condition", "hard")}
    if says_else:
        quote = f"{draft.text} ({draft.condition})" if draft.condition else draft.text
        source = note.source.model_copy(update={"quote": quote, "message_id": ""})
        update |= {"source": source, "confirmations": 1, "confidence": 1.0}
    after = note.model_copy(update=update)
    return after if after == note else after.model_copy(update={"last_update_date": now.date()})


async def _judged(memory: UserMemory, note: Note, keywords: list[str], gate: Gate) -> NoteDraft:
    """The checked values of a note that its owner wrote. Raises InvalidInputError when it may not be kept."""
    proposal = Candidate(
        text=note.text, topic=note.topic, keywords=keywords, scope=note.scope, condition=note.condition,
        quote=note.text,
    )  # fmt: skip
    own_words = [note.text, note.condition or ""]
    allowed = (await memory.consent()).gate(gate)
    verdict = judge(proposal, allowed, user_words=own_words, key=await memory.hash_key())
    if verdict.draft is None:
        await memory.commit([Step("", "user", "blocked", code=verdict.code, digest=verdict.hash)])
        raise InvalidInputError(refusal(verdict.code or ""))
    kept = note.model_copy(update={"text": verdict.draft.text, "condition": verdict.draft.condition})
    for other in await memory.notes():
        if other.id != note.id and other.id not in note.supersedes and same_statement(kept, other):
            raise InvalidInputError(f"Note {other.id} says that already. Retire or forget one of the two.")
    return verdict.draft


async def _demoting(memory: UserMemory, note: Note, after: Note, rivals: Sequence[Note] = ()) -> list[Change]:
    """The profile lets go of what was promoted from `rivals`, and from `note` where it states that no longer."""
    ended = [*rivals, *([note] if stated_field(note) != stated_field(after) else [])]
    return await memory.demoted(one.id for one in ended)


async def _lifting(memory: UserMemory, note: Note) -> list[Step]:
    """What was forgotten may be kept again once its owner writes it down again."""
    repeated = (await memory.eraser()).repeats(note.text)
    lifted = tuple(Change(kind="erasure", key=one.id, before=None, after=None) for one in repeated)
    return [Step("", "user", "lifted", lifted)] if lifted else []


def _version(told: Sequence[Version], current: Note | None, note_id: str, seq: int | None, now: datetime) -> Note:
    if seq is not None:
        named = [version.note for version in told if version.seq == seq]
        if not named:
            known = ", ".join(str(version.seq) for version in told)
            raise InvalidInputError(f"Note {note_id} has no version {seq}; it has {known}.")
        return named[-1]
    if current is None or not current.is_live(now):
        return current or told[-1].note
    earlier = [version.note for version in told if _content(version.note) != _content(current)]
    if not earlier:
        raise InvalidInputError(f"Note {note_id} is in use and has no earlier version.")
    return earlier[-1]


def _content(note: Note) -> tuple[object, ...]:
    return note.text, note.topic, note.condition, note.scope, note.keywords, note.expires_at, note.pinned


def _replacing(note: Note, every: dict[str, Note]) -> list[Note]:
    """What is in use instead of `note`: the active end of the chain that replaced it."""
    seen: set[str] = {note.id}
    at = note.superseded_by
    while at and at in every and at not in seen:
        seen.add(at)
        if every[at].status == "active":
            return [every[at]]
        at = every[at].superseded_by
    return []


def _stepping_back(after: Note, rivals: Sequence[Note], every: dict[str, Note]) -> list[Change]:
    """The changes to the other notes of the chain: rivals are replaced, and nobody claims to have replaced `after`."""
    moved = []
    for note in every.values():
        update: dict[str, object] = {}
        if note in rivals:
            update |= {"status": "superseded", "superseded_by": after.id}
        if after.id in note.supersedes and note.id != after.id:
            update["supersedes"] = tuple(key for key in note.supersedes if key != after.id)
        if update:
            moved.append(changed(note, note.model_copy(update=update)))
    return moved
