"""What an export brings besides records: its journal, archived turns, and the hashes of what was forgotten."""

from __future__ import annotations

from langchain_core.messages import message_to_dict
from langgraph.store.base import PutOp

from memory.control.forget import erased_message
from memory.policy import screen
from memory.policy.redact import Masking, redact
from memory.policy.refusals import refused
from memory.records.journal import Change, JournalEntry
from memory.records.notes import note_id
from memory.records.reading import encode_label
from memory.transfer.merge import Merge


def merge_log(merge: Merge) -> int:
    """Add what of the export's journal, archive and erasures is new here, and return its last number.

    What was forgotten here, and notes of which nothing may be told, are taken out of what comes.
    """
    entries, numbered = _entries(merge)
    after = max([merge.written, *(entry.seq for entry in entries)])
    journal = [PutOp((*merge.root, "journal"), one.id, _told(one, merge).dump(), index=False) for one in entries]
    erasures = _erasures(merge, seq=None if numbered else after + 1)
    turns = _turns(merge)
    meta = [PutOp((*merge.root, "meta"), "archive", {"imported": after + 1}, index=False)] if turns else []
    merge.puts += [*journal, *erasures, *turns, *meta]
    merge.counts.update(journal=len(journal), turns=len(turns), erasures=len(erasures))
    return after


def _entries(merge: Merge) -> tuple[list[JournalEntry], bool]:
    """Return the entries that are new here, and whether they keep their numbers or are counted behind the latest."""
    here = {entry.id: entry for entry in merge.journal}
    names: dict[str, str] = {}
    new: list[JournalEntry] = []
    for entry in sorted(merge.given.journal, key=lambda entry: entry.seq):
        same = here.get(entry.id)
        is_other = same is not None and (same.at, same.action) != (entry.at, entry.action)  # ids count in one memory
        parts = (entry.id, entry.at.isoformat(), entry.action)
        names[entry.id] = note_id("imported", *parts) if is_other else entry.id
        if names[entry.id] not in here:
            new.append(entry)
    taken = {entry.seq for entry in merge.journal}
    keep = bool(new) and not any(one.seq in taken for one in new) and len({one.seq for one in new}) == len(new)
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


def _told(entry: JournalEntry, merge: Merge) -> JournalEntry:
    gone = [c.key for c in entry.changes if c.key in merge.silent or _is_unspeakable(c, merge)]
    reason = "" if screen(entry.reason) else merge.here.erased(entry.reason)
    return (entry.without_text(*gone) if gone else entry).model_copy(update={"reason": "" if gone else reason})


def _is_unspeakable(change: Change, merge: Merge) -> bool:
    here = merge.here
    for value in filter(None, [change.before, change.after]):
        if refused(change.kind, value):
            return True
        if change.kind == "note" and here.tells(value["text"]) and all(n.text != value["text"] for n in merge.notes):
            return True
        if change.kind in ("episode", "profile") and here.erased_value(value) != value:
            return True
    return False


def _erasures(merge: Merge, *, seq: int | None) -> list[PutOp]:
    """Return what was forgotten before, under the key that is here, and not said again since."""
    active = [note.text for note in merge.notes if note.status == "active"]
    known = {one.id for one in (*merge.here.erasures, *merge.there.repeats(*active))}
    return [
        PutOp((*merge.root, "erasures"), one.id, {**one.dump(), "seq": seq or one.seq}, index=False)
        for one in merge.there.erasures
        if one.id not in known
    ]


def _turns(merge: Merge) -> list[PutOp]:
    puts = []
    for thread in merge.given.archive:
        label = encode_label(thread.thread_id)
        for turn in thread.turns:
            if (label, turn.key) in merge.archived:
                continue
            masking = Masking()
            messages = [masking.masked(message_to_dict(erased_message(one, merge.here))) for one in turn.messages]
            # Who wrote a message is the word of the file: what it has the concierge say is masked as well.
            for said in (one["data"] for one in messages if one["type"] == "ai"):
                said["content"] = redact(said["content"]).text if isinstance(said["content"], str) else said["content"]
            value = {"turn": turn.turn, "private": turn.private, "messages": messages}
            puts.append(PutOp((*merge.root, "archive", label), turn.key, value, index=False))
    return puts
