"""`consolidate`: ends a session. First entry: make and check a plan; second: apply it, then clear what it used (S6)."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import Command

from config.errors import ConflictError, ModelError
from graph.context import Context
from graph.state import BlockedNote, ConsolidatedNote, State, StopReason, is_waiting
from memory.consolidation import Operation, Plan, apply_plan, deterministic_operations, faults
from memory.consolidation.apply import resulting_note
from memory.policy import fingerprint, screen
from memory.records.archive import Archive
from memory.records.notes import Note
from memory.records.sessions import OpenSessions
from memory.selection.eviction import Limits
from models.calls import structured
from models.schemas import PlanOperation, PlanProposal
from nodes.distill_notes import journal_refusals, merged, stage
from nodes.extraction import extract
from nodes.inject_memory import blank_report
from nodes.messages.episode import episode_of
from nodes.messages.erase import erasing
from nodes.messages.turns import Transcript
from nodes.services import Run, Services, emit
from nodes.trim_history import archive_turns
from prompts import prompt

AfterConsolidate = Literal["consolidate", "inject_memory", "__end__"]

_ATTEMPTS = 2

_log = logging.getLogger(__name__)


async def consolidate(state: State, runtime: Runtime[Context], *, services: Services) -> Command[AfterConsolidate]:
    """Make a plan, or apply the one that the last step left in the state: a crash between them is harmless.

    A plan left behind by an earlier run is applied before a new message opens its turn.
    """
    run = Run.of(runtime, services)
    run.check_owner(state.get("owner"))
    if erased := await erasing(state, run):
        return Command(update=erased, goto="consolidate")
    held = state.get("plan")
    if held is not None:
        return await _apply(Plan.model_validate(held), state, run, services)
    if not state.get("session"):
        if run.user_id is not None:
            await OpenSessions(run.store).close(run.thread_id)
        return _ended(state, run, ())
    if state.get("unremembered"):
        return await _unlearnt(state, run)
    gate = await run.gate() if run.user_id else None
    if run.mode != "on" or (
        gate and gate.paused
    ):  # a run that may write nothing leaves the session open for one that may
        return Command(update={"end_session": False}, goto="__end__")
    staged = await _permitted(await _staged(state, run, services), state, run) if gate else []
    plan = await _plan(staged, state, run, services)
    return Command(update={"plan": plan.dump(), "session_notes": [note.dump() for note in staged]}, goto="consolidate")


async def _staged(state: State, run: Run, services: Services) -> list[Note]:
    staged = [Note.model_validate(note) for note in state.get("session_notes", [])]
    session = state.get("session")
    if services.settings.distillation != "session" or run.user_id is None or session is None:
        return staged
    archived = await Archive(run.store, run.user_id, run.thread_id).messages()
    turns = {turn.number: turn for turn in Transcript.of([*archived, *state["messages"]]).turns}
    told = [turn for number, turn in sorted(turns.items()) if number >= session["first_turn"] and not turn.private]
    for turn in told:
        found, refused = await extract([turn], run, services)
        await journal_refusals(refused, turn.number, run)
        staged = merged(staged, stage(found, staged))
    return staged


async def _permitted(staged: Sequence[Note], state: State, run: Run) -> list[Note]:
    """Those of `staged` that may be remembered still; the others are journalled as refused (S4.5)."""
    topics, key = await run.topics(), await run.memory.hash_key()
    codes = {note.id: screen(note.text) or ("" if note.topic in topics else "consent_denied") for note in staged}
    refused = [BlockedNote(code=codes[n.id], hash=fingerprint(n.text, key)) for n in staged if codes[n.id]]
    await journal_refusals(refused, state.get("turns", 0), run)
    return [note for note in staged if not codes[note.id]]


async def _unlearnt(state: State, run: Run) -> Command[AfterConsolidate]:
    """Ends a session that its user did not want remembered: it is archived for them, and nothing is learnt."""
    await archive_turns([turn for turn in Transcript.of(state["messages"]).turns if turn.number], run)
    await OpenSessions(run.store).close(run.thread_id)
    return _ended(state, run, ())


async def _plan(staged: Sequence[Note], state: State, run: Run, services: Services) -> Plan:
    session = state.get("session")
    plan = Plan(
        session_id=session["id"] if session else "",
        revision=await run.memory.revision() if run.user_id else 0,
        origin="deterministic",
        operations=(),
        episode=await episode_of(state, run, services),
    )
    if not staged:
        return plan
    known = [*await run.memory.notes(), *(await _shared_notes(staged, run))]
    operations, refused = await _proposed(staged, known, run, services)
    return plan.model_copy(
        update={
            "origin": "model" if operations else "deterministic",
            "operations": operations or deterministic_operations(staged, known, profile=await run.memory.profile()),
            "faults": tuple(refused),
        }
    )


async def _shared_notes(staged: Sequence[Note], run: Run) -> list[Note]:
    return [note for memory in run.workspaces_of(staged).values() for note in await memory.notes()]


async def _proposed(
    staged: Sequence[Note], known: Sequence[Note], run: Run, services: Services
) -> tuple[tuple[Operation, ...], list[str]]:
    """The model's plan once it is sound, or nothing; and why its earlier tries were refused."""
    messages: list[BaseMessage] = [
        HumanMessage(
            prompt("consolidate", run.language, session_notes=_listed(staged), global_notes=_listed(known) or "(none)")
        )
    ]
    refused: list[str] = []
    await services.models.warm("consolidation")
    for _ in range(_ATTEMPTS):
        try:
            proposal = await structured(
                services.models.get("consolidation"), PlanProposal, messages, timeout=services.settings.model_timeout
            )
        except ModelError as error:
            refused.append(str(error))
            break
        operations = tuple(_operation(item) for item in proposal.operations)
        found = faults(operations, staged, known)
        if not found:
            return operations, refused
        refused += found
        complaint = "The plan is unsound. Correct it and answer with the whole plan.\n" + "\n".join(found)
        messages += [AIMessage(proposal.model_dump_json()), HumanMessage(complaint)]
    _log.warning("session notes are consolidated without the model: %s", "; ".join(refused))
    return (), refused


