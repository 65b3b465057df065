from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.store.memory import InMemoryStore

from config.errors import ConflictError
from memory.consolidation import Operation, Plan, apply_plan, deterministic_operations, faults
from memory.records.journal import Step, changed
from memory.records.notes import Note
from memory.records.profile import Profile
from memory.records.repository import UserMemory
from tests.conftest import Clock
from tests.samples import note
from tests.tables import table

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


def op(kind: Any, *session: Note, targets: tuple[Note, ...] = (), text: str | None = None) -> Operation:
    return Operation(
        op=kind, session=tuple(n.id for n in session), targets=tuple(n.id for n in targets), reason="r", text=text
    )


VEG = note("I am vegetarian", topic="meal", hard=True)
AISLE = note("I prefer aisle seats", topic="seat")
WINDOW = note("I prefer window seats", topic="seat", created_at=NOW, last_update_date=NOW.date())
NIGHT = note("I prefer window seats", topic="seat", condition="on overnight flights")
MUSEUMS = note("I love museums", topic="activity")
HIKING = note("I love hiking", topic="activity", created_at=NOW)
SAME = note("Vegetarian", topic="meal", hard=True)
SHARED = note("No pork", topic="meal", scope="workspace")
TRIP = note("Window seat this time", topic="seat", scope="trip")


@table(
    ("operations", "session", "known", "says"),
    [
        ([], [VEG], [], "not covered"),
        ([op("ADD", VEG, text=VEG.text), op("DROP", VEG)], [VEG], [], "2 times"),
        ([op("ADD", VEG, text="I am vegetarian and rich")], [VEG], [], "rich"),
        ([op("ADD", VEG, text="I am vegetarian since 1999")], [VEG], [], "1999"),
        ([op("ADD", VEG)], [VEG], [], "no text"),
        ([op("ADD", TRIP, text=TRIP.text)], [TRIP], [], "only be dropped"),
        ([op("DROP", VEG)], [VEG], [], "nothing else says it"),
        ([op("EXPIRE", VEG, targets=(AISLE,))], [VEG], [AISLE], "is over"),
        ([op("EXPIRE", AISLE, targets=(VEG,))], [AISLE], [VEG], "hard constraint"),
        ([op("EXPIRE", targets=(AISLE,))], [], [AISLE], "rests on no session note"),
        ([op("CONFIRM", HIKING, targets=(AISLE,))], [HIKING], [AISLE], "does not say"),
        ([op("MERGE", HIKING, targets=(AISLE,), text="I prefer aisle seats")], [HIKING], [AISLE], "leaves out hik"),
        ([op("ADD", SAME, text=SAME.text)], [SAME], [VEG], "confirm it"),
        ([op("ADD", HIKING, VEG, text="I love hiking")], [HIKING, VEG], [], "different things"),
        ([op("MERGE", VEG, targets=(SHARED,), text="I am vegetarian, no pork")], [VEG], [SHARED], "different memories"),
        ([op("SUPERSEDE", HIKING, targets=(MUSEUMS,), text=HIKING.text)], [HIKING], [MUSEUMS], "may not be replaced"),
        ([op("SUPERSEDE", NIGHT, targets=(AISLE,), text=NIGHT.text)], [NIGHT], [AISLE], "may not be replaced"),
        ([op("CONFIRM", VEG, targets=(AISLE,))], [VEG], [], "there is no note"),
        ([op("CONFIRM", VEG)], [VEG], [], "0 global notes"),
        ([op("PROMOTE", targets=(AISLE,))], [], [AISLE], "confirmed 1 times"),
        ([op("EXPIRE", targets=(AISLE,)), op("EXPIRE", targets=(AISLE,))], [], [AISLE], "changed twice"),
    ],
)
def test_an_unsound_plan_is_refused_with_the_reason(
    operations: list[Operation], session: list[Note], known: list[Note], says: str
) -> None:
    assert any(says in fault for fault in faults(operations, session, known)), faults(operations, session, known)


def test_a_sound_plan_has_no_faults() -> None:
    operations = [op("ADD", VEG, text="Vegetarian"), op("SUPERSEDE", WINDOW, targets=(AISLE,), text=WINDOW.text)]
    assert faults(operations, [VEG, WINDOW], [AISLE]) == []


_STATEMENTS = [
    ("I am vegetarian", "meal"), ("I prefer aisle seats", "seat"), ("I prefer window seats", "seat"),
    ("I love hostels", "hotel"), ("I hate hostels", "hotel"), ("I love museums", "activity"),
    ("I never check bags", "baggage"), ("I always travel with my dog", "companions"),
]  # fmt: skip
_made = st.builds(
    lambda pair, scope, condition, days: note(
        pair[0], id=f"{pair}{scope}{condition}{days}", topic=pair[1], scope=scope, condition=condition,
        created_at=NOW - timedelta(days=days), last_update_date=(NOW - timedelta(days=days)).date(),
    ),
    st.sampled_from(_STATEMENTS), st.sampled_from(["user", "user", "trip"]),
    st.sampled_from([None, None, "on long flights"]), st.integers(0, 3),
)  # fmt: skip
_sets = st.lists(_made, max_size=8, unique_by=lambda one: one.id)


