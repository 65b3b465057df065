"""Notes, operations and memories for the tests of consolidation."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from langgraph.store.memory import InMemoryStore

from memory.consolidation import Operation, Plan, apply_plan
from memory.records.journal import Step, changed
from memory.records.notes import Note
from memory.records.repository import UserMemory
from memory.schema import load_schema
from tests.conftest import Clock
from tests.samples import claim, note, said

SCHEMA = load_schema()
NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
VEGETARIAN = claim("diet", "vegetarian", "requires")

VEG = note("Is vegetarian", VEGETARIAN, topic="meal", hard=True, evidence=said("I'm vegetarian"))
AISLE = note("Prefers aisle seats", claim("seat_side", "aisle"), topic="seat", evidence=said("Aisle seats for me"))
MUSEUMS = note("Loves museums", topic="activity", evidence=said("I love museums"))


def heard(text: str, *claims: Any, quote: str = "", **values: Any) -> Note:
    """Return a note of the session that ends, which is newer than the known notes."""
    given = {"created_at": NOW, "last_update_date": NOW.date(), "evidence": said(quote or text), **values}
    return note(text, *claims, **{"id": f"s/{text}", **given})


def op(kind: Any, *session: Note, targets: tuple[Note, ...] = (), text: str | None = None) -> Operation:
    return Operation(
        op=kind, session=tuple(n.id for n in session), targets=tuple(n.id for n in targets), reason="r", text=text
    )


async def memory_with(*known: Note) -> UserMemory:
    memory = UserMemory(InMemoryStore(), "ana", clock=Clock())
    await memory.commit([Step(f"seed:{n.id}", "system", "seed", (changed(None, n),)) for n in known])
    return memory


async def carry_out(memory: UserMemory, session: list[Note], *operations: Operation) -> Plan:
    revision = await memory.revision()
    plan = Plan(session_id=f"s#{revision}", revision=revision, origin="claims", operations=operations)
    await apply_plan(plan, session, memory, schema=SCHEMA, now=NOW)
    return plan
