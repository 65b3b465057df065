"""`consolidate`: ends a session. First entry: make and check a plan; second: apply it, then clear what it used."""

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import Command

from config.errors import ConflictError, ModelError
from graph.context import Context
from graph.state import BlockedNote, ConsolidatedNote, State, StopReason, is_waiting
from memory.consolidation import Operation, Plan, Review, apply_plan, decide, promotions, review
from memory.consolidation.apply import resulting_note
from memory.policy import fingerprint, screen
from memory.records.conversations import Archive, OpenSessions
from memory.records.notes import Note
from memory.selection import Limits
from models.schemas import PlanOperation, PlanProposal
from nodes.capture import erasing, heard_in, staged_notes
from nodes.distill_notes import journal_refusals, merged, stage
from nodes.extraction import extract
from nodes.inject_memory import blank_report
from nodes.messages.episode import episode_of
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
    run = await Run.of(state, runtime, services)
    if erased := await erasing(state, run):
        return Command(update=erased, goto="consolidate")
    held = state.get("plan")
    if held is not None:
        return await _apply(Plan.model_validate(held), state, run)
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
    staged = await _permitted(await _staged(state, run), state, run) if gate else []
    plan = await _plan(staged, state, run)
    return Command(update={"plan": plan.dump(), "session_notes": [note.dump() for note in staged]}, goto="consolidate")


async def _staged(state: State, run: Run) -> list[Note]:
    staged = staged_notes(state)
    session = state.get("session")
    if run.settings.distillation != "session" or run.user_id is None or session is None:
        return staged
    archived = await Archive(run.store, run.user_id, run.thread_id).messages()
    turns = {turn.number: turn for turn in Transcript.of([*archived, *state["messages"]]).turns}
    told = [turn for number, turn in sorted(turns.items()) if number >= session["first_turn"] and not turn.private]
    heard = heard_in([message for turn in told for message in turn.messages])
    found, refused = await extract(heard, run)
    await journal_refusals(refused, state.get("turns", 0), run)
    return merged(staged, stage(found, staged))


async def _permitted(staged: Sequence[Note], state: State, run: Run) -> list[Note]:
    """Return those of `staged` that may be remembered still; the others are journalled as refused."""
    topics, key = await run.topics(), await run.memory.hash_key()
    denied = {name for name in run.workspaces_of(staged) if not await run.may_share(name)}
    codes = {
        note.id: screen(note.text)
        or ("" if note.topic in topics else "consent_denied")
        or ("scope_denied" if note.workspace in denied else "")
        for note in staged
    }
    refused = [BlockedNote(code=codes[n.id], hash=fingerprint(n.text, key)) for n in staged if codes[n.id]]
    await journal_refusals(refused, state.get("turns", 0), run)
    return [note for note in staged if not codes[note.id]]


async def _unlearnt(state: State, run: Run) -> Command[AfterConsolidate]:
    """Ends a session that its user did not want remembered: it is archived for them, and nothing is learnt."""
    await archive_turns([turn for turn in Transcript.of(state["messages"]).turns if turn.number], run)
    await OpenSessions(run.store).close(run.thread_id)
    return _ended(state, run, ())


async def _plan(staged: Sequence[Note], state: State, run: Run) -> Plan:
    session = state.get("session")
    plan = Plan(
        session_id=session["id"] if session else "",
        revision=await run.memory.revision() if run.user_id else 0,
        origin="claims",
        operations=(),
        episode=await episode_of(state, run),
    )
    return await _decided(plan, staged, run) if staged else plan


async def _decided(plan: Plan, staged: Sequence[Note], run: Run) -> Plan:
    """Return the plan with an operation for each staged note: by claims where these decide, else by one model call."""
    known = [*await run.memory.notes(), *(await _shared_notes(staged, run))]
    decision = decide(staged, known, run.schema)
    operations = decision.operations
    faults: list[str] = []
    if decision.undecided:
        judged, faults = await _proposed(decision.undecided, _untouched(known, operations), run)
        operations = [*operations, *judged]
    operations += promotions(operations, known, await run.memory.profile(), run.schema)
    return plan.model_copy(
        update={
            "origin": "model" if decision.undecided else "claims",
            "operations": tuple(operations),
            "faults": tuple(faults),
        }
    )


