"""`concierge memory`: see, search and forget what is remembered of a user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.exits import WRONG
from app.opening import speaker, with_concierge
from app.records import print_json
from app.screen import Screen, described
from graph.errors import InvalidInputError, NotFoundError
from graph.settings import load_settings

if TYPE_CHECKING:
    from graph.concierge import Concierge
    from stores.notes import Note
    from stores.recall import Hit


def list_notes(user: str | None, *, everything: bool, as_json: bool) -> None:
    """The command `memory list`."""
    settings = load_settings()
    user_id = speaker(user, settings)
    notes = with_concierge(lambda c: c.memory(user_id).notes(include_inactive=everything), settings)
    if as_json:
        print_json([note.dump() for note in notes])
    else:
        Screen().notes(notes, none="nothing is remembered yet")


def search_notes(query: str, user: str | None, *, limit: int, as_json: bool) -> None:
    """The command `memory search`."""
    settings = load_settings()
    user_id = speaker(user, settings)

    async def search(concierge: Concierge) -> list[tuple[Note, Hit]]:
        hits = await concierge.recall(query, user_id=user_id, limit=limit, scopes=["note"])
        memory = concierge.memory(user_id)
        return [(await memory.note(hit.document.id), hit) for hit in hits]

    found = with_concierge(search, settings)
    if as_json:
        print_json([{**note.dump(), "score": hit.score, "why": hit.why} for note, hit in found])
    else:
        Screen().notes([note for note, _ in found], none="nothing like that is remembered")


def forget_note(what: str, user: str | None, *, everything: bool, as_json: bool) -> None:
    """The command `memory forget`: forgets when exactly one note is meant, else lists the candidates and exits 2."""
    settings = load_settings()
    user_id = speaker(user, settings)

    async def forget(concierge: Concierge) -> list[Note]:
        memory = concierge.memory(user_id)
        meant = meant_notes(what, await memory.notes(include_inactive=everything))
        if len(meant) == 1:
            await memory.forget(meant[0].id)
        return meant

    meant = with_concierge(forget, settings)
    status = "forgotten" if len(meant) == 1 else "which_one"
    if as_json:
        print_json({"status": status, "notes": [note.dump() for note in meant]})
    elif status == "forgotten":
        Screen().aside(f"forgotten: {described(meant[0])}")
    else:
        screen = Screen()
        screen.notes(meant, none="")
        screen.aside("several notes match; say which one by its id")
    if status != "forgotten":
        raise SystemExit(WRONG)


def meant_notes(what: str, notes: Sequence[Note]) -> list[Note]:
    """The notes that `what` names by id, or describes best in words.

    Raises:
        InvalidInputError: `what` has no word to go by.
        NotFoundError: no note matches.
    """
    from stores.matching import best_matches
    from stores.statements import key_words

    named = [note for note in notes if note.id == what.strip()]
    if named:
        return named
    if not key_words(what):
        raise InvalidInputError("Say which note: give its id, or words that occur in it.")
    found = best_matches(what, notes)
    if not found:
        raise NotFoundError("No note matches that. `concierge memory list` shows what is remembered.")
    return found
