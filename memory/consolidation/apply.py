"""Applies a checked plan: one journal step per operation, all in one batch, and only once even if it is retried."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from memory.claims import combined
from memory.consolidation.plan import Operation, Plan, filled, sources_of, stated_field
from memory.policy import screen
from memory.records.journal import Change, Step, changed
from memory.records.notes import Note, note_id
from memory.records.profile import Profile
from memory.records.repository import UserMemory
from memory.schema import Schema
from memory.selection import Limits, evictions

_LONGEST_REASON = 2000
_QUOTED = re.compile("`([^`]*)`")


async def apply_plan(
    plan: Plan,
    session: Sequence[Note],
    memory: UserMemory,
    shared: Mapping[str, UserMemory] | None = None,
    *,
    schema: Schema,
    now: datetime,
    limits: Limits | None = None,
) -> None:
    """Apply a checked plan to the notes of `session`, in one batch per memory, unless it was applied before.

    `shared` are the memories of the workspaces that staged notes belong to, by name; `limits` caps the live notes that
    the user has afterwards.

    Raises:
        ConflictError: the user's memory has changed since the plan was made; make a new plan.
    """
    shared = shared or {}
    memories = (memory, *shared.values())
    notes = {note.id: note for one in memories for note in await one.notes(include_inactive=True)}
    steps, profile = await _operation_steps(plan, session, notes, memory, [*shared], schema, now)
    own_steps = [*steps[""], *await _promotion_steps(plan, notes, memory, profile, schema)]
    if plan.episode:
        change, thread = changed(None, plan.episode), plan.episode.thread_id
        own_steps.append(Step(f"episode:{plan.session_id}", "consolidation", "episode", (change,), thread_id=thread))
    if plan.faults:  # they quote the model; a quotation that the policy refuses is replaced by the policy's code
        faults = "; ".join(plan.faults)
        why = _QUOTED.sub(lambda part: f"({code})" if (code := screen(part[1])) else part[0], faults)
        own_steps.append(Step(f"plan:{plan.session_id}", "consolidation", "plan_refused", reason=why[:_LONGEST_REASON]))
    own_notes = [note for note in notes.values() if note.scope != "workspace"]
    if limits and (evicted := evictions(own_notes, limits, now)):
        changes = tuple(changed(note, note.model_copy(update={"status": "expired"})) for note in evicted)
        reason = f"More than {limits.most} notes; these were used and confirmed least."
        own_steps.append(Step(f"evict:{plan.session_id}", "system", "evicted", changes, reason=reason))
    await memory.commit(own_steps, expected=plan.revision)
    for name, workspace in shared.items():
        await workspace.commit(steps[name])


async def _operation_steps(
    plan: Plan,
    session: Sequence[Note],
    notes: dict[str, Note],
    memory: UserMemory,
    workspaces: Sequence[str],
    schema: Schema,
    now: datetime,
) -> tuple[dict[str, list[Step]], Profile]:
    """Return the steps of all operations but promotions, by workspace, and the resulting profile; updates `notes`."""
    staged = {note.id: note for note in session}
    profile, thread = await memory.profile(), session[0].latest.thread_id if session else ""
    steps: dict[str, list[Step]] = {name: [] for name in ("", *workspaces)}
    for index, operation in enumerate(plan.operations):
        if operation.op == "PROMOTE":
            continue
        changes = _changes(operation, staged, notes, schema, now)
        notes |= {change.key: Note.model_validate(change.after) for change in changes if change.after}
        if operation.op in ("SUPERSEDE", "EXPIRE") and changes:
            changes += (demoted := await memory.demoted(operation.targets, profile))
            profile = Profile.of(demoted[0].after or {}) if demoted else profile
        every = {**notes, **staged}
        involved = [every[key] for key in (*operation.session, *operation.targets) if key in every]
        workspace = next((note.workspace for note in involved if note.scope == "workspace"), "")
        name, action = plan.step(index), operation.op.lower()
        step = Step(name, "consolidation", action, tuple(changes), operation.reason, thread_id=thread)
        steps[workspace].append(step)
    return steps, profile


def resulting_note(operation: Operation) -> str | None:
    """Return the id of the global note that an operation creates or updates; None if it only removes or drops."""
    if operation.op in ("ADD", "SUPERSEDE"):
        return note_id("global", *sorted(operation.session))
    return operation.targets[0] if operation.op in ("MERGE", "CONFIRM", "PROMOTE") else None


def _changes(
    operation: Operation, staged: Mapping[str, Note], notes: Mapping[str, Note], schema: Schema, now: datetime
) -> list[Change]:
    # Notes that were forgotten since the plan was made are skipped.
    sources = sources_of(operation, staged)
    targets = [notes[key] for key in operation.targets if key in notes and notes[key].is_live(now)]
    if not sources:
        return []
    match operation.op:
        case "EXPIRE":
            return [changed(old, old.heard_again(*sources, status="expired")) for old in targets]
        case "DROP":
            lasting = [note for note in sources if note.scope != "trip"]  # a trip note ends with its trip
            return [changed(note, None) for note in lasting]
        case "MERGE" | "CONFIRM" if targets:
            return _update(operation, sources, targets, schema)
        case _:  # also if the target of a MERGE or CONFIRM was forgotten meanwhile
            return _add(operation, sources, targets, notes, schema)


def _update(operation: Operation, sources: Sequence[Note], targets: Sequence[Note], schema: Schema) -> list[Change]:
    first, *others = targets
    newest = sources[-1]
    text = operation.text if operation.op == "MERGE" else None
    updated = first.heard_again(
        *sources,
        text=text or first.text,
        own_words=first.own_words if text in (None, first.text) else text == newest.text and newest.own_words,
        claims=combined((first, *sources), first, schema) if operation.op == "MERGE" else first.claims,
        hard=first.hard or any(note.hard for note in sources),
        confidence=min(first.confidence, *(note.confidence for note in sources)),
        confirmations=first.confirmations + 1,
        expires_at=_prolonged(first, newest),
        last_update_date=max(first.last_update_date, newest.last_update_date),
    )
    return [changed(first, updated), *(changed(old, old.superseded(first.id)) for old in others)]


def _prolonged(first: Note, source: Note) -> datetime | None:
    """Return the later of a note's expiry, shifted by the time to its repeat, and the repeat's; None for no expiry."""
    if first.expires_at is None or source.expires_at is None:
        return None
    moved = first.expires_at + max(source.last_update_date - first.last_update_date, timedelta(0))
    return max(moved, source.expires_at)


def _add(
    operation: Operation, sources: Sequence[Note], targets: Sequence[Note], notes: Mapping[str, Note], schema: Schema
) -> list[Change]:
    newest = sources[-1]
    worded = next((note for note in reversed(sources) if note.text == operation.text), newest)
    key = note_id("global", *sorted(operation.session))
    note = newest.model_copy(update={"evidence": ()}).heard_again(
        *sources,
        id=key,
        text=operation.text or newest.text,
        own_words=worded.own_words and operation.text in (None, worded.text),
        claims=combined(sources, newest, schema),
        hard=any(source.hard for source in sources),
        confidence=min(source.confidence for source in sources),
        supersedes=tuple(old.id for old in targets),
    )
    return [changed(notes.get(key), note), *(changed(old, old.superseded(key)) for old in targets)]


async def _promotion_steps(
    plan: Plan, notes: Mapping[str, Note], memory: UserMemory, profile: Profile, schema: Schema
) -> list[Step]:
    """Return the steps that fill the profile. A note is promoted only once, so an undone promotion stays undone."""
    steps = []
    for operation in plan.operations:
        note = notes.get(operation.targets[0]) if operation.op == "PROMOTE" else None
        field = stated_field(note, schema) if note else None
        after = filled(profile, field, schema) if field else None
        if note is None or after is None or await memory.entry_of(f"promote:{note.id}"):
            continue
        change = changed(profile, after)
        steps.append(Step(f"promote:{note.id}", "consolidation", "promote", (change,), reason=operation.reason))
        profile = after
    return steps
