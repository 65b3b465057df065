"""Carrying out a checked plan: one journal step per operation, all in one batch, once however often it is tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from memory.consolidation.plan import Operation, Plan
from memory.consolidation.promotion import filled
from memory.consolidation.standing import age
from memory.policy import screen
from memory.records.episodes import Episode
from memory.records.journal import Change, Step, changed
from memory.records.notes import Note, note_id
from memory.records.profile import Profile
from memory.records.repository import UserMemory
from memory.selection.eviction import Limits, evictions
from models.offline.statements import stated_field

_LONGEST_REASON = 2000


async def apply_plan(
    plan: Plan,
    session: Sequence[Note],
    memory: UserMemory,
    shared: Mapping[str, UserMemory] | None = None,
    *,
    now: datetime,
    limits: Limits | None = None,
) -> None:
    """Carry out `plan` in one batch for each memory, unless it was carried out before.

    Args:
        plan: A checked plan.
        session: The notes it disposes of.
        memory: The user's memory.
        shared: The memories of the workspaces that staged notes belong to, by name.
        now: The time in UTC.
        limits: How many live notes the user may have afterwards; None for any number.

    Raises:
        ConflictError: the user's memory has changed since the plan was made; make another.
    """
    shared = shared or {}
    staged = {note.id: note for note in session}
    kept = [note for one in (memory, *shared.values()) for note in await one.notes(include_inactive=True)]
    known = {note.id: note for note in kept}
    profile = await memory.profile()
    steps: dict[str, list[Step]] = {"": [], **{name: [] for name in shared}}
    for index, operation in enumerate(plan.operations):
        if operation.op == "PROMOTE":
            continue
        changes = _changes(operation, staged, known, now)
        if operation.op in ("SUPERSEDE", "EXPIRE") and changes:
            changes += (demoted := await memory.demoted(operation.targets, profile))
            profile = Profile.model_validate(demoted[0].after) if demoted else profile
        step = Step(
            name=plan.step(index),
            actor="consolidation",
            action=operation.op.lower(),
            changes=tuple(changes),
            reason=operation.reason,
            thread_id=session[0].source.thread_id if session else "",
        )
        steps[_home(operation, {**known, **staged})].append(step)
    steps[""] += await _promoted(plan, known, memory, profile)
    if plan.episode:
        steps[""].append(_remembered(plan.session_id, plan.episode))
    if plan.faults:
        steps[""].append(_refused(plan))
    if limits:
        own = [note for note in kept if note.scope != "workspace"]
        steps[""] += _let_go(steps[""], own, limits, f"evict:{plan.session_id}", now)
    await memory.commit(steps[""], expected=plan.revision)
    for name, one in shared.items():
        await one.commit(steps[name])


def _refused(plan: Plan) -> Step:
    """Why the model's proposals were refused, told in the journal; a reason that policy refuses is told by its code."""
    told = [f"({code})" if (code := screen(fault)) else fault for fault in plan.faults]
    return Step(f"plan:{plan.session_id}", "consolidation", "plan_refused", reason="; ".join(told)[:_LONGEST_REASON])


def _let_go(steps: Sequence[Step], own: Sequence[Note], limits: Limits, name: str, now: datetime) -> list[Step]:
    """The step that retires what is beyond the limit once `steps` are done; it can be undone like any other."""
    after = {note.id: note for note in own}
    for change in (change for step in steps for change in step.changes if change.kind == "note" and change.after):
        after[change.key] = Note.model_validate(change.after)
    gone = evictions(list(after.values()), most=limits.most, half_life_days=limits.half_life_days, now=now)
    if not gone:
        return []
    changes = tuple(changed(note, note.model_copy(update={"status": "expired"})) for note in gone)
    reason = f"More than {limits.most} notes; these were used and confirmed least."
    return [Step(name, "system", "evicted", changes, reason=reason)]


