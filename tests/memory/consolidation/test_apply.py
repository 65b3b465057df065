"""Applying a plan: its results, that the journal can undo it, and that it is applied once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from config.errors import ConflictError
from memory.consolidation import Operation, Plan, apply_plan
from memory.control.undo import undo
from memory.records.notes import Note
from memory.records.profile import Profile
from memory.records.repository import UserMemory
from tests.memory.consolidation.samples import AISLE, MUSEUMS, NOW, SCHEMA, VEG, carry_out, heard, memory_with, op
from tests.samples import claim, note

WINDOW = heard("Prefers window seats", claim("seat_side", "window"), topic="seat")
HIKING = heard("Loves hiking", topic="activity", quote="I love hiking", confidence=0.7)
HEALED = heard("No longer prefers the aisle", topic="seat")


async def test_superseded_note_is_linked_and_inactive() -> None:
    memory = await memory_with(AISLE)
    await carry_out(memory, [WINDOW], op("SUPERSEDE", WINDOW, targets=(AISLE,), text=WINDOW.text))
    (live,) = await memory.notes()
    old = await memory.note(AISLE.id)
    assert (live.text, live.claims, live.supersedes) == (WINDOW.text, WINDOW.claims, (AISLE.id,))
    assert (old.status, old.superseded_by) == ("superseded", live.id)


@pytest.mark.parametrize("kind", ["MERGE", "CONFIRM"])
async def test_merge_and_confirm_append_the_evidence(kind: Any) -> None:
    memory = await memory_with(MUSEUMS)
    text = "Loves museums and hiking" if kind == "MERGE" else None
    await carry_out(memory, [HIKING], op(kind, HIKING, targets=(MUSEUMS,), text=text))
    (kept,) = await memory.notes()
    assert (kept.id, kept.text) == (MUSEUMS.id, text or MUSEUMS.text)
    assert kept.sayings == ("I love museums", "I love hiking")
    assert (kept.confirmations, kept.confidence) == (2, 0.7)


async def test_merged_note_has_no_contradicting_claims() -> None:
    memory = await memory_with(AISLE)
    await carry_out(memory, [WINDOW], op("MERGE", WINDOW, targets=(AISLE,), text="Prefers aisle or window seats"))
    (kept,) = await memory.notes()
    assert kept.claims == (claim("seat_side", "window"),)


async def test_claims_under_another_condition_are_dropped_from_a_merged_note() -> None:
    night = WINDOW.model_copy(update={"when": {"flight_time": "overnight"}})
    memory = await memory_with(AISLE)
    await carry_out(memory, [night], op("MERGE", night, targets=(AISLE,), text="Prefers aisle, window seats overnight"))
    (kept,) = await memory.notes()
    assert (kept.claims, kept.when) == (AISLE.claims, {})


async def test_two_operations_on_one_note_both_add_their_evidence() -> None:
    memory = await memory_with(MUSEUMS)
    again = heard("Museums again", topic="activity")
    await carry_out(
        memory, [HIKING, again], op("CONFIRM", HIKING, targets=(MUSEUMS,)), op("CONFIRM", again, targets=(MUSEUMS,))
    )
    (kept,) = await memory.notes()
    assert kept.sayings == ("I love museums", "I love hiking", "Museums again")


@pytest.mark.parametrize(
    ("session", "known", "operation"),
    [
        (HIKING, [], op("ADD", HIKING, text=HIKING.text)),
        (HIKING, [MUSEUMS], op("MERGE", HIKING, targets=(MUSEUMS,), text="Loves museums and hiking")),
        (HIKING, [MUSEUMS], op("CONFIRM", HIKING, targets=(MUSEUMS,))),
        (WINDOW, [AISLE], op("SUPERSEDE", WINDOW, targets=(AISLE,), text=WINDOW.text)),
        (HEALED, [AISLE], op("EXPIRE", HEALED, targets=(AISLE,))),
    ],
)
async def test_every_operation_can_be_undone_from_the_journal(
    session: Note, known: list[Note], operation: Operation
) -> None:
    memory = await memory_with(*known)
    await carry_out(memory, [session], operation)
    assert sorted(one.text for one in await memory.notes()) != sorted(one.text for one in known) or (
        operation.op == "CONFIRM"
    )
    await undo(memory)
    assert await memory.notes() == known


async def test_undoing_a_drop_restores_the_session_note() -> None:
    memory = await memory_with(MUSEUMS)
    await carry_out(memory, [HIKING], op("DROP", HIKING))
    assert [one.text for one in await memory.notes()] == [MUSEUMS.text]
    await undo(memory)
    assert {one.text for one in await memory.notes()} == {MUSEUMS.text, HIKING.text}


async def test_expired_note_names_the_note_that_ended_it() -> None:
    memory = await memory_with(AISLE)
    await carry_out(memory, [HEALED], op("EXPIRE", HEALED, targets=(AISLE,)))
    expired = await memory.note(AISLE.id)
    assert (expired.status, expired.sayings[-1]) == ("expired", HEALED.text)


async def test_applying_a_plan_twice_changes_nothing_more() -> None:
    memory = await memory_with(AISLE)
    plan = await carry_out(
        memory, [HIKING, WINDOW], op("ADD", HIKING, text=HIKING.text), op("CONFIRM", WINDOW, targets=(AISLE,))
    )
    before = (await memory.notes(include_inactive=True), await memory.journal())
    await apply_plan(plan, [HIKING, WINDOW], memory, schema=SCHEMA, now=NOW + timedelta(days=1))
    assert (await memory.notes(include_inactive=True), await memory.journal()) == before
    assert {n.text: n.confirmations for n in before[0]} == {"Loves hiking": 1, "Prefers aisle seats": 2}


async def test_plan_for_an_older_revision_is_refused() -> None:
    memory = await memory_with(AISLE)
    plan = Plan(session_id="s#1", revision=0, origin="model", operations=(op("ADD", HIKING, text=HIKING.text),))
    with pytest.raises(ConflictError, match="revision 1, not 0"):
        await apply_plan(plan, [HIKING], memory, schema=SCHEMA, now=NOW)
    assert [n.text for n in await memory.notes()] == [AISLE.text]


async def test_new_note_is_kept_if_its_target_was_forgotten() -> None:
    memory = await memory_with(MUSEUMS)
    await carry_out(memory, [HIKING], op("CONFIRM", HIKING, targets=(AISLE,)))
    assert {one.text for one in await memory.notes()} == {MUSEUMS.text, HIKING.text}


async def test_confirming_a_note_extends_its_expiry() -> None:
    soon = AISLE.model_copy(update={"expires_at": NOW + timedelta(days=5)})
    days = (NOW.date() - AISLE.last_update_date).days
    again = AISLE.model_copy(update={"id": "again", "last_update_date": NOW.date(), "expires_at": NOW})
    memory = await memory_with(soon)
    await carry_out(memory, [again], op("CONFIRM", again, targets=(soon,)))
    assert (await memory.note(AISLE.id)).expires_at == NOW + timedelta(days=5 + days)


async def test_hard_constraint_stays_hard_after_any_operation() -> None:
    diet = heard("Vegetarian", claim("diet", "vegetarian", "requires"), topic="meal", hard=True)
    memory = await memory_with(VEG)
    await carry_out(memory, [diet], op("CONFIRM", diet, targets=(VEG,)))
    assert [one.hard for one in await memory.notes()] == [True]


def _promotion(target: Note) -> Operation:
    return op("PROMOTE", targets=(target,))


STABLE = AISLE.model_copy(update={"confirmations": 3})


async def test_promotion_fills_the_profile_and_is_journalled() -> None:
    memory = await memory_with(STABLE)
    await carry_out(memory, [], _promotion(STABLE))
    assert (await memory.profile()).seat_preference == "aisle"
    assert (await memory.journal())[-1].action == "promote"


async def test_promotion_does_not_overwrite_a_field() -> None:
    memory = await memory_with(STABLE)
    await memory.set_profile(Profile(seat_preference="window"), step="import")
    before = await memory.journal()
    await carry_out(memory, [], _promotion(STABLE))
    assert (await memory.profile()).seat_preference == "window"
    assert await memory.journal() == before


async def test_undone_promotion_is_not_repeated() -> None:
    memory = await memory_with(STABLE)
    await carry_out(memory, [], _promotion(STABLE))
    await memory.set_profile(Profile(), step="undo:promotion")
    await carry_out(memory, [], _promotion(STABLE))
    assert (await memory.profile()).seat_preference is None


async def test_two_promotions_of_one_plan_both_take_effect() -> None:
    city = note("Lives in Lisbon", claim("home_city", "Lisbon", "is"), confirmations=3)
    memory: UserMemory = await memory_with(city, STABLE)
    await carry_out(memory, [], _promotion(city), _promotion(STABLE))
    profile = await memory.profile()
    assert (profile.home_city, profile.seat_preference) == ("Lisbon", "aisle")
