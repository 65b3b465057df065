"""Collects the writes of an import: its notes first, then its journal, archived turns and erasures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from langchain_core.messages import message_to_dict
from langgraph.store.base import PutOp

from config.errors import InvalidInputError
from memory.claims import meanings
from memory.consolidation.plan import by_age
from memory.control.edit import as_candidate
from memory.control.erased import Eraser
from memory.control.forget import erased_entry, erased_evidence, erased_message
from memory.policy import Gate, Heard, judge, screen
from memory.policy.redact import Masking, redact
from memory.policy.refusals import Blocked, refused
from memory.records.journal import Change, JournalEntry, Step, changed
from memory.records.notes import Kind, Note, note_id
from memory.records.reading import MAX_USER_ID, Namespace, check_id, encode_label
from memory.records.repository import UserMemory
from memory.selection import Limits, least_useful_first
from memory.transfer.export import Portable, portable


@dataclass(slots=True)
class Merge:
    """The `given` export, the memory's `own` records, and the writes collected so far.

    `written` is the number of the latest own journal entry. `here` finds the statements that were forgotten in this
    memory, `there` those of the export, if they are hashed under the same key. `silent` are the ids of notes whose
    content must not be written anywhere, because they were forgotten here or refused.
    """

    given: Portable
    own: Portable
    overwrite: bool
    root: Namespace
    written: int
    here: Eraser
    there: Eraser
    silent: set[str]
    changes: list[Change] = field(default_factory=list)
    confirmed: list[Step] = field(default_factory=list)
    puts: list[PutOp] = field(default_factory=list)
    blocked: list[Blocked] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @classmethod
    async def of(cls, memory: UserMemory, given: Portable, *, overwrite: bool, now: datetime) -> Merge:
        """Read the memory: `written` first, so that the commit fails if anything changes meanwhile."""
        written, own, key = await memory.written(), await portable(memory, now=now), await memory.kept_hash_key()
        theirs = given.erasures if key and given.hash_key_id == own.hash_key_id else ()
        forgotten = [change for entry in own.journal if entry.action == "forgotten" for change in entry.changes]
        silent = {change.key for change in forgotten if change.kind == "note"}
        here, there = Eraser(own.erasures, key or b""), Eraser(theirs, key or b"")
        return cls(given, own, overwrite, memory.root, written, here, there, silent)


def merge_notes(merge: Merge, gate: Gate, *, now: datetime, limits: Limits) -> None:
    """Add, update, confirm or refuse each note of the export. New notes over the limit, the least useful, are refused.

    `limits` applies to live notes, and separately to notes out of use.
    """
    own, journalled = by_age(merge.own.notes), {entry.id for entry in merge.own.journal}
    by_id = {note.id: note for note in own}
    live = {key: note for note in own if note.is_live(now) for key in meanings(note)}
    space = {is_live: limits.most - sum(note.is_live(now) is is_live for note in own) for is_live in (True, False)}
    merged, taken = dict[str, str](), set[str]()
    given = (*merge.given.notes, *(note for note in merge.given.session_notes if note.scope != "trip"))
    notes = [erased_evidence(note, merge.here) for note in given]
    for note in reversed(least_useful_first(notes, limits, now)):
        before = by_id.get(note.id)
        if before == note or (before and not merge.overwrite and note.last_update_date <= before.last_update_date):
            continue
        is_live = note.is_live(now)
        same = next((live[key] for key in meanings(note) if key in live), None) if is_live and not before else None
        grows = same is None and (before is None or before.is_live(now) is not is_live)
        if grows and space[is_live] <= 0:
            merge.counts["over_limit"] += 1
            merge.silent.add(note.id)
        elif code := _refusal(note, merge, gate, now):
            merge.blocked.append(Blocked("note", note.id, code))
            merge.silent.add(note.id)
        elif same is None:
            taken.add(note.id)
            space[is_live] -= grows
        else:
            merged[note.id] = same.id
            name = f"import:{note.id}:{same.id}"
            if note_id("journal", *merge.root, name) not in journalled:
                live |= dict.fromkeys(meanings(same), grown := _confirmed(same, note))
                merge.confirmed.append(Step(name, "user", "confirm", (changed(same, grown),), reason="import"))
    for note in (one for one in notes if one.id in taken):  # its links may be to notes that were merged into own ones
        by, supersedes = note.superseded_by, tuple(merged.get(key, key) for key in note.supersedes)
        after = note.model_copy(update={"superseded_by": merged.get(by or "", by), "supersedes": supersedes})
        merge.changes += [changed(by_id.get(note.id), after)] if after != by_id.get(note.id) else []
    new = sum(change.before is None for change in merge.changes)
    merge.counts.update(notes=new, updated=len(merge.changes) - new, confirmed=len(merge.confirmed))


def _refusal(note: Note, merge: Merge, gate: Gate, now: datetime) -> str | None:
    is_revealing = note.status != "active" and merge.here.tells(note.text)
    if is_revealing or note.id in merge.silent or merge.here.repeats(note.text) or merge.there.repeats(note.text):
        return "consent_denied"
    # The conversation it comes from is not here, so the note's own text serves as its evidence.
    code = judge(as_candidate(note), gate, heard=[Heard(note.text)], now=now, key=b"import").code
    return code or refused("note", note.dump())


def _confirmed(same: Note, note: Note) -> Note:
    never = same.expires_at is None or note.expires_at is None
    return same.heard_again(
        note,
        confirmations=same.confirmations + 1,
        last_update_date=max(same.last_update_date, note.last_update_date),
        hard=same.hard or note.hard,
        pinned=same.pinned or note.pinned,
        expires_at=None if never else max(filter(None, [same.expires_at, note.expires_at])),
    )


def merge_log(merge: Merge) -> int:
    """Add the new entries, archived turns and erasures of the export, and return the number of the last entry.

    Statements that were forgotten here, and the content of `silent` notes, are erased from them.
    """
    entries, keeps_numbers = _entries(merge)
    after = max([merge.written, *(entry.seq for entry in entries)])
    kept = {note.text for note in merge.own.notes}
    values = [_redacted(one, merge, kept).dump() for one in entries]
    journal = [PutOp((*merge.root, "journal"), one["id"], one, index=False) for one in values]
    active = [note.text for note in merge.own.notes if note.status == "active"]
    skipped = {one.id for one in (*merge.here.erasures, *merge.there.repeats(*active))}  # present, or noted again here
    new = [one for one in merge.there.erasures if one.id not in skipped]
    seq = {} if keeps_numbers else {"seq": after + 1}
    erasures = [PutOp((*merge.root, "erasures"), one.id, {**one.dump(), **seq}, index=False) for one in new]
    turns = _turns(merge)
    meta = [PutOp((*merge.root, "meta"), "archive", {"imported": after + 1}, index=False)] if turns else []
    merge.puts += [*journal, *erasures, *turns, *meta]
    merge.counts.update(journal=len(journal), turns=len(turns), erasures=len(erasures))
    return after


def _entries(merge: Merge) -> tuple[list[JournalEntry], bool]:
    """Return the new entries, and whether they keep their numbers or are renumbered after the latest own entry."""
    here = {entry.id: entry for entry in merge.own.journal}
    given = sorted(merge.given.journal, key=lambda entry: entry.seq)
    names = {entry.id: entry.id for entry in given}
    for entry in given:
        same = here.get(entry.id)
        if same and (same.at, same.action) != (entry.at, entry.action):  # another entry: ids are unique in one memory
            names[entry.id] = note_id("imported", entry.id, entry.at.isoformat(), entry.action)
    new = [entry for entry in given if names[entry.id] not in here]
    free = {entry.seq for entry in new} - {entry.seq for entry in merge.own.journal}
    keep = bool(new) and len(free) == len(new)
    return [
        entry.model_copy(
            update={
                "id": names[entry.id],
                "seq": entry.seq if keep else merge.written + number,
                "undoes": names.get(entry.undoes, entry.undoes) if entry.undoes else None,
            }
        )
        for number, entry in enumerate(new, start=1)
    ], keep


def _redacted(entry: JournalEntry, merge: Merge, kept: Collection[str]) -> JournalEntry:
    def is_refused(kind: Kind, value: Mapping[str, Any]) -> bool:
        return bool(refused(kind, value)) or (kind == "profile" and merge.here.erased_value(value) != value)

    changes = [one for one in entry.changes if one.key not in merge.silent]  # skipped, as screening takes milliseconds
    sides = [(one, value) for one in changes for value in (one.before, one.after) if value]
    refusals = {one.key for one, value in sides if is_refused(one.kind, value)}
    erased = erased_entry(entry, merge.here, merge.silent | refusals, kept)
    return erased.model_copy(update={"reason": "" if screen(erased.reason) else erased.reason})


def _turns(merge: Merge) -> list[PutOp]:
    archived, puts = {(thread.thread_id, turn.key) for thread in merge.own.archive for turn in thread.turns}, []
    for thread in merge.given.archive:
        try:
            check_id(thread.thread_id)
        except InvalidInputError:
            merge.blocked.append(Blocked("thread", repr(thread.thread_id[:MAX_USER_ID]), "invalid_id"))
            continue
        label = encode_label(thread.thread_id)
        for turn in thread.turns:
            if (thread.thread_id, turn.key) in archived:
                continue
            masking = Masking()
            messages = [masking.masked(message_to_dict(erased_message(one, merge.here))) for one in turn.messages]
            # The file is not trusted to say who wrote a message, so messages of the concierge are masked as well.
            for data in (one["data"] for one in messages if one["type"] == "ai"):
                data["content"] = redact(data["content"]) if isinstance(data["content"], str) else data["content"]
            value = {"turn": turn.turn, "private": turn.private, "messages": messages}
            puts.append(PutOp((*merge.root, "archive", label), turn.key, value, index=False))
    return puts
