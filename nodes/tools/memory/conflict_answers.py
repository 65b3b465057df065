"""An answer to "which of the two holds?" takes its words from the question: those count as said by the user."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, AnyMessage

from memory.records.notes import Note
from memory.selection.asked_conflicts import Clash
from memory.selection.conflicts import clashes
from models.offline.statements import key_words
from nodes.messages.turns import Transcript, Turn

_LONGEST_PICK = 120
"""Characters of an answer that merely picks; a longer one says what it means itself."""


def offered_words(notes: Sequence[Note], messages: Sequence[AnyMessage]) -> list[str]:
    """What the two notes say that the last answer asked about; empty when the running message answers no such question.

    Args:
        notes: The long-term notes.
        messages: The thread's messages, the running turn last.
    """
    turns = Transcript.of(messages).turns
    if len(turns) < 2 or len(turns[-1].messages[0].text) > _LONGEST_PICK:
        return []
    named = asked_about(notes, turns[-2])
    return list(dict.fromkeys(f"{note.text} {note.condition or ''}".strip() for pair in named for note in pair))


def asked_about(notes: Sequence[Note], turn: Turn) -> list[Clash]:
    """The clashes between `notes` that the last answer of `turn` names both sides of."""
    answer = next((message.text for message in reversed(turn.messages) if isinstance(message, AIMessage)), "")
    pairs = clashes(notes, turn.messages[0].text)
    return [pair for pair in pairs if all(key_words(note.text) & key_words(answer) for note in pair)]
