"""Reads and changes a user's long-term memory: a typed repository over any LangGraph `BaseStore`.

Reads change no record. Every change writes the records, their journal entries and the new revision in one batch, and
a step with the same name is written only once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from langgraph.store.base import GetOp, PutOp

from config.errors import NotFoundError
from memory.control.erased import Eraser, Erasure, make_erasure
from memory.control.forget import Forgotten, erase, put_unreached, scrub, versions, with_past
from memory.policy import fingerprint
from memory.records.episodes import Episode
from memory.records.journal import USED, Actor, Change, Step, Usage, changed, gone, versions_in
from memory.records.notes import Note
from memory.records.profile import Consent, OpenProfile, Profile, blanked, moved_fields
from memory.records.reading import Snapshot, encode_label, held_snapshots, parse, read_under, salvaged, sound
from memory.records.transaction import Records
from memory.records.trips import Trip
from text.words import sentences

_MOST_SNAPSHOTS = 64
"""The most snapshots per store; the least recently used one is dropped first."""

Conflict = tuple[Note, Note]
Standing = Literal["to_ask", "left_open", "decided"]


class UserMemory(Records):
    """The long-term memory of one user, or the one shared in a workspace."""

    async def notes(self, *, include_inactive: bool = False) -> list[Note]:
        """Return the live notes, newest first; also expired and superseded ones if `include_inactive`."""
        now = self._clock()
        notes = [note for note in await self.kept(Note) if include_inactive or note.is_live(now)]
        return sorted(notes, key=lambda note: (note.last_update_date, note.created_at, note.id), reverse=True)

    async def snapshot(self) -> Snapshot:
        """Return the current contents of this memory, from the cache if nothing changed since they were read.

        The mark is read first. So a snapshot is never older than its mark; if it is newer, the next call reads again.
        """
        mark, snapshots = await self.mark(), held_snapshots(self.store)
        snapshot = snapshots.get(self.root)
        if snapshot is None or snapshot.mark != mark:
            erasures = tuple(await self.erasures())
            snapshot = Snapshot(
                mark=mark,
                every=tuple(await self.notes(include_inactive=True)),
                profile=await self.profile(),
                trips=tuple(await self.trips()),
                consent=await self.consent(),
                erasures=erasures,
                key=await self.kept_hash_key() if erasures else None,
                screened=await self.kept_verdicts(),
                vectors=snapshot.vectors if snapshot else {},
            )
        snapshots[self.root] = snapshot
        snapshots.move_to_end(self.root)
        while len(snapshots) > _MOST_SNAPSHOTS:
            snapshots.popitem(last=False)
        return snapshot

    async def note(self, key: str) -> Note:
        """Return one note of any status by its id. Raises NotFoundError."""
        item = await self.store.aget((*self.root, "notes"), key)
        if item is None:
            raise NotFoundError(f"There is no note {key}. The list of notes shows the ids.")
        return parse(Note, item)

    async def search(self, query: str, *, limit: int = 6) -> list[tuple[Note, float | None]]:
        """Return the live notes that are nearest to `query` in meaning, with their scores, best first."""
        hits = await self.store.asearch((*self.root, "notes"), query=query, filter={"status": "active"}, limit=limit)
        now = self._clock()
        scores = {hit.key: hit.score for hit in hits}
        return [(note, scores.get(note.id)) for note in sound(Note, hits) if note.is_live(now)]

    async def profile(self) -> Profile:
        """Return the profile; an empty one if none is stored."""
        item = await self.store.aget((*self.root, "profile"), "profile")
        return Profile.of(salvaged(OpenProfile, item)[0].dump()) if item else Profile()

    async def promoted(self, notes: Iterable[str]) -> dict[str, Any]:
        """Return the profile fields that were ever filled from the notes with these ids, with their values."""
        entries = [await self.entry_of(f"promote:{key}") for key in notes]
        filled = [change for entry in entries if entry for change in entry.changes if change.after]
        return {name: (one.after or {})[name] for one in filled for name in moved_fields(one.before, one.after)}

    async def demoted(self, notes: Iterable[str], profile: Profile | None = None) -> list[Change]:
        """Return the change that empties profile fields which still have a value promoted from these notes, if any."""
        before = profile or await self.profile()
        after = Profile.of(blanked(before.dump(), await self.promoted(notes)))
        return [changed(before, after)] if after != before else []

    async def lifted(self, *texts: str, actor: Actor = "user", thread_id: str = "") -> list[Step]:
        """Return the step that deletes the erasures of statements that the user makes again in `texts`, if any."""
        changes = tuple(map(gone, (await self.snapshot()).eraser().repeats(*texts)))
        return [Step("", actor, "lifted", changes, thread_id=thread_id)] if changes else []

    async def trips(self) -> list[Trip]:
        """Return the trips, the latest start first."""
        return sorted(await self.kept(Trip), key=lambda trip: (trip.start, trip.id), reverse=True)

    async def episodes(self) -> list[Episode]:
        """Return the episodes of finished sessions, the latest first."""
        return sorted(await self.kept(Episode), key=lambda one: (one.ended_at, one.id), reverse=True)

    async def consent(self) -> Consent:
        """Return the user's consent; everything is allowed until they change it."""
        return await self.kept_consent() or Consent()

    async def kept_consent(self) -> Consent | None:
        """Return the stored consent; None if the user never changed it. A malformed one counts as paused."""
        item = await self.store.aget((*self.root, "consent"), "consent")
        if item is None:
            return None
        consent, is_whole = salvaged(Consent, item)
        return consent if is_whole else consent.model_copy(update={"paused": True})

    async def change_consent(
        self, *, paused: bool | None = None, deny: Sequence[str] = (), allow: Sequence[str] = ()
    ) -> Consent:
        """Pause or resume memory, deny and allow topics, and return the new consent; concurrent changes are merged."""
        async with self._locked():
            before = await self.consent()
            denied = tuple(topic for topic in dict.fromkeys((*before.denied, *deny)) if topic not in allow)
            after = Consent(paused=before.paused if paused is None else paused, denied=denied)
            if after != before:
                at, _ = await self._counters()
                await self._write([Step("", "user", "consent", (changed(before, after),))], at)
        return after

    async def erasures(self) -> list[Erasure]:
        """Return all erasures, oldest first."""
        return sorted(await self.kept(Erasure), key=lambda one: (one.seq, one.id))

    async def withhold(self, thread_id: str, *texts: str, release: Sequence[Erasure] = ()) -> None:
        """Keep hashes of the sentences of `texts`, which must not get into a note, episode or archive of the thread.

        `release` are hashed sentences that may be kept from now on.
        """
        key = await self.hash_key()
        parts = [part for text in texts for part in sentences(text)]
        make = partial(make_erasure, (), key=key, seq=0, at=self._clock())
        erasures = [make(name=fingerprint(part, key), kept=[part], words=part) for part in parts]
        room = (*self.root, "withheld", encode_label(thread_id))
        puts = [PutOp(room, one.id, one.dump(), index=False) for one in erasures if one.words]
        await self.store.abatch([*puts, *(PutOp(room, one.id, None) for one in release)])

    async def withheld(self, thread_id: str) -> Eraser:
        """Return an eraser of the withheld sentences of a thread."""
        erasures = sound(Erasure, await read_under(self.store, (*self.root, "withheld", encode_label(thread_id))))
        return Eraser(erasures, await self.hash_key() if erasures else b"", whole=True)

    async def set_profile(self, profile: Profile, *, step: str) -> bool:
        """Replace the profile; return False if this step was written before."""
        change = changed(await self.profile(), profile)
        return await self.commit([Step(step, "system", "profile_set", (change,))])

    async def add_trip(self, trip: Trip) -> bool:
        """Add a trip; return False if it was added before."""
        return await self.commit([Step(f"trip:{trip.id}", "system", "trip_added", (changed(None, trip),))])

    async def forget_note(self, note: Note, *, thread_id: str = "", name: str = "") -> Forgotten:
        """Like `forget`, but the note need not be in this memory: it may be staged, or shared in a workspace."""
        return await self._forget(note, "", Step(name, "user", "forgotten", thread_id=thread_id))

    async def forget(self, key: str) -> Forgotten:
        """Delete a note for good, with its versions and notes that say the same, and erase its statement everywhere.

        Keyed hashes of its words stay, so that it is not learnt from them again.

        Raises:
            NotFoundError: there is no such note and never was.
        """
        past = [note for note in await self._journalled_notes() if note.id == key]
        item = await self.store.aget((*self.root, "notes"), key)
        note = past[-1] if past and item is None else await self.note(key)
        return await self.forget_note(note)

    async def mentions(self, words: str, here: Sequence[str] = ()) -> int:
        """Return how many archived turns, episodes and messages of `here` forgetting `words` would change."""
        key = await self.hash_key()
        kept = await self._kept_texts(await self.notes(), await self.profile())
        erasure = make_erasure([], name="", key=key, seq=0, at=self._clock(), kept=kept, words=words)
        eraser = Eraser([erasure], key)
        _, reached = await erase(self.store, self.root, eraser)
        return reached.turns + reached.episodes + sum(map(eraser.tells, here))

    async def forget_mentions(self, words: str, *, thread_id: str = "", name: str = "") -> Forgotten:
        """Erase the statement `words`, which no note makes, from episodes, archived turns and the journal."""
        return await self._forget(None, words, Step(name, "user", "forgotten", thread_id=thread_id))

    async def record_use(self, usage: Usage, *, name: str, thread_id: str = "", also: Sequence[PutOp] = ()) -> None:
        """Journal which notes a turn was shown and used, set `last_used_at` of those stored here, and write `also`."""
        async with self._locked():
            now, (at, is_written) = self._clock(), await self._counters(name)
            if is_written:
                return
            gets = [GetOp((*self.root, "notes"), key) for key in usage.used]
            items: list[Any] = await self.store.abatch(gets) if gets else []
            notes = sound(Note, filter(None, items))
            puts = [self._put(changed(None, note.model_copy(update={"last_used_at": now}))) for note in notes]
            at["used"] += any(note.last_used_at is None or note.last_used_at.date() != now.date() for note in notes)
            await self._write([Step(name, "agent", USED, thread_id=thread_id, usage=usage)], at, [*puts, *also])

    async def note_asked(self, conflict: Conflict, session_id: str) -> None:
        """Record, under a keyed hash of the two notes, that this session asked which of them is right."""
        key, confirmed = await self._question(conflict)
        value = {"session_id": session_id, "confirmed": confirmed}
        await self.store.aput((*self.root, "asked"), key, value, index=False)

    async def standing(self, conflict: Conflict, session_id: str) -> Standing:
        """Return whether to ask about a conflict in this session, or if an earlier session left it open or decided it.

        It is decided if one of the notes was confirmed since the question. Both may stay, as a workspace's note can't
        be replaced.
        """
        key, confirmed = await self._question(conflict)
        item = await self.store.aget((*self.root, "asked"), key)
        if item is None or item.value.get("session_id") == session_id:
            return "to_ask"
        return "left_open" if item.value.get("confirmed") == confirmed else "decided"

    async def _question(self, conflict: Conflict) -> tuple[str, dict[str, int]]:
        notes = sorted(f"{note.id} {note.text} {note.condition}" for note in conflict)
        key = fingerprint("\n".join(notes), await self.hash_key())
        return key, {note.id: note.confirmations for note in conflict}

    async def _forget(self, note: Note | None, words: str, step: Step) -> Forgotten:
        key = await self.hash_key()
        async with self._locked():
            journalled = await self._journalled_notes()
            every = with_past(await self.notes(include_inactive=True), journalled)
            forgotten = versions(note, every) if note else []
            fields = await self.promoted(note.id for note in forgotten)
            profile = Profile.of(blanked((await self.profile()).dump(), fields))
            at, _ = await self._counters()
            seq = at["seq"] + 1
            step = replace(step, name=step.name or f"forget:{seq}")
            others = [note for note in every if note not in forgotten]
            staying = await self._kept_texts(others, profile)
            make = partial(make_erasure, key=key, seq=seq, at=self._clock(), kept=staying)
            erasures = [make(forgotten, name=self.entry_id(f"erasure:{step.name}"), words=words)]
            ids, texts = {note.id for note in forgotten}, {note.text for note in forgotten}
            earlier = {note.text: note for note in journalled if note.id in ids and note.text not in texts}
            for number, note in enumerate(earlier.values(), start=1):
                erasures.append(make([note], name=self.entry_id(f"erasure:{step.name}:{number}")))
            eraser = Eraser(erasures, key)
            forgotten += [note for note in others if note.status != "active" and eraser.tells(note.text)]
            kept = [note.text for note in others if note.status == "active"]
            ids |= {note.id for note in forgotten}
            puts, reached = await erase(self.store, self.root, eraser, gone=ids, kept=kept, fields=fields)
            changes = [*map(gone, forgotten), *(changed(None, one) for one in erasures)]
            puts += [put_unreached(self.user_id, seq)] if self.root[0] == "users" else []
            puts.append(PutOp((*self.root, "meta"), "screened", None))  # it may have a digest of a forgotten text
            await self._write([replace(step, changes=tuple(changes))], at, puts)
            held_snapshots(self.store).pop(self.root, None)
        await scrub(self.store)
        return replace(reached, notes=tuple(forgotten))

    async def _journalled_notes(self) -> list[Note]:
        return [version.note for version in versions_in(await self.journal())]

    async def _kept_texts(self, notes: Sequence[Note], profile: Profile) -> list[str]:
        texts = [f"{note.text} {note.condition}" for note in notes if note.status == "active"]
        trips = [str(value) for trip in await self.trips() for value in trip.dump().values()]
        return [*texts, *trips, *map(str, profile.dump().values())]
