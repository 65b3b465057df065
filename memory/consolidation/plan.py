"""Describes the plan for the notes of a session, and decides what their claims settle; a model decides the rest."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field, ValidationError

from memory.claims import mentions, protects, relation
from memory.records.episodes import Episode
from memory.records.notes import USER, Claim, Note, Record
from memory.records.profile import Profile
from memory.schema import Schema

Op = Literal["ADD", "MERGE", "SUPERSEDE", "CONFIRM", "DROP", "EXPIRE", "PROMOTE"]
PROMOTED_AFTER = 3
"""The number of sessions that must confirm a note before it fills a field of the profile."""

FieldValue = tuple[str, str | bool]
"""The name of a profile field and its value."""
_OPEN = ("unknown", "partly")
_CHANGED = "The user says otherwise now."
WRITES_TEXT: frozenset[Op] = frozenset({"ADD", "MERGE", "SUPERSEDE"})


class Operation(Record):
    """One operation: the session notes it rests on, the global notes it changes, its reason, and its new text.

    Without a `text`, the text of the newest note is kept.
    """

    op: Op
    session: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    reason: str = Field("", max_length=300)
    text: str | None = None


class Plan(Record):
    """A checked plan for one session, made against one revision of the user's memory.

    `origin` is `claims` if code decided everything, `model` if a model decided some of it.
    """

    session_id: str
    revision: int
    origin: Literal["model", "claims"]
    operations: tuple[Operation, ...]
    faults: tuple[str, ...] = ()
    """Why some of the model's proposals were refused."""
    episode: Episode | None = None
    """The summary of the whole session to remember."""

    def step(self, index: int) -> str:
        """Return the name of the journal step of operation `index`, the same on every retry."""
        return f"consolidate:{self.session_id}:{index}"


def keep(note: Note) -> Operation:
    """Return the safe operation for a session note: add a lasting note, drop a note about one trip."""
    if note.scope == "trip":
        return Operation(op="DROP", session=(note.id,), reason="It holds this time only.")
    return Operation(op="ADD", session=(note.id,), reason="It says something new.")


def by_age(notes: Iterable[Note]) -> list[Note]:
    """Return notes from the oldest statement to the newest; those of one message stay as they were said."""
    return sorted(notes, key=lambda note: (note.last_update_date, note.created_at))


def sources_of(operation: Operation, staged: Mapping[str, Note]) -> list[Note]:
    """Return the session notes that an operation rests on, the newest last; `staged` has them as they were said."""
    return by_age(note for key, note in staged.items() if key in operation.session)


def stated_field(note: Note, schema: Schema) -> FieldValue | None:
    """Return the profile field and value that `note` states.

    None if the note has a condition, is about a companion, belongs to a workspace or a trip, or states no field,
    several fields or several values.
    """
    if note.when or note.scope != "user":
        return None
    fields = {field for claim in note.claims if (field := _field(claim, schema))}
    return fields.pop() if len(fields) == 1 else None


def _field(claim: Claim, schema: Schema) -> FieldValue | None:
    attribute = schema.attributes.get(claim.attribute)
    if attribute is None or not attribute.profile or claim.about != USER:
        return None
    liked = claim.stance in ("is", "prefers", "requires")
    if schema.profile_type.model_fields[attribute.profile].annotation == bool | None:
        # A flag is about the first value: tight_connections is about connection = "short".
        return (attribute.profile, liked) if claim.value == attribute.values[0] else None
    return (attribute.profile, claim.value) if liked else None


def filled(profile: Profile, field: FieldValue, schema: Schema) -> Profile | None:
    """Return the profile with `field` filled; None if it has a value already or does not accept this one."""
    name, value = field
    blank = schema.profile_type.model_fields[name].default
    if getattr(schema.facts(profile), name) != blank:
        return None
    try:
        return schema.with_fields(profile, {name: (value,) if blank == () else value})
    except ValidationError:
        return None


@dataclass(frozen=True, slots=True)
class Review:
    """The operations that claims decided, or that passed the check of a model's plan, and the notes without any."""

    operations: list[Operation] = field(default_factory=list)
    uncovered: list[Note] = field(default_factory=list)
    decided: dict[str, Operation] = field(default_factory=dict)
    """What claims decided of uncovered notes, by the id of the one to ask a model about: see `with_decided`."""
    faults: list[str] = field(default_factory=list)
    """Why operations of the model were refused, each a sentence that the model can act on."""
    remarks: list[str] = field(default_factory=list)
    """Which texts of the model were replaced, and why."""

    def completed(self) -> list[Operation]:
        """Return the operations, with the safe one (see `keep`) for each uncovered note."""
        return [*self.operations, *(keep(note) for note in self.uncovered)]


def with_decided(operation: Operation, decided: Mapping[str, Operation]) -> Operation:
    """Return a model's operation, extended by what claims decided of its session notes.

    It also covers the session notes that they repeat or replace, and replaces the global notes that they contradict.
    """
    parts = [decided[key] for key in operation.session if key in decided]
    session = dict.fromkeys((*operation.session, *(key for part in parts for key in part.session)))
    replaced = dict.fromkeys(key for part in parts for key in part.targets if key not in operation.targets)
    update: dict[str, object] = {"session": tuple(session), "targets": (*operation.targets, *replaced)}
    if replaced and operation.op == "CONFIRM":
        update |= {"op": "MERGE", "reason": _CHANGED}
    elif replaced and operation.op in ("ADD", "DROP"):
        update |= {"op": "SUPERSEDE", "reason": _CHANGED}
    return operation.model_copy(update=update)


