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
from graph.state import ConsolidatedNote, Session, State, StopReason, blank_report, is_waiting
from memory.consolidation import Operation, Plan, Review, apply_plan, decide, promotions, review
from memory.consolidation.apply import resulting_note
from memory.policy import screen
from memory.records.conversations import Archive, close_session
from memory.records.notes import Note
from memory.selection import Limits
from models.schemas import PlanOperation, PlanProposal
from nodes.capture import erasing, heard_in, staged_notes
from nodes.distill_notes import journal_refusals, stage
from nodes.extraction import extract
from nodes.messages.episode import episode_of
from nodes.messages.turns import Transcript
from nodes.services import Run, Services, emit
from nodes.tools.memory.forget import left_unanswered, stop_remembering
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
    if erased := erasing(state, await run.known()):
        return Command(update=erased, goto="consolidate")
    if state.get("plan") is not None:
        return await _apply(Plan.model_validate(state["plan"]), state, run)
    session = state.get("session")
    if session is None or state.get("unremembered"):
        return await _unlearnt(state, run)
    if left_unanswered(state["messages"]):  # who asks for less has it until they refuse it
        update = await stop_remembering(state, run.store, user_id=run.user_id, thread_id=run.thread_id)
        return Command(update=update, goto="consolidate")
    if run.mode != "on" or (run.user_id and (await run.gate()).paused):
        # A run that may write nothing leaves the session open for one that may.
        return Command(update={"end_session": False}, goto="__end__")
    if run.user_id is None:
        return await _unlearnt(state, run)
    staged = await _permitted(await _staged(state, session, run), state, run)
    revision, episode = await run.memory.revision(), await episode_of(state, session, run)
    plan = Plan(session_id=session["id"], revision=revision, origin="claims", operations=(), episode=episode)
    plan = await _decided(plan, staged, run) if staged else plan
    return Command(update={"plan": plan.dump(), "session_notes": [note.dump() for note in staged]}, goto="consolidate")


async def _staged(state: State, session: Session, run: Run) -> list[Note]:
    staged = staged_notes(state)
    if run.settings.distillation != "session":
        return staged
    archived = await Archive(run.store, run.memory.user_id, run.thread_id).messages()
    turns = {turn.number: turn for turn in Transcript.of([*archived, *state["messages"]]).turns}
    told = [turn for number, turn in sorted(turns.items()) if number >= session["first_turn"] and not turn.private]
    heard = heard_in([message for turn in told for message in turn.messages])
    found, refused = await extract(heard, run)
    await journal_refusals(refused, state.get("turns", 0), run)
    return list({note.id: note for note in (*staged, *stage(found, staged))}.values())


async def _permitted(staged: Sequence[Note], state: State, run: Run) -> list[Note]:
    """Return those of `staged` that may be remembered still; the others are journalled as refused."""
    allowed = run.allowed(staged, (await run.memory.snapshot()).consent)
    denied = {name for name in run.workspaces_of(staged) if not await run.may_share(name)}
    codes = {
        note.id: screen(note.text)
        or ("" if note in allowed else "consent_denied")
        or ("scope_denied" if note.workspace in denied else "")
        for note in staged
    }
    refused = [await run.refusal(codes[note.id], note.text) for note in staged if codes[note.id]]
    await journal_refusals(refused, state.get("turns", 0), run)
    said = [text for note in staged if codes[note.id] == "consent_denied" for text in (note.text, *note.sayings)]
    await run.memory.withhold(run.thread_id, *said)
    return [note for note in staged if not codes[note.id]]


async def _unlearnt(state: State, run: Run) -> Command[AfterConsolidate]:
    """Ends a session of nobody, or one that its user did not want remembered: it is archived, and nothing is learnt."""
    if state.get("session"):
        await _archive(state, run)
    if run.user_id is not None:
        await close_session(run.store, run.thread_id)
    return _ended(state, run, ())


async def _archive(state: State, run: Run) -> None:
    # A message that waits for its turn has no number yet, and belongs to the next session.
    await archive_turns([turn for turn in Transcript.of(state["messages"]).turns if turn.number], run)


async def _decided(plan: Plan, staged: Sequence[Note], run: Run) -> Plan:
    """Return the plan with an operation for each staged note: by claims where these decide, else by one model call."""
    memories = [run.memory, *run.workspaces_of(staged).values()]
    known = [note for memory in memories for note in await memory.notes()]
    decision = decide(staged, known, run.schema)
    operations, undecided = decision.operations, decision.uncovered
    faults: list[str] = []
    if undecided:
        touched = {key for operation in operations for key in operation.targets}
        left = [note for note in known if note.id not in touched]
        judged, faults = await _proposed(undecided, left, run)
        operations = [*operations, *judged]
    operations += promotions(operations, known, await run.memory.profile(), run.schema)
    origin = "model" if undecided else "claims"
    return plan.model_copy(update={"origin": origin, "operations": tuple(operations), "faults": tuple(faults)})


async def _proposed(staged: Sequence[Note], known: Sequence[Note], run: Run) -> tuple[list[Operation], list[str]]:
    """Return what a model makes of the notes that claims can't decide about, judged; and what was refused of it.

    What breaks an invariant is sent back once, with the fault; after that the safe operation takes its place.
    """
    ids = {f"s{number}": note.id for number, note in enumerate(staged, start=1)}
    ids |= {f"g{number}": note.id for number, note in enumerate(known, start=1)}
    names = {id_: name for name, id_ in ids.items()}
    session_notes = "\n".join(_render(note, f"s{nth}", note.latest.quote) for nth, note in enumerate(staged, start=1))
    global_notes = "\n".join(_render(note, f"g{nth}") for nth, note in enumerate(known, start=1)) or "(none)"
    asked = prompt("consolidate", run.language, session_notes=session_notes, global_notes=global_notes)
    messages: list[BaseMessage] = [HumanMessage(asked)]
    judged = Review(uncovered=list(staged))
    faults: list[str] = []
    for _ in range(_ATTEMPTS):
        try:
            proposal = await run.structured("consolidation", PlanProposal, messages)
        except ModelError as error:
            faults.append(str(error))
            break
        judged = review([_operation(item, ids) for item in proposal.operations], staged, known, run.schema)
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


def _operation(item: PlanOperation, ids: Mapping[str, str]) -> Operation:
    """Return a proposed operation under the notes' own ids; a name that nobody has stays as it is."""
    return Operation(
        op=item.op,
        session=tuple(ids.get(key, key) for key in item.session_notes),
        targets=tuple(ids.get(key, key) for key in item.global_notes),
        reason=item.reason[:300],
        text=item.text,
    )


def _render(note: Note, name: str, said: str = "") -> str:
    told = {
        "id": name,
        "text": note.text,
        "topic": note.topic,
        "scope": note.scope,
        "when": note.condition,
        "hard": note.hard,
        "date": note.last_update_date.isoformat(),
        "said": said,
    }
    return json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False)


async def _apply(plan: Plan, state: State, run: Run) -> Command[AfterConsolidate]:
    staged = staged_notes(state)
    await _archive(state, run)
    try:
        limits = Limits(run.settings.max_notes, run.settings.half_life_days)
        shared = run.workspaces_of(staged)
        await apply_plan(plan, staged, run.memory, shared, schema=run.schema, now=run.now, limits=limits)
    except ConflictError:
        # Made anew, against what memory holds now.
        fresh = plan.model_copy(update={"revision": await run.memory.revision(), "faults": ()})
        return Command(update={"plan": (await _decided(fresh, staged, run)).dump()}, goto="consolidate")
    await close_session(run.store, run.thread_id)
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
