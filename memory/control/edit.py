"""Changes notes and the profile as their owner asks; each change is checked by the policy."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Literal, TypedDict

from pydantic import ValidationError

from config.errors import InvalidInputError
from config.explain import did_you_mean
from memory.claims import says_the_same
from memory.consolidation.plan import stated_field
from memory.policy import Candidate, Gate, Heard, judge
from memory.policy.candidate import checked_claim, end_of
from memory.policy.refusals import refusal, refused
from memory.records.journal import Actor, Change, Step, changed
from memory.records.notes import FREE, SCOPES, Claim, Note
from memory.records.profile import Consent, Profile
from memory.records.repository import UserMemory
from memory.schema import Schema

Until = datetime | date | Literal["never"]


class Edit(TypedDict, total=False):
    """New values for the fields of a note; a field that is missing or None stays as it is.

    An empty `condition` removes all conditions; `when` gives them by key of the schema, with free text under `other`.
    A claim is `{"attribute", "value", "stance"}`; a new text without `claims` has none. If `expires_at` is a day, the
    note expires at the end of it; `never` removes the expiry.
    """

    text: str | None
    topic: str | None
    condition: str | None
    when: Mapping[str, str] | None
    claims: Sequence[Mapping[str, str]] | None
    scope: str | None
    expires_at: Until | None
    pinned: bool | None


async def edit(memory: UserMemory, note_id: str, wanted: Edit, *, gate: Gate, now: datetime) -> Note:
    """Change an active note and return the new version; an edit that changes nothing writes nothing."""
    _check(wanted, gate, now)

    async def revise() -> tuple[Note, list[Step]]:
        note = await memory.note(note_id)
        if note.status != "active":
            raise InvalidInputError(
                f"Note {note_id} is {note.status}. Restore it before you edit it.", code="not_in_use"
            )
        after = await _edited(memory, note, wanted, gate, now)
        if after == note:
            return note, []
        changes = [changed(note, after), *await demoted(memory, note, after, gate)]
        return after, [*await memory.lifted(after.text), Step("", "user", "edited", tuple(changes))]

    return await memory.revise(revise)


async def edit_staged(memory: UserMemory, note: Note, wanted: Edit, *, gate: Gate, now: datetime) -> Note:
    """Return the edited version of a note that is staged in a session; the caller stores it in the session's state."""
    _check(wanted, gate, now)
    after = await _edited(memory, note, wanted, gate, now)
    await memory.commit(await memory.lifted(after.text))
    return after


async def retire(memory: UserMemory, note_id: str, *, actor: Actor = "user", reason: str = "") -> Note:
    """Take an active note out of use; `undo` and `restore` can bring it back. Raises NotFoundError."""

    async def revise() -> tuple[Note, list[Step]]:
        note = await memory.note(note_id)
        if note.status != "active":
            return note, []
        after = note.model_copy(update={"status": "expired"})
        changes = (changed(note, after), *await memory.demoted([note_id]))
        return after, [Step("", actor, "retired", changes, reason=reason)]

    return await memory.revise(revise)


def _check(wanted: Edit, gate: Gate, now: datetime) -> None:
    if unknown := [name for name in wanted if name not in Edit.__annotations__]:
        raise TypeError(f"an edit has no {unknown[0]!r}")
    given = {name: value for name, value in wanted.items() if value is not None}
    if not given:
        raise InvalidInputError(f"Say what to change: {', '.join(Edit.__annotations__)}.")
    for name, allowed in (("topic", gate.schema.topics), ("scope", SCOPES)):
        if name in given and given[name] not in allowed:
            message = f"There is no {name} {given[name]!r}. The {name}s are: {', '.join(allowed)}."
            raise InvalidInputError(message, field=name)
    if not str(given.get("text", "text")).strip():
        message = "The new text is empty. To take a note out of use, retire or forget it."
        raise InvalidInputError(message, field="text", code="empty")
    until = wanted.get("expires_at")
    if until is not None and until != "never" and _moment(until) <= now:
        message = f"{until} is over already. To take a note out of use at once, retire it."
        raise InvalidInputError(message, field="expires_at", code="is_over")


def _moment(until: datetime | date) -> datetime:
    if isinstance(until, datetime):
        return until.astimezone(UTC) if until.tzinfo else until.replace(tzinfo=UTC)
    return end_of(until)


async def _edited(memory: UserMemory, note: Note, wanted: Edit, gate: Gate, now: datetime) -> Note:
    pinned, until, claims = wanted.get("pinned"), wanted.get("expires_at"), wanted.get("claims")
    update: dict[str, object] = {"pinned": note.pinned if pinned is None else pinned}
    if until is not None:
        update["expires_at"] = None if until == "never" else _moment(until)
    condition = wanted.get("condition")
    when = wanted.get("when") if condition is None else {FREE: condition}
    given = {"text": wanted.get("text"), "topic": wanted.get("topic"), "scope": wanted.get("scope")}
    content: dict[str, object] = {name: value for name, value in given.items() if value is not None}
    if when is not None:
        content["when"] = _conditions(when, gate.schema)
    if not content and claims is None:  # the statement itself stays the same
        return note.model_copy(update=update)
    proposed = note.model_copy(update=content)
    if claims is not None or proposed.text != note.text:
        proposed = proposed.model_copy(update={"claims": _claims(claims or (), gate)})
    draft = await judged(memory, proposed, gate, now)
    update |= {name: getattr(draft, name) for name in ("text", "topic", "claims", "scope", "when")}
    # Claims decide whether an edited note is a constraint; without claims it stays what it was.
    update["hard"] = draft.hard or (note.hard and not draft.claims)
    if (draft.text, draft.when) != (note.text, note.when):
        quote = f"{draft.text} ({draft.condition})" if draft.condition else draft.text
        written = note.latest.model_copy(update={"quote": quote, "question": "", "said_on": now.date()})
        update |= {"evidence": (written,), "confirmations": 1, "confidence": 1.0, "own_words": True}
    after = note.model_copy(update=update)
    return after if after == note else after.model_copy(update={"last_update_date": now.date()})


