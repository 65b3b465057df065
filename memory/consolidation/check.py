"""Judges a model's plan operation by operation: one that breaks an invariant falls, and the others stand."""

from collections.abc import Mapping, Sequence

from memory.claims import mentions, relation, same_text, spares
from memory.consolidation.plan import WRITES_TEXT, Operation, Review, age
from memory.policy import screen
from memory.policy.wording import overlap, unsupported
from memory.records.notes import MAX_TEXT, Note
from memory.schema import Schema
from text.words import numbers

_TARGETS: dict[str, tuple[int, int]] = {
    "SUPERSEDE": (1, 9), "MERGE": (1, 9), "CONFIRM": (1, 1), "EXPIRE": (1, 9), "ADD": (0, 0), "DROP": (0, 0),
}  # fmt: skip
"""How many global notes each operation names. Of two operations on one session note the first of these stands."""
_TOLD_ELSEWHERE = 0.5
"""The part of a note's content that another must have for it to be dropped."""


def review(proposed: Sequence[Operation], session: Sequence[Note], known: Sequence[Note], schema: Schema) -> Review:
    """Judge each operation of a model's plan on its own, and settle the texts that it writes.

    `session` are the notes that the plan must dispose of, `known` the live global notes that it may touch.
    """
    staged = {note.id: note for note in session}
    held = {note.id: note for note in known}
    judged = Review()
    covered: set[str] = set()
    touched: set[str] = set()
    offered = (one for one in proposed if one.op != "PROMOTE")  # code promotes what was confirmed often enough
    for operation in sorted(offered, key=lambda one: list(_TARGETS).index(one.op)):
        if again := covered & set(operation.session):
            reason = f"session note {min(again)} has an operation already"
        elif again := touched & set(operation.targets):
            reason = f"global note {min(again)} is changed already"
        else:
            reason = _fault(operation, staged, held, schema)
        if reason:
            judged.faults.append(f"{operation.op}: {reason}")
            continue
        settled, remark = _settled(operation, staged, held)
        judged.operations.append(settled)
        judged.remarks.extend([remark] if remark else [])
        covered.update(operation.session)
        touched.update(operation.targets)
    judged.uncovered.extend(note for note in session if note.id not in covered)
    return judged


def _fault(operation: Operation, staged: Mapping[str, Note], held: Mapping[str, Note], schema: Schema) -> str:
    unknown = [key for key in operation.session if key not in staged]
    unknown += [key for key in operation.targets if key not in held]
    if unknown:
        return f"there is no note `{unknown[0].replace('`', '')}`"
    if not operation.session:
        return "it rests on no session note"
    least, most = _TARGETS[operation.op]
    if not least <= len(operation.targets) <= most:
        return f"{operation.op} names {len(operation.targets)} global notes; {least} to {most} are right"
    sources = sorted((staged[key] for key in operation.session), key=age)
    targets = [held[key] for key in operation.targets]
    if operation.op != "DROP" and any(note.scope == "trip" for note in sources):
        return "a note that holds for one trip can only be dropped"
    if len({(note.scope, note.workspace) for note in (*sources, *targets)}) > 1 and operation.op != "DROP":
        return "its notes belong to different memories"
    if operation.op in ("CONFIRM", "MERGE") and any(note.hard for note in sources) and not targets[0].hard:
        return "a hard constraint can't become part of a note that is none; ADD it"
    if operation.op in ("SUPERSEDE", "EXPIRE"):
        return _retires_wrongly(operation, sources, targets, schema)
    if operation.op == "DROP":
        return _drops_lasting(sources, staged, held)
    return ""


def _retires_wrongly(operation: Operation, sources: Sequence[Note], targets: Sequence[Note], schema: Schema) -> str:
    newest = sources[-1]
    for old in targets:
        if old.last_update_date > newest.last_update_date:
            return f"{old.id} is newer; the newest statement stays"
        how = relation(newest, old, schema)
        if how in ("apart", "repeats") and not same_text(newest, old):
            return f"by their claims {old.id} is not contradicted"
        if how == "unknown" and (reason := _unrelated(operation, newest, old)):
            return reason
        if spares(newest, old) or (old.hard and how == "unknown" and operation.op == "SUPERSEDE" and not newest.hard):
            return f"{old.id} is a hard constraint; only the user's own words about it may replace it"
    return ""


def _unrelated(operation: Operation, newest: Note, old: Note) -> str:
    """Demand, where no claims speak, the same topic or a shared word, and conditions that don't exclude each other."""
    tied = mentions(newest, old)
    if operation.op == "EXPIRE" and not tied:
        return f"the user's words do not mention what {old.id} says"
    if operation.op == "SUPERSEDE" and old.topic != newest.topic and not tied:
        return f"{old.id} is of another topic"
    if newest.when and old.when and overlap(newest.condition, old.condition).share > 0:
        return f"{old.id} holds under another condition; both stand"
    return ""


def _drops_lasting(sources: Sequence[Note], staged: Mapping[str, Note], held: Mapping[str, Note]) -> str:
    others = [note for note in (*staged.values(), *held.values()) if note not in sources and note.scope != "trip"]
    told = [" ".join((other.text, *other.sayings, other.condition)) for other in others]
    for note in (one for one in sources if one.scope != "trip"):
        if all(1 - overlap(note.text, said).share < _TOLD_ELSEWHERE for said in told):
            return f"{note.id} is lasting, and no other note says it"
    return ""


def _settled(operation: Operation, staged: Mapping[str, Note], held: Mapping[str, Note]) -> tuple[Operation, str]:
    """Return the operation with a text that its sources support, and what was wrong with the proposed one."""
    if operation.op not in WRITES_TEXT:
        return operation.model_copy(update={"text": None}), ""
    sources = sorted((staged[key] for key in operation.session), key=age)
    targets = [held[key] for key in operation.targets]
    text = " ".join((operation.text or "").split())
    reason = _text_fault(text, operation, sources, targets)
    if not reason:
        return operation.model_copy(update={"text": text}), ""
    hard = operation.op == "MERGE" and targets[0].hard
    stands = targets[0] if hard else sources[-1]
    remark = f"{operation.op} on {', '.join(operation.session)}: {reason}; `{stands.text}` stands"
    return operation.model_copy(update={"text": stands.text}), remark


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
    said = [part for note in (*sources, *targets) for part in (note.text, note.condition, *note.sayings)]
    said += [one.question for note in sources for one in note.evidence]
    return unsupported(text, said, passage=f"{newest.text} {' '.join(newest.sayings)}")
