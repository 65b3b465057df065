"""Plans the consolidation of session notes (`PlanProposal`): repeats are merged, contradicted notes replaced."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from models.offline.notes.claims import names_condition
from models.offline.notes.judge import topic_of_note
from models.offline.notes.meaning import covers, replaces


@dataclass(frozen=True, slots=True)
class _ListedNote:
    """A note in the prompt."""

    id: str
    text: str
    topic: str
    scope: str
    condition: str
    hard: bool
    date: str


@dataclass(slots=True)
class _Group:
    """Session notes that say the same: the newest, the fullest, the ids of all, and those of the notes they replace."""

    newest: _ListedNote
    fullest: _ListedNote
    members: list[str]
    replaced: list[str] = field(default_factory=list)

    def takes(self, older: _ListedNote) -> bool:
        """Add an older note that the group repeats or replaces; return False for any other."""
        if covers(self.fullest, older) or covers(older, self.fullest):
            self.members.append(older.id)
            self.fullest = self.fullest if covers(self.fullest, older) else older
        elif replaces(self.fullest, older):
            self.replaced.append(older.id)
        else:
            return False
        return True

    def replaces(self, old: _ListedNote) -> bool:
        """Return whether the group replaces `old`, which is not newer."""
        return self.newest.date >= old.date and replaces(self.fullest, old)


def plan_consolidation(session: Sequence[dict[str, Any]], stored: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return operations as JSON objects that cover every session note exactly once; trip-only notes come first.

    Of two session notes with the same date, the later in the list is the newer.
    """
    before = [_note(line) for line in stored]
    groups: list[_Group] = []
    operations = []
    for note in sorted(map(_note, session), key=lambda note: note.date)[::-1]:
        if note.scope == "trip":
            operations.append(_operation("DROP", [note.id], reason="It holds for one trip only."))
        elif not any(group.takes(note) for group in groups):
            groups.append(_Group(note, note, [note.id]))
    # Groups that replace a note come first, so that no other group uses it.
    groups.sort(key=lambda group: not any(group.replaces(old) for old in before))
    taken: set[str] = set()
    for group in groups:
        operation = _operation_for(group, [old for old in before if old.id not in taken])
        taken.update(operation["global_notes"])
        reason = "It was replaced later in the session."
        operations += [*(_operation("DROP", [key], reason=reason) for key in group.replaced), operation]
    return operations


def _operation_for(group: _Group, stored: Sequence[_ListedNote]) -> dict[str, Any]:
    """Return the operation that covers the notes of a group, given the stored notes that no other group uses."""
    new, session = group.fullest, group.members
    newer = [old for old in stored if old.date > group.newest.date]
    if any(replaces(old, new) or replaces(new, old) for old in newer):
        return _operation("DROP", session, reason="What is known is newer, and says otherwise.")
    replaced = [old for old in stored if group.replaces(old)]
    shorter = [old for old in stored if covers(new, old) and old not in replaced]
    targets = [*replaced, *shorter]
    if any(old.hard for old in replaced) and not new.hard:  # a limit that has ended needs no note in its place
        return _operation("EXPIRE", session, targets, "It says that what was known is over.")
    if replaced:
        return _operation("SUPERSEDE", session, targets, "It replaces what was known.", new.text)
    if fuller := [old for old in stored if covers(old, new)]:
        return _operation("CONFIRM", session, fuller[:1], "It is known already.")
    if shorter:
        return _operation("MERGE", session, targets, "It says the same in more detail.", new.text)
    return _operation("ADD", session, reason="It is new.", text=new.text)


def _operation(
    op: str, session: list[str], targets: Sequence[_ListedNote] = (), reason: str = "", text: str | None = None
) -> dict[str, Any]:
    ids = [old.id for old in targets]
    return {"session_notes": list(session), "global_notes": ids, "reason": reason, "op": op, "text": text}


def _note(line: dict[str, Any]) -> _ListedNote:
    """Parse a note of the prompt, which omits empty fields. A condition that its text states is left out."""
    text, when = line["text"], line.get("when", "")
    topic, condition = topic_of_note(text, line.get("topic", "")), "" if names_condition(text, when) else when
    hard, date = line.get("hard", False), line.get("date", "")
    return _ListedNote(line["id"], text, topic, line.get("scope", "user"), condition, hard, date)
