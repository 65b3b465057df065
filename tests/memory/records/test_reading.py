"""A malformed record blocks no turn, no export and no forgetting. It is left out and named."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from app.api.concierge import Concierge
from config.errors import DamagedThreadError
from memory.records.profile import Profile
from memory.records.reading import user_namespace
from tests.conftest import Opener
from tests.graph.test_conversation import NO_PLAN, save
from tests.scripted import calls, scripted

ANA: dict[str, Any] = {"user_id": "ana", "thread_id": "t"}
NOTE = "I love museums"
BAD: list[dict[str, Any]] = [
    {},
    {"text": 7, "museums": "I love museums"},
    {"messages": [{"type": "?"}], "turn": "x"},
    {"changes": 3},
]
ROOMS = [
    ("notes",), ("profile",), ("consent",), ("trips",), ("episodes",), ("bookings",), ("journal",), ("erasures",),
    ("threads",), ("archive", "t"), ("archive", "other"),
]  # fmt: skip


def _agent() -> Any:
    return scripted(
        save(NOTE, "activity"),
        AIMessage("Ok."),
        calls("recall_memory", "r", query="museums"),
        calls("list_memories", "l"),
        AIMessage("Hello."),
    )


async def _whole_use(concierge: Concierge, room: tuple[str, ...]) -> None:
    """Run a turn with recall and list, an export, an import of it, an edit, forgetting, the end, and a sweep."""
    reply = await concierge.send("hi", **ANA)
    assert reply.text == "Hello.", room
    memory = concierge.memory("ana")
    data = json.loads(json.dumps(await memory.export()))
    assert len(data["set_aside"]) == len(BAD if room[0] not in ("profile", "consent") else BAD[:1]), room
    await concierge.memory("bob").import_({**data, "consent": None})
    assert [note.text for note in await concierge.memory("bob").notes()] == [NOTE], room
    await concierge.recall("museums", user_id="ana")
    await memory.mentions("museums")
    await memory.edit((await memory.notes())[0].id, pinned=True)
    await memory.undo()
    await concierge.end_session(**ANA)
    for note in await memory.notes(include_inactive=True):
        await memory.forget(note.id)
    records = [item.value for item in await memory.store.asearch((*user_namespace("ana"), room[0]), limit=100)]
    assert room[0] in ("trips", "bookings", "erasures", "threads") or "I love museums" not in json.dumps(records), room
    await concierge.full_history(**ANA)
    await memory.clear("ana")


@pytest.mark.parametrize("room", ROOMS, ids="/".join)
async def test_malformed_record_blocks_nothing_and_is_named(concierge_with: Opener, room: tuple[str, ...]) -> None:
    async with concierge_with({"agent": _agent(), "consolidation": NO_PLAN}) as concierge:
        await concierge.send(NOTE, **ANA, end_session=True)
        memory = concierge.memory("ana")
        assert await concierge.damaged() == []
        single = room[0] in ("profile", "consent")
        bad: list[dict[str, Any]] = [{"paused": "x", "seat_preference": "roof", "name": "Ana"}] if single else BAD
        for number, value in enumerate(bad):
            key = room[0] if single else f"{number:08d}"
            await memory.store.aput((*user_namespace("ana"), *room), key, value, index=False)
        assert len(await concierge.damaged()) == len(bad)
        assert all("/".join(room) in name for name, _ in await concierge.damaged())
        await _whole_use(concierge, room)


async def test_sound_fields_of_a_profile_are_kept_and_damaged_consent_pauses(concierge_with: Opener) -> None:
    async with concierge_with({"agent": _agent()}) as concierge:
        memory = concierge.memory("ana")
        bad: dict[str, dict[str, Any]] = {
            "profile": {"name": "Ana", "seat_preference": "roof"},
            "consent": {"paused": 3, "denied": ["meal"]},
        }
        for room, value in bad.items():
            await memory.store.aput(user_namespace("ana", room), room, value, index=False)
        assert await memory.profile() == Profile(name="Ana")
        assert (await memory.consent()).model_dump() == {"paused": True, "denied": ("meal",)}
        assert (await memory.resume()).paused is False
        assert [name for name, _ in await concierge.damaged()] == ["users/ana/profile/profile"]


@pytest.mark.parametrize("value", [{}, {"key": "no hex", "revision": "x", "seq": None}], ids=str)
async def test_damaged_counters_and_hash_key_are_recreated(concierge_with: Opener, value: dict[str, Any]) -> None:
    async with concierge_with({"agent": _agent(), "consolidation": NO_PLAN}) as concierge:
        await concierge.send(NOTE, **ANA, end_session=True)
        memory = concierge.memory("ana")
        for key in ("hash_key", "revision", "archive"):
            await memory.store.aput(user_namespace("ana", "meta"), key, value, index=False)
        await concierge.send("hi", **ANA)
        (note,) = await memory.notes()
        await memory.forget(note.id)
        seqs = [entry.seq for entry in await memory.journal()]
        assert len(set(seqs)) == len(seqs)


async def test_damaged_thread_explains_what_to_do_and_blocks_nothing_else(
    concierge_with: Opener, make_settings: Callable[..., Any], tmp_path: Path
) -> None:
    async with concierge_with({"agent": _agent(), "consolidation": NO_PLAN}) as concierge:
        await concierge.send(NOTE, **ANA, end_session=True)
        await concierge.send("hi", user_id="ana", thread_id="other")
    (file,) = [one for one in (tmp_path / "data").rglob("*.sqlite*") if _has_checkpoints(one)]
    for column, value in (("checkpoint", b"\xc1\x00\xff"), ("metadata", b"{"), ("type", "nonsense")):
        with sqlite3.connect(file) as db:
            before = db.execute("SELECT rowid, type, checkpoint, metadata FROM checkpoints").fetchall()
            db.execute(f"UPDATE checkpoints SET {column} = ? WHERE thread_id = 't'", [value])
        db.close()
        async with concierge_with({"agent": _agent(), "consolidation": NO_PLAN}) as concierge:
            with pytest.raises(DamagedThreadError, match=r"'t' is damaged.*clear_thread"):
                await concierge.send("hi", **ANA)
            assert (await concierge.send("hi", user_id="ana", thread_id="other")).text
            assert [name for name, _ in await concierge.damaged()] == ["conversation t"]
            (note,) = await concierge.memory("ana").notes()
            assert "t" in (await concierge.memory("ana").forget_mentions("lighthouses")).waiting
            assert note.text == NOTE
        with sqlite3.connect(file) as db:
            for row, *values in before:
                db.execute("UPDATE checkpoints SET type=?, checkpoint=?, metadata=? WHERE rowid=?", [*values, row])
        db.close()
    with sqlite3.connect(file) as db:
        db.execute("UPDATE checkpoints SET checkpoint = x'c1' WHERE thread_id = 't'")
    db.close()
    async with concierge_with({"agent": _agent()}) as concierge:
        with pytest.raises(DamagedThreadError):
            await concierge.clear_thread(user_id="eve", thread_id="t")
        await concierge.clear_thread(**ANA)
        assert await concierge.damaged() == []


def _has_checkpoints(file: Path) -> bool:
    if file.suffix not in (".sqlite", ".sqlite3", ".db"):
        return False
    with sqlite3.connect(file) as db:
        return bool(db.execute("SELECT 1 FROM sqlite_master WHERE name = 'checkpoints'").fetchall())
