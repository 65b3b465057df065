"""Forgetting: after it, no byte of the data directory tells what was forgotten, and the rest is still there."""

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
    """Files that hold the forgotten word after forgetting, notes that come back, and neighbours that were lost."""
    told = [(case, asyncio.run(_forgetting(case))) for case in cases(_HERE, part, "deletion")[::every]]
    left = [_miss(case, ", ".join(found["files"])) for case, found in told if found["files"]]
    back = [_miss(case, "learnt again") for case, found in told if found["back"]]
    lost = [_miss(case, f"{case['other']} is lost too") for case, found in told if not found["kept"]]
    return [
        Figure("deletion", part, "residue in files", len(left), len(told), at_most=0.0, misses=tuple(left)),
        Figure("deletion", part, "learnt again from the same words", len(back), len(told), at_most=0.0,
               misses=tuple(back)),
        Figure("deletion", part, "other notes lost", len(lost), len(told), at_most=0.0, misses=tuple(lost)),
    ]  # fmt: skip


async def _forgetting(case: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(data_dir=Path(folder), model_provider="offline", language=case["lang"])
        async with open_concierge(settings) as concierge:
            await _talk(concierge, case)
            assert list(_holding(Path(folder), case["word"])), f"{case['id']} was never written"
            await _forget(concierge, case["word"])
            left = sorted(_holding(Path(folder), case["word"]))
            await concierge.send(case["say"], user_id=_USER, thread_id="again", end_session=True)
            notes = [note.text for note in await concierge.memory(_USER).notes()]
            await concierge.clear_thread(user_id=_USER, thread_id="again")  # it holds the words that were said anew
        return {
            "files": [*left, *(f"{name} (closed)" for name in _holding(Path(folder), case["word"]))],
            "back": any(case["word"].casefold() in note.casefold() for note in notes),
            "kept": any(case["kept"].casefold() in note.casefold() for note in notes),
        }


async def _talk(concierge: Concierge, case: dict[str, Any]) -> None:
    """It is said in one conversation that ended, and mentioned in another that goes on."""
    for text in (case["say"], case["other"]):
        await concierge.send(text, user_id=_USER, thread_id="first")
    await concierge.end_session(user_id=_USER, thread_id="first")
    await concierge.send(case["say"], user_id=_USER, thread_id="second")


async def _forget(concierge: Concierge, word: str) -> None:
    memory = concierge.memory(_USER)
    told = [note for note in await memory.notes() if word.casefold() in note.text.casefold()]
    for note in told:
        await memory.forget_note(note)
    if not told:
        await memory.forget_mentions(word)


def _holding(folder: Path, word: str) -> Iterator[str]:
    """Names of the files that hold `word`, as text or escaped in JSON, in any case of its letters."""
    forms = {form.encode() for one in {word, word.lower(), word.capitalize()} for form in (one, _escaped(one))}
    for path in folder.rglob("*"):
        if path.is_file() and any(form in path.read_bytes() for form in forms):
            yield str(path.relative_to(folder))


def _escaped(word: str) -> str:
    return "".join(char if char.isascii() else f"\\u{ord(char):04x}" for char in word)


def _miss(case: dict[str, Any], found: str) -> Miss:
    return Miss(case["id"], case["say"], found)
