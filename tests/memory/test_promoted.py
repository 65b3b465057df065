"""A profile field filled by a note is cleared with the note: when it is edited, superseded, retired or forgotten."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from langgraph.store.memory import InMemoryStore

from config.errors import InvalidInputError
from memory.consolidation import Operation, Plan, apply_plan
from memory.control.edit import Edit, edit, retire
from memory.control.undo import restore, undo
from memory.policy import Gate
from memory.records.journal import Step, changed
from memory.records.notes import Note
from memory.records.profile import Profile
from memory.records.reading import read_under
from memory.records.repository import UserMemory
from memory.schema import load_schema
from memory.transfer.export import export
from memory.transfer.importing import import_
from tests.conftest import Clock
from tests.samples import claim, note

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
AISLE = note("I prefer aisle seats", claim("seat_side", "aisle"), topic="seat", confirmations=3)
HOME = note("I live in Lisbon", claim("home_city", "Lisbon", "is"), confirmations=3)
WINDOW = note("I prefer window seats", claim("seat_side", "window"), topic="seat", created_at=NOW)


@pytest.fixture
async def memory(clock: Clock) -> UserMemory:
    """Return a user's memory with a seat and a home in the profile, promoted from notes, and a name set before."""
    memory = UserMemory(InMemoryStore(), "ana", clock=clock)
    await memory.set_profile(Profile(name="Ana"), step="import")
    await memory.commit([Step("", "agent", "add", tuple(changed(None, one) for one in (AISLE, HOME)))])
    await _apply(memory, [], *(Operation(op="PROMOTE", targets=(one.id,), reason="r") for one in (AISLE, HOME)))
    assert await memory.profile() == Profile(name="Ana", seat_preference="aisle", home_city="Lisbon")
    return memory


async def _apply(memory: UserMemory, session: list[Note], *operations: Operation) -> None:
    revision = await memory.revision()
    plan = Plan(session_id=f"s#{revision}", revision=revision, origin="model", operations=operations)
    await apply_plan(plan, session, memory, schema=load_schema(), now=NOW)


async def _stored(memory: UserMemory) -> str:
    return json.dumps([item.value for item in await read_under(memory.store, memory.root)])


@pytest.mark.parametrize("retired_first", [False, True])
async def test_forgotten_home_is_nowhere(memory: UserMemory, retired_first: bool) -> None:
    if retired_first:
        await retire(memory, HOME.id)
    await memory.set_profile((await memory.profile()).model_copy(update={"currency": "EUR"}), step="later")
    assert "Lisbon" in await _stored(memory)
    await memory.forget(HOME.id)
    assert await memory.profile() == Profile(name="Ana", seat_preference="aisle", currency="EUR")
    assert "Lisbon" not in await _stored(memory)
    promoted = [entry for entry in await memory.journal() if entry.action == "promote"][-1]
    with pytest.raises(InvalidInputError, match="gone for good"):
        await undo(memory, promoted.id)


async def test_forgotten_visa_leaves_an_empty_list(memory: UserMemory) -> None:
    visa = note("I have a visa for India", claim("visa", "India", "is"), topic="document", confirmations=3)
    await memory.commit([Step("", "agent", "add", (changed(None, visa),))])
    await _apply(memory, [], Operation(op="PROMOTE", targets=(visa.id,), reason="r"))
    assert (await memory.profile()).active_visas == ("India",)
    await memory.forget(visa.id)
    assert (await memory.profile()).active_visas == ()
    assert "India" not in await _stored(memory)


async def test_earlier_export_does_not_restore_a_forgotten_field(memory: UserMemory) -> None:
    before = await export(memory, now=NOW)
    for one in (HOME, AISLE):
        await memory.forget(one.id)
    for overwrite in (False, True):
        report = await import_(memory, before, gate=Gate(), now=NOW, overwrite=overwrite)
        assert {(one.kind, one.id, one.code) for one in report.blocked} >= {("profile", "home_city", "consent_denied")}
        assert await memory.profile() == Profile(name="Ana")
        assert "Lisbon" not in await _stored(memory)


async def test_imported_journal_does_not_contain_what_was_forgotten_here(memory: UserMemory, clock: Clock) -> None:
    other = UserMemory(memory.store, "bob", clock=clock)
    await other.commit([Step("", "agent", "add", (changed(None, HOME.model_copy(update={"id": "his"})),))])
    await other.forget("his")
    await import_(other, await export(memory, now=NOW), gate=Gate(), now=NOW)
    assert "promote" in [entry.action for entry in await other.journal()]
    assert "Lisbon" not in await _stored(other)


async def test_mention_of_a_forgotten_profile_value_is_recognised(memory: UserMemory) -> None:
    await memory.forget(HOME.id)
    assert (await memory.snapshot()).eraser().tells("Shall we start from Lisbon then?")


async def test_field_of_an_inactive_note_is_cleared_and_restored_by_undo(memory: UserMemory) -> None:
    await retire(memory, AISLE.id)
    assert await memory.profile() == Profile(name="Ana", home_city="Lisbon")
    await undo(memory)
    assert (await memory.profile()).seat_preference == "aisle"


@pytest.mark.parametrize(
    ("wanted", "seat"),
    [
        ({"text": "I prefer window seats"}, None),
        ({"condition": "on short flights"}, None),
        ({"text": "I always prefer an aisle seat", "claims": [AISLE.claims[0].dump()]}, "aisle"),
        ({"claims": [{"attribute": "seat_side", "value": "aisle", "stance": "avoids"}]}, None),
        ({"pinned": True}, "aisle"),
    ],
)
async def test_edit_that_states_something_else_clears_the_field(
    memory: UserMemory, wanted: dict[str, Any], seat: str | None
) -> None:
    await edit(memory, AISLE.id, cast(Edit, wanted), gate=Gate(), now=NOW)
    assert (await memory.profile()).seat_preference == seat
    await undo(memory)
    assert (await memory.profile()).seat_preference == "aisle"


async def test_superseded_note_clears_its_field_in_the_same_step(memory: UserMemory) -> None:
    wanted = Operation(op="SUPERSEDE", session=(WINDOW.id,), targets=(AISLE.id,), text=WINDOW.text, reason="r")
    await _apply(memory, [WINDOW], wanted)
    assert await memory.profile() == Profile(name="Ana", home_city="Lisbon")
    await undo(memory)
    assert (await memory.profile()).seat_preference == "aisle"
    assert [one.text for one in await memory.notes() if one.topic == "seat"] == [AISLE.text]


async def test_restored_note_clears_the_field_of_its_rival(memory: UserMemory) -> None:
    wanted = Operation(op="SUPERSEDE", session=(WINDOW.id,), targets=(AISLE.id,), text=WINDOW.text, reason="r")
    await _apply(memory, [WINDOW], wanted)
    newer = next(one for one in await memory.notes() if one.text == WINDOW.text)
    await _apply(memory, [], Operation(op="PROMOTE", targets=(newer.id,), reason="r"))
    assert (await memory.profile()).seat_preference == "window"
    await restore(memory, AISLE.id, gate=Gate(), now=NOW)
    assert (await memory.profile()).seat_preference is None


async def test_field_that_a_trusted_system_changed_is_kept(memory: UserMemory) -> None:
    await memory.set_profile(Profile(name="Ana", seat_preference="window"), step="crm")
    await memory.forget(AISLE.id)
    assert await memory.profile() == Profile(name="Ana", seat_preference="window")
