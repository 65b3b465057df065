"""Merges an export into a memory: through the policy, all or nothing, and adding nothing the second time."""

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
from memory.selection import Limits
from memory.transfer.export import BookingRecord, Portable, parse
from memory.transfer.merge import Merge, merge_log, merge_notes

_LIMITS = Limits(most=500)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, by kind: how many records of the file are new, changed or merged here.

    Attributes:
        confirmed: Notes here that notes of the file say too.
        profile: The fields of the profile that were filled or changed.
        consent: True when the file's consent holds now.
        blocked: What the policy refused, by kind, id and code, and conversations whose id can't be kept; none of it was
            stored.
        over_limit: Notes that were refused because a user may not have so many; the least useful ones.
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
    """Merge an export into `memory`, of the same user or another; bookings must fit the model `booking`."""
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
    """Write down once for each record that it was refused: the code and a keyed hash; of a limit, how many it hit."""
    texts = {note.id: note.text for note in (*given.notes, *given.session_notes)}
    if report.over_limit:
        name, reason = f"blocked:import:{given.exported_at.isoformat()}:limit", f"{report.over_limit} notes"
        await memory.commit([Step(name, "user", "blocked", reason=reason, code="limit")])
    for one in report.blocked:
        digest = fingerprint(texts.get(one.id, one.id), await memory.hash_key())
        name = f"blocked:import:{one.kind}:{one.id}:{one.code}:{digest}"
        await memory.commit([Step(name, "user", "blocked", code=one.code, hash=digest)])


def _merged(merge: Merge, gate: Gate, now: datetime, limits: Limits) -> tuple[tuple[str, ...], bool, int]:
    """Work out all writes; return the fields of the profile that are taken, whether consent is, and the last number."""
    merge_notes(merge, gate, now=now, limits=limits)
    fields = _merge_profile(merge)
    _merge_records(merge, (*merge.given.trips, *merge.given.episodes))
    before, wanted = merge.own.consent, merge.given.consent
    takes_consent = wanted not in (None, before) and (before is None or merge.overwrite)
    if takes_consent:
        merge.changes.append(changed(before, wanted))
    return fields, takes_consent, merge_log(merge)


def _merge_profile(merge: Merge) -> tuple[str, ...]:
    own = merge.own.profile or Profile()
    blank, here, there = (one.dump() for one in (Profile(), own, merge.given.profile or Profile()))
    taken: dict[str, Any] = {}
    for name, value in there.items():
        if value in (blank[name], here[name]) or not (merge.overwrite or here[name] == blank[name]):
            continue
        code = refused("profile", {name: value})
        if isinstance(value, str) and merge.here.tells(value):
            code = code or "consent_denied"
        if code:
            merge.blocked.append(Blocked("profile", name, code))
        else:
            taken[name] = value
    if taken:
        merge.changes.append(changed(own, Profile.model_validate({**here, **taken})))
    return tuple(taken)


def _merge_records(merge: Merge, found: Sequence[Trip | Episode]) -> None:
    own: Sequence[Trip | Episode] = (*merge.own.trips, *merge.own.episodes)
    kept = {one.id: one for one in own}
    for one in found:
        before = kept.get(one.id)
        if before == one or (before is not None and not merge.overwrite):
            continue
        code = refused(one.stored_as, one.dump())
        left = erased_episode(one, merge.here) if isinstance(one, Episode) else one
        if code or left is None:
            merge.blocked.append(Blocked(one.stored_as, one.id, code or "consent_denied"))
        elif left != before:
            merge.counts[f"{one.stored_as}s"] += 1
            merge.changes.append(changed(before, left))
