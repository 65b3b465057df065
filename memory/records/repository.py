"""Reads and changes a user's long-term memory: a typed repository over any LangGraph `BaseStore`.

Reads never change anything. Every change goes through `commit`, which writes the records, the journal entries and
the new revision in one batch, and writes a step of one name only once.
"""

from collections.abc import Collection, Iterable, Sequence
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
from memory.records.profile import Consent, Profile, blanked, moved_fields
from memory.records.reading import Snapshot, encode_label, held_snapshots, parse, read_under, salvaged, sound
from memory.records.transaction import Records
from memory.records.trips import Trip
from text.words import sentences

_MOST_HELD = 64
"""Memories of one store that are held; the one unused for longest goes first."""

Conflict = tuple[Note, Note]
Standing = Literal["to_ask", "left_open", "decided"]


class UserMemory(Records):
    """What is kept of one user, or shared in one workspace."""

    async def notes(self, *, include_inactive: bool = False) -> list[Note]:
        """Return global notes, newest first; expired and superseded ones only on request."""
        now = self._clock()
        live = [note for note in await self.kept(Note) if include_inactive or note.is_live(now)]
        return sorted(live, key=lambda note: (note.last_update_date, note.created_at, note.id), reverse=True)

    async def snapshot(self) -> Snapshot:
        """Return what this memory holds now: as it was read before where nothing changed since.

        The mark is read ahead of the rest. So what is held may be newer than its mark says, which costs another
        reading, and is never older.
        """
        mark, held = await self.mark(), held_snapshots(self.store)
        known = held.get(self.root)
        if known is None or known.mark != mark:
            erasures = tuple(await self.erasures())
            known = Snapshot(
                mark=mark,
                every=tuple(await self.notes(include_inactive=True)),
                profile=await self.profile(),
                trips=tuple(await self.trips()),
                consent=await self.consent(),
                erasures=erasures,
                key=await self.kept_hash_key() if erasures else None,
                screened=await self.kept_verdicts(),
                vectors=known.vectors if known else {},
            )
        held[self.root] = known
        held.move_to_end(self.root)
        while len(held) > _MOST_HELD:
            held.popitem(last=False)
        return known

    async def note(self, key: str) -> Note:
        """Return one note by id, whatever its status. Raises NotFoundError."""
        item = await self.store.aget((*self.root, "notes"), key)
        if item is None:
            raise NotFoundError(f"There is no note {key}. The list of notes shows the ids.")
        return parse(Note, item)

    async def search(self, query: str, *, limit: int = 6) -> list[tuple[Note, float | None]]:
        """Return live notes nearest in meaning to `query` with their scores, best first."""
        hits = await self.store.asearch((*self.root, "notes"), query=query, filter={"status": "active"}, limit=limit)
        now = self._clock()
        scores = {hit.key: hit.score for hit in hits}
        return [(note, scores.get(note.id)) for note in sound(Note, hits) if note.is_live(now)]

    async def profile(self) -> Profile:
        """Return the profile; an empty one where nothing is known."""
        item = await self.store.aget((*self.root, "profile"), "profile")
        return salvaged(Profile, item)[0] if item else Profile()

    async def promoted(self, notes: Iterable[str]) -> dict[str, Any]:
        """Return the fields of the profile that were ever filled from notes of these ids, with the values they got."""
        entries = [await self.entry_of(f"promote:{key}") for key in notes]
        filled = [change for entry in entries if entry for change in entry.changes if change.after]
        return {name: (one.after or {})[name] for one in filled for name in moved_fields(one.before, one.after)}

    async def demoted(self, notes: Iterable[str], profile: Profile | None = None) -> list[Change]:
        """Return the change that takes out of the profile what was promoted from notes of these ids, if any stands."""
        before = profile or await self.profile()
        after = Profile.model_validate(blanked(before.dump(), await self.promoted(notes)))
        return [changed(before, after)] if after != before else []

    async def lifted(self, *texts: str, actor: Actor = "user", thread_id: str = "") -> list[Step]:
        """Return the step that lets what was forgotten be kept again, because its owner says it again, if any was."""
        changes = tuple(map(gone, (await self.snapshot()).eraser().repeats(*texts)))
        return [Step("", actor, "lifted", changes, thread_id=thread_id)] if changes else []

    async def trips(self) -> list[Trip]:
        """Return trips, the latest start first."""
        return sorted(await self.kept(Trip), key=lambda trip: (trip.start, trip.id), reverse=True)

    async def episodes(self) -> list[Episode]:
        """Return finished sessions, the latest first."""
        return sorted(await self.kept(Episode), key=lambda one: (one.ended_at, one.id), reverse=True)

    async def consent(self) -> Consent:
        """Return what the user lets memory do; everything, until they say otherwise."""
        return await self.kept_consent() or Consent()

    async def kept_consent(self) -> Consent | None:
        """Return what the user said about it; None where they said nothing.

        Where what they said can't be read, memory is paused until they say it again.
        """
        item = await self.store.aget((*self.root, "consent"), "consent")
        if item is None:
            return None
        consent, is_whole = salvaged(Consent, item)
        return consent if is_whole else consent.model_copy(update={"paused": True})

    async def change_consent(
        self, *, paused: bool | None = None, deny: Collection[str] = (), allow: Collection[str] = ()
    ) -> Consent:
        """Pause or resume, deny topics and allow others; two changes at once both take effect."""
        async with self._locked():
            before = await self.consent()
            denied = tuple(topic for topic in dict.fromkeys((*before.denied, *deny)) if topic not in allow)
            after = Consent(paused=before.paused if paused is None else paused, denied=denied)
            if after != before:
                at, _ = await self._counters()
                await self._write([Step("", "user", "consent", (changed(before, after),))], at)
        return after

    async def erasures(self) -> list[Erasure]:
        """Return every act of forgetting, as hashes, oldest first."""
        return sorted(await self.kept(Erasure), key=lambda one: (one.seq, one.id))

    async def withhold(self, thread_id: str, *texts: str, release: Sequence[Erasure] = ()) -> None:
        """Keep hashes of sentences of a conversation that are in no note, episode or archived turn of it."""
        key = await self.hash_key()
        told = [part for text in texts for part in sentences(text)]
        make = partial(make_erasure, (), key=key, seq=0, at=self._clock())
        made = [make(name=fingerprint(one, key), kept=[one], words=one) for one in told]
        room = (*self.root, "withheld", encode_label(thread_id))
        puts = [PutOp(room, one.id, one.dump(), index=False) for one in made if one.words]
        await self.store.abatch([*puts, *(PutOp(room, one.id, None) for one in release)])

    async def withheld(self, thread_id: str) -> Eraser:
        """Return what takes out of the texts of a conversation what is withheld of it."""
        found = sound(Erasure, await read_under(self.store, (*self.root, "withheld", encode_label(thread_id))))
        return Eraser(found, await self.hash_key() if found else b"", whole=True)

    async def set_profile(self, profile: Profile, *, step: str) -> bool:
        """Replace the profile; False when this step was written before."""
        change = changed(await self.profile(), profile)
        return await self.commit([Step(step, "system", "profile_set", (change,))])

    async def add_trip(self, trip: Trip) -> bool:
        """Add a trip once."""
        return await self.commit([Step(f"trip:{trip.id}", "system", "trip_added", (changed(None, trip),))])

    async def forget_note(self, note: Note, *, thread_id: str = "", name: str = "") -> Forgotten:
        """Like `forget`, for a note that need not be kept here: one that is only staged, or shared in a workspace."""
        return await self._forget(note, "", Step(name, "user", "forgotten", thread_id=thread_id))

    async def forget(self, key: str) -> Forgotten:
        """Delete a note for good: its versions, what says the same, and every telling of it that is kept of the user.

        A keyed hash of its words stays, so that it is not learnt again from them.

        Raises:
            NotFoundError: there is no such note, nor was there one.
        """
        past = [note for note in await self._told() if note.id == key]
        item = await self.store.aget((*self.root, "notes"), key)
        note = past[-1] if past and item is None else await self.note(key)
        return await self.forget_note(note)

    async def mentions(self, words: str, here: Sequence[str] = ()) -> int:
        """Return how many archived turns, episodes and messages `here` tell of `words`, and would change without."""
        key = await self.hash_key()
        kept = await self._kept_texts(await self.notes(), await self.profile())
        erasure = make_erasure([], name="", key=key, seq=0, at=self._clock(), kept=kept, words=words)
        eraser = Eraser([erasure], key)
        _, found = await erase(self.store, self.root, eraser)
        return found.turns + found.episodes + sum(map(eraser.tells, here))

    async def forget_mentions(self, words: str, *, thread_id: str = "", name: str = "") -> Forgotten:
        """Take out of episodes and archived turns what tells of `words`, where no note does."""
        return await self._forget(None, words, Step(name, "user", "forgotten", thread_id=thread_id))

    async def record_use(self, usage: Usage, *, name: str, thread_id: str = "", also: Sequence[PutOp] = ()) -> None:
        """Write down what a turn was shown and used, and `also`; of the notes, those kept here are used now."""
        async with self._locked():
            now, (at, is_written) = self._clock(), await self._counters(name)
            if is_written:
                return
            asked = [GetOp((*self.root, "notes"), key) for key in usage.used]
            items: list[Any] = await self.store.abatch(asked) if asked else []
            notes = sound(Note, filter(None, items))
            touched = [self._put(changed(None, note.model_copy(update={"last_used_at": now}))) for note in notes]
            at["used"] += any(note.last_used_at is None or note.last_used_at.date() != now.date() for note in notes)
            await self._write([Step(name, "agent", USED, thread_id=thread_id, usage=usage)], at, [*touched, *also])

    async def note_asked(self, conflict: Conflict, session_id: str) -> None:
        """Record that this session asked which of two notes holds: a keyed hash of them, without their words."""
        key, confirmed = await self._question(conflict)
        value = {"session_id": session_id, "confirmed": confirmed}
        await self.store.aput((*self.root, "asked"), key, value, index=False)

    async def standing(self, conflict: Conflict, session_id: str) -> Standing:
        """Tell whether the question is to be asked in this session, was left open in an earlier one, or answered since.

        An answer repeats one of the notes: where the other can't be replaced, as a workspace's, both stay all the same.
        """
        key, confirmed = await self._question(conflict)
        item = await self.store.aget((*self.root, "asked"), key)
        if item is None or item.value.get("session_id") == session_id:
            return "to_ask"
        return "left_open" if item.value.get("confirmed") == confirmed else "decided"

    async def _question(self, conflict: Conflict) -> tuple[str, dict[str, int]]:
        said = sorted(f"{note.id} {note.text} {note.condition}" for note in conflict)
        key = fingerprint("\n".join(said), await self.hash_key())
        return key, {note.id: note.confirmations for note in conflict}

    async def _forget(self, note: Note | None, words: str, step: Step) -> Forgotten:
        key = await self.hash_key()
        async with self._locked():
            told = await self._told()
            every = with_past(await self.notes(include_inactive=True), told)
            going = versions(note, every) if note else []
            fields = await self.promoted(note.id for note in going)
            profile = Profile.model_validate(blanked((await self.profile()).dump(), fields))
            at, _ = await self._counters()
            seq = at["seq"] + 1
            step = replace(step, name=step.name or f"forget:{seq}")
            others = [note for note in every if note not in going]
            staying = await self._kept_texts(others, profile)
            about = partial(make_erasure, key=key, seq=seq, at=self._clock(), kept=staying)
            erasures = [about(going, name=self.entry_id(f"erasure:{step.name}"), words=words)]
            ids, texts = {note.id for note in going}, {note.text for note in going}
            earlier = {note.text: note for note in told if note.id in ids and note.text not in texts}
            for number, note in enumerate(earlier.values(), start=1):
                erasures.append(about([note], name=self.entry_id(f"erasure:{step.name}:{number}")))
            eraser = Eraser(erasures, key)
            going += [note for note in others if note.status != "active" and eraser.tells(note.text)]
            kept = [note.text for note in others if note.status == "active"]
            ids |= {note.id for note in going}
            puts, reached = await erase(self.store, self.root, eraser, gone=ids, kept=kept, fields=fields)
            changes = [*map(gone, going), *(changed(None, one) for one in erasures)]
            puts += [put_unreached(self.user_id, seq)] if self.root[0] == "users" else []
            puts.append(PutOp((*self.root, "meta"), "screened", None))  # no digest of what was forgotten stays
            await self._write([replace(step, changes=tuple(changes))], at, puts)
            held_snapshots(self.store).pop(self.root, None)
        await scrub(self.store)
        return replace(reached, notes=tuple(going))

    async def _told(self) -> list[Note]:
        return [version.note for version in versions_in(await self.journal())]

    async def _kept_texts(self, notes: Sequence[Note], profile: Profile) -> list[str]:
        told = [f"{note.text} {note.condition or ''}" for note in notes if note.status == "active"]
        trips = [str(value) for trip in await self.trips() for value in trip.dump().values()]
        return [*told, *trips, *map(str, profile.dump().values())]
