"""No call shows or changes another user's data, however similar two ids look."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from config.errors import AccessDeniedError, InvalidInputError, NotFoundError
from memory.records.reading import read_under, user_namespace
from tests.faults.child import settings_of
from tests.faults.parts import StruckConcierge, struck_concierge
from tests.faults.story import say
from tests.tables import table

pytestmark = pytest.mark.slow

PAIRS = [
    ("u1", "u10"), ("a", "A"), ("x%", "x_"), ("x_", "xy"), ("x/y", "x"), ("x.y", "x_2ey"), ("*", "a"), ("%", "a"),
    ("users", "u"), ("a ", "a"), ("é", "e\u0301"), ("ｕ１", "u1"), ("a\u3000", "a"), ("../a", "a"),
    ("notes", "journal"),
]  # fmt: skip
_READABLE = st.characters(exclude_categories=["C", "Z"], include_characters=" \u3000")
IDS = st.text(_READABLE, min_size=1, max_size=20).filter(lambda text: not text.isspace())
"""Valid user ids: text without control or invisible characters that is not blank."""


async def _records(concierge: StruckConcierge, user_id: str) -> str:
    items = await read_under(concierge.store, user_namespace(user_id))
    return json.dumps(sorted([*item.namespace, item.key, item.value] for item in items), ensure_ascii=False)


async def _refused(attempt: Awaitable[object]) -> None:
    with pytest.raises((AccessDeniedError, NotFoundError)):
        await attempt


async def _nothing_is_seen(concierge: StruckConcierge, own: str, theirs: str, note_id: str) -> None:
    memory = concierge.memory(own)
    assert await memory.notes(include_inactive=True) == []
    assert await memory.search("museums") == []
    assert (await memory.episodes(), await memory.trips(), await memory.journal()) == ([], [], [])
    assert await memory.mentions("museums") == 0
    assert not (await memory.snapshot()).eraser()
    assert await concierge.recall("museums", user_id=own) == []
    assert "museum" not in json.dumps(await memory.export())
    for read in (concierge.history, concierge.full_history, concierge.staged_notes):
        await _refused(read(user_id=own, thread_id=theirs))
    await _refused(memory.note(note_id))
    await _refused(memory.history(note_id))


async def _nothing_is_changed(concierge: StruckConcierge, own: str, theirs: str, note_id: str) -> None:
    memory = concierge.memory(own)
    change: Callable[..., Awaitable[object]]
    for change in (memory.forget, memory.retire, memory.restore, memory.undo):
        await _refused(change(note_id))
    await _refused(memory.edit(note_id, text="I hate museums"))
    for change in (concierge.clear_thread, concierge.pop_last_turn, concierge.end_session, concierge.resume):
        await _refused(change(user_id=own, thread_id=theirs))
    await _refused(concierge.send("hi", user_id=own, thread_id=theirs))
    await _refused(concierge.set_max_turns(3, user_id=own, thread_id=theirs))
    await memory.forget_mentions("museums")
    await memory.pause()
    await memory.deny("activity")
    await memory.clear(own)


async def _meet(one: str, other: str, folder: Path) -> None:
    where = {"data_dir": folder, "embedder": "none"}
    async with struck_concierge(settings_of(where)) as concierge:
        for number, text in enumerate(("I love museums", "I am vegetarian")):
            await say(concierge, text, name=f"said {number}", thread_id="theirs", user_id=one)
            await concierge.end_session(user_id=one, thread_id="theirs")
        await say(concierge, "I travel with my dog", name="open", thread_id="theirs", user_id=one)
        forgotten, note = await concierge.memory(one).notes()
        await concierge.memory(one).forget(forgotten.id)
        before = await _records(concierge, one)
        await _nothing_is_seen(concierge, other, "theirs", note.id)
        await _nothing_is_changed(concierge, other, "theirs", note.id)
        assert await _records(concierge, one) == before
        assert [n.text for n in await concierge.staged_notes(user_id=one, thread_id="theirs")] == [
            "I travel with my dog"
        ]
        await concierge.sweep(idle=timedelta(0))
        assert await concierge.memory(other).notes() == []
        assert len(await concierge.memory(one).notes()) == 2


def _check(one: str, other: str) -> None:
    with TemporaryDirectory() as folder:
        asyncio.run(_meet(one, other, Path(folder)))


@table(("one", "other"), [*PAIRS, *[(other, one) for one, other in PAIRS]])
def test_users_with_similar_ids_are_isolated(one: str, other: str) -> None:
    _check(one, other)


@given(IDS, IDS)
@example("u1", "u10")
@settings(max_examples=10, suppress_health_check=list(HealthCheck))
def test_any_two_users_are_isolated(one: str, other: str) -> None:
    if one != other:
        _check(one, other)


async def test_empty_and_unreadable_user_ids_are_rejected(tmp_path: Path) -> None:
    where: dict[str, Any] = {"data_dir": tmp_path, "embedder": "none"}
    async with struck_concierge(settings_of(where)) as concierge:
        await say(concierge, "I love museums", name="said", user_id="a")
        for attempt in (
            lambda: concierge.send("hi", user_id="", thread_id="t"),
            lambda: concierge.end_session(user_id="", thread_id="t1"),
            lambda: concierge.history(user_id="", thread_id="t1"),
            lambda: concierge.clear_thread(user_id="", thread_id="t1"),
            lambda: concierge.recall("museums", user_id=""),
            lambda: concierge.send("hi", user_id="a", thread_id=""),
            lambda: concierge.send("hi", user_id="a\x00", thread_id="t"),
            lambda: concierge.send("hi", user_id=" ", thread_id="t"),
            lambda: concierge.send("hi", user_id="a", thread_id="\u202e"),
        ):
            with pytest.raises((InvalidInputError, AccessDeniedError)):
                await attempt()
        with pytest.raises(InvalidInputError):
            concierge.memory("")
