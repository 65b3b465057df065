"""Merges an export into a memory: checked by the policy, in one batch, and without effect the second time."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from config.errors import InvalidInputError
from memory.control.edit import own_hand
from memory.control.forget import erased_episode
from memory.policy import Gate, fingerprint
from memory.policy.refusals import Blocked, refused
from memory.records.episodes import Episode
from memory.records.journal import Step, changed
from memory.records.notes import Record
from memory.records.profile import Profile
from memory.records.repository import UserMemory
from memory.records.transaction import settled
from memory.records.trips import Trip
from memory.schema import Schema
from memory.selection import Limits
from memory.transfer.export import BookingRecord, Portable, parse
from memory.transfer.merge import Merge, merge_log, merge_notes

_LIMITS = Limits(most=500)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of an import: how many records of each kind were added, or as named below.

    Attributes:
        updated: Existing notes that were replaced by a version of the file.
        confirmed: Existing notes that say the same as a note of the file.
        profile: The fields of the profile that were filled or changed.
        consent: True if the consent of the file was taken over.
        blocked: Records that the policy refused, and threads with an invalid id; none of them was stored.
        over_limit: The number of notes that were refused because of the limit, the least useful ones.
    """

    notes: int = 0
    updated: int = 0
    confirmed: int = 0
    profile: tuple[str, ...] = ()
    trips: int = 0
    episodes: int = 0
    turns: int = 0
    journal: int = 0
    erasures: int = 0
    consent: bool = False
    blocked: tuple[Blocked, ...] = ()
    over_limit: int = 0


async def import_(
    memory: UserMemory,
    data: object,
    *,
    gate: Gate,
    now: datetime,
    overwrite: bool = False,
    booking: type[Record] = BookingRecord,
    limits: Limits = _LIMITS,
    megabytes: int = 8,
) -> ImportReport:
    """Merge an export of the same or another user into `memory`; bookings must fit the model `booking`."""
    given = await asyncio.to_thread(parse, data, booking=booking, megabytes=megabytes)
    _check_topics(given, gate)

    async def attempt() -> ImportReport:
        merge = await Merge.of(memory, given, overwrite=overwrite, now=now)
        allowed = own_hand(gate, await memory.consent())
        fields, consent, last = await asyncio.to_thread(_merged, merge, allowed, now, limits)
        if merge.changes or merge.confirmed or merge.puts:
            steps = [Step("", "user", "imported", tuple(merge.changes)), *merge.confirmed]
            await memory.commit(steps, expected_seq=merge.written, after_seq=last, also=merge.puts)
        report = ImportReport(profile=fields, consent=consent, blocked=tuple(merge.blocked), **merge.counts)
        await _journal_refusals(memory, report, given)
        return report

    return await settled(attempt)


def _check_topics(given: Portable, gate: Gate) -> None:
    for note in (*given.notes, *given.session_notes):
        if note.topic not in gate.schema.topics:
            raise InvalidInputError(
                f"Note {note.id} of this export has the topic {note.topic!r}, which the memory schema here does not "
                f"have. It has: {', '.join(gate.schema.topics)}. Nothing was imported."
            )


async def _journal_refusals(memory: UserMemory, report: ImportReport, given: Portable) -> None:
    """Journal each refused record once, with a code and a keyed hash, and how many notes exceeded the limit."""
    texts = {note.id: note.text for note in (*given.notes, *given.session_notes)}
    if report.over_limit:
        name, reason = f"blocked:import:{given.exported_at.isoformat()}:limit", f"{report.over_limit} notes"
        await memory.commit([Step(name, "user", "blocked", reason=reason, code="limit")])
    for one in report.blocked:
        digest = fingerprint(texts.get(one.id, one.id), await memory.hash_key())
        name = f"blocked:import:{one.kind}:{one.id}:{one.code}:{digest}"
        await memory.commit([Step(name, "user", "blocked", code=one.code, hash=digest)])


def _merged(merge: Merge, gate: Gate, now: datetime, limits: Limits) -> tuple[tuple[str, ...], bool, int]:
    """Add all writes to `merge`; return the profile fields taken over, whether consent was, and the last number."""
    merge_notes(merge, gate, now=now, limits=limits)
    fields = _merge_profile(merge, gate.schema)
    _merge_records(merge, (*merge.given.trips, *merge.given.episodes))
    before, given = merge.own.consent, merge.given.consent
    takes_consent = given not in (None, before) and (before is None or merge.overwrite)
    if takes_consent:
        merge.changes.append(changed(before, given))
    return fields, takes_consent, merge_log(merge)


def _merge_profile(merge: Merge, schema: Schema) -> tuple[str, ...]:
    own, file = merge.own.profile or Profile(), merge.given.profile or Profile()
    blank, current, given = (one.dump() for one in (schema.profile_type(), schema.facts(own), schema.facts(file)))
    unknown = [name for name in file.model_dump(exclude_defaults=True) if given.get(name) == blank.get(name)]
    merge.blocked += [Blocked("profile", name, "no_field") for name in unknown]
    taken: dict[str, Any] = {}
    for name, value in given.items():
        if value in (blank[name], current[name]) or not (merge.overwrite or current[name] == blank[name]):
            continue
        code = refused("profile", {name: value})
        if isinstance(value, str) and merge.here.tells(value):
            code = code or "consent_denied"
        if code:
            merge.blocked.append(Blocked("profile", name, code))
        else:
            taken[name] = value
    if taken:
        merge.changes.append(changed(own, schema.with_fields(own, taken)))
    return tuple(taken)


def _merge_records(merge: Merge, given: Sequence[Trip | Episode]) -> None:
    own: Sequence[Trip | Episode] = (*merge.own.trips, *merge.own.episodes)
    by_id = {one.id: one for one in own}
    for one in given:
        before = by_id.get(one.id)
        if before == one or (before is not None and not merge.overwrite):
            continue
        code = refused(one.stored_as, one.dump())
        after = erased_episode(one, merge.here) if isinstance(one, Episode) else one
        if code or after is None:
            merge.blocked.append(Blocked(one.stored_as, one.id, code or "consent_denied"))
        elif after != before:
            merge.counts[f"{one.stored_as}s"] += 1
            merge.changes.append(changed(before, after))
