"""`consolidate`: ends a session. Its first step makes and checks a plan; the next applies it and clears the session."""

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import Command

from config.errors import ConflictError, ModelError
from graph.context import Context
from graph.state import ConsolidatedNote, Session, State, StopReason, is_waiting, report_on
from memory.consolidation import Operation, Plan, Review, apply_plan, decide, promotions, review, with_decided
from memory.consolidation.apply import resulting_note
from memory.policy import screen
from memory.records.conversations import Archive, close_session
from memory.records.notes import Note
from memory.schema import Schema
from memory.selection import Limits
from models.schemas import PlanOperation, PlanProposal
from nodes.capture import erasing, heard_in, staged_notes
from nodes.distill_notes import extract, journal_refusals, stage
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
    """Make a plan, or apply the one in the state. Each is a step of its own, so that a crash between them is harmless.

    A plan left by an earlier run is applied before a new message opens its turn.
    """
    run = await Run.of(state, runtime, services)
    if erased := erasing(state, await run.snapshots()):
        return Command(update=erased, goto="consolidate")
    if state.get("plan") is not None:
        return await _apply(Plan.model_validate(state["plan"]), state, run)
    session = state.get("session")
    if session is None or state.get("unremembered"):
        return await _end_unlearnt(state, run)
    if left_unanswered(state["messages"]):  # a request for more privacy holds without an approval
        update = await stop_remembering(state, run.store, user_id=run.user_id, thread_id=run.thread_id)
        return Command(update=update, goto="consolidate")
    if run.mode != "on" or (run.user_id and (await run.gate()).paused):
        # Memory may not be written in this run, so the session stays open for a run in which it may.
        return Command(update={"end_session": False}, goto="__end__")
    if run.user_id is None:
        return await _end_unlearnt(state, run)
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
    learnable = [turn for number, turn in sorted(turns.items()) if number >= session["first_turn"] and not turn.private]
    heard = heard_in([message for turn in learnable for message in turn.messages])
    notes, refused = await extract(heard, run)
    await journal_refusals(refused, state.get("turns", 0), run)
    return list({note.id: note for note in (*staged, *stage(notes, staged))}.values())


async def _permitted(staged: Sequence[Note], state: State, run: Run) -> list[Note]:
    """Return the staged notes that may still be remembered; journal the others as refused."""
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
    withheld = [text for note in staged if codes[note.id] == "consent_denied" for text in (note.text, *note.sayings)]
    await run.memory.withhold(run.thread_id, *withheld)
    return [note for note in staged if not codes[note.id]]


async def _end_unlearnt(state: State, run: Run) -> Command[AfterConsolidate]:
    """End a session without a user, or one that must not be remembered: archive it, and learn nothing from it."""
    if state.get("session"):
        await _archive(state, run)
    if run.user_id is not None:
        await close_session(run.store, run.thread_id)
    return _ended(state, run, ())


async def _archive(state: State, run: Run) -> None:
    # A new message has no turn number yet, and belongs to the next session.
    await archive_turns([turn for turn in Transcript.of(state["messages"]).turns if turn.number], run)


async def _decided(plan: Plan, staged: Sequence[Note], run: Run) -> Plan:
    """Return the plan with an operation for each staged note, decided by its claims or, failing that, by the model."""
    memories = [run.memory, *run.workspaces_of(staged).values()]
    known = [note for memory in memories for note in await memory.notes()]
    decision = decide(staged, known, run.schema)
    operations = decision.operations
    undecided = [note for note in staged if note.id in decision.decided]  # as they were said, the newest last
    faults: list[str] = []
    if undecided:
        changed = {id_ for operation in (*operations, *decision.decided.values()) for id_ in operation.targets}
        unchanged = [note for note in known if note.id not in changed]
        proposed, faults = await _proposed(undecided, unchanged, run)
        operations = [*operations, *(with_decided(operation, decision.decided) for operation in proposed)]
    operations += promotions(operations, known, await run.memory.profile(), run.schema)
    origin = "model" if undecided else "claims"
    return plan.model_copy(update={"origin": origin, "operations": tuple(operations), "faults": tuple(faults)})


