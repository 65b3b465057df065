"""Merges an export into a memory: through the policy, all or nothing, and adding nothing the second time."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from config.errors import InvalidInputError
from memory.control.consent import Consent
from memory.control.erased import Eraser
from memory.control.forget import erased_episode
from memory.policy import Gate, fingerprint
from memory.policy.refusals import Blocked, refused
from memory.records.episodes import Episode
from memory.records.journal import Change, Kind, Step
from memory.records.notes import Record
from memory.records.profile import Profile
from memory.records.repository import UserMemory
from memory.records.transaction import settled
from memory.selection import Limits
from memory.transfer.export import BookingRecord, Portable, parse
from memory.transfer.import_log import Known, Log, merged_log
from memory.transfer.import_notes import Arrivals, arrivals

_LIMITS = Limits(most=500)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did.

    Attributes:
        notes: Notes that are new here.
        updated: Notes that were here, and are now as in the file.
        confirmed: Notes here that notes of the file say too.
        profile: The fields of the profile that were filled or changed.
        trips: Trips that are new or changed.
        episodes: Episodes that are new or changed.
        turns: Archived turns and summaries that are new.
        journal: Entries of the file's journal that are new.
        erasures: Things forgotten elsewhere that are forgotten here now.
        consent: True when the file's consent holds now.
        blocked: What the policy refused, by kind, id and code; none of it was stored.
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
        known = await Known.of(memory)
        allowed = (await memory.consent()).gate(gate)
        merge = await asyncio.to_thread(_Merge, given, known, allowed, now, overwrite, limits)
        await merge.write(memory)
        return merge.report

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


class _Merge:
    """What one import writes, worked out against what is known."""

    def __init__(
        self, given: Portable, known: Known, gate: Gate, now: datetime, overwrite: bool, limits: Limits
    ) -> None:
        self._given, self._known, self._overwrite = given, known, overwrite
        self._here = Eraser(known.erasures, known.key or b"")
        self._changes: list[Change] = []
        self._blocked: list[Blocked] = []
        self._counts: Counter[str] = Counter()
        self._notes: Arrivals = arrivals(
            given, known, gate, here=self._here, now=now, overwrite=overwrite, limits=limits
        )
        self._fields = self._merge_profile()
        self._merge_records("trip", given.trips)
        self._merge_records("episode", given.episodes)
        self._consent = self._merge_consent()
        self._log: Log = merged_log(given, known, self._here, refused=self._notes.refused)

    async def write(self, memory: UserMemory) -> None:
        """Write what is not here already: one step for all that came, and one for each note that was confirmed."""
        if self._changes or self._notes.changes or self._notes.confirmations or self._log.puts:
            imported = Step("", "user", "imported", (*self._notes.changes, *self._changes))
            steps = [imported, *self._notes.confirmations]
            log, written = self._log, self._known.written
            await memory.commit(steps, expected_seq=written, after_seq=log.after_seq, also=log.puts)
        await _journal_refusals(memory, self.report, self._given)

    @property
    def report(self) -> ImportReport:
        """Return what the import did."""
        return ImportReport(
            profile=self._fields,
            consent=self._consent,
            blocked=(*self._notes.blocked, *self._blocked),
            **(self._notes.counts + self._counts + self._log.counts),
        )

    def _merge_profile(self) -> tuple[str, ...]:
        if self._given.profile is None:
            return ()
        before = self._known.records["profile"].get("profile")
        here, there = Profile.model_validate(before or {}).dump(), self._given.profile.dump()
        blank = Profile().dump()
        taken: dict[str, Any] = {}
        for name, value in there.items():
            if value in (blank[name], here[name]) or not (self._overwrite or here[name] == blank[name]):
                continue
            code = refused("profile", {name: value})
            if isinstance(value, str) and self._here.tells(value):
                code = code or "consent_denied"
            if code:
                self._blocked.append(Blocked("profile", name, code))
            else:
                taken[name] = value
        if taken or (before is None and not self._blocked):
            after = {**here, **taken}
            self._changes.append(Change(kind="profile", key="profile", before=before, after=after))
        return tuple(taken)

    def _merge_records(self, kind: Kind, found: tuple[Record, ...]) -> None:
        here = self._known.records[kind]
        for one in found:
            value = one.dump()
            before = here.get(value["id"])
            if before == value or (before is not None and not self._overwrite):
                continue
            code = refused(kind, value)
            if code is None and isinstance(one, Episode):
                left = erased_episode(one, self._here)
                code, value = (None, left.dump()) if left else ("consent_denied", value)
            if code:
                self._blocked.append(Blocked(kind, value["id"], code))
            elif value != before:
                self._counts[f"{kind}s"] += 1
                self._changes.append(Change(kind=kind, key=value["id"], before=before, after=value))

    def _merge_consent(self) -> bool:
        before = self._known.records["consent"].get("consent")
        wanted: Consent | None = self._given.consent
        if wanted is None or before == wanted.dump() or (before is not None and not self._overwrite):
            return False
        self._changes.append(Change(kind="consent", key="consent", before=before, after=wanted.dump()))
        return True
