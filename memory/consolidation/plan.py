"""Describes the plan of what becomes of each session note, and decides in code what claims settle about it.

The rest is left to a model."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from pydantic import Field, ValidationError

from memory.claims import mentions, relation, spares
from memory.records.episodes import Episode
from memory.records.notes import USER, Claim, Note, Record
from memory.records.profile import Profile
from memory.schema import Schema

Op = Literal["ADD", "MERGE", "SUPERSEDE", "CONFIRM", "DROP", "EXPIRE", "PROMOTE"]
PROMOTED_AFTER = 3
"""Sessions that must have confirmed a note before it is stable enough for the profile."""

FieldValue = tuple[str, str | bool]
"""The name of a field and its value."""
_OPEN = ("unknown", "partly")
_CHANGED = "The traveller says otherwise now."
WRITES_TEXT: frozenset[Op] = frozenset({"ADD", "MERGE", "SUPERSEDE"})


class Operation(Record):
    """One operation: the session notes it rests on, the global notes it touches, its reason, and its new text.

    Without a text the newest of its notes stands in its own words.
    """

    op: Op
    session: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    reason: str = Field("", max_length=300)
    text: str | None = None


class Plan(Record):
    """A checked plan for one session, made against one revision of the user's memory.

    `origin` is `claims` where code decided all of it, `model` where a model had a part.
    """

    session_id: str
    revision: int
    origin: Literal["model", "claims"]
    operations: tuple[Operation, ...]
    faults: tuple[str, ...] = ()
    """What was refused of a model's proposals, and why."""
    episode: Episode | None = None
    """What is remembered of the session as a whole."""

    def step(self, index: int) -> str:
        """Return the name under which operation `index` is journalled, the same in every attempt."""
        return f"consolidate:{self.session_id}:{index}"


def keep(note: Note) -> Operation:
    """Return the safe operation: a lasting note is added, a note for one trip goes with its trip."""
    if note.scope == "trip":
        return Operation(op="DROP", session=(note.id,), reason="It holds for this trip only.")
    return Operation(op="ADD", session=(note.id,), reason="It says something new.")


def age(note: Note) -> tuple[date, datetime, str]:
    """Return what orders notes from the oldest statement to the newest."""
    return note.last_update_date, note.created_at, note.id


def stated_field(note: Note, schema: Schema) -> FieldValue | None:
    """Return the field of the profile that `note` states, or None.

    Only what holds always, for the traveller, and for the user alone is promoted: a condition, a companion or a
    workspace keep a note a note. A note that states several fields, or two values of one, states none.
    """
    if note.when or note.scope != "user":
        return None
    found = {field for claim in note.claims if (field := _field(claim, schema))}
    return found.pop() if len(found) == 1 else None


def _field(claim: Claim, schema: Schema) -> FieldValue | None:
    attribute = schema.attributes.get(claim.attribute)
    if attribute is None or not attribute.profile or claim.about != USER:
        return None
    liked = claim.stance in ("is", "prefers", "requires")
    field = Profile.model_fields.get(attribute.profile)
    if field and field.annotation == bool | None:
        # "short" is the value that a flag such as tight_connections asks about.
        return (attribute.profile, liked) if claim.value == attribute.values[0] else None
    return (attribute.profile, claim.value) if liked else None


def filled(profile: Profile, field: FieldValue) -> Profile | None:
    """Return the profile with `field` filled; None where it is filled already, or takes no such value."""
    name, value = field
    if name not in Profile.model_fields or getattr(profile, name) not in (None, ()):
        return None
    try:
        listed = Profile.model_fields[name].default == ()
        return Profile.model_validate({**profile.dump(), name: (value,) if listed else value})
    except ValidationError:
        return None


@dataclass(frozen=True, slots=True)
class Review:
    """The operations that claims decide, or that stand of a model's plan, and the session notes that none covers."""

    operations: list[Operation] = field(default_factory=list)
    uncovered: list[Note] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """Why an operation of the model's may not be applied, each in a sentence that it can act on."""
    remarks: list[str] = field(default_factory=list)
    """Texts of the model's that were replaced, and why."""

    def completed(self) -> list[Operation]:
        """Return the operations, with the safe one for each note that nothing sound covers."""
        return [*self.operations, *(keep(note) for note in self.uncovered)]


