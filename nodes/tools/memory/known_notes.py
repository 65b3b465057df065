"""Reads the notes that a run may see, and finds those that words may mean, for all memory tools."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graph.state import State
from memory.claims import says_the_same
from memory.control.find_notes import best_matches, is_meant
from memory.policy import screen
from memory.records.notes import Note
from nodes.capture import staged_notes
from nodes.messages.turns import is_real_user
from nodes.services import Run
from text import neutralise


async def known_notes(state: State, run: Run) -> tuple[list[Note], list[Note]]:
    """Return the long-term notes, and those staged in this conversation; the newest first."""
    now = run.now
    live = [note for note in staged_notes(state) if note.is_live(now)]
    live.sort(key=lambda note: note.created_at, reverse=True)
    return await run.notes(), live


def note_for_model(note: Note, where: str) -> dict[str, Any] | None:
    """Return a note as the model may read it, screened and as one line; None for one that the policy refuses today."""
    if screen(note.text) or screen(note.condition):
        return None
    return {
        "handle": note.id,
        "text": neutralise(note.text),
        "topic": note.topic,
        "scope": note.scope,
        "condition": neutralise(note.condition) or None,
        "said": neutralise(note.latest.quote) if screen(note.latest.quote) is None else "",
        "date": note.last_update_date.isoformat(),
        "where": where,
    }


@dataclass(frozen=True, slots=True)
class Meant:
    """What a query may mean: notes, the best first, and all `copies` of the first one.

    It `is_plain` when nothing else can be meant.
    """

    matches: Sequence[Note]
    copies: Sequence[Note]
    is_plain: bool


async def find_meant(query: str, state: State, run: Run) -> Meant:
    """Return the notes, kept or staged in this conversation, that the words or the handle `query` may mean."""
    long_term, staged = await known_notes(state, run)
    everything = [*staged, *long_term]
    chosen = _named(query, everything, state)
    matches = chosen or best_matches(query, everything)
    copies = [note for note in everything if matches and (note == matches[0] or says_the_same(note, matches[0]))]
    is_plain = bool(copies) and all(note in copies for note in matches)
    return Meant(matches, copies, is_plain and bool(chosen or is_meant(query, matches[0])))


async def count_mentions(query: str, state: State, run: Run) -> int:
    """Return how many earlier messages tell of `query`: of this conversation, the latest left out, and of others."""
    said = [str(message.text) for message in state["messages"] if is_real_user(message)]
    return await run.memory.mentions(query, said[:-1])


def _named(query: str, notes: Sequence[Note], state: State) -> list[Note]:
    """Return the note that `query` is the id or the handle of."""
    shown = (state.get("memory_view") or {"shown": []})["shown"]
    ids = {note["handle"]: note["id"] for note in shown}
    return [note for note in notes if note.id in (query.strip(), ids.get(query.strip()))]
