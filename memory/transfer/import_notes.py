"""Sorts the notes of an export: new, newer, known, said already, or refused."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from memory.claims import meanings
from memory.control.edit import as_candidate
from memory.control.erased import Eraser
from memory.policy import Gate, Heard, judge
from memory.policy.refusals import Blocked, refused
from memory.records.journal import Change, Step, changed
from memory.records.notes import Note
from memory.selection import Limits, usefulness
from memory.transfer.export import Portable
from memory.transfer.import_log import Known, erased_there


@dataclass(slots=True)
class Arrivals:
    """What becomes of the notes of an export: `refused` are those that policy blocked, and those beyond the limit."""

    changes: list[Change] = field(default_factory=list)
    confirmations: list[Step] = field(default_factory=list)
    blocked: list[Blocked] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        """Return how many notes are new, newer, known or too many."""
        new = sum(change.before is None for change in self.changes)
        unread = len(self.refused) - len(self.blocked)
        known = len(self.confirmations)
        return Counter(notes=new, updated=len(self.changes) - new, confirmed=known, over_limit=unread)


def arrivals(
    given: Portable, known: Known, gate: Gate, *, here: Eraser, now: datetime, overwrite: bool, limits: Limits
) -> Arrivals:
    """Decide about every note of `given`. What is new beyond the limit, the least useful of it, is refused unread.

    `here` is what was forgotten here, and `limits` counts live notes, and as many that are out of use.
    """
    result = Arrivals()
    there = erased_there(given, known)
    by_id = {note.id: note for note in known.notes}
    live = {key: note for note in reversed(known.notes) if note.is_live(now) for key in meanings(note)}
    room = {is_live: limits.most - sum(n.is_live(now) is is_live for n in known.notes) for is_live in (True, False)}
    merged, taken = dict[str, str](), dict[str, Note]()
    notes = [*given.notes, *(note for note in given.session_notes if note.scope != "trip")]
    for note in _most_useful_first(notes, limits, now):
        before = by_id.get(note.id)
        if before == note or (before and not overwrite and note.last_update_date <= before.last_update_date):
            continue
        is_live = note.is_live(now)
        same = next((live[key] for key in meanings(note) if key in live), None) if is_live and not before else None
        grows = same is None and (before is None or before.is_live(now) is not is_live)
        if grows and room[is_live] <= 0:
            result.refused.append(note.id)
            continue
        if code := _refusal(note, known, gate, here, there, now):
            result.blocked.append(Blocked("note", note.id, code))
            result.refused.append(note.id)
            continue
        if same is None:
            taken[note.id] = note
            room[is_live] -= grows
            continue
        merged[note.id] = same.id
        name = f"import:{note.id}:{same.id}"
        if not known.has_step(name):
            live |= dict.fromkeys(meanings(same), grown := _confirmed(same, note))
            result.confirmations.append(Step(name, "user", "confirm", (changed(same, grown),), reason="import"))
    relinked = [_relinked(note, merged) for note in notes if note.id in taken]
    result.changes += [changed(by_id.get(one.id), one) for one in relinked if by_id.get(one.id) != one]
    return result


def _most_useful_first(notes: Sequence[Note], limits: Limits, now: datetime) -> list[Note]:
    """Return the notes in the order in which they are taken while there is room."""

    def worth(note: Note) -> tuple[bool, bool, float, date, str]:
        useful = usefulness(note, half_life_days=limits.half_life_days, now=now)
        return note.hard, note.pinned, useful, note.last_update_date, note.id

    return sorted(notes, key=worth, reverse=True)


def _refusal(note: Note, known: Known, gate: Gate, here: Eraser, there: Eraser, now: datetime) -> str | None:
    """Return why a note may not be kept: the policy's code, or None."""
    if note.id in known.forgotten or here.repeats(note.text) or there.repeats(note.text):
        return "consent_denied"
    if note.status != "active" and here.tells(note.text):
        return "consent_denied"
    # What was kept elsewhere is judged in its own words: where it came from can't be looked up here.
    code = judge(as_candidate(note), gate, heard=[Heard(note.text)], today=now.date(), key=b"import").code
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


def _relinked(note: Note, merged: dict[str, str]) -> Note:
    """Return `note`, tied to the notes here that stand for those it was tied to."""
    by = note.superseded_by
    return note.model_copy(
        update={
            "supersedes": tuple(merged.get(key, key) for key in note.supersedes),
            "superseded_by": merged.get(by, by) if by else None,
        }
    )
