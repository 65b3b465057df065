"""What a conversation has told of the traveller so far, whether or not it was saved."""

from collections.abc import Sequence

from models.offline import notes
from models.offline.dialogue.conflicts import left_open
from models.offline.dialogue.transcript import Outcome, Turn
from models.offline.notes import Statement

LIMITS = frozenset({"meal", "accessibility", "document"})
"""Topics of what the traveller can't do without."""
_HELD = frozenset({"kept", "kept_already"})
_RULES_MEMORY = frozenset({"private", "public", "source", "forget_all"})


def earlier_statements(turns: Sequence[Turn]) -> list[Statement]:
    """Return what `turns` said that is worth keeping and still holds, the newest first, saved or not.

    What was forgotten since, and what the policy refused, is left out.
    """
    found: list[Statement] = []
    for before, turn in zip((None, *turns), turns, strict=False):
        forgotten = [each.answer for each in turn.outcomes if each.tool == "forget_memory"]
        gone = [str(each.get("text", "")) for each in forgotten if each.get("status") == "forgotten"]
        found = [each for each in found if notes.content_words(each.text) not in map(notes.content_words, gone)]
        if before is None or not left_open(before, turn.said):
            found += _said(turn)
    return found[::-1]


def _said(turn: Turn) -> list[Statement]:
    saved = [each for each in turn.outcomes if each.tool == "save_memory_note"]
    if saved or turn.calls:
        return [
            _statement(each)
            for each in saved
            if each.answer.get("status") in _HELD or each.answer.get("code") == "paused"
        ]
    wish = notes.memory_wish(turn.said)
    return [] if wish and wish.kind in _RULES_MEMORY else list(notes.statements(turn.said))


def _statement(outcome: Outcome) -> Statement:
    given = outcome.given
    trip_only = given.get("scope") == "trip"
    return Statement(str(given.get("text", "")), str(given.get("quote", "")), given.get("topic", "other"), trip_only)
