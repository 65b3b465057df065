"""Plans what becomes of session notes (`PlanProposal`), by the rules of the consolidation prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from llm.offline.tongue import language_of, tongue
from llm.schemas import Op
from stores.notes import MAX_TEXT

_NEAR = 0.8
_OFTEN = 3
_SEATS = frozenset({"window", "aisle", "middle"})


@dataclass(frozen=True, slots=True)
class _Note:
    id: str
    text: str
    topic: str
    scope: str
    condition: str
    single: bool
    date: str
    place: int
    confirmations: int
    hard: bool

    @property
    def words(self) -> frozenset[str]:
        return tongue(language_of(self.text)).content_words(self.text)

    def beside(self, other: _Note) -> bool:
        """Same topic, scope and condition: the only ground on which one may replace another."""
        return (self.topic, self.scope, self.condition) == (other.topic, other.scope, other.condition)


def planned(session: Sequence[dict[str, Any]], kept: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Operations as JSON objects that cover every session note exactly once; trip-only notes are dropped first."""
    notes, known = _notes(session), _notes(kept)
    trip_only = [note for note in notes if note.scope == "trip"]
    lasting = [note for note in notes if note.scope != "trip"]
    operations = [_operation("DROP", [note], [], "It holds for this trip only.") for note in trip_only]
    taken: dict[str, dict[str, Any]] = {}
    for group in _alike(lasting):
        operation = _decided(group, known)
        at = operation["global_notes"][0] if operation["global_notes"] else ""
        if at in taken:
            _joined(taken[at], operation)
            continue
        operations.append(operation)
        if at:
            taken[at] = operation
    stable = [note for note in known if _stable(note) and note.id not in taken]
    return operations + [_operation("PROMOTE", [], [note], "It was confirmed often enough.") for note in stable[:1]]


def _notes(lines: Iterable[dict[str, Any]]) -> list[_Note]:
    return [
        _Note(
            id=str(line.get("id", "")),
            text=str(line.get("text", "")),
            topic=str(line.get("topic", "other")),
            scope=str(line.get("scope", "user")),
            condition=str(line.get("condition") or "").strip().lower(),
            single=bool(line.get("single")),
            date=str(line.get("date", "")),
            place=place,
            confirmations=int(line.get("confirmations") or 0),
            hard=bool(line.get("hard")),
        )
        for place, line in enumerate(lines)
    ]


def _alike(notes: list[_Note]) -> list[list[_Note]]:
    """Notes that say the same, or of which a later one takes an earlier one back, together, the newest first."""
    groups: list[list[_Note]] = []
    for note in sorted(notes, key=lambda each: (each.date, each.place), reverse=True):
        home = next((group for group in groups if _same(group[0], note) or _replaces(group[0], note)), None)
        if home is None:
            groups.append([note])
        else:
            home.append(note)
    return groups


def _same(one: _Note, other: _Note) -> bool:
    speech = tongue(language_of(one.text))
    if (
        one.condition != other.condition
        or one.scope != other.scope
        or speech.polarity(one.text) * speech.polarity(other.text) < 0
    ):
        return False
    if one.text.lower().strip(". ") == other.text.lower().strip(". "):
        return True
    if not one.words or not other.words or (one.single and speech.rivals(one.text, other.text)):
        return False
    shared = len(one.words & other.words)
    least = _NEAR if one.topic == other.topic else 1.0
    return shared / min(len(one.words), len(other.words)) >= least and not speech.ends(one.text)


def _replaces(newer: _Note, older: _Note) -> bool:
    return newer.single and newer.beside(older) and tongue(language_of(newer.text)).rivals(newer.text, older.text)


def _decided(group: list[_Note], known: list[_Note]) -> dict[str, Any]:
    newest = group[0]
    same = next((note for note in known if _same(newest, note)), None)
    if same and newest.words <= same.words:
        return _operation("CONFIRM", group, [same], "It repeats what is known.")
    if same:
        return _operation("MERGE", group, [same], "It says the same with more detail.", _merged(newest, same))
    ended = next((note for note in known if _ends(newest, note)), None)
    if ended and ended.hard:
        return _operation("SUPERSEDE", group, [ended], "The user says that it no longer holds.", newest.text)
    if ended:
        return _operation("EXPIRE", group, [ended], "The user says that it no longer holds.")
    replaced = next((note for note in known if newest.date >= note.date and _replaces(newest, note)), None)
    if replaced:
        return _operation(
            "SUPERSEDE", group, [replaced], "The newer statement takes the place of the older one.", newest.text
        )
    return _operation("ADD", group, [], "It is new and lasting.", newest.text)


def _stable(note: _Note) -> bool:
    """True when a note confirmed in three sessions or more names the one seat that is always wanted."""
    seats = _SEATS & set(note.text.lower().replace(".", " ").split())
    liked = tongue(language_of(note.text)).polarity(note.text) >= 0
    return note.confirmations >= _OFTEN and note.topic == "seat" and not note.condition and len(seats) == 1 and liked


def _ends(newer: _Note, older: _Note) -> bool:
    """True when the newer note does nothing but take the older one back ("I'm no longer vegetarian")."""
    speech = tongue(language_of(newer.text))
    return (
        speech.ends(newer.text)
        and bool(older.words)
        and newer.condition == older.condition
        and (older.words <= newer.words or (bool(newer.words) and newer.words <= older.words))
        and not speech.ends(older.text)
        and newer.topic == older.topic
    )


def _merged(newer: _Note, older: _Note) -> str:
    if older.words <= newer.words:
        return newer.text
    both = f"{older.text.rstrip('. ')}; {newer.text}"
    return both if len(both) <= MAX_TEXT else newer.text


def _joined(operation: dict[str, Any], more: dict[str, Any]) -> None:
    """Put the session notes of `more` under `operation`, which already rests on the same global note."""
    operation["session_notes"] += more["session_notes"]
    if operation["op"] == "CONFIRM" and more["op"] == "MERGE":
        operation.update(op="MERGE", reason=more["reason"], text=more["text"])


def _operation(op: Op, notes: list[_Note], known: list[_Note], reason: str, text: str | None = None) -> dict[str, Any]:
    return {
        "session_notes": [note.id for note in notes],
        "global_notes": [note.id for note in known],
        "reason": reason,
        "op": op,
        "text": text,
    }
