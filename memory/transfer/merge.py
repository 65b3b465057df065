"""An import in the making: what is given, what is here before it, and what will be written.

Notes come first, then what an export brings besides records: its journal, archived turns, and the hashes of what was
forgotten.
"""

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
from memory.consolidation.plan import age
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
    """What is given and what is kept here, its `own`, with the writes so far.

    `written` is the number of the latest entry here, behind which new ones come. `here` is what was forgotten here, and
    `there` what the export says was forgotten, where it is hashed under the key that is here. `silent` are the ids of
    notes of which nothing may be told: they were forgotten here, or are refused.
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
        """Read what is here; `written` first, so that a change meanwhile is noticed when it is written against."""
        written, own, key = await memory.written(), await portable(memory, now=now), await memory.kept_hash_key()
        theirs = given.erasures if key and given.hash_key_id == own.hash_key_id else ()
        gone = [change for entry in own.journal if entry.action == "forgotten" for change in entry.changes]
        silent = {change.key for change in gone if change.kind == "note"}
        here, there = Eraser(own.erasures, key or b""), Eraser(theirs, key or b"")
        return cls(given, own, overwrite, memory.root, written, here, there, silent)


def merge_notes(merge: Merge, gate: Gate, *, now: datetime, limits: Limits) -> None:
    """Decide about every note of the export. What is new beyond the limit, the least useful of it, is refused unread.

    `limits` counts live notes, and as many that are out of use.
    """
    own, written = sorted(merge.own.notes, key=age), {entry.id for entry in merge.own.journal}
    by_id = {note.id: note for note in own}
    live = {key: note for note in own if note.is_live(now) for key in meanings(note)}
    room = {is_live: limits.most - sum(note.is_live(now) is is_live for note in own) for is_live in (True, False)}
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
        if grows and room[is_live] <= 0:
            merge.counts["over_limit"] += 1
            merge.silent.add(note.id)
        elif code := _refusal(note, merge, gate, now):
            merge.blocked.append(Blocked("note", note.id, code))
            merge.silent.add(note.id)
        elif same is None:
            taken.add(note.id)
            room[is_live] -= grows
        else:
            merged[note.id] = same.id
            name = f"import:{note.id}:{same.id}"
            if note_id("journal", *merge.root, name) not in written:
                live |= dict.fromkeys(meanings(same), grown := _confirmed(same, note))
                merge.confirmed.append(Step(name, "user", "confirm", (changed(same, grown),), reason="import"))
    for note in (one for one in notes if one.id in taken):  # what it is tied to may have another id here
        ties = {"superseded_by": merged.get(note.superseded_by or "", note.superseded_by)}
        after = note.model_copy(update={**ties, "supersedes": tuple(merged.get(key, key) for key in note.supersedes)})
        merge.changes += [changed(by_id.get(note.id), after)] if after != by_id.get(note.id) else []
    new = sum(change.before is None for change in merge.changes)
    merge.counts.update(notes=new, updated=len(merge.changes) - new, confirmed=len(merge.confirmed))


def _refusal(note: Note, merge: Merge, gate: Gate, now: datetime) -> str | None:
    is_told = note.status != "active" and merge.here.tells(note.text)
    if is_told or note.id in merge.silent or merge.here.repeats(note.text) or merge.there.repeats(note.text):
        return "consent_denied"
    # What was kept elsewhere is judged in its own words: where it came from can't be looked up here.
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
    """Add what of the export's journal, archive and erasures is new here, and return its last number.

    What was forgotten here, and notes of which nothing may be told, are taken out of what comes.
    """
    entries, numbered = _entries(merge)
    after = max([merge.written, *(entry.seq for entry in entries)])
    kept = {note.text for note in merge.own.notes}
    told = [_redacted(one, merge, kept).dump() for one in entries]
    journal = [PutOp((*merge.root, "journal"), one["id"], one, index=False) for one in told]
    active = [note.text for note in merge.own.notes if note.status == "active"]
    known = {one.id for one in (*merge.here.erasures, *merge.there.repeats(*active))}  # here already, or said again
    forgotten = [one for one in merge.there.erasures if one.id not in known]
    seqs = {} if numbered else {"seq": after + 1}
    erasures = [PutOp((*merge.root, "erasures"), one.id, {**one.dump(), **seqs}, index=False) for one in forgotten]
    turns = _turns(merge)
    meta = [PutOp((*merge.root, "meta"), "archive", {"imported": after + 1}, index=False)] if turns else []
    merge.puts += [*journal, *erasures, *turns, *meta]
    merge.counts.update(journal=len(journal), turns=len(turns), erasures=len(erasures))
    return after


def _entries(merge: Merge) -> tuple[list[JournalEntry], bool]:
    """Return the entries that are new here, and whether they keep their numbers or are counted behind the latest."""
    here = {entry.id: entry for entry in merge.own.journal}
    given = sorted(merge.given.journal, key=lambda entry: entry.seq)
    names = {entry.id: entry.id for entry in given}
    for entry in given:
        same = here.get(entry.id)
        if same and (same.at, same.action) != (entry.at, entry.action):  # another of this name: ids count in one memory
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
    def is_unspeakable(kind: Kind, value: Mapping[str, Any]) -> bool:
        return bool(refused(kind, value)) or (kind == "profile" and merge.here.erased_value(value) != value)

    told = [one for one in entry.changes if one.key not in merge.silent]  # screening each costs milliseconds
    sides = [(one, value) for one in told for value in (one.before, one.after) if value]
    refusals = {one.key for one, value in sides if is_unspeakable(one.kind, value)}
    left = erased_entry(entry, merge.here, merge.silent | refusals, kept)
    return left.model_copy(update={"reason": "" if screen(left.reason) else left.reason})


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
            # Who wrote a message is the word of the file: what it has the concierge say is masked as well.
            for said in (one["data"] for one in messages if one["type"] == "ai"):
                said["content"] = redact(said["content"]) if isinstance(said["content"], str) else said["content"]
            value = {"turn": turn.turn, "private": turn.private, "messages": messages}
            puts.append(PutOp((*merge.root, "archive", label), turn.key, value, index=False))
    return puts