@settings(deadline=None)
@given(_sets, _sets)
def test_the_deterministic_plan_is_always_sound(session: list[Note], known: list[Note]) -> None:
    lasting = [n.model_copy(update={"id": f"g{n.id}"}) for n in known if n.scope != "trip"]
    assert faults(deterministic_operations(session, lasting), session, lasting) == []


@table(
    ("session", "known", "expected"),
    [
        (VEG, [], "ADD"),
        (TRIP, [], "DROP"),
        (note("Vegetarian", topic="meal"), [VEG], "CONFIRM"),
        (WINDOW, [AISLE], "SUPERSEDE"),
        (NIGHT, [AISLE], "ADD"),
        (HIKING, [MUSEUMS], "ADD"),
        (note("I'm no longer vegetarian", topic="meal"), [VEG], "SUPERSEDE"),
        (note("I hate museums", topic="activity"), [MUSEUMS], "SUPERSEDE"),
        (note("I like to sit near the front", topic="seat"), [AISLE], "ADD"),
        (note("I am vegetarian and love Thai curry", topic="meal"), [VEG], "MERGE"),
    ],
)
def test_what_the_deterministic_plan_does_with_one_note(session: Note, known: list[Note], expected: str) -> None:
    (operation,) = deterministic_operations([session], known)
    assert operation.op == expected


def test_of_two_answers_in_one_session_the_later_stays() -> None:
    early = note("Aisle seat please", topic="seat", created_at=NOW - timedelta(hours=1))
    late = note("Actually window seat", topic="seat", created_at=NOW)
    by_note = {operation.session: operation.op for operation in deterministic_operations([early, late], [])}
    assert by_note == {(early.id,): "DROP", (late.id,): "ADD"}


async def _memory(*known: Note) -> UserMemory:
    memory = UserMemory(InMemoryStore(), "ana", clock=Clock())
    await memory.commit([Step(f"seed:{n.id}", "system", "seed", (changed(None, n),)) for n in known])
    return memory


async def _apply(memory: UserMemory, session: list[Note], *operations: Operation) -> Plan:
    revision = await memory.revision()
    plan = Plan(session_id="s#1", revision=revision, origin="deterministic", operations=operations)
    await apply_plan(plan, session, memory, now=NOW)
    return plan


async def test_superseding_keeps_the_old_note_linked_and_out_of_sight() -> None:
    memory = await _memory(AISLE)
    await _apply(memory, [WINDOW], op("SUPERSEDE", WINDOW, targets=(AISLE,), text=WINDOW.text))
    (live,) = await memory.notes()
    old = await memory.note(AISLE.id)
    assert live.text == "I prefer window seats"
    assert live.supersedes == (AISLE.id,)
    assert (old.status, old.superseded_by) == ("superseded", live.id)


async def test_applying_a_plan_twice_changes_nothing_more() -> None:
    memory = await _memory(AISLE)
    plan = await _apply(memory, [VEG, WINDOW], op("ADD", VEG, text=VEG.text), op("CONFIRM", WINDOW, targets=(AISLE,)))
    before = (await memory.notes(include_inactive=True), await memory.journal())
    await apply_plan(plan, [VEG, WINDOW], memory, now=NOW + timedelta(days=1))
    assert (await memory.notes(include_inactive=True), await memory.journal()) == before
    assert {n.text: n.confirmations for n in before[0]} == {"I am vegetarian": 1, "I prefer aisle seats": 2}


async def test_a_plan_made_against_an_older_revision_is_refused() -> None:
    memory = await _memory(AISLE)
    plan = Plan(session_id="s#1", revision=0, origin="model", operations=(op("ADD", VEG, text=VEG.text),))
    with pytest.raises(ConflictError, match="revision 1, not 0"):
        await apply_plan(plan, [VEG], memory, now=NOW)
    assert [n.text for n in await memory.notes()] == ["I prefer aisle seats"]


async def test_promotion_fills_the_profile_and_is_journalled() -> None:
    stable = AISLE.model_copy(update={"confirmations": 3})
    memory = await _memory(stable)
    await _apply(memory, [], op("PROMOTE", targets=(stable,)))
    assert (await memory.profile()).seat_preference == "aisle"
    assert (await memory.journal())[-1].action == "promote"


async def test_promotion_leaves_a_filled_field_alone() -> None:
    stable = AISLE.model_copy(update={"confirmations": 3})
    memory = await _memory(stable)
    await memory.set_profile(Profile(seat_preference="window"), step="import")
    before = await memory.journal()
    await _apply(memory, [], op("PROMOTE", targets=(stable,)))
    assert (await memory.profile()).seat_preference == "window"
    assert await memory.journal() == before


