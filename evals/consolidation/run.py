"""Carries scenarios out on a real store and scores what is active afterwards."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from evals.consolidation.scenarios import Scenario, read
from evals.consolidation.scoring import Active, Outcome, score
from memory.consolidation import Operation, Plan, apply_plan, deterministic_operations, faults
from memory.consolidation.apply import resulting_note
from memory.consolidation.plan import WRITES_TEXT
from memory.records.journal import Step, changed
from memory.records.notes import Note
from memory.records.repository import UserMemory
from models.offline import OfflineConcierge
from models.schemas import PlanProposal
from prompts import prompt
from stores.chroma import ChromaStore

_NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


def run(folder: Path) -> list[Outcome]:
    """Carry out all scenarios of `folder` with the plans of the offline model, and score them.

    A plan that the check refuses counts as a miss and is replaced by the deterministic one.

    Args:
        folder: Holds one `*.jsonl` file for each set of scenarios.

    Returns:
        One outcome for each measure, with its misses.
    """
    scenarios = read(folder)
    with tempfile.TemporaryDirectory() as place, ChromaStore.from_path(Path(place)) as store:
        found = asyncio.run(_all(scenarios, store))
    return score(scenarios, found)


async def _all(scenarios: Sequence[Scenario], store: ChromaStore) -> list[Active]:
    model = OfflineConcierge()
    return [await _one(scenario, store, model) for scenario in scenarios]


async def _one(scenario: Scenario, store: ChromaStore, model: OfflineConcierge) -> Active:
    memory = UserMemory(store, scenario.id, clock=lambda: _NOW)
    known, staged = list(scenario.known.values()), list(scenario.session.values())
    await memory.commit([Step(f"seed:{note.id}", "system", "seed", (changed(None, note),)) for note in known])
    proposed = _proposed(staged, known, model)
    refused = faults(proposed, staged, known)
    operations = deterministic_operations(staged, known) if refused else proposed
    plan = Plan(session_id=scenario.id, revision=await memory.revision(), origin="deterministic", operations=operations)
    await apply_plan(plan, staged, memory, now=_NOW)
    return Active(tuple(await memory.notes()), _origins(scenario, operations), tuple(refused))


def _origins(scenario: Scenario, operations: Sequence[Operation]) -> dict[str, tuple[str, ...]]:
    """The keys that each written note rests on, by the note's id."""
    keys = {note.id: key for key, note in scenario.notes.items()}
    return {
        note: tuple(keys[one] for one in (*operation.session, *operation.targets))
        for operation in operations
        if operation.op in WRITES_TEXT and (note := resulting_note(operation))
    }


def _proposed(staged: Sequence[Note], known: Sequence[Note], model: OfflineConcierge) -> tuple[Operation, ...]:
    text = prompt("consolidate", session_notes=_listed(staged), global_notes=_listed(known) or "(none)")
    proposal = model.with_structured_output(PlanProposal).invoke(text)
    assert isinstance(proposal, PlanProposal)
    return tuple(
        Operation(
            op=one.op,
            session=tuple(one.session_notes),
            targets=tuple(one.global_notes),
            reason=one.reason,
            text=one.text,
        )
        for one in proposal.operations
    )


def _listed(notes: Sequence[Note]) -> str:
    names = {"id", "text", "topic", "scope", "condition", "hard", "confirmations"}
    return "\n".join(
        json.dumps(
            {
                **note.model_dump(mode="json", include=names),
                "single": note.single_valued,
                "date": note.last_update_date.isoformat(),
            },
            ensure_ascii=False,
        )
        for note in notes
    )
