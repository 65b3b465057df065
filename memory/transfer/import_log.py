"""What an export brings besides records: its journal, archived turns, and the hashes of what was forgotten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from langchain_core.messages import message_to_dict
from langgraph.store.base import PutOp

from memory.control.erased import Eraser, Erasure
from memory.control.forget import erased_message
from memory.policy import screen
from memory.policy.redact import Masking, redact
from memory.policy.refusals import refused
from memory.records.journal import Change, JournalEntry, Kind
from memory.records.notes import Note, note_id
from memory.records.reading import Namespace, encode_label, read_under
from memory.records.repository import UserMemory
from memory.transfer.export import Portable, key_id


@dataclass(frozen=True, slots=True)
class Known:
    """What is here before an import. `records` are profile, trips, episodes and consent, by kind and key."""

    root: Namespace
    written: int
    notes: Sequence[Note]
    records: Mapping[Kind, Mapping[str, dict[str, Any]]]
    journal: Sequence[JournalEntry]
    erasures: Sequence[Erasure]
    key: bytes | None
    archived: Collection[tuple[str, str]]

    @classmethod
    async def of(cls, memory: UserMemory) -> Known:
        """Read it all; `written` first, so that a change meanwhile is noticed when it is written against."""
        written = await memory.written()
        single: dict[Kind, Mapping[str, dict[str, Any]]] = {}
        kinds: tuple[Literal["profile", "consent"], ...] = ("profile", "consent")
        for kind in kinds:
            found = await memory.single(kind)
            single[kind] = {kind: found} if found is not None else {}
        archived = await read_under(memory.store, (*memory.root, "archive"))
        return cls(
            root=memory.root,
            written=written,
            notes=await memory.notes(include_inactive=True),
            records={
                **single,
                "trip": {trip.id: trip.dump() for trip in await memory.trips()},
                "episode": {one.id: one.dump() for one in await memory.episodes()},
            },
            journal=await memory.journal(),
            erasures=await memory.erasures(),
            key=await memory.kept_hash_key(),
            archived={(item.namespace[-1], item.key) for item in archived},
        )

    @property
    def forgotten(self) -> frozenset[str]:
        """Return the ids of the notes that were forgotten here."""
        gone = [entry for entry in self.journal if entry.action == "forgotten"]
        return frozenset(change.key for entry in gone for change in entry.changes if change.kind == "note")

    def has_step(self, name: str) -> bool:
        """Return whether the step of this name was written."""
        key = note_id("journal", *self.root, name)
        return any(entry.id == key for entry in self.journal)


@dataclass(frozen=True, slots=True)
class Log:
    """The writes, how many of each there are by kind, and the number behind which this import's own entries come."""

    puts: Sequence[PutOp]
    counts: Counter[str]
    after_seq: int


def erased_there(given: Portable, known: Known) -> Eraser:
    """Return what the export says was forgotten, where it is hashed under the key that is here."""
    same = known.key is not None and given.hash_key_id == key_id(known.key)
    return Eraser(given.erasures if same else (), known.key or b"")


def merged_log(given: Portable, known: Known, here: Eraser, *, refused: Collection[str]) -> Log:
    """Return what of the export's journal, archive and erasures is new here.

    Args:
        given: The export.
        known: What is here.
        here: What was forgotten here: it is taken out of what comes.
        refused: Ids of the notes that were refused, of which nothing may be told.
    """
    entries, numbered = _entries(given, known)
    after = max([known.written, *(entry.seq for entry in entries)])
    silent = frozenset({*refused, *known.forgotten})
    told = [_told(entry, known, here, silent) for entry in entries]
    journal = [PutOp((*known.root, "journal"), entry.id, entry.dump(), index=False) for entry in told]
    erasures = _erasures(given, known, seq=None if numbered else after + 1)
    turns = _turns(given, known, here)
    meta = [PutOp((*known.root, "meta"), "archive", {"imported": after + 1}, index=False)] if turns else []
    counts = Counter(journal=len(journal), turns=len(turns), erasures=len(erasures))
    return Log([*journal, *erasures, *turns, *meta], counts, after)


def _entries(given: Portable, known: Known) -> tuple[list[JournalEntry], bool]:
    """Return the entries that are new here, and whether they keep their numbers or are counted behind the latest."""
    here = {entry.id: entry for entry in known.journal}
    names: dict[str, str] = {}
    new: list[JournalEntry] = []
    for entry in sorted(given.journal, key=lambda entry: entry.seq):
        names[entry.id] = _name(entry.id, entry.at, entry.action, here)
        if names[entry.id] not in here:
            new.append(entry)
    taken = {entry.seq for entry in known.journal}
    keep = bool(new) and not any(one.seq in taken for one in new) and len({one.seq for one in new}) == len(new)
    return [
        entry.model_copy(
            update={
                "id": names[entry.id],
                "seq": entry.seq if keep else known.written + number,
                "undoes": names.get(entry.undoes, entry.undoes) if entry.undoes else None,
            }
        )
        for number, entry in enumerate(new, start=1)
    ], keep


def _name(id_: str, at: datetime, action: str, here: Mapping[str, JournalEntry]) -> str:
    """Return the entry's own id, or another where a different entry has it: ids count within one memory."""
    same = here.get(id_)
    if same is None or (same.at, same.action) == (at, action):
        return id_
    return note_id("imported", id_, at.isoformat(), action)


def _told(entry: JournalEntry, known: Known, here: Eraser, silent: Collection[str]) -> JournalEntry:
    """Return the entry without refused notes, what was forgotten here, and what policy refuses."""
    gone = [c.key for c in entry.changes if c.key in silent or _is_unspeakable(c, known, here)]
    reason = "" if screen(entry.reason) else here.erased(entry.reason)
    return (entry.without_text(*gone) if gone else entry).model_copy(update={"reason": "" if gone else reason})


def _is_unspeakable(change: Change, known: Known, here: Eraser) -> bool:
    for value in filter(None, [change.before, change.after]):
        if refused(change.kind, value):
            return True
        if change.kind == "note" and here.tells(value["text"]) and all(n.text != value["text"] for n in known.notes):
            return True
        if change.kind in ("episode", "profile") and here.erased_value(value) != value:
            return True
    return False


def _erasures(given: Portable, known: Known, *, seq: int | None) -> list[PutOp]:
    """Return what was forgotten before, under the key that is here, and not said again since."""
    here = {one.id for one in known.erasures}
    there = erased_there(given, known)
    said = {one.id for note in known.notes if note.status == "active" for one in there.repeats(note.text)}
    return [
        PutOp((*known.root, "erasures"), one.id, {**one.dump(), "seq": seq or one.seq}, index=False)
        for one in there.erasures
        if one.id not in here and one.id not in said
    ]


def _turns(given: Portable, known: Known, here: Eraser) -> list[PutOp]:
    puts = []
    for thread in given.archive:
        label = encode_label(thread.thread_id)
        for turn in thread.turns:
            if (label, turn.key) in known.archived:
                continue
            masking = Masking()
            messages = [masking.masked(message_to_dict(erased_message(one, here))) for one in turn.messages]
            # Who wrote a message is the word of the file: what it has the concierge say is masked as well.
            messages = [_redacted(one) if one["type"] == "ai" else one for one in messages]
            value = {"turn": turn.turn, "private": turn.private, "messages": messages}
            puts.append(PutOp((*known.root, "archive", label), turn.key, value, index=False))
    return puts


def _redacted(message: Mapping[str, Any]) -> Mapping[str, Any]:
    content = message["data"]["content"]
    if not isinstance(content, str):
        return message
    return {**message, "data": {**message["data"], "content": redact(content).text}}
