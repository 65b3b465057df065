"""Carries out a checked plan: one journal step per operation, all in one batch, once however often it is tried."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from memory.claims import combined
from memory.consolidation.plan import Operation, Plan, age, filled, stated_field
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
    """Carry out a checked plan for the notes of `session` in one batch for each memory, unless that was done before.

    `shared` are the memories of the workspaces that staged notes belong to, by name; `limits` says how many live notes
    the user may have afterwards.

    Raises:
        ConflictError: the user's memory has changed since the plan was made; make another.
    """
    shared = shared or {}
    memories = (memory, *shared.values())
    known = {note.id: note for one in memories for note in await one.notes(include_inactive=True)}
    steps, profile = await _operation_steps(plan, session, known, memory, [*shared], schema, now)
    own = [*steps[""], *await _promoted(plan, known, memory, profile, schema)]
    if plan.episode:
        told, thread = (changed(None, plan.episode),), plan.episode.thread_id
        own.append(Step(f"episode:{plan.session_id}", "consolidation", "episode", told, thread_id=thread))
    if plan.faults:  # why the model's proposals were refused; a word of theirs that policy refuses is told by its code
        faults = "; ".join(plan.faults)
        why = _QUOTED.sub(lambda part: f"({code})" if (code := screen(part[1])) else part[0], faults)
        own.append(Step(f"plan:{plan.session_id}", "consolidation", "plan_refused", reason=why[:_LONGEST_REASON]))
    notes = [note for note in known.values() if note.scope != "workspace"]
    if limits and (gone := evictions(notes, limits, now)):
        retired = tuple(changed(note, note.model_copy(update={"status": "expired"})) for note in gone)
        reason = f"More than {limits.most} notes; these were used and confirmed least."
        own.append(Step(f"evict:{plan.session_id}", "system", "evicted", retired, reason=reason))
    await memory.commit(own, expected=plan.revision)
    for name, one in shared.items():
        await one.commit(steps[name])


async def _operation_steps(
    plan: Plan,
    session: Sequence[Note],
    known: dict[str, Note],
    memory: UserMemory,
    workspaces: Sequence[str],
    schema: Schema,
    now: datetime,
) -> tuple[dict[str, list[Step]], Profile]:
    """Return the steps of all operations but promotions, by workspace, and the profile after them; `known` follows."""
    staged = {note.id: note for note in session}
    profile, thread = await memory.profile(), session[0].latest.thread_id if session else ""
    steps: dict[str, list[Step]] = {name: [] for name in ("", *workspaces)}
    for index, operation in enumerate(plan.operations):
        if operation.op == "PROMOTE":
            continue
        changes = _changes(operation, staged, known, schema, now)
        known |= {one.key: Note.model_validate(one.after) for one in changes if one.after}
        if operation.op in ("SUPERSEDE", "EXPIRE") and changes:
            changes += (demoted := await memory.demoted(operation.targets, profile))
            profile = Profile.model_validate(demoted[0].after) if demoted else profile
        about = {**known, **staged}
        named = [about[key] for key in (*operation.session, *operation.targets) if key in about]
        workspace = next((note.workspace for note in named if note.scope == "workspace"), "")
        told, action = tuple(changes), operation.op.lower()
        step = Step(plan.step(index), "consolidation", action, told, operation.reason, thread_id=thread)
        steps[workspace].append(step)
    return steps, profile


def resulting_note(operation: Operation) -> str | None:
    """Return the id of the global note that an operation leaves behind."""
    if operation.op in ("ADD", "SUPERSEDE"):
        return note_id("global", *sorted(operation.session))
    return operation.targets[0] if operation.op in ("MERGE", "CONFIRM", "PROMOTE") else None


def _changes(
    operation: Operation, staged: Mapping[str, Note], known: Mapping[str, Note], schema: Schema, now: datetime
) -> list[Change]:
    # A note that was forgotten since the plan was made takes its part of the plan with it.
    sources = sorted((staged[key] for key in operation.session if key in staged), key=age)
    targets = [known[key] for key in operation.targets if key in known and known[key].is_live(now)]
    if not sources:
        return []
    match operation.op:
        case "EXPIRE":
            return [changed(old, old.heard_again(*sources, status="expired")) for old in targets]
        case "DROP":
            lasting = [note for note in sources if note.scope != "trip"]  # a note for a trip is gone with its trip
            return [changed(note, None) for note in lasting]
        case "MERGE" | "CONFIRM" if targets:
            return _grown(operation, sources, targets, schema)
        case _:  # a target that was forgotten meanwhile leaves the session's note to stand on its own
            return _added(operation, sources, targets, known, schema)


def _grown(operation: Operation, sources: Sequence[Note], targets: Sequence[Note], schema: Schema) -> list[Change]:
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
    """Return when a repeated note expires: as long after the repeat as after what it repeats, or as the repeat says.

    None means never, from whichever of the two it comes.
    """
    if first.expires_at is None or source.expires_at is None:
        return None
    again = first.expires_at + max(source.last_update_date - first.last_update_date, timedelta(0))
    return max(again, source.expires_at)


def _added(
    operation: Operation, sources: Sequence[Note], targets: Sequence[Note], known: Mapping[str, Note], schema: Schema
) -> list[Change]:
    newest = sources[-1]
    said = next((note for note in reversed(sources) if note.text == operation.text), newest)
    key = note_id("global", *sorted(operation.session))
    note = newest.model_copy(update={"evidence": ()}).heard_again(
        *sources,
        id=key,
        text=operation.text or newest.text,
        own_words=said.own_words and operation.text in (None, said.text),
        claims=combined(sources, newest, schema),
        hard=any(source.hard for source in sources),
        confidence=min(source.confidence for source in sources),
        supersedes=tuple(old.id for old in targets),
    )
    return [changed(known.get(key), note), *(changed(old, old.superseded(key)) for old in targets)]


async def _promoted(
    plan: Plan, known: Mapping[str, Note], memory: UserMemory, profile: Profile, schema: Schema
) -> list[Step]:
    """Return the steps that fill the profile, one for each note ever: what was undone once is not promoted again."""
    steps = []
    for operation in plan.operations:
        note = known.get(operation.targets[0]) if operation.op == "PROMOTE" else None
        field = stated_field(note, schema) if note else None
        after = filled(profile, field) if field else None
        if note is None or after is None or await memory.entry_of(f"promote:{note.id}"):
            continue
        change = changed(profile, after)
        steps.append(Step(f"promote:{note.id}", "consolidation", "promote", (change,), reason=operation.reason))
        profile = after
    return steps