def decide(session: Sequence[Note], known: Sequence[Note], schema: Schema) -> Review:
    """Decide by claims what becomes of each note of a session; `known` are the live global notes that may change.

    Notes of the session that say the same, or replace each other, are decided together. If something about such a
    group remains open, its notes are uncovered, and `decided` has what is not open, by the id of its fullest note.
    """
    decision = Review([keep(note) for note in session if note.scope == "trip"])
    lasting = by_age(note for note in session if note.scope != "trip")[::-1]
    groups: list[list[Note]] = []
    for note in lasting:
        if group := next((group for group in groups if _covers(group[0], note, schema)), None):
            group.append(note)
        else:
            groups.append([note])
    confirmed: dict[str, Operation] = {}
    for group in groups:
        operation, is_open = _decision(group, known, [other[0] for other in groups if other is not group], schema)
        if is_open:
            decision.uncovered.extend(group)
            decision.decided[_fullest(group, schema).id] = operation
        elif operation.op == "CONFIRM":
            before = confirmed.get(operation.targets[0], Operation(op="CONFIRM"))
            sources = (*before.session, *operation.session)
            confirmed[operation.targets[0]] = operation.model_copy(update={"session": sources})
        else:
            decision.operations.append(operation)
    decision.operations.extend(confirmed.values())
    return decision


def _covers(newer: Note, older: Note, schema: Schema) -> bool:
    """Return whether one of two notes of a session repeats the other, or the newer one replaces the older."""
    how = relation(newer, older, schema)
    replaces = how == "contradicts" and not protects(older, newer)
    return how == "repeats" or replaces or relation(older, newer, schema) == "repeats"


def _decision(
    group: Sequence[Note], known: Sequence[Note], others: Sequence[Note], schema: Schema
) -> tuple[Operation, bool]:
    """Return what claims decide of a group of session notes, and whether something about it remains open."""
    newest = _fullest(group, schema)
    same_memory = [old for old in known if (old.scope, old.workspace) == (newest.scope, newest.workspace)]
    relations = [(old, relation(newest, old, schema)) for old in same_memory]
    repeated = [old for old, how in relations if how == "repeats"]
    contradicted = [old for old, how in relations if how == "contradicts"]
    replaced = [
        old for old in contradicted if old.last_update_date <= newest.last_update_date and not protects(old, newest)
    ]
    session, targets = tuple(note.id for note in group), tuple(old.id for old in replaced)
    if repeated and replaced == contradicted:
        if not replaced:
            reason = "The user said it again."
            return Operation(op="CONFIRM", session=session, targets=(repeated[0].id,), reason=reason), False
        first, *_ = repeated
        merged = Operation(op="MERGE", session=session, targets=(first.id, *targets), text=first.text, reason=_CHANGED)
        return merged, False
    is_open = replaced != contradicted or any(
        how == "partly" or (how == "unknown" and (old.topic == newest.topic or mentions(newest, old)))
        for old, how in relations
    )
    is_open = is_open or any(_rivals(newest, other, schema) for other in others)
    if replaced:
        return Operation(op="SUPERSEDE", session=session, targets=targets, text=newest.text, reason=_CHANGED), is_open
    return keep(newest).model_copy(update={"session": session, "text": newest.text}), is_open


def _rivals(one: Note, other: Note, schema: Schema) -> bool:
    """Return whether claims leave open how two notes of a session on one topic relate."""
    how = relation(one, other, schema)
    is_protected = how == "contradicts" and (protects(one, other) or protects(other, one))
    return one.topic == other.topic and (how in _OPEN or is_protected)


def _fullest(group: Sequence[Note], schema: Schema) -> Note:
    """Return the newest note of a group, or an earlier one with all of its claims and more."""
    candidates = (note for note in group if note is group[0] or relation(group[0], note, schema) == "repeats")
    return max(candidates, key=lambda note: len(note.claims))


def promotions(
    operations: Sequence[Operation], known: Sequence[Note], profile: Profile, schema: Schema
) -> list[Operation]:
    """Return a promotion for each note that fills an empty profile field and was confirmed in enough sessions."""
    confirmed = {key for one in operations if one.op in ("CONFIRM", "MERGE") for key in one.targets[:1]}
    replaced = {key for one in operations if one.op in ("SUPERSEDE", "EXPIRE") for key in one.targets}
    promoted = []
    for note in known:
        stated = stated_field(note, schema)
        if note.id in replaced or stated is None or note.confirmations + (note.id in confirmed) < PROMOTED_AFTER:
            continue
        if (after := filled(profile, stated, schema)) is not None:
            reason = f"Confirmed in {PROMOTED_AFTER} sessions or more."
            promoted.append(Operation(op="PROMOTE", targets=(note.id,), reason=reason))
            profile = after
    return promoted
