"""Takes what was forgotten out of a thread's state."""

from typing import Any

from graph.state import State
from memory.control.erased import Eraser
from memory.control.forget import erased_evidence, erased_messages
from memory.records.notes import Note
from nodes.services import Run


async def erasing(state: State, run: Run) -> dict[str, Any]:
    """Return what changes in `state` because of what was forgotten since it was last cleaned; empty if nothing was."""
    if run.user_id is None:
        return {}
    return erasure_update(state, (await run.memory.snapshot()).eraser(after=state.get("erased", 0)))


def erasure_update(state: State, eraser: Eraser) -> dict[str, Any]:
    """Return the update that takes what `eraser` knows out of a thread's messages, staged notes and plan."""
    if not eraser:
        return {}
    staged = [Note.model_validate(note) for note in state.get("session_notes", [])]
    gone = [note.id for note in staged if eraser.tells(" ".join((note.text, *note.sayings)))]
    left = [erased_evidence(note, eraser).dump() for note in staged if note.id not in gone]
    return {
        "messages": erased_messages(state["messages"], eraser),
        "session_notes": [*left, *({"id": key, "status": "forgotten"} for key in gone)],
        "plan": None,
        "erased": eraser.latest,
    }


def without_message(note: Note, message_id: str) -> dict[str, Any] | None:
    """Return the update of a staged note when a message is taken back; None where the note does not rest on it."""
    left = tuple(one for one in note.evidence if one.message_id != message_id)
    if left == note.evidence:
        return None
    return note.model_copy(update={"evidence": left}).dump() if left else {"id": note.id, "status": "forgotten"}
