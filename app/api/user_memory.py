"""The memory of one user for its owner, including the conversations it was learnt from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from memory.control import reported
from memory.control import undo as undoing
from memory.control.delete_all import Cleared, OpenBookings
from memory.control.edit import Edit
from memory.control.forget import Forgotten, scrub, set_reached, unreached_number
from memory.control.reported import Report
from memory.records.conversations import conversations_of
from memory.records.notes import Note
from memory.records.profile import Consent, Profile
from memory.records.repository import UserMemory
from memory.schema import Schema
from memory.selection import Limits

if TYPE_CHECKING:
    from app.api.threads import Threads
    from memory.transfer.importing import ImportReport
    from nodes.services import Services


@checked
class OwnMemory(UserMemory):
    """Everything that is stored about one user; see `Concierge.memory`.

    Every change is one journal entry and is atomic. A pause stops learning from conversations, but not changes that the
    user makes directly.
    """

    def __init__(self, store: BaseStore, user_id: str, *, threads: Threads, services: Services) -> None:
        super().__init__(store, user_id, clock=services.clock)
        self._threads = threads
        self._settings = services.settings
        # Workspace notes are changed in the memory of the workspace.
        self._gate = replace(services.gate, scopes=services.gate.scopes - {"workspace"})

    note = UserMemory.note
    mentions = UserMemory.mentions
    search = UserMemory.search
    set_profile = UserMemory.set_profile
    add_trip = UserMemory.add_trip
    retire = editing.retire
    history = undoing.history
    undo = undoing.undo
    set_aside = reported.set_aside

    async def edit(self, note_id: str, *, thread_id: str = "", **changes: Unpack[Edit]) -> Note:
        """Change a note in use, or a staged note of the conversation `thread_id`; see `memory.control.edit.Edit`.

        Raises:
            NotFoundError: there is no such note.
            ConflictError: a run of `thread_id` waits for a decision; resume it first.
            InvalidInputError: the edit is malformed, or the policy refuses it (with its code); nothing changed.
        """
        now = self._clock()

        async def revise(note: Note) -> Note:
            return await editing.edit_staged(self, note, changes, gate=self._gate, now=now)

        staged = None
        if thread_id:
            staged = await self._threads.edit_staged(note_id, revise, user_id=self.user_id, thread_id=thread_id)
        return staged or await editing.edit(self, note_id, changes, gate=self._gate, now=now)

    async def edit_profile(self, fields: Mapping[str, object]) -> Profile:
        """Set fields of the profile; see `memory.control.edit.edit_profile`."""
        return await editing.edit_profile(self, fields, self.schema)

    @property
    def schema(self) -> Schema:
        """Return the schema of notes: topics, attributes and conditions."""
        return self._gate.schema

    async def conflicts(self) -> list[tuple[Note, Note]]:
        """Return the pairs of notes in use that contradict each other, each with the older note first."""
        notes = sorted(await self.notes(), key=lambda note: (note.last_update_date, note.created_at))
        return conflicting(notes, self.schema)

    async def restore(self, note_id: str, seq: int | None = None) -> Note:
        """Restore an earlier version of a note, or a note that is no longer in use; its replacement is superseded.

        `seq` is the number of a version in `history`; None selects the latest version that differs.

        Raises:
            NotFoundError: there is no such note.
            InvalidInputError: there is no such version or nothing to restore, or the policy refuses it.
        """
        return await undoing.restore(self, note_id, seq, gate=self._gate, now=self._clock())

    async def report(self, report: Report) -> Note:
        """Save a user statement reported by another program; see `memory.control.reported.keep` for errors."""
        return await reported.keep(self, report, gate=self._gate, most=self._settings.max_notes, now=self._clock())

    async def topics(self) -> frozenset[str]:
        """Return the topics that both this deployment and the user allow."""
        return self._gate.topics - frozenset((await self.consent()).denied)

    async def change_consent(
        self, *, paused: bool | None = None, deny: Sequence[str] = (), allow: Sequence[str] = ()
    ) -> Consent:
        """Pause or resume learning, deny and allow topics, all in one step; see `deny` and `allow`.

        Raises:
            InvalidInputError: a topic does not exist, or is both denied and allowed; nothing is changed.
        """
        if both := sorted({*deny} & {*allow}):
            raise InvalidInputError(f"{both[0]} is both denied and allowed. Say one of the two.")
        denied, allowed = _checked_topics(deny, self._gate.schema), _checked_topics(allow, self._gate.schema)
        return await super().change_consent(paused=paused, deny=denied, allow=allowed)

    async def pause(self) -> Consent:
        """Stop learning from all conversations until `resume`; stored notes are still used."""
        return await self.change_consent(paused=True)

    async def resume(self) -> Consent:
        """Start learning from conversations again."""
        return await self.change_consent(paused=False)

    async def deny(self, *topics: str) -> Consent:
        """Neither save nor use notes of these topics; existing ones stay unused until allowed or forgotten.

        Raises:
            InvalidInputError: there is no such topic.
        """
        return await self.change_consent(deny=topics)

    async def allow(self, *topics: str) -> Consent:
        """Save and use notes of these topics again. Raises InvalidInputError if there is no such topic."""
        return await self.change_consent(allow=topics)

    async def clear(self, confirm: str, *, bookings: OpenBookings | None = None) -> Cleared:
        """Delete everything: notes, profile, trips, episodes, journal, archive, consent, and all conversations.

        Notes in workspaces stay. One journal entry remains, which records when this was done.

        Args:
            confirm: The user id, typed by the user to confirm.
            bookings: What to do with open bookings: `keep` keeps them with their trips, `delete` deletes their local
                records; neither cancels them.

        Raises:
            InvalidInputError: `confirm` is not the user id; nothing is deleted.
            ConflictError: there are open bookings, named in the message, and `bookings` is None.
        """

        async def delete(thread_id: str) -> None:
            with suppress(NotFoundError, AccessDeniedError):  # an import may refer to conversations of other users
                await self._threads.clear_thread(user_id=self.user_id, thread_id=thread_id)

        return await clearing.clear(self, confirm, conversation=delete, bookings=bookings)

    async def export(self) -> dict[str, Any]:
        """Return everything that is stored, current conversations included, as JSON values.

        The format is `memory.transfer.export.Portable`, without the key of the hashes in it.
        """
        from memory.transfer.export import export

        return await export(self, await self._threads.running(self.user_id), now=self._clock())

    async def import_(self, data: object, *, overwrite: bool = False) -> ImportReport:
        """Merge an export into this memory, all or nothing; importing the same export again adds nothing.

        Of two versions of a note, the one updated last is kept and the other goes to the journal; a note with the
        content of an existing one confirms it. Existing profile fields, trips, episodes, turns and consent are kept.
        Forgotten content is not restored, and nothing is booked again. The least useful notes beyond
        `CONCIERGE_MAX_NOTES` are not imported; `ImportReport.over_limit` counts them.

        Args:
            data: The result of `export`, of this user or another.
            overwrite: Prefer the imported record where both sides have one.

        Raises:
            InvalidInputError: the data is not an export, has an unknown version, is incomplete or too large.
            StorageError: writing failed; nothing was written.
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

        Called again for a note that is gone, it finishes an erasure that an error or a crash interrupted.
        """
        try:
            return await super().forget(key)
        except NotFoundError:
            if not await unreached_number(self.store, self.user_id):
                raise
            return await self.finish_forgetting()

    async def finish_forgetting(self) -> Forgotten:
        """Erase forgotten content from the conversations that an interrupted erasure did not reach."""
        await scrub(self.store)
        return await self.erase_from_threads(Forgotten())

    async def forget_note(self, note: Note, *, thread_id: str = "", name: str = "") -> Forgotten:
        """Forget a staged or long-term note, in the long-term memory and in every conversation; see `forget`."""
        return await self.erase_from_threads(await super().forget_note(note, thread_id=thread_id, name=name))

    async def forget_mentions(self, words: str, *, thread_id: str = "", name: str = "") -> Forgotten:
        """Erase mentions of `words`, which no note contains, from episodes, archived turns and every conversation."""
        return await self.erase_from_threads(await super().forget_mentions(words, thread_id=thread_id, name=name))

    async def erase_from_threads(self, report: Forgotten, *, without: Sequence[str] = ()) -> Forgotten:
        """Erase forgotten content from the user's conversations, except those in `without`; add them to the report."""
        number = await unreached_number(self.store, self.user_id)
        done: list[str] = []
        waiting: list[str] = []
        for thread_id in [one.thread_id for one in await conversations_of(self.store, self.user_id)]:
            if thread_id not in without:
                is_clean = await self._threads.erase_forgotten(self.user_id, thread_id)
                (done if is_clean else waiting).append(thread_id)
        if number and not waiting:
            async with self._locked():
                if await unreached_number(self.store, self.user_id) == number:  # nothing was forgotten meanwhile
                    await set_reached(self.store, self.user_id)
        return replace(report, threads=tuple(done), waiting=tuple(waiting))


def _checked_topics(topics: Sequence[str], schema: Schema) -> list[str]:
    if unknown := [topic for topic in topics if topic not in schema.topics]:
        raise InvalidInputError(f"There is no topic {unknown[0]!r}. The topics are: {', '.join(schema.topics)}.")
    return [topic for topic in schema.topics if topic in topics]