def _conditions(given: Mapping[str, str], schema: Schema) -> dict[str, str]:
    conditions = {key: value.strip() for key, value in given.items() if value.strip()}
    for key, value in conditions.items():
        condition = schema.when.get(key)
        if key != FREE and (condition is None or (condition.values and value not in condition.values)):
            known = ", ".join([*schema.when, FREE])
            message = f"The condition {key}: {value!r} is not in the schema. Conditions: {known}."
            raise InvalidInputError(message, field=f"when.{key}", code="no_such_value")
    return conditions


def _claims(given: Sequence[Mapping[str, str]], gate: Gate) -> tuple[Claim, ...]:
    claims = []
    for at, raw in enumerate(given):
        claim = checked_claim(raw, gate.schema)
        if claim is None:
            allowed = ", ".join(gate.schema.attributes)
            message = f"The claim {dict(raw)} fits no attribute of the schema. Attributes: {allowed}."
            raise InvalidInputError(message, field=f"claims.{at}", code="no_such_value")
        claims.append(claim)
    return tuple(claims)


async def judged(memory: UserMemory, note: Note, gate: Gate, now: datetime) -> Note:
    """Return a note that its owner wrote with checked values. Raises InvalidInputError if it may not be kept."""
    draft = await permitted(
        memory, as_candidate(note), own_hand(gate, await memory.consent()), now, Step("", "user", "blocked")
    )
    kept = note.model_copy(update={"text": draft.text, "when": draft.when})
    for other in await memory.notes():
        if other.id != note.id and other.id not in note.supersedes and says_the_same(kept, other):
            message = f"Note {other.id} says that already. Retire or forget one of the two."
            raise InvalidInputError(message, field="text", code="said_already")
    return draft.model_copy(update={"text": note.text.strip(), "claims": note.claims, "when": note.when})


async def permitted(memory: UserMemory, candidate: Candidate, gate: Gate, now: datetime, blocked: Step) -> Note:
    """Return the note that the policy makes of a candidate, whose own text is its evidence.

    Raises:
        InvalidInputError: the policy refuses it, or `blocked` has a code already; `blocked` is then journalled.
    """
    verdict = judge(candidate, gate, heard=[Heard(candidate.text)], now=now, key=await memory.hash_key())
    code = verdict.code or blocked.code
    if verdict.draft is None or code:
        await memory.commit([replace(blocked, code=code, hash=verdict.hash)])
        raise InvalidInputError(refusal(code or ""), field="text", code=code or "")
    return verdict.draft


def own_hand(gate: Gate, consent: Consent) -> Gate:
    """Return the gate for what users write themselves: a pause only stops learning from conversations."""
    return replace(gate, denied_topics=frozenset(consent.denied), paused=False)


def as_candidate(note: Note) -> Candidate:
    """Return a note as a candidate that quotes its own text, so that the policy judges the text as written."""
    return Candidate(
        text=note.text,
        topic=note.topic,
        scope=note.scope,
        quote=note.text,
        claims=[claim.dump() for claim in note.claims],
        when=[{"key": key, "value": value} for key, value in note.when.items()],
    )


async def demoted(memory: UserMemory, note: Note, after: Note, gate: Gate, rivals: Sequence[Note] = ()) -> list[Change]:
    """Return the change that empties what `rivals` filled in the profile, and `note` if `after` no longer states it."""
    changes_field = stated_field(note, gate.schema) != stated_field(after, gate.schema)
    return await memory.demoted(one.id for one in [*rivals, *([note] if changes_field else [])])


async def edit_profile(memory: UserMemory, fields: Mapping[str, object], schema: Schema) -> Profile:
    """Set fields of the schema's profile by name; None empties a field. `undo` takes the change back.

    Raises:
        InvalidInputError: a field does not exist, its value is invalid, or the policy refuses it; nothing changed.
    """
    known = schema.profile
    if unknown := next((name for name in fields if name not in known), None):
        raise InvalidInputError(
            f"There is no field {unknown!r}.{did_you_mean(unknown, known)} It has: {', '.join(known)}."
        )
    blank = schema.profile_type().dump()
    given = {name: blank[name] if value is None else value for name, value in fields.items()}

    async def revise() -> tuple[Profile, list[Step]]:
        before = await memory.profile()
        after = _with_fields(before, given, schema)
        if code := refused("profile", after.model_dump(include=set(given))):
            raise InvalidInputError(refusal(code), field=next(iter(given)) if len(given) == 1 else "", code=code)
        return after, [Step("", "user", "profile_edited", (changed(before, after),))] if after != before else []

    return await memory.revise(revise)


def _with_fields(profile: Profile, fields: Mapping[str, object], schema: Schema) -> Profile:
    try:
        return schema.with_fields(profile, fields)
    except ValidationError as error:
        faults = [(".".join(map(str, one["loc"])), one["msg"].removeprefix("Value error, ")) for one in error.errors()]
        listed = "; ".join(f"{field}: {fault}" for field, fault in faults)
        raise InvalidInputError(f"Not kept. {listed}. Nothing was changed.", field=faults[0][0]) from None