def _untouched(known: Sequence[Note], operations: Sequence[Operation]) -> list[Note]:
    touched = {key for operation in operations for key in operation.targets}
    return [note for note in known if note.id not in touched]


async def _shared_notes(staged: Sequence[Note], run: Run) -> list[Note]:
    return [note for memory in run.workspaces_of(staged).values() for note in await memory.notes()]


async def _proposed(staged: Sequence[Note], known: Sequence[Note], run: Run) -> tuple[list[Operation], list[str]]:
    """Return what a model makes of the notes that claims can't decide about, judged; and what was refused of it.

    What breaks an invariant is sent back once, with the fault; after that the safe operation takes its place.
    """
    short = {f"s{number}": note for number, note in enumerate(staged, start=1)}
    short |= {f"g{number}": note for number, note in enumerate(known, start=1)}
    asked = prompt(
        "consolidate",
        run.language,
        session_notes=_listed(short, "s"),
        global_notes=_listed(short, "g") or "(none)",
    )
    messages: list[BaseMessage] = [HumanMessage(asked)]
    judged = Review([], [], [], list(staged))
    faults: list[str] = []
    for _ in range(_ATTEMPTS):
        try:
            proposal = await run.structured("consolidation", PlanProposal, messages)
        except ModelError as error:
            faults.append(str(error))
            break
        judged = review([_operation(item, short) for item in proposal.operations], staged, known, run.schema)
        names = {note.id: name for name, note in short.items()}
        found = [_in_short(fault, names) for fault in judged.faults]
        found += [f"session note {names[note.id]} has no operation" for note in judged.uncovered]
        faults = [*(_in_short(remark, names) for remark in judged.remarks), *found]
        if not found:
            break
        complaint = "These operations are unsound. Correct them and answer with the whole plan.\n" + "\n".join(found)
        messages += [AIMessage(proposal.model_dump_json()), HumanMessage(complaint)]
    if faults:
        _log.warning("%d operations of the model's plan were refused or corrected", len(faults))
    return judged.completed(), faults


def _in_short(reason: str, names: Mapping[str, str]) -> str:
    for id_, name in names.items():
        reason = reason.replace(id_, name)
    return reason


def _operation(item: PlanOperation, short: Mapping[str, Note]) -> Operation:
    """Return a proposed operation under the notes' own ids; a name that nobody has stays as it is."""
    return Operation(
        op=item.op,
        session=tuple(short[key].id if key in short else key for key in item.session_notes),
        targets=tuple(short[key].id if key in short else key for key in item.global_notes),
        reason=item.reason[:300],
        text=item.text,
    )


def _listed(notes: Mapping[str, Note], kind: str) -> str:
    lines = []
    for name, note in notes.items():
        if name.startswith(kind):
            told = {
                "id": name,
                "text": note.text,
                "topic": note.topic,
                "scope": note.scope,
                "when": note.condition or None,
                "hard": note.hard,
                "date": note.last_update_date.isoformat(),
                "said": note.latest.quote if kind == "s" else None,
            }
            lines.append(json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False))
    return "\n".join(lines)


async def _apply(plan: Plan, state: State, run: Run) -> Command[AfterConsolidate]:
    staged = staged_notes(state)
    # A message that waits for its turn has no number yet, and belongs to the next session.
    await archive_turns([turn for turn in Transcript.of(state["messages"]).turns if turn.number], run)
    if run.user_id is None:
        return _ended(state, run, ())
    try:
        limits = Limits(run.settings.max_notes, run.settings.half_life_days)
        await apply_plan(
            plan,
            staged,
            run.memory,
            run.workspaces_of(staged),
            schema=run.schema,
            now=run.now,
            limits=limits,
        )
    except ConflictError:
        # Made anew, against what memory holds now.
        fresh = plan.model_copy(update={"revision": await run.memory.revision(), "faults": ()})
        return Command(update={"plan": (await _decided(fresh, staged, run)).dump()}, goto="consolidate")
    await OpenSessions(run.store).close(run.thread_id)
    return _ended(state, run, plan.operations)


def _ended(state: State, run: Run, operations: Sequence[Operation]) -> Command[AfterConsolidate]:
    """Return the state after a session: its notes are cleared only now, after everything they led to is written."""
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
        goto="inject_memory" if is_waiting(state) else "__end__",
    )