def _home(operation: Operation, notes: Mapping[str, Note]) -> str:
    """The workspace that an operation belongs to; empty for the user's own memory."""
    named = [notes[key] for key in (*operation.session, *operation.targets) if key in notes]
    return next((note.source.workspace for note in named if note.scope == "workspace"), "")


def _remembered(session_id: str, episode: Episode) -> Step:
    kept = Change(kind="episode", key=episode.id, before=None, after=episode.dump())
    return Step(f"episode:{session_id}", "consolidation", "episode", (kept,), thread_id=episode.thread_id)


def resulting_note(operation: Operation) -> str | None:
    """The id of the global note that an operation leaves behind."""
    if operation.op in ("ADD", "SUPERSEDE"):
        return note_id("global", *sorted(operation.session))
    return operation.targets[0] if operation.op in ("MERGE", "CONFIRM", "PROMOTE") else None


def _changes(
    operation: Operation, staged: Mapping[str, Note], known: Mapping[str, Note], now: datetime
) -> list[Change]:
    # A note that was forgotten since the plan was made takes its part of the plan with it.
    sources = sorted((staged[key] for key in operation.session if key in staged), key=age)
    targets = [known[key] for key in operation.targets if key in known and known[key].is_live(now)]
    if operation.op == "EXPIRE":
        return [changed(old, old.model_copy(update={"status": "expired"})) for old in targets]
    if not sources:
        return []
    if operation.op in ("MERGE", "CONFIRM") and targets:
        return _grown(operation, sources[-1], targets)
    if operation.op in ("ADD", "MERGE", "CONFIRM", "SUPERSEDE"):
        # A target that was forgotten meanwhile leaves the session's note to stand on its own.
        return _added(operation, sources, targets, known)
    return []


def _grown(operation: Operation, source: Note, targets: Sequence[Note]) -> list[Change]:
    first, *others = targets
    updated = first.model_copy(
        update={
            "text": operation.text or first.text,
            "keywords": tuple(dict.fromkeys((*first.keywords, *source.keywords)))[:3],
            "hard": first.hard or source.hard,
            "confirmations": first.confirmations + 1,
            "expires_at": _prolonged(first, source),
            "last_update_date": max(first.last_update_date, source.last_update_date),
        }
    )
    return [changed(first, updated), *(_superseded(old, first.id) for old in others)]


def _prolonged(first: Note, source: Note) -> datetime | None:
    """When a repeated note expires: as long after the repeat as after what it repeats, or as the repeat says.

    None means never, from whichever of the two it comes.
    """
    if first.expires_at is None or source.expires_at is None:
        return None
    again = first.expires_at + max(source.last_update_date - first.last_update_date, timedelta(0))
    return max(again, source.expires_at)


def _added(
    operation: Operation, sources: Sequence[Note], targets: Sequence[Note], known: Mapping[str, Note]
) -> list[Change]:
    newest = sources[-1]
    key = note_id("global", *sorted(operation.session))
    note = newest.model_copy(
        update={
            "id": key,
            "text": operation.text or newest.text,
            "hard": any(source.hard for source in sources),
            "supersedes": tuple(old.id for old in targets),
        }
    )
    return [changed(known.get(key), note), *(_superseded(old, key) for old in targets)]


def _superseded(old: Note, by: str) -> Change:
    return changed(old, old.model_copy(update={"status": "superseded", "superseded_by": by}))


async def _promoted(plan: Plan, known: Mapping[str, Note], memory: UserMemory, profile: Profile) -> list[Step]:
    """The steps that fill the profile, one for each note ever: what was undone once is not promoted again."""
    steps = []
    for operation in plan.operations:
        note = known.get(operation.targets[0]) if operation.op == "PROMOTE" else None
        field = stated_field(note) if note else None
        after = filled(profile, field) if field else None
        if note is None or after is None or await memory.has_step(f"promote:{note.id}"):
            continue
        change = Change(kind="profile", key="profile", before=profile.dump(), after=after.dump())
        steps.append(Step(f"promote:{note.id}", "consolidation", "promote", (change,), reason=operation.reason))
        profile = after
    return steps
