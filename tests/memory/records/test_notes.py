"""Notes stored by an earlier version are read with all their data."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from langgraph.store.memory import InMemoryStore
from pydantic import ValidationError

from memory.control.edit import Edit, edit
from memory.control.undo import undo
from memory.policy import Gate
from memory.records.notes import Note
from memory.records.reading import user_namespace
from memory.records.repository import UserMemory
from tests.conftest import Clock
from tests.samples import note, said

SOURCE = {"thread_id": "t9", "message_id": "m3", "quote": "window seats at night, please", "workspace": ""}
OLD = {
    "id": "old", "text": "Prefers window seats", "topic": "seat", "keywords": ["window"], "scope": "user",
    "condition": "on overnight flights", "hard": False, "pinned": True, "confidence": 0.8,
    "created_at": "2026-05-01T08:00:00Z", "last_update_date": "2026-06-02", "expires_at": "2027-01-01T00:00:00Z",
    "last_used_at": "2026-07-01T00:00:00Z", "confirmations": 4, "status": "superseded", "supersedes": ["older"],
    "superseded_by": "newer",
    "source": SOURCE,
}  # fmt: skip


def test_old_note_keeps_all_its_data() -> None:
    read = Note.model_validate(OLD)
    (heard,) = read.evidence
    assert (heard.quote, heard.thread_id, heard.message_id) == ("window seats at night, please", "t9", "m3")
    assert heard.said_on == date(2026, 6, 2)
    assert (read.condition, read.claims, read.workspace) == ("on overnight flights", (), "")
    same = {"id", "text", "topic", "scope", "hard", "pinned", "confidence", "confirmations", "status", "superseded_by"}
    dumped = read.dump()
    assert {name: dumped[name] for name in same} == {name: OLD[name] for name in same}
    assert dumped["supersedes"] == ["older"]
    assert (read.created_at, read.expires_at, read.last_used_at) == (
        datetime(2026, 5, 1, 8, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC),
    )  # fmt: skip
    assert Note.model_validate(dumped) == read


def test_old_shared_note_stays_in_its_workspace() -> None:
    shared = {**OLD, "scope": "workspace", "condition": None, "source": {**SOURCE, "workspace": "acme"}}
    read = Note.model_validate(shared)
    assert (read.workspace, read.when) == ("acme", {})


def test_invalid_note_is_rejected() -> None:
    with pytest.raises(ValidationError):
        Note.model_validate({**OLD, "colour": "red"})
    with pytest.raises(ValidationError):
        Note.model_validate({**note("Likes trams").dump(), "keywords": ["tram"]})


async def test_old_note_in_the_store_is_edited_and_undone(clock: Clock) -> None:
    store = InMemoryStore()
    await store.aput(user_namespace("ana", "notes"), "old", {**OLD, "status": "active"})
    memory = UserMemory(store, "ana", clock=clock)
    (read,) = await memory.notes()
    await edit(memory, "old", Edit(text="Prefers aisle seats"), gate=Gate(), now=clock())
    await undo(memory)
    assert await memory.notes() == [read]


def test_sayings_and_latest_evidence() -> None:
    heard = note("Likes trams", evidence=(*said("I like trams"), *said(""), *said("Trams again")))
    assert heard.sayings == ("I like trams", "Trams again")
    assert heard.latest.quote == "Trams again"
    assert note("x", evidence=()).latest.quote == ""
