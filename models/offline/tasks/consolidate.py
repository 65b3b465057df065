"""Plans what becomes of session notes (`PlanProposal`), by the rules of the consolidation prompt.

Repeats are folded, what is contradicted is replaced, and the rest is added.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from models.offline.notes.claims import names_condition
from models.offline.notes.judge import topic_of_note
from models.offline.notes.meaning import covers, replaces


@dataclass(frozen=True, slots=True)
class _ListedNote:
    """A note as the prompt lists it."""

    id: str
    text: str
    topic: str
    scope: str
    condition: str
    hard: bool
    date: str


@dataclass(slots=True)
class _Group:
    """Session notes that say the same: the newest, the fullest, and those that the newest replaced."""

    newest: _ListedNote
    fullest: _ListedNote
    members: list[str]
    replaced: list[str] = field(default_factory=list)

    def takes(self, older: _ListedNote) -> bool:
        """Take in an older note that the group repeats or replaces; return False for any other."""
        if covers(self.fullest, older) or covers(older, self.fullest):
            self.members.append(older.id)
            self.fullest = self.fullest if covers(self.fullest, older) else older
        elif replaces(self.fullest, older):
            self.replaced.append(older.id)
        else:
            return False
        return True

    def replaces(self, old: _ListedNote) -> bool:
        """Return True when the group was said since `old` and takes its place."""
        return self.newest.date >= old.date and replaces(self.fullest, old)


def plan_consolidation(session: Sequence[dict[str, Any]], known: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return operations as JSON objects that cover every session note exactly once; trip-only notes come first.

    Of two session notes of one date, the one further down was said later.
    """
    before = [_note(line) for line in known]
    groups: list[_Group] = []
    operations = []
    for note in sorted(map(_note, session), key=lambda note: note.date)[::-1]:
        if note.scope == "trip":
            operations.append(_operation("DROP", [note.id], reason="It holds for one trip only."))
        elif not any(group.takes(note) for group in groups):
            groups.append(_Group(note, note, [note.id]))
    # What replaces comes first, so that nothing else takes the note that has to go.
    groups.sort(key=lambda group: not any(group.replaces(old) for old in before))
    taken: set[str] = set()
    for group in groups:
        operation = _settled(group, [old for old in before if old.id not in taken])
        taken.update(operation["global_notes"])
        reason = "It was replaced later in the session."
        operations += [*(_operation("DROP", [key], reason=reason) for key in group.replaced), operation]
    return operations


def _settled(group: _Group, known: Sequence[_ListedNote]) -> dict[str, Any]:
    new, session = group.fullest, group.members
    newer = [old for old in known if old.date > group.newest.date]
    if any(replaces(old, new) or replaces(new, old) for old in newer):
        return _operation("DROP", session, reason="What is known is newer, and says otherwise.")
    replaced = [old for old in known if group.replaces(old)]
    shorter = [old for old in known if covers(new, old) and old not in replaced]
    targets = [*replaced, *shorter]
    if any(old.hard for old in replaced) and not new.hard:  # a limit that is over leaves nothing in its place
        return _operation("EXPIRE", session, targets, "It says that what was known is over.")
    if replaced:
        return _operation("SUPERSEDE", session, targets, "It replaces what was known.", new.text)
    if fuller := [old for old in known if covers(old, new)]:
        return _operation("CONFIRM", session, fuller[:1], "It is known already.")
    if shorter:
        return _operation("MERGE", session, targets, "It says the same in more detail.", new.text)
    return _operation("ADD", session, reason="It is new.", text=new.text)


def _operation(
    op: str, session: list[str], targets: Sequence[_ListedNote] = (), reason: str = "", text: str | None = None
) -> dict[str, Any]:
    known = [old.id for old in targets]
    return {"session_notes": list(session), "global_notes": known, "reason": reason, "op": op, "text": text}


def _note(line: dict[str, Any]) -> _ListedNote:
    """Return a note of the prompt, which leaves out what is empty, without a condition that its text names itself."""
    text, when = line["text"], line.get("when", "")
    topic, condition = topic_of_note(text, line.get("topic", "")), "" if names_condition(text, when) else when
    hard, date = line.get("hard", False), line.get("date", "")
    return _ListedNote(line["id"], text, topic, line.get("scope", "user"), condition, hard, date)
