"""Forgets a note in each case, then searches every file of the data directory for it, and checks the other note."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.api.concierge import Concierge
from app.api.opening import open_concierge
from config.settings import load_settings
from evals.figures import Figure, Miss, Part, cases

_HERE = Path(__file__).parent
_USER = "ana"


def figures(part: Part, *, every: int = 1) -> list[Figure]:
    """Count the cases with the forgotten word in a file, with a note that was learnt again, and with another lost."""
    results = [(case, asyncio.run(_run(case))) for case in cases(_HERE, part, "deletion")[::every]]
    left = [_miss(case, ", ".join(result["files"])) for case, result in results if result["files"]]
    back = [_miss(case, "learnt again") for case, result in results if result["back"]]
    lost = [_miss(case, f"{case['other']} is lost too") for case, result in results if not result["kept"]]
    total = len(results)
    return [
        Figure("deletion", part, "residue in files", len(left), total, at_most=0.0, misses=tuple(left)),
        Figure("deletion", part, "learnt again from the same words", len(back), total, at_most=0.0, misses=tuple(back)),
        Figure("deletion", part, "other notes lost", len(lost), total, at_most=0.0, misses=tuple(lost)),
    ]


async def _run(case: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(data_dir=Path(folder), model_provider="offline", language=case["lang"])
        async with open_concierge(settings) as concierge:
            await _talk(concierge, case)
            assert list(_files_with(Path(folder), case["word"])), f"{case['id']} was never written"
            await _forget(concierge, case["word"])
            left = sorted(_files_with(Path(folder), case["word"]))
            await concierge.send(case["say"], user_id=_USER, thread_id="again", end_session=True)
            notes = [note.text for note in await concierge.memory(_USER).notes()]
            await concierge.clear_thread(user_id=_USER, thread_id="again")  # it holds the words that were said anew
        return {
            "files": [*left, *(f"{name} (closed)" for name in _files_with(Path(folder), case["word"]))],
            "back": any(case["word"].casefold() in note.casefold() for note in notes),
            "kept": any(case["kept"].casefold() in note.casefold() for note in notes),
        }


async def _talk(concierge: Concierge, case: dict[str, Any]) -> None:
    """State the fact in a conversation that ends, and again in one that stays open."""
    for text in (case["say"], case["other"]):
        await concierge.send(text, user_id=_USER, thread_id="first")
    await concierge.end_session(user_id=_USER, thread_id="first")
    await concierge.send(case["say"], user_id=_USER, thread_id="second")


async def _forget(concierge: Concierge, word: str) -> None:
    memory = concierge.memory(_USER)
    matches = [note for note in await memory.notes() if word.casefold() in note.text.casefold()]
    for note in matches:
        await memory.forget_note(note)
    if not matches:
        await memory.forget_mentions(word)


def _files_with(folder: Path, word: str) -> Iterator[str]:
    """Yield the names of the files that contain `word`, plain or escaped as in JSON, as given, in lower case or
    capitalised.
    """
    spellings = {word, word.lower(), word.capitalize()}
    forms = {form.encode() for spelling in spellings for form in (spelling, _escaped(spelling))}
    for path in folder.rglob("*"):
        if path.is_file() and any(form in path.read_bytes() for form in forms):
            yield str(path.relative_to(folder))


def _escaped(word: str) -> str:
    return "".join(char if char.isascii() else f"\\u{ord(char):04x}" for char in word)


def _miss(case: dict[str, Any], error: str) -> Miss:
    return Miss(case["id"], case["say"], error)
