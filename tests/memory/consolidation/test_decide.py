"""The decisions that claims make about a session's notes, and those that they leave to a model."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.consolidation import decide, promotions
from memory.consolidation.plan import Operation, with_decided
from memory.records.notes import Note
from memory.records.profile import Profile
from tests.memory.consolidation.samples import (
    AISLE,
    MUSEUMS,
    NOW,
    SCHEMA,
    VEG,
    VEGETARIAN,
    carry_out,
    heard,
    memory_with,
    op,
)
from tests.samples import claim, note
from tests.tables import table

WINDOW = heard("Prefers window seats", claim("seat_side", "window"), topic="seat")
TRIP = heard("Window seat this time", claim("seat_side", "window"), topic="seat", scope="trip")


def _decided(*session: Note, known: tuple[Note, ...] = ()) -> list[Operation]:
    decision = decide(session, known, SCHEMA)
    assert decision.uncovered == []
    return decision.operations


@table(
    ("session", "known", "expected"),
    [
        (heard("Vegetarian", VEGETARIAN, topic="meal"), [], "ADD"),
        (TRIP, [AISLE], "DROP"),
        (heard("No meat for me", VEGETARIAN, topic="meal"), [VEG], "CONFIRM"),
        (heard("prefers AISLE seats.", topic="seat"), [AISLE], "CONFIRM"),
        (WINDOW, [AISLE], "SUPERSEDE"),
        (heard("Window at night", claim("seat_side", "window"), topic="seat", when={"flight_time": "overnight"}),
         [AISLE], "ADD"),
        (heard("Hilton", claim("hotel_brand", "Hilton"), topic="hotel"),
         [note("Hyatt", claim("hotel_brand", "Hyatt"), topic="hotel")], "ADD"),
        (heard("Not vegetarian now", claim("diet", "vegetarian", "indifferent"), topic="meal"), [VEG], "SUPERSEDE"),
        (heard("Leo is vegetarian", claim("diet", "vegetarian", "requires", "Leo"), topic="meal"), [VEG], "ADD"),
        (heard("Likes trams", topic="transport"), [MUSEUMS, AISLE], "ADD"),
    ],
)  # fmt: skip
def test_operation_on_one_note(session: Note, known: list[Note], expected: str) -> None:
    (operation,) = _decided(session, known=tuple(known))
    assert operation.op == expected
    assert operation.targets == (tuple(one.id for one in known[:1]) if expected in ("CONFIRM", "SUPERSEDE") else ())


@pytest.mark.parametrize(
    ("session", "known"),
    [
        (heard("Likes hiking", topic="activity"), [MUSEUMS]),
        (heard("No more museums", topic="other"), [MUSEUMS]),
        (heard("Likes the front", topic="seat"), [AISLE]),
        (WINDOW, [note("Aisle in business", claim("seat_side", "aisle"), claim("cabin", "business"), topic="seat")]),
        (WINDOW, [AISLE.model_copy(update={"last_update_date": NOW.date() + timedelta(days=3)})]),
    ],
)
def test_undecided_notes_are_left_to_a_model(session: Note, known: list[Note]) -> None:
    decision = decide([session], known, SCHEMA)
    assert (decision.operations, decision.uncovered) == ([], [session])


def test_two_session_notes_without_claims_on_one_topic_are_left_to_a_model() -> None:
    one, other = heard("Loves hiking", topic="activity"), heard("Hates hills", topic="activity")
    assert {found.id for found in decide([one, other], [], SCHEMA).uncovered} == {one.id, other.id}


def test_later_of_two_answers_in_one_session_wins() -> None:
    early = heard("Aisle please", claim("seat_side", "aisle"), topic="seat", created_at=NOW - timedelta(hours=1))
    (operation,) = _decided(early, WINDOW)
    assert (operation.op, set(operation.session), operation.text) == ("ADD", {early.id, WINDOW.id}, WINDOW.text)


@pytest.mark.parametrize("ids", [("a", "b"), ("b", "a")])
async def test_later_of_two_statements_in_one_message_wins_whatever_their_ids(ids: tuple[str, str]) -> None:
    early = heard("Aisle please", claim("seat_side", "aisle"), topic="seat", id=ids[0])
    late = WINDOW.model_copy(update={"id": ids[1]})
    memory = await memory_with()
    await carry_out(memory, [early, late], *_decided(early, late))
    (left,) = await memory.notes()
    assert (left.text, left.claims) == (WINDOW.text, WINDOW.claims)


async def test_last_of_three_answers_in_one_session_supersedes_all_that_the_others_did() -> None:
    middle = heard("Middle then", claim("seat_side", "middle"), topic="seat", created_at=NOW - timedelta(minutes=9))
    memory = await memory_with(AISLE)
    await carry_out(memory, [middle, WINDOW], *_decided(middle, WINDOW, known=(AISLE,)))
    (left,) = await memory.notes()
    assert (left.text, left.claims) == (WINDOW.text, WINDOW.claims)
    assert left.sayings == (middle.text, WINDOW.text)


async def test_longer_statement_is_not_lost_to_a_shorter_repeat_in_the_session() -> None:
    full = heard(
        "Aisle in business", claim("seat_side", "aisle"), claim("cabin", "business"),
        topic="seat", created_at=NOW - timedelta(hours=1),
    )  # fmt: skip
    short = heard("The aisle, as I said", claim("seat_side", "aisle"), topic="seat")
    for known in ((), (AISLE,)):
        memory = await memory_with(*known)
        await carry_out(memory, [full, short], *_decided(full, short, known=known))
        (left,) = [one for one in await memory.notes() if one.text == full.text]
        assert set(left.claims) == set(full.claims)
        assert left.sayings == (full.text, short.text)


async def test_two_repeats_in_one_session_confirm_a_note_once_with_both_quotes() -> None:
    known = note("Aisle in business", claim("seat_side", "aisle"), claim("cabin", "business"), topic="seat")
    repeats = [
        heard("Aisle again", claim("seat_side", "aisle"), topic="seat"),
        heard("Business again", claim("cabin", "business"), topic="cabin"),
    ]
    operations = _decided(*repeats, known=(known,))
    assert [one.op for one in operations] == ["CONFIRM"]
    memory = await memory_with(known)
    await carry_out(memory, repeats, *operations)
    (left,) = await memory.notes()
    assert (left.confirmations, set(left.sayings)) == (2, {"Aisle again", "Business again"})


def test_repeat_of_one_note_retires_a_conflicting_one() -> None:
    other = note("Window", claim("seat_side", "window"), topic="seat")
    (operation,) = _decided(heard("Aisle", claim("seat_side", "aisle"), topic="seat"), known=(AISLE, other))
    assert (operation.op, operation.targets, operation.text) == ("MERGE", (AISLE.id, other.id), AISLE.text)


def test_note_of_another_memory_is_left_alone() -> None:
    shared = AISLE.model_copy(update={"scope": "workspace", "workspace": "acme"})
    assert [one.op for one in _decided(WINDOW, known=(shared,))] == ["ADD"]


_CLAIMS = st.lists(
    st.sampled_from(
        [claim("seat_side", "aisle"), claim("seat_side", "window"), claim("hotel_brand", "Hilton"),
         claim("hotel_brand", "Hilton", "avoids"), VEGETARIAN, claim("diet", "vegetarian", "indifferent")]
    ),
    max_size=2, unique_by=lambda one: one.attribute,
)  # fmt: skip
_MADE = st.builds(
    lambda claims, scope, when, days: note(
        " ".join(one.value for one in claims) or "Something", *claims,
        id=f"{claims}{scope}{when}{days}", scope=scope, when=when, topic="seat",
        created_at=NOW - timedelta(days=days), last_update_date=(NOW - timedelta(days=days)).date(),
    ),
    _CLAIMS, st.sampled_from(["user", "user", "trip"]), st.sampled_from([{}, {}, {"flight_time": "overnight"}]),
    st.integers(0, 3),
)  # fmt: skip
_SETS: Any = st.lists(_MADE, max_size=6, unique_by=lambda one: one.id)


@settings(deadline=None)
@given(_SETS, _SETS)
def test_every_note_is_decided_or_left_once_and_no_newer_or_trip_note_is_changed(
    session: list[Note], known: list[Note]
) -> None:
    lasting = [n.model_copy(update={"id": f"g{n.id}"}) for n in known if n.scope != "trip"]
    decision = decide(session, lasting, SCHEMA)
    covered = [key for one in decision.operations for key in one.session] + [one.id for one in decision.uncovered]
    assert sorted(covered) == sorted(one.id for one in session)
    by_id = {note.id: note for note in (*session, *lasting)}
    for operation in decision.operations:
        newest = max(by_id[key].last_update_date for key in operation.session)
        retired = operation.targets[1 if operation.op == "MERGE" else 0 :]
        if operation.op in ("SUPERSEDE", "MERGE"):
            assert all(by_id[key].last_update_date <= newest for key in retired)
        trips = [key for key in operation.session if by_id[key].scope == "trip"]
        assert not trips or operation.op == "DROP"


@table(
    ("one", "topic", "field", "value"),
    [
        (claim("seat_side", "aisle"), "seat", "seat_preference", "aisle"),
        (claim("home_city", "大阪", "is"), "other", "home_city", "大阪"),
        (claim("currency", "EUR", "is"), "budget", "currency", "EUR"),
        (claim("tone", "brief"), "communication", "tone", "brief"),
        (claim("connection", "short"), "layover", "tight_connections", True),
        (claim("connection", "short", "avoids"), "layover", "tight_connections", False),
        (claim("passport", "PT", "is"), "document", "passport_country", "PT"),
    ],
)
async def test_note_confirmed_in_three_sessions_is_promoted(one: Any, topic: str, field: str, value: object) -> None:
    candidate = note("Said before", one, topic=topic, confirmations=2)
    again = heard("Said again", one, topic=topic)
    operations = _decided(again, known=(candidate,))
    operations += promotions(operations, [candidate], Profile(), SCHEMA)
    assert [found.op for found in operations] == ["CONFIRM", "PROMOTE"]
    memory = await memory_with(candidate)
    await carry_out(memory, [again], *operations)
    assert getattr(await memory.profile(), field) == value


@pytest.mark.parametrize(
    "known",
    [
        note("Aisle on short flights", claim("seat_side", "aisle"), when={"flight_length": "short-haul"}),
        note("Wife prefers the aisle", claim("seat_side", "aisle", about="wife")),
        note("Hates the middle", claim("seat_side", "middle", "avoids")),
        note("Any seat", claim("seat_side", "aisle", "indifferent")),
        note("Up to 150 a night", claim("night_budget", "150 EUR")),
        note("Aisle seats"),
        note("Aisle", claim("seat_side", "aisle"), scope="workspace", workspace="acme"),
    ],
)
def test_note_without_a_profile_field_is_not_promoted(known: Note) -> None:
    assert promotions([], [known.model_copy(update={"confirmations": 9})], Profile(), SCHEMA) == []


def test_filled_field_and_superseded_note_are_not_promoted() -> None:
    stable = AISLE.model_copy(update={"confirmations": 3})
    assert promotions([], [stable], Profile(seat_preference="window"), SCHEMA) == []
    assert promotions([op("SUPERSEDE", WINDOW, targets=(stable,))], [stable], Profile(), SCHEMA) == []


def test_claim_alone_does_not_supersede_a_hard_constraint() -> None:
    loves = heard("Loves steak", claim("diet", "vegetarian", "indifferent"), topic="meal")
    assert decide([loves], [VEG], SCHEMA).uncovered == [loves]


NICE = heard("The hotel restaurant was really nice", claim("diet", "vegetarian", "excludes"), topic="meal", hard=True)


def test_misread_claim_does_not_supersede_a_hard_constraint_even_if_it_reads_as_one() -> None:
    assert decide([NICE], [VEG], SCHEMA).uncovered == [NICE]


@pytest.mark.parametrize(
    "text", ["I'm not vegetarian any more", "My diet has no limits now", "I don't say I'm vegetarian now"]
)
def test_words_about_a_hard_constraint_supersede_it(text: str) -> None:
    said_now = heard(text, claim("diet", "vegetarian", "excludes"), topic="meal", hard=True)
    assert [one.op for one in _decided(said_now, known=(VEG,))] == ["SUPERSEDE"]


def test_misread_claim_does_not_replace_a_hard_constraint_of_the_same_session() -> None:
    early = heard("I'm a vegetarian", VEGETARIAN, topic="meal", hard=True, created_at=NOW - timedelta(hours=1))
    decision = decide([early, NICE], [], SCHEMA)
    assert {one.id for one in decision.uncovered} == {early.id, NICE.id}
    assert sorted(len(one.session) for one in decision.decided.values()) == [1, 1]


def test_note_without_claims_leaves_what_claims_decided_about_others() -> None:
    chest = heard("Wants to sit with friends", topic="seat")
    early = heard("Aisle please", claim("seat_side", "aisle"), topic="seat", created_at=NOW - timedelta(hours=1))
    middle = note("Middle", claim("seat_side", "middle"), topic="seat")
    decision = decide([early, WINDOW, chest], [middle], SCHEMA)
    assert decision.operations == []
    partial = decision.decided[WINDOW.id]
    assert (set(partial.session), partial.targets) == ({early.id, WINDOW.id}, (middle.id,))
    assert early.id not in decision.decided


@table(
    ("proposed", "expected"),
    [
        (op("ADD", WINDOW, text="W"), ("SUPERSEDE", ["aisle"])),
        (op("DROP", WINDOW), ("SUPERSEDE", ["aisle"])),
        (op("CONFIRM", WINDOW, targets=(MUSEUMS,)), ("MERGE", [MUSEUMS.id, "aisle"])),
        (op("MERGE", WINDOW, targets=(MUSEUMS,), text="W"), ("MERGE", [MUSEUMS.id, "aisle"])),
        (op("EXPIRE", WINDOW, targets=(MUSEUMS,)), ("EXPIRE", [MUSEUMS.id, "aisle"])),
        (op("ADD", MUSEUMS, text="M"), ("ADD", [])),
    ],
)
def test_operation_of_a_model_is_extended_by_what_claims_decided(proposed: Operation, expected: Any) -> None:
    decided = {WINDOW.id: Operation(op="SUPERSEDE", session=(WINDOW.id, "early"), targets=("aisle",))}
    extended = with_decided(proposed, decided)
    assert (extended.op, [*extended.targets]) == expected
    assert ("early" in extended.session) is (WINDOW.id in proposed.session)
