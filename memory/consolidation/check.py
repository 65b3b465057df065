"""Checks a model's plan operation by operation: one that breaks an invariant is refused, the others are kept."""

from collections.abc import Mapping, Sequence

from memory.claims import mentions, protects, relation, same_text
from memory.consolidation.plan import WRITES_TEXT, Operation, Review, sources_of
from memory.policy import screen
from memory.policy.wording import overlap, unsupported
from memory.records.notes import MAX_TEXT, Note
from memory.schema import Schema
from text.words import numbers

_TARGETS: dict[str, tuple[int, int]] = {
    "SUPERSEDE": (1, 9), "MERGE": (1, 9), "CONFIRM": (1, 1), "EXPIRE": (1, 9), "ADD": (0, 0), "DROP": (0, 0),
}  # fmt: skip
"""The fewest and most targets of each operation. Of two operations on one note, the one listed first here is kept."""
_COVERED = 0.5
"""The share of a note's content that another note must have for it to be dropped."""


def review(proposed: Sequence[Operation], session: Sequence[Note], known: Sequence[Note], schema: Schema) -> Review:
    """Check each operation of a model's plan on its own, and replace texts that their sources don't support.

    `session` are the notes that the plan must cover, in the order they were said, `known` the live global notes that it
    may change.
    """
    staged = {note.id: note for note in session}
    live = {note.id: note for note in known}
    result = Review()
    covered: set[str] = set()
    changed: set[str] = set()
    allowed = (operation for operation in proposed if operation.op != "PROMOTE")  # only code promotes
    for operation in sorted(allowed, key=lambda one: list(_TARGETS).index(one.op)):
        if again := covered & set(operation.session):
            reason = f"session note {min(again)} has an operation already"
        elif again := changed & set(operation.targets):
            reason = f"global note {min(again)} is changed already"
        else:
            reason = _fault(operation, staged, live, schema)
        if reason:
            result.faults.append(f"{operation.op}: {reason}")
            continue
        checked, remark = _supported(operation, staged, live)
        result.operations.append(checked)
        result.remarks.extend([remark] if remark else [])
        covered.update(operation.session)
        changed.update(operation.targets)
    result.uncovered.extend(note for note in session if note.id not in covered)
    return result


def _fault(operation: Operation, staged: Mapping[str, Note], live: Mapping[str, Note], schema: Schema) -> str:
    unknown = [key for key in operation.session if key not in staged]
    unknown += [key for key in operation.targets if key not in live]
    if unknown:
        return f"there is no note `{unknown[0].replace('`', '')}`"
    if not operation.session:
        return "it rests on no session note"
    least, most = _TARGETS[operation.op]
    if not least <= len(operation.targets) <= most:
        return f"{operation.op} names {len(operation.targets)} global notes; {least} to {most} are right"
    sources = sources_of(operation, staged)
    targets = [live[key] for key in operation.targets]
    if operation.op != "DROP" and any(note.scope == "trip" for note in sources):
        return "a note that does not last can only be dropped"
    if len({(note.scope, note.workspace) for note in (*sources, *targets)}) > 1 and operation.op != "DROP":
        return "its notes belong to different memories"
    if operation.op in ("CONFIRM", "MERGE"):
        return _merge_fault(sources, targets)
    if operation.op in ("SUPERSEDE", "EXPIRE"):
        return _replacement_fault(operation, sources, targets, schema)
    if operation.op == "DROP":
        return _drop_fault(sources, staged, live, schema)
    return ""


def _merge_fault(sources: Sequence[Note], targets: Sequence[Note]) -> str:
    first, *others = targets
    if any(note.hard for note in sources) and not first.hard:
        return "a hard constraint can't become part of a note that is none; ADD it"
    if lost := next((old for old in others if _is_kept_from(old, sources[-1])), None):
        return f"{lost.id} is a hard constraint; only the user's own words about it may replace it"
    return ""


def _is_kept_from(old: Note, newest: Note) -> bool:
    """Return whether `newest` may not replace the constraint `old`: it is no constraint and does not mention it."""
    return protects(old, newest) and not newest.hard and not mentions(newest, old)