def _operation(item: PlanOperation) -> Operation:
    return Operation(
        op=item.op,
        session=tuple(item.session_notes),
        targets=tuple(item.global_notes),
        reason=item.reason[:300],
        text=item.text if item.op in ("ADD", "MERGE", "SUPERSEDE") else None,
    )


def _listed(notes: Sequence[Note]) -> str:
    return "\n".join(
        json.dumps(
            {
                "id": note.id,
                "text": note.text,
                "topic": note.topic,
                "keywords": note.keywords,
                "scope": note.scope,
                "condition": note.condition,
                "single": note.single_valued,
                "hard": note.hard,
                "date": note.last_update_date.isoformat(),
                "confirmations": note.confirmations,
            },
            ensure_ascii=False,
        )
        for note in notes
    )


async def _apply(plan: Plan, state: State, run: Run, services: Services) -> Command[AfterConsolidate]:
    staged = [Note.model_validate(note) for note in state.get("session_notes", [])]
    # A message that waits for its turn has no number yet, and belongs to the next session.
    await archive_turns([turn for turn in Transcript.of(state["messages"]).turns if turn.number], run)
    if run.user_id is None:
        return _ended(state, run, ())
    try:
        limits = Limits(services.settings.max_notes, services.settings.half_life_days)
        await apply_plan(plan, staged, run.memory, run.workspaces_of(staged), now=services.clock(), limits=limits)
    except ConflictError:
        return Command(update={"plan": (await _remade(plan, staged, run)).dump()}, goto="consolidate")
    await OpenSessions(run.store).close(run.thread_id)
    return _ended(state, run, plan.operations)


async def _remade(plan: Plan, staged: Sequence[Note], run: Run) -> Plan:
    """The plan made anew, against what memory holds now; by code, which is quick enough to keep up with others."""
    revision = await run.memory.revision()
    known = [*await run.memory.notes(), *(await _shared_notes(staged, run))]
    operations = deterministic_operations(staged, known, profile=await run.memory.profile())
    return plan.model_copy(update={"revision": revision, "origin": "deterministic", "operations": operations})


def _ended(state: State, run: Run, operations: Sequence[Operation]) -> Command[AfterConsolidate]:
    """The state after a session: its notes are cleared only now, after everything they led to is written."""
    report = state.get("report")
    if report is None or report["run_id"] != run.run_id:
        report = blank_report(run.run_id)
    done = [ConsolidatedNote(op=one.op, reason=one.reason, note=resulting_note(one)) for one in operations]
    emit("memory.consolidated", done)
    return Command(
        update={
            "plan": None,
            "session_notes": None,
            "session": None,
            "sessions": state.get("sessions", 0) + bool(state.get("session")),
            "end_session": False,
            "report": {**report, "stop_reason": StopReason.SESSION_ENDED.value, "consolidated": done},
        },
        goto="inject_memory" if is_waiting(state) and state.get("idle_session") is None else "__end__",
    )
