"""What a proposed plan must hold before it touches memory (S6.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from stores.consolidation.plan import WRITES_TEXT, Operation
from stores.notes import MAX_TEXT, Note
from stores.policy import is_grounded, screen
from stores.statements import key_words, replaces

_TARGETS: dict[str, tuple[int, int]] = {
    "ADD": (0, 0),
    "MERGE": (1, 9),
    "SUPERSEDE": (1, 9),
    "CONFIRM": (1, 1),
    "DROP": (0, 0),
    "EXPIRE": (1, 9),
    "PROMOTE": (1, 1),
}
PROMOTED_AFTER = 3
"""Confirmations that make a note stable enough for the profile (S1.7)."""


def faults(operations: Sequence[Operation], session: Sequence[Note], global_notes: Sequence[Note]) -> list[str]:
    """Why this plan may not be applied, in sentences that its author can act on; empty for a sound plan."""
    staged = {note.id: note for note in session}
    known = {note.id: note for note in global_notes}
    found = _coverage(operations, staged)
    for operation in operations:
        found += [f"{operation.op} on {', '.join(operation.session) or 'no session note'}: {fault}"
                  for fault in _operation(operation, staged, known)]  # fmt: skip
    return found


def _coverage(operations: Sequence[Operation], staged: Mapping[str, Note]) -> list[str]:
    times = Counter(key for operation in operations for key in operation.session)
    missed = [f"session note {key} is not covered" for key in staged if not times[key]]
    twice = [f"session note {key} is covered {count} times" for key, count in times.items() if count > 1]
    touched = Counter(key for operation in operations for key in operation.targets)
    return missed + twice + [f"global note {key} is changed twice" for key, count in touched.items() if count > 1]


def _operation(operation: Operation, staged: Mapping[str, Note], known: Mapping[str, Note]) -> list[str]:
    unknown = [key for key in operation.session if key not in staged]
    unknown += [key for key in operation.targets if key not in known]
    if unknown:
        return [f"there is no note {key}" for key in unknown]
    sources = [staged[key] for key in operation.session]
    targets = [known[key] for key in operation.targets]
    found = _shape(operation, sources)
    if operation.op in WRITES_TEXT and not found:
        found += _text(operation, sources, targets)
    if operation.op == "SUPERSEDE":
        found += [
            f"{old.id} may not be replaced by it" for old in targets if not any(replaces(n, old) for n in sources)
        ]
    if operation.op == "PROMOTE" and targets[:1] and targets[0].confirmations < PROMOTED_AFTER:
        found.append(f"{targets[0].id} was confirmed {targets[0].confirmations} times, not {PROMOTED_AFTER}")
    return found


def _shape(operation: Operation, sources: Sequence[Note]) -> list[str]:
    found = []
    least, most = _TARGETS[operation.op]
    if not least <= len(operation.targets) <= most:
        found.append(f"it names {len(operation.targets)} global notes; {least} to {most} are right")
    if not sources and operation.op not in ("EXPIRE", "PROMOTE"):
        found.append("it rests on no session note")
    if operation.op != "DROP" and any(note.scope == "trip" for note in sources):
        found.append("a note that holds for one trip can only be dropped")
    if operation.op == "DROP" and any(note.hard and note.scope != "trip" for note in sources):
        found.append("a hard constraint can't be dropped")
    if operation.op in WRITES_TEXT and not (operation.text or "").strip():
        found.append("it has no text")
    return found


def _text(operation: Operation, sources: Sequence[Note], targets: Sequence[Note]) -> list[str]:
    text = operation.text or ""
    # A superseded note gives nothing to what replaces it.
    origins = sources if operation.op == "SUPERSEDE" else [*sources, *targets]
    said = [f"{note.text} {note.condition or ''}" for note in origins]
    found = []
    if not is_grounded(text, said):
        invented = sorted(key_words(text) - key_words(" ".join(said)))
        found.append(f"its text says what no source says: {', '.join(invented) or 'the opposite'}")
    if len(text) > MAX_TEXT:
        found.append(f"its text has {len(text)} characters, and {MAX_TEXT} are allowed")
    if code := screen(text):
        found.append(f"its text is refused by the policy ({code})")
    return found