def _replacement_fault(operation: Operation, sources: Sequence[Note], targets: Sequence[Note], schema: Schema) -> str:
    newest = sources[-1]
    for old in targets:
        if old.last_update_date > newest.last_update_date:
            return f"{old.id} is newer; the newest statement stays"
        how = relation(newest, old, schema)
        if how in ("apart", "repeats") and not same_text(newest, old):
            return f"by their claims {old.id} is not contradicted"
        if how == "unknown" and (reason := _unrelated(operation, newest, old)):
            return reason
        is_unclear = old.hard and not newest.hard and how == "unknown" and operation.op == "SUPERSEDE"
        if is_unclear or _is_kept_from(old, newest):
            return f"{old.id} is a hard constraint; only the user's own words about it may replace it"
    return ""


def _unrelated(operation: Operation, newest: Note, old: Note) -> str:
    """Return why `newest` may not be about `old`, where claims can't decide: other topic, words or condition."""
    is_mentioned = mentions(newest, old)
    if operation.op == "EXPIRE" and not is_mentioned:
        return f"the user's words do not mention what {old.id} says"
    if operation.op == "SUPERSEDE" and old.topic != newest.topic and not is_mentioned:
        return f"{old.id} is of another topic"
    if newest.when and old.when and overlap(newest.condition, old.condition).share > 0:
        return f"{old.id} holds under another condition; both stand"
    return ""


def _drop_fault(sources: Sequence[Note], staged: Mapping[str, Note], live: Mapping[str, Note], schema: Schema) -> str:
    others = [note for note in (*staged.values(), *live.values()) if note not in sources and note.scope != "trip"]
    texts = [" ".join((other.text, *other.sayings, other.condition)) for other in others]
    order = list(staged)  # as the notes were said: two may have the same time
    for note in (one for one in sources if one.scope != "trip"):
        newer = [one for one in others if one.id in order[order.index(note.id) + 1 :]]
        replaced = any(relation(new, note, schema) == "contradicts" for new in newer)
        if not replaced and all(1 - overlap(note.text, text).share < _COVERED for text in texts):
            return f"{note.id} is lasting, and no other note says it"
    return ""


def _supported(operation: Operation, staged: Mapping[str, Note], live: Mapping[str, Note]) -> tuple[Operation, str]:
    """Return the operation with a text that its sources support, and a remark if that replaced the proposed text."""
    if operation.op not in WRITES_TEXT:
        return operation.model_copy(update={"text": None}), ""
    sources = sources_of(operation, staged)
    targets = [live[key] for key in operation.targets]
    text = " ".join((operation.text or "").split())
    reason = _text_fault(text, operation, sources, targets)
    if not reason:
        return operation.model_copy(update={"text": text}), ""
    kept = targets[0] if operation.op == "MERGE" and targets[0].hard else sources[-1]
    remark = f"{operation.op} on {', '.join(operation.session)}: {reason}; `{kept.text}` stands"
    return operation.model_copy(update={"text": kept.text}), remark


def _text_fault(text: str, operation: Operation, sources: Sequence[Note], targets: Sequence[Note]) -> str:
    newest = sources[-1]
    if not text:
        return "it has no text"
    if len(text) > MAX_TEXT:
        return f"its text has {len(text)} characters, and {MAX_TEXT} are allowed"
    if code := screen(text):
        return f"its text is refused by the policy ({code})"
    if missing := sorted(numbers(newest.text) - numbers(text)):
        return f"its text leaves out {missing[0]}"
    if operation.op == "MERGE" and targets[0].hard and (lost := overlap(targets[0].text, text).foreign):
        return f"its text leaves out `{lost[0]}` of a hard constraint"
    supporting = [part for note in (*sources, *targets) for part in (note.text, note.condition, *note.sayings)]
    supporting += [one.question for note in sources for one in note.evidence]
    return unsupported(text, supporting, passage=f"{newest.text} {' '.join(newest.sayings)}")
