"""What a proposed plan must hold before it touches memory (S6.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from memory.consolidation.plan import WRITES_TEXT, Operation
from memory.consolidation.standing import age, left_standing
from memory.policy import is_grounded, screen
from memory.records.notes import MAX_TEXT, Note
from models.offline.statements import PROMOTED_AFTER, covers, ends, key_words, replaces

_TARGETS: dict[str, tuple[int, int]] = {
    "ADD": (0, 0),
    "MERGE": (1, 9),
    "SUPERSEDE": (1, 9),
    "CONFIRM": (1, 1),
    "DROP": (0, 0),
    "EXPIRE": (1, 9),
    "PROMOTE": (1, 1),
}


def faults(operations: Sequence[Operation], session: Sequence[Note], global_notes: Sequence[Note]) -> list[str]:
    """Why this plan may not be applied, in sentences that its author can act on; empty for a sound plan."""
    staged = {note.id: note for note in session}
    known = {note.id: note for note in global_notes}
    confirmed = {key for operation in operations if operation.op == "CONFIRM" for key in operation.targets}
    found = _coverage(operations, staged)
    for operation in operations:
        found += [f"{operation.op} on {', '.join(operation.session) or 'no session note'}: {fault}"
                  for fault in _operation(operation, staged, known)]  # fmt: skip
    found += [
        f"PROMOTE: {key} was confirmed {known[key].confirmations} times, not {PROMOTED_AFTER}"
        for operation in operations
        if operation.op == "PROMOTE"
        for key in operation.targets
        if key in known and known[key].confirmations + (key in confirmed) < PROMOTED_AFTER
    ]
    return found or left_standing(operations, staged, known)


def _coverage(operations: Sequence[Operation], staged: Mapping[str, Note]) -> list[str]:
    times = Counter(key for operation in operations for key in operation.session)
    missed = [f"session note {key} is not covered" for key in staged if not times[key]]
    twice = [f"session note {key} is covered {count} times" for key, count in times.items() if count > 1]
    changing = [operation for operation in operations if operation.op != "PROMOTE"]
    touched = Counter(key for operation in changing for key in operation.targets)
    return missed + twice + [f"global note {key} is changed twice" for key, count in touched.items() if count > 1]


def _operation(operation: Operation, staged: Mapping[str, Note], known: Mapping[str, Note]) -> list[str]:
    unknown = [key for key in operation.session if key not in staged]
    unknown += [key for key in operation.targets if key not in known]
    if unknown:
        return [f"there is no note {key}" for key in unknown]
    sources = [staged[key] for key in operation.session]
    targets = [known[key] for key in operation.targets]
    found = _shape(operation, sources, targets)
    if operation.op in WRITES_TEXT and not found:
        found += _text(operation, sources, targets)
    meaning = _MEANING.get(operation.op)
    return found or (meaning(sources, targets, staged, known) if meaning else [])


def _shape(operation: Operation, sources: Sequence[Note], targets: Sequence[Note]) -> list[str]:
    found = []
    least, most = _TARGETS[operation.op]
    if not least <= len(targets) <= most:
        found.append(f"it names {len(targets)} global notes; {least} to {most} are right")
    if not sources and operation.op != "PROMOTE":
        found.append("it rests on no session note")
    if sources and operation.op == "PROMOTE":
        found.append("it rests on the global note alone; session notes need an operation of their own")
    if operation.op != "DROP" and any(note.scope == "trip" for note in sources):
        found.append("a note that holds for one trip can only be dropped")
    if len({(note.scope, note.source.workspace) for note in (*sources, *targets)}) > 1 and operation.op != "DROP":
        found.append("its notes belong to different memories")
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
    if operation.op == "MERGE" and (lost := _left_out(text, origins)):
        found.append(f"its text leaves out {', '.join(lost)}")
    if len(text) > MAX_TEXT:
        found.append(f"its text has {len(text)} characters, and {MAX_TEXT} are allowed")
    if code := screen(text):
        found.append(f"its text is refused by the policy ({code})")
    return found


def _left_out(text: str, origins: Sequence[Note]) -> list[str]:
    """The words of the origins that `text` says neither in the same words nor in others."""
    said = key_words(text)
    lost = [key_words(note.text) - said for note in origins if not covers(note.model_copy(update={"text": text}), note)]
    return sorted(frozenset().union(*lost))


_Notes = Sequence[Note]
_Known = Mapping[str, Note]


def _adds(sources: _Notes, _targets: _Notes, _staged: _Known, known: _Known) -> list[str]:
    found = [
        f"{other.id} says the same; confirm it" for other in known.values() if covers(other, max(sources, key=age))
    ]
    return found + _apart(sources)


def _apart(sources: _Notes) -> list[str]:
    newest = max(sources, key=age)
    replaced = [note for note in sources if any(replaces(one, note) for one in sources if age(one) > age(note))]
    if all(covers(newest, note) or covers(note, newest) or note in replaced for note in sources):
        return []
    return ["its session notes say different things; each needs an operation of its own"]


def _merges(sources: _Notes, targets: _Notes, _staged: _Known, _known: _Known) -> list[str]:
    apart = [note.id for note in targets if not any(covers(new, note) or covers(note, new) for new in sources)]
    return [f"{key} says something else" for key in apart]


def _supersedes(sources: _Notes, targets: _Notes, _staged: _Known, _known: _Known) -> list[str]:
    # What says the same as the new note may go with what it replaces, as long as something is replaced.
    kept = [old.id for old in targets if not any(replaces(new, old) or covers(new, old) for new in sources)]
    found = [f"{key} may not be replaced by it" for key in kept]
    newest = max(note.last_update_date for note in sources)
    found += [
        f"{old.id} is newer; the newest statement stays"
        for old in targets
        if old.last_update_date > newest and not any(covers(new, old) for new in sources)
    ]
    if not found and not any(replaces(new, old) for new in sources for old in targets):
        found.append(f"{targets[0].id} may not be replaced by it; it says the same")
    return found + _apart(sources)


def _confirms(sources: _Notes, targets: _Notes, _staged: _Known, _known: _Known) -> list[str]:
    newest = max(sources, key=age)
    apart = [note for note in sources if not covers(targets[0], note) and not replaces(newest, note)]
    if not apart and not covers(targets[0], newest):
        apart = [newest]
    return [f"{targets[0].id} does not say what {note.id} says" for note in apart]


def _drops(sources: _Notes, _targets: _Notes, staged: _Known, known: _Known) -> list[str]:
    lost = [note for note in sources if note.scope != "trip" and not _told_elsewhere(note, sources, staged, known)]
    return [f"{note.id} is lasting, and nothing else says it" for note in lost]


def _expires(sources: _Notes, targets: _Notes, _staged: _Known, _known: _Known) -> list[str]:
    found = [f"{old.id} is a hard constraint; only its owner may forget it" for old in targets if old.hard]
    apart = [old.id for old in targets if not any(ends(new, old) for new in sources)]
    return found + [f"no session note says that {key} is over" for key in apart]


_MEANING = {
    "ADD": _adds,
    "MERGE": _merges,
    "SUPERSEDE": _supersedes,
    "CONFIRM": _confirms,
    "DROP": _drops,
    "EXPIRE": _expires,
}


def _told_elsewhere(note: Note, sources: _Notes, staged: _Known, known: _Known) -> bool:
    """True when another note says the same, or a newer one says otherwise; what is dropped with it says nothing."""
    others = [other for other in staged.values() if other not in sources]
    if any(covers(other, note) or (replaces(other, note) and age(other) >= age(note)) for other in others):
        return True
    # Between equal dates the session wins.
    return any(
        covers(other, note) or (replaces(other, note) and other.last_update_date > note.last_update_date)
        for other in known.values()
    )