def decide(session: Sequence[Note], known: Sequence[Note], schema: Schema) -> Review:
    """Decide by claims what becomes of each note of a session; `known` are the live global notes that it may touch.

    Notes of the session that say the same are folded, the newest in front.
    """
    decision = Review([keep(note) for note in session if note.scope == "trip"])
    lasting = sorted((note for note in session if note.scope != "trip"), key=age, reverse=True)
    groups: list[list[Note]] = []
    for note in lasting:
        if same := next((group for group in groups if _covers(group[0], note, schema)), None):
            same.append(note)
        else:
            groups.append([note])
    confirmed: dict[str, Operation] = {}
    for group in groups:
        operation = _decided(group, known, [other[0] for other in groups if other is not group], schema)
        if operation is None:
            decision.uncovered.extend(group)
        elif operation.op == "CONFIRM":
            before = confirmed.get(operation.targets[0], Operation(op="CONFIRM"))
            sources = (*before.session, *operation.session)
            confirmed[operation.targets[0]] = operation.model_copy(update={"session": sources})
        else:
            decision.operations.append(operation)
    decision.operations.extend(confirmed.values())
    return decision


def _covers(newer: Note, older: Note, schema: Schema) -> bool:
    """Return whether one of two notes of a session says what the other does, or the later one replaces the earlier."""
    return relation(newer, older, schema) in ("repeats", "contradicts") or relation(older, newer, schema) == "repeats"


def _decided(group: Sequence[Note], known: Sequence[Note], others: Sequence[Note], schema: Schema) -> Operation | None:
    newest = _fullest(group, schema)
    here = [old for old in known if (old.scope, old.workspace) == (newest.scope, newest.workspace)]
    related = [(old, relation(newest, old, schema)) for old in here]
    repeated = [old for old, how in related if how == "repeats"]
    replaced = [old for old, how in related if how == "contradicts"]
    is_open = any(
        how == "partly" or (how == "unknown" and (old.topic == newest.topic or mentions(newest, old)))
        for old, how in related
    )
    rivals = [other for other in others if other.topic == newest.topic and relation(newest, other, schema) in _OPEN]
    session = tuple(note.id for note in group)
    if any(old.last_update_date > newest.last_update_date or spares(newest, old) for old in replaced):
        return None
    if repeated:
        if replaced:
            targets = (repeated[0].id, *(old.id for old in replaced))
            return Operation(op="MERGE", session=session, targets=targets, text=repeated[0].text, reason=_CHANGED)
        again = "The traveller said it again."
        return Operation(op="CONFIRM", session=session, targets=(repeated[0].id,), reason=again)
    if is_open or rivals:
        return None
    if replaced:
        targets = tuple(old.id for old in replaced)
        return Operation(op="SUPERSEDE", session=session, targets=targets, text=newest.text, reason=_CHANGED)
    return keep(newest).model_copy(update={"session": session, "text": newest.text})


def _fullest(group: Sequence[Note], schema: Schema) -> Note:
    """Return the newest note of a group, or an earlier one that says more than the newest, and nothing else."""
    alike = (note for note in group if note is group[0] or relation(group[0], note, schema) == "repeats")
    return max(alike, key=lambda note: len(note.claims))


def promotions(
    operations: Sequence[Operation], known: Sequence[Note], profile: Profile, schema: Schema
) -> list[Operation]:
    """Return the notes whose claims were confirmed in enough sessions to fill a field of the profile that is empty."""
    confirmed = {key for one in operations if one.op in ("CONFIRM", "MERGE") for key in one.targets[:1]}
    gone = {key for one in operations if one.op in ("SUPERSEDE", "EXPIRE") for key in one.targets}
    found = []
    for note in known:
        stated = stated_field(note, schema)
        if note.id in gone or stated is None or note.confirmations + (note.id in confirmed) < PROMOTED_AFTER:
            continue
        if (after := filled(profile, stated)) is not None:
            reason = f"Confirmed in {PROMOTED_AFTER} sessions or more."
            found.append(Operation(op="PROMOTE", targets=(note.id,), reason=reason))
            profile = after
    return found
