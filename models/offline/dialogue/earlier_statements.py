"""What earlier turns of the visible conversation said that is worth keeping, as far as it still holds."""

from __future__ import annotations

from collections.abc import Sequence

from models.offline.dialogue.conflict_question import left_open
from models.offline.dialogue.transcript import Outcome, Turn
from models.offline.languages import language_of
from models.offline.readings import RULES_MEMORY, Statement

_SAVED = 0.9
_HELD = frozenset({"kept", "kept_already"})


def earlier_statements(turns: Sequence[Turn]) -> list[Statement]:
    """Statements of `turns`, the newest first: what was saved, and what was said where nothing could be saved.

    What was forgotten since, and what the policy refused, is left out.
    """
    found: list[Statement] = []
    for before, turn in zip((None, *turns), turns, strict=False):
        gone = [_words(str(each.answer.get("text", ""))) for each in turn.outcomes if _forgotten(each)]
        found = [each for each in found if _words(each.text) not in gone]
        if before is None or not left_open(before, turn.said, language_of(turn.said)):
            found += _said(turn)
    return found[::-1]


def _said(turn: Turn) -> list[Statement]:
    saved = [each for each in turn.outcomes if each.tool == "save_memory_note"]
    if saved:
        return [_statement(each) for each in saved if _holds(each)]
    language = language_of(turn.said)
    if language.request(turn.said).intent in RULES_MEMORY:
        return []
    return language.statements(turn.said)


def _holds(outcome: Outcome) -> bool:
    """Kept, or not kept only because memory is paused: in this conversation it counts all the same."""
    return outcome.answer.get("status") in _HELD or outcome.answer.get("code") == "paused"


def _statement(outcome: Outcome) -> Statement:
    given = outcome.given
    return Statement(
        text=str(given.get("text", "")),
        quote=str(given.get("quote", "")),
        topic=given.get("topic", "other"),
        trip_only=given.get("scope") == "trip",
        condition=", ".join(item["value"] for item in given.get("when") or ()) or None,
        confidence=_SAVED,
    )


def _forgotten(outcome: Outcome) -> bool:
    return outcome.tool == "forget_memory" and outcome.answer.get("status") == "forgotten"


def _words(text: str) -> frozenset[str]:
    return language_of(text).content_words(text)