@table(
    ("text", "topic", "field", "value"),
    [
        ("I prefer aisle seats", "seat", "seat_preference", "aisle"),
        ("窓側の席が好きです", "seat", "seat_preference", "window"),
        ("Lives in Lisbon", "other", "home_city", "Lisbon"),
        ("大阪に住んでいます", "other", "home_city", "大阪"),
        ("Wants prices in euros", "budget", "currency", "EUR"),
        ("Prefers short answers", "communication", "tone", "brief"),
        ("Tight connections are fine", "layover", "tight_connections", True),
        ("Avoids tight connections", "layover", "tight_connections", False),
    ],
)
async def test_a_note_confirmed_in_three_sessions_fills_its_field(
    text: str, topic: Any, field: str, value: object
) -> None:
    known = note(text, topic=topic, confirmations=2)
    again = note(text, id="again", topic=topic, created_at=NOW)
    operations = deterministic_operations([again], [known])
    assert [one.op for one in operations] == ["CONFIRM", "PROMOTE"]
    assert faults(operations, [again], [known]) == []
    memory = await _memory(known)
    await _apply(memory, [again], *operations)
    assert getattr(await memory.profile(), field) == value


@pytest.mark.parametrize(
    "known",
    [
        note("I prefer aisle seats", topic="seat", condition="on short flights"),
        note("My wife prefers aisle seats", topic="seat"),
        note("I hate the middle seat", topic="seat"),
        note("Aisle or window, never the middle", topic="seat"),
        note("Up to 150 euros a night", topic="budget"),
        note("I love Lisbon", topic="activity"),
    ],
)
def test_what_states_no_field_is_not_promoted(known: Note) -> None:
    stable = known.model_copy(update={"confirmations": 9})
    assert [one.op for one in deterministic_operations([HIKING], [stable])] == ["ADD"]


def test_a_filled_field_is_not_proposed_again() -> None:
    stable = AISLE.model_copy(update={"confirmations": 3})
    filled = Profile(seat_preference="window")
    assert [one.op for one in deterministic_operations([HIKING], [stable], profile=filled)] == ["ADD"]


async def test_what_was_undone_is_not_promoted_again() -> None:
    stable = AISLE.model_copy(update={"confirmations": 3})
    memory = await _memory(stable)
    await _apply(memory, [], op("PROMOTE", targets=(stable,)))
    await memory.set_profile(Profile(), step="undo:promotion", actor="user")
    plan = Plan(
        session_id="s#2", revision=await memory.revision(), origin="deterministic",
        operations=(op("PROMOTE", targets=(stable,)),),
    )  # fmt: skip
    await apply_plan(plan, [], memory, now=NOW)
    assert (await memory.profile()).seat_preference is None


async def test_two_promotions_of_one_plan_both_take_effect() -> None:
    city = note("Lives in Lisbon", confirmations=3)
    seat = AISLE.model_copy(update={"confirmations": 3})
    memory = await _memory(city, seat)
    await _apply(memory, [], op("PROMOTE", targets=(city,)), op("PROMOTE", targets=(seat,)))
    profile = await memory.profile()
    assert (profile.home_city, profile.seat_preference) == ("Lisbon", "aisle")


async def test_confirming_a_note_moves_its_expiry_on() -> None:
    soon = AISLE.model_copy(update={"expires_at": NOW + timedelta(days=5)})
    days = (NOW.date() - AISLE.last_update_date).days
    again = AISLE.model_copy(update={"id": "again", "last_update_date": NOW.date(), "expires_at": NOW})
    memory = await _memory(soon)
    await _apply(memory, [again], op("CONFIRM", again, targets=(soon,)))
    assert (await memory.note(AISLE.id)).expires_at == NOW + timedelta(days=5 + days)


def test_a_plan_that_leaves_a_contradiction_standing_is_refused() -> None:
    found = faults([op("ADD", WINDOW, text=WINDOW.text)], [WINDOW], [AISLE])
    assert any("can't both hold" in fault for fault in found)


def test_an_older_statement_that_arrives_late_replaces_nothing() -> None:
    old = WINDOW.model_copy(update={"last_update_date": AISLE.last_update_date - timedelta(days=9)})
    refused = faults([op("SUPERSEDE", old, targets=(AISLE,), text=old.text)], [old], [AISLE])
    assert any("is newer" in fault for fault in refused)
    (operation,) = deterministic_operations([old], [AISLE])
    assert operation.op == "DROP"


async def test_of_three_answers_in_one_session_the_last_also_replaces_what_the_others_had() -> None:
    said = [
        note(text, id=text, topic="seat", created_at=NOW + timedelta(minutes=at), last_update_date=NOW.date())
        for at, text in enumerate(["Prefers the aisle", "Exit row instead of the aisle"])
    ]
    operations = deterministic_operations(said, [note("Likes the window", topic="seat")])
    memory = await _memory(note("Likes the window", topic="seat"))
    assert faults(operations, said, await memory.notes()) == []
    await _apply(memory, said, *operations)
    assert [one.text for one in await memory.notes()] == ["Exit row instead of the aisle"]


def test_several_notes_that_say_the_same_become_one() -> None:
    twice = [note("Vegetarian", topic="meal"), note("Doesn't eat meat", topic="meal")]
    said = note("I'm a vegetarian", topic="meal", created_at=NOW)
    (operation,) = deterministic_operations([said], twice)
    assert (operation.op, len(operation.targets)) == ("MERGE", 2)
    assert faults([operation], [said], twice) == []
