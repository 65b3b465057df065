"""Finds what a call of `forget_memory` means, for the question whether to forget it and for the forgetting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph.state import State
from memory.claims import says_the_same
from memory.control.find_notes import best_matches, is_meant
from memory.records.notes import Note
from nodes.services import Run, Services
from nodes.tools.memory.known_notes import known_notes


@dataclass(frozen=True, slots=True)
class Meant:
    """What a query may mean: notes, the best first, and all `copies` of the first one.

    It `is_plain` when nothing else can be meant.
    """

    matches: Sequence[Note]
    copies: Sequence[Note]
    is_plain: bool


async def find_meant(query: str, state: State, run: Run, services: Services) -> Meant:
    """Return the notes, kept or staged in this conversation, that the words or the handle `query` may mean."""
    long_term, staged = await known_notes(state, run, services)
    everything = [*staged, *long_term]
    chosen = _named(query, everything, state)
    matches = chosen or best_matches(query, everything)
    copies = [note for note in everything if matches and (note == matches[0] or says_the_same(note, matches[0]))]
    is_plain = bool(copies) and all(note in copies for note in matches)
    return Meant(matches, copies, is_plain and bool(chosen or is_meant(query, matches[0])))


def _named(query: str, notes: Sequence[Note], state: State) -> list[Note]:
    """Return the note that `query` is the id or the handle of."""
    shown = (state.get("memory_view") or {"shown": []})["shown"]
    ids = {note["handle"]: note["id"] for note in shown}
    return [note for note in notes if note.id in (query.strip(), ids.get(query.strip()))]