async def _proposed(staged: Sequence[Note], known: Sequence[Note], run: Run) -> tuple[list[Operation], list[str]]:
    """Return the reviewed operations that a model proposes for notes that claims can't decide, and their faults.

    A plan that breaks an invariant is sent back once with its faults; after that, safe operations replace the bad ones.
    """
    ids = {f"s{number}": note.id for number, note in enumerate(staged, start=1)}
    ids |= {f"g{number}": note.id for number, note in enumerate(known, start=1)}
    names = {id_: name for name, id_ in ids.items()}
    said = [_render(note, f"s{nth}", run.schema, note.latest.quote) for nth, note in enumerate(staged, start=1)]
    kept = [_render(note, f"g{nth}", run.schema) for nth, note in enumerate(known, start=1)] or ["(none)"]
    notes = {"session_notes": "\n".join(said), "global_notes": "\n".join(kept)}
    request = prompt("consolidate", run.language, run.words, **notes)
    messages: list[BaseMessage] = [HumanMessage(request)]
    reviewed = Review(uncovered=list(staged))
    faults: list[str] = []
    for _ in range(_ATTEMPTS):
        try:
            proposal = await run.structured("consolidation", PlanProposal, messages)
        except ModelError as error:
            faults.append(str(error))
            break
        reviewed = review([_operation(item, ids) for item in proposal.operations], staged, known, run.schema)
        invalid = [_with_short_names(fault, names) for fault in reviewed.faults]
        invalid += [f"session note {names[note.id]} has no operation" for note in reviewed.uncovered]
        faults = [*(_with_short_names(remark, names) for remark in reviewed.remarks), *invalid]
        if not invalid:
            break
        complaint = "These operations are unsound. Correct them and answer with the whole plan.\n" + "\n".join(invalid)
        messages += [AIMessage(proposal.model_dump_json()), HumanMessage(complaint)]
    if faults:
        _log.warning("%d operations of the model's plan were refused or corrected", len(faults))
    return reviewed.completed(), faults


def _with_short_names(reason: str, names: Mapping[str, str]) -> str:
    for id_, name in names.items():
        reason = reason.replace(id_, name)
    return reason


def _operation(item: PlanOperation, ids: Mapping[str, str]) -> Operation:
    """Return a proposed operation with note ids in place of short names; an unknown name stays as it is."""
    return Operation(
        op=item.op,
        session=tuple(ids.get(key, key) for key in item.session_notes),
        targets=tuple(ids.get(key, key) for key in item.global_notes),
        reason=item.reason[:300],
        text=item.text,
    )


def _render(note: Note, name: str, schema: Schema, quote: str = "") -> str:
    fields = {
        "id": name,
        "text": note.text,
        "topic": note.topic,
        "scope": schema.scope_name(note.scope),
        "when": note.condition,
        "hard": note.hard,
        "date": note.last_update_date.isoformat(),
        "said": quote,
    }
    return json.dumps({key: value for key, value in fields.items() if value}, ensure_ascii=False)


async def _apply(plan: Plan, state: State, run: Run) -> Command[AfterConsolidate]:
    staged = staged_notes(state)
    await _archive(state, run)
    try:
        limits = Limits(run.settings.max_notes, run.settings.half_life_days)
        shared = run.workspaces_of(staged)
        await apply_plan(plan, staged, run.memory, shared, schema=run.schema, now=run.now, limits=limits)
    except ConflictError:
        # Memory has changed since the plan was made: make a new one.
        fresh = plan.model_copy(update={"revision": await run.memory.revision(), "faults": ()})
        return Command(update={"plan": (await _decided(fresh, staged, run)).dump()}, goto="consolidate")
    await close_session(run.store, run.thread_id)
    return _ended(state, run, plan.operations)


def _ended(state: State, run: Run, operations: Sequence[Operation]) -> Command[AfterConsolidate]:
    """Return the update that closes a session: its notes are only cleared here, after the plan has been applied."""
    report = report_on(state, run.run_id)
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
