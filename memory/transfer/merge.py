"""An import in the making: what is given, what is here before it, and what will be written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from langgraph.store.base import PutOp

from memory.control.erased import Eraser
from memory.policy.refusals import Blocked
from memory.records.episodes import Episode
from memory.records.journal import Change, JournalEntry, Step
from memory.records.notes import Note, note_id
from memory.records.profile import Consent, Profile
from memory.records.reading import Namespace, read_under
from memory.records.repository import UserMemory
from memory.records.trips import Trip
from memory.transfer.export import Portable, key_id


@dataclass(slots=True)
class Merge:
    """What is given and what is here, with the writes so far.

    Attributes:
        written: The number of the latest entry here, behind which new ones come.
        kept: The trips and episodes that are here, by id.
        here: What was forgotten here.
        there: What the export says was forgotten, where it is hashed under the key that is here.
        archived: The labels of threads and the keys of turns that are here.
        silent: Ids of the notes of which nothing may be told: they were forgotten here, or are refused.
        confirmed: The steps of notes here that are said in the export, too.
    """

    given: Portable
    overwrite: bool
    root: Namespace
    written: int
    notes: Sequence[Note]
    profile: Profile | None
    consent: Consent | None
    kept: Mapping[str, Trip | Episode]
    journal: Sequence[JournalEntry]
    here: Eraser
    there: Eraser
    archived: Collection[tuple[str, str]]
    silent: set[str]
    changes: list[Change] = field(default_factory=list)
    confirmed: list[Step] = field(default_factory=list)
    puts: list[PutOp] = field(default_factory=list)
    blocked: list[Blocked] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @classmethod
    async def of(cls, memory: UserMemory, given: Portable, *, overwrite: bool) -> Merge:
        """Read what is here; `written` first, so that a change meanwhile is noticed when it is written against."""
        written, key, journal = await memory.written(), await memory.kept_hash_key(), await memory.journal()
        archived = await read_under(memory.store, (*memory.root, "archive"))
        gone = [change for entry in journal if entry.action == "forgotten" for change in entry.changes]
        return cls(
            given=given,
            overwrite=overwrite,
            root=memory.root,
            written=written,
            notes=await memory.notes(include_inactive=True),
            profile=await memory.kept_profile(),
            consent=await memory.kept_consent(),
            kept={one.id: one for found in (await memory.trips(), await memory.episodes()) for one in found},
            journal=journal,
            here=Eraser(await memory.erasures(), key or b""),
            there=Eraser(given.erasures if key and given.hash_key_id == key_id(key) else (), key or b""),
            archived={(item.namespace[-1], item.key) for item in archived},
            silent={change.key for change in gone if change.kind == "note"},
        )

    def has_step(self, name: str) -> bool:
        """Return whether the step of this name was written here."""
        return any(entry.id == note_id("journal", *self.root, name) for entry in self.journal)
