"""A user's memory without `await`: the methods of `OwnMemory`, run on the loop of a `SyncConcierge`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from anyio.from_thread import BlockingPortal

from app.api.user_memory import OwnMemory
from memory.control.delete_all import Cleared
from memory.control.edit import Until
from memory.control.forget import Forgotten
from memory.control.versions import Version
from memory.records.consent import Consent
from memory.records.episodes import Episode
from memory.records.journal import JournalEntry
from memory.records.notes import Note
from memory.records.profile import Profile
from memory.records.trips import Trip

if TYPE_CHECKING:
    from memory.transfer.importing import ImportReport

P = ParamSpec("P")
T = TypeVar("T")


class SyncMemory:
    """An `OwnMemory` for code that has no event loop; see there for arguments and errors."""

    def __init__(self, memory: OwnMemory, portal: BlockingPortal) -> None:
        self._memory = memory
        self._portal = portal
        self.user_id = memory.user_id

    def _call(self, method: Callable[P, Coroutine[Any, Any, T]], *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = self._portal.call(partial(method, *args, **kwargs))
        return result

    def notes(self, *, include_inactive: bool = False) -> list[Note]:
        """Long-term notes, newest first."""
        return self._call(self._memory.notes, include_inactive=include_inactive)

    def note(self, note_id: str) -> Note:
        """One note by id, whatever its status."""
        return self._call(self._memory.note, note_id)

    def profile(self) -> Profile:
        """The profile."""
        return self._call(self._memory.profile)

    def trips(self) -> list[Trip]:
        """Trips, the latest start first."""
        return self._call(self._memory.trips)

    def episodes(self) -> list[Episode]:
        """Finished sessions, the latest first."""
        return self._call(self._memory.episodes)

    def journal(self) -> list[JournalEntry]:
        """Every entry, oldest first."""
        return self._call(self._memory.journal)

    def edit(
        self,
        note_id: str,
        *,
        text: str | None = None,
        topic: str | None = None,
        condition: str | None = None,
        keywords: Sequence[str] | None = None,
        scope: str | None = None,
        expires_at: Until | None = None,
        pinned: bool | None = None,
    ) -> Note:
        """Change a note in use."""
        return self._call(
            self._memory.edit, note_id, text=text, topic=topic, condition=condition, keywords=keywords, scope=scope,
            expires_at=expires_at, pinned=pinned,
        )  # fmt: skip

    def history(self, note_id: str) -> list[Version]:
        """Every version of a note and of those linked to it, oldest first."""
        return self._call(self._memory.history, note_id)

    def undo(self, entry_id: str | None = None) -> JournalEntry:
        """Take back one entry of the journal, the latest without an id."""
        return self._call(self._memory.undo, entry_id)

    def restore(self, note_id: str, seq: int | None = None) -> Note:
        """Put an earlier version, or a note no longer in use, back in use."""
        return self._call(self._memory.restore, note_id, seq)

    def retire(self, note_id: str) -> Note:
        """Take a note out of use at once, so that it can come back."""
        return self._call(self._memory.retire, note_id)

    def forget(self, note_id: str) -> Forgotten:
        """Forget a note for good, every copy of it."""
        return self._call(self._memory.forget, note_id)

    def forget_mentions(self, words: str) -> Forgotten:
        """Forget what no note says."""
        return self._call(self._memory.forget_mentions, words)

    def consent(self) -> Consent:
        """What the user lets memory do."""
        return self._call(self._memory.consent)

    def pause(self) -> Consent:
        """Learn nothing from any conversation until `resume`."""
        return self._call(self._memory.pause)

    def resume(self) -> Consent:
        """Learn again."""
        return self._call(self._memory.resume)

    def deny(self, *topics: str) -> Consent:
        """Neither keep nor use notes of these topics."""
        return self._call(self._memory.deny, *topics)

    def allow(self, *topics: str) -> Consent:
        """Keep and use notes of these topics again."""
        return self._call(self._memory.allow, *topics)

    def clear(self, confirm: str) -> Cleared:
        """Delete everything; `confirm` is the user id."""
        return self._call(self._memory.clear, confirm)

    def export(self) -> dict[str, Any]:
        """Everything that is kept, as plain JSON values."""
        return self._call(self._memory.export)

    def import_(self, data: object, *, overwrite: bool = False) -> ImportReport:
        """Merge an export into this memory, all or nothing."""
        return self._call(self._memory.import_, data, overwrite=overwrite)
