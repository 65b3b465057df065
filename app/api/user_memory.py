"""Gives a user's memory to its owner, with a reach into the conversations it was learnt in."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from langgraph.store.base import BaseStore
from typing_extensions import Unpack

from config.arguments import checked
from config.errors import AccessDeniedError, InvalidInputError, NotFoundError
from memory.claims import conflicting
from memory.control import delete_all as clearing
from memory.control import edit as editing
from memory.control import reported, versions
from memory.control import undo as undoing
from memory.control.delete_all import Cleared, OpenBookings
from memory.control.edit import Edit
from memory.control.forget import Forgotten, scrub, set_reached, unreached_number
from memory.control.reported import Report
from memory.records.conversations import conversations_of
from memory.records.notes import Note
from memory.records.profile import Consent
from memory.records.repository import UserMemory
from memory.schema import Schema
from memory.selection import Limits

if TYPE_CHECKING:
    from app.api.threads import Threads
    from memory.transfer.importing import ImportReport
    from nodes.services import Services


@checked
class OwnMemory(UserMemory):
    """What is kept of one user, everywhere: `Concierge.memory` gives it.

    Every change is one entry of the journal, and either happens whole or not at all. A pause stops learning from
    conversations; what the user does by hand is done all the same.
    """

    def __init__(self, store: BaseStore, user_id: str, *, threads: Threads, services: Services) -> None:
        super().__init__(store, user_id, clock=services.clock)
        self._threads = threads
        self._settings = services.settings
        # A workspace's notes are changed in its own memory, not here.
        self._gate = replace(services.gate, scopes=services.gate.scopes - {"workspace"})

    search = UserMemory.search
    edit_profile = editing.edit_profile
    retire = editing.retire
    history = versions.history
    undo = undoing.undo
    set_aside = reported.set_aside

    async def edit(self, note_id: str, *, thread_id: str = "", **wanted: Unpack[Edit]) -> Note:
        """Change a note in use, or one of the running session of `thread_id`; see `memory.control.edit.Edit`.

        Raises:
            NotFoundError: there is no such note.
            ConflictError: `thread_id` waits for an answer; give it first.
            InvalidInputError: the edit is malformed, or the policy refuses it (its code is named); nothing changed.
        """
        now = self._clock()

        async def revise(note: Note) -> Note:
            return await editing.edit_staged(self, note, wanted, gate=self._gate, now=now)

        staged = None
        if thread_id:
            staged = await self._threads.edit_staged(note_id, revise, user_id=self.user_id, thread_id=thread_id)
        return staged or await editing.edit(self, note_id, wanted, gate=self._gate, now=now)

    @property
    def schema(self) -> Schema:
        """Return what may be remembered."""
        return self._gate.schema

    async def conflicts(self) -> list[tuple[Note, Note]]:
        """Return the pairs of notes in use that can't both hold, the older of each first."""
        notes = sorted(await self.notes(), key=lambda note: (note.last_update_date, note.created_at))
        return conflicting(notes, self.schema)

    async def restore(self, note_id: str, seq: int | None = None) -> Note:
        """Put an earlier version, or a note no longer in use, back in use; what replaced it steps back.

        `seq` is the number of a version, as `history` gives it; without it comes the last that says something else.

        Raises:
            NotFoundError: there is no such note.
            InvalidInputError: there is no such version, nothing to restore, or the policy refuses it.
        """
        return await versions.restore(self, note_id, seq, gate=self._gate, now=self._clock())

    async def report(self, report: Report) -> Note:
        """Keep what another program says that the user said; see `memory.control.reported.keep` for what it raises."""
        return await reported.keep(self, report, gate=self._gate, most=self._settings.max_notes, now=self._clock())

    async def topics(self) -> frozenset[str]:
        """Return the topics that this deployment and the user let memory use."""
        return self._gate.topics - frozenset((await self.consent()).denied)

    async def pause(self) -> Consent:
        """Learn nothing from any conversation until `resume`; what is known is still used."""
        return await self.change_consent(paused=True)

    async def resume(self) -> Consent:
        """Learn again."""
        return await self.change_consent(paused=False)

    async def deny(self, *topics: str) -> Consent:
        """Neither keep nor use notes of these topics; those there are stay unused until allowed or forgotten.

        Raises:
            InvalidInputError: there is no such topic.
        """
        return await self.change_topics(deny=topics)

    async def allow(self, *topics: str) -> Consent:
        """Keep and use notes of these topics again. Raises InvalidInputError."""
        return await self.change_topics(allow=topics)

    async def change_topics(self, *, deny: Sequence[str] = (), allow: Sequence[str] = ()) -> Consent:
        """Deny and allow topics in one step.

        Raises:
            InvalidInputError: one does not exist, or is both denied and allowed; nothing is changed.
        """
        if both := sorted({*deny} & {*allow}):
            raise InvalidInputError(f"{both[0]} is both denied and allowed. Say one of the two.")
        denied, allowed = _topics(deny, self._gate.schema), _topics(allow, self._gate.schema)
        return await self.change_consent(deny=denied, allow=allowed)

    async def clear(self, confirm: str, *, bookings: OpenBookings | None = None) -> Cleared:
        """Delete everything: notes, profile, trips, episodes, journal, archive, consent, and all conversations.

        What was shared in a workspace stays there. One entry of the journal remains, which says when.

        Args:
            confirm: The user id, typed by whoever asks for it.
            bookings: What becomes of open bookings: `keep` keeps them with their trips, `delete` deletes what is known
                of them here; neither cancels any.

        Raises:
            InvalidInputError: `confirm` is not the user id; nothing is deleted.
            ConflictError: bookings are open, which the message names, and nothing says what becomes of them.
        """

        async def delete(thread_id: str) -> None:
            with suppress(NotFoundError, AccessDeniedError):  # an import may name conversations of others
                await self._threads.clear_thread(user_id=self.user_id, thread_id=thread_id)

        return await clearing.clear(self, confirm, conversation=delete, bookings=bookings)

    async def export(self) -> dict[str, Any]:
        """Return everything that is kept, running conversations included, as plain JSON values.

        It is the document of `memory.transfer.export.Portable`, without the key of the hashes in it.
        """
        from memory.transfer.export import export

        return await export(self, await self._threads.running(self.user_id), now=self._clock())

    async def import_(self, data: object, *, overwrite: bool = False) -> ImportReport:
        """Merge an export into this memory, all or nothing; the same file again adds nothing.

        Of two versions of one note the one updated last is kept, and the other is in the journal; a note that another
        says already confirms it. Fields of the profile that are filled, trips, episodes, turns and consent that are
        here stay. What was forgotten here is not brought back, and nothing is booked again. Notes beyond
        `CONCIERGE_MAX_NOTES` are not taken, the least useful ones; `ImportReport.over_limit` counts them.

        Args:
            data: What `export` gave, of this user or another.
            overwrite: Take the file's word where both have a record.

        Raises:
            InvalidInputError: it is no export, of an unknown version, not whole, or too large.
            StorageError: it could not be written; nothing of it was.
        """
        from memory.transfer.importing import import_
        from travel.booking.record import Booking

        return await import_(
            self, data, gate=self._gate, now=self._clock(), overwrite=overwrite, booking=Booking,
            limits=Limits(self._settings.max_notes, self._settings.half_life_days),
            megabytes=self._settings.max_import_mb,
        )  # fmt: skip

    async def forget(self, key: str) -> Forgotten:
        """Forget a note for good, in the long-term memory and in every conversation; see `UserMemory.forget`.

        Asked again for a note that is gone, it finishes what a fault or a crash kept an act of forgetting from.
        """
        try:
            return await super().forget(key)
        except NotFoundError:
            if not await unreached_number(self.store, self.user_id):
                raise
            return await self.finish_forgetting()

    async def finish_forgetting(self) -> Forgotten:
        """Take what was forgotten out of every conversation that it has not been taken out of yet."""
        await scrub(self.store)
        return await self.reach(Forgotten())

    async def forget_note(self, note: Note, *, thread_id: str = "", name: str = "") -> Forgotten:
        """Forget a note, staged or kept, in the long-term memory and in every conversation; see `forget`."""
        return await self.reach(await super().forget_note(note, thread_id=thread_id, name=name))

    async def forget_mentions(self, words: str, *, thread_id: str = "", name: str = "") -> Forgotten:
        """Forget what no note says, in all that is kept and in every conversation."""
        return await self.reach(await super().forget_mentions(words, thread_id=thread_id, name=name))

    async def reach(self, gone: Forgotten, *, without: Sequence[str] = ()) -> Forgotten:
        """Take what was forgotten out of the user's conversations, except those named in `without`."""
        number = await unreached_number(self.store, self.user_id)
        threads = [one.thread_id for one in await conversations_of(self.store, self.user_id)]
        cleaned = {
            thread: await self._threads.clean(self.user_id, thread) for thread in threads if thread not in without
        }
        done = tuple(thread for thread, is_clean in cleaned.items() if is_clean)
        waiting = tuple(thread for thread in cleaned if thread not in done)
        if number and not waiting:
            async with self._locked():
                if await unreached_number(self.store, self.user_id) == number:  # nothing was forgotten meanwhile
                    await set_reached(self.store, self.user_id)
        return replace(gone, threads=done, waiting=waiting)


def _topics(given: Sequence[str], schema: Schema) -> list[str]:
    if unknown := [topic for topic in given if topic not in schema.topics]:
        raise InvalidInputError(f"There is no topic {unknown[0]!r}. The topics are: {', '.join(schema.topics)}.")
    return [topic for topic in schema.topics if topic in given]
