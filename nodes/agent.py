"""`agent`: calls the chat model for the next step of the turn, and records the use of memory when it answers.

If no answer can be given, the turn ends with a message that says why.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, SystemMessage, ToolMessage
from langgraph.runtime import Runtime

from config.errors import ModelError, ModelFault
from config.settings import Settings
from graph.context import Context
from graph.state import MemoryView, Report, State, StopReason, blank_report, meta
from memory.claims import conflicting
from memory.policy.wording import overlap
from memory.records.journal import Usage, use_step
from models.calls import answer
from nodes.inject_memory import memory_view, session_use
from nodes.messages.citations import cite
from nodes.messages.turns import latest_turn, latest_user_message, model_view, turns_allowed
from nodes.services import Run, Services, emit
from nodes.tools.toolbox import Toolbox
from prompts import reply
from text.normalise import neutralise

_STOPS: dict[ModelFault, StopReason] = {"timeout": StopReason.MODEL_TIMEOUT, "empty": StopReason.MODEL_EMPTY}


async def agent(state: State, runtime: Runtime[Context], *, services: Services, toolbox: Toolbox) -> dict[str, Any]:
    """Call the model once, for tool calls or an answer that ends the turn; without either, answer with the reason."""
    last = state["messages"][-1]
    if isinstance(last, AIMessage) and last.tool_calls:
        return {}  # `left_open` put them there, to be approved after all
    run = (await Run.of(state, runtime, services)).with_message_mode(state["messages"])
    update = await _next_step(state, run, toolbox)
    message: AIMessage = update["messages"][-1]
    if not message.tool_calls:
        await _record_use(update["report"], state, run)
        await _record_conflict_question(message.text, state, run)
    return {**update, "messages": [_with_masking_notice(message, state, run)]}


async def _next_step(state: State, run: Run, toolbox: Toolbox) -> dict[str, Any]:
    report: Report = {**(state.get("report") or blank_report(run.run_id)), "run_id": run.run_id}
    closing, settings = partial(_closing, report, run), run.settings
    if refusal := _refusal(state, run):
        stop, values = refusal
        return closing(stop, **values)
    view = state.get("memory_view") or await memory_view(state, run)
    await toolbox.plugged.ready()
    offered = toolbox.offered(run.mode)
    may_call = bool(offered) and _rounds(state["messages"]) < settings.max_tool_rounds
    remaining = view["deadline"] - run.services.monotonic()
    if remaining <= 0:
        return closing(StopReason.TURN_TIMEOUT)
    try:
        await run.services.models.warm("agent")
        message = await answer(
            run.services.models.of_user("agent", run.user_id or ""),
            _conversation(state, view, settings),
            tools=offered,
            may_call=may_call,
            timeout=min(remaining, settings.model_timeout),
        )
    except ModelError as error:
        if error.fault == "timeout" and remaining < settings.model_timeout:
            return closing(StopReason.TURN_TIMEOUT)
        reason = _STOPS.get(error.fault)
        return closing(reason) if reason else closing(StopReason.MODEL_ERROR, fault=str(error))
    if message.tool_calls and not may_call:
        return closing(StopReason.TOOL_LIMIT, rounds=settings.max_tool_rounds)
    return _answered(message, report, view) or closing(StopReason.MODEL_EMPTY)


def _conversation(state: State, view: MemoryView, settings: Settings) -> list[BaseMessage]:
    # With summaries, the running turn comes on top of the turns that are not summarised yet.
    turns = turns_allowed(state, settings) + (settings.history_mode == "summarize")
    tokens, chars = settings.history_tokens, settings.max_message_chars
    history = model_view(state["messages"], most_turns=turns, most_tokens=tokens, most_chars=chars)
    instructions = "\n\n".join(filter(None, [view["system"], state.get("added_instructions")]))
    return [SystemMessage(instructions), *history]


def _refusal(state: State, run: Run) -> tuple[StopReason, dict[str, str]] | None:
    """Return why the model must not be called, with the values for the reply; None if it may be."""
    latest = latest_user_message(state["messages"])
    text = latest.text if latest else ""
    limit = run.settings.max_message_chars
    if run.user_id is None and run.mode != "off":
        return StopReason.NO_USER, {}
    length = meta(latest).get("length", len(text)) if latest else 0
    if length > limit:
        return StopReason.MESSAGE_TOO_LONG, {"length": f"{length:,}", "limit": f"{limit:,}"}
    if latest is not None and not neutralise(text) and isinstance(latest.content, str):
        return StopReason.MESSAGE_EMPTY, {}
    return None


def _rounds(messages: Sequence[AnyMessage]) -> int:
    pairs = pairwise(latest_turn(messages))
    return sum(isinstance(before, AIMessage) and isinstance(after, ToolMessage) for before, after in pairs)


def _answered(message: AIMessage, report: Report, view: MemoryView) -> dict[str, Any] | None:
    """Return the answer and the updated report; None if the answer is empty without its marker."""
    cited = cite(message, view["shown"])
    if not cited.message.tool_calls and not cited.message.text.strip():
        return None
    memory = {
        **report["memory"],
        "shown": [note["id"] for note in view["shown"]],
        "used": cited.used,
        "violations": [*report["memory"]["violations"], *cited.violations],
    }
    outcome = "memory_applied" if cited.used else "context_only"
    return {"messages": [cited.message], "report": {**report, "memory": memory, "outcome": outcome}}


def _closing(report: Report, run: Run, stop: StopReason, **values: object) -> dict[str, Any]:
    text = reply(stop.value, run.language, run.words, **values)
    return {"messages": [AIMessage(text)], "report": {**report, "stop_reason": stop.value}}


async def _record_use(report: Report, state: State, run: Run) -> None:
    """Record the time of the turn, and the notes that it was shown, used, and falsely claimed to use."""
    outcome, session_ops = report["memory"], await session_use(state, run)
    if run.mode != "on" or run.user_id is None or not (outcome["shown"] or outcome["violations"]):
        if session_ops:
            await run.store.abatch(session_ops)
        return
    usage = Usage(shown=tuple(outcome["shown"]), used=tuple(outcome["used"]), violations=tuple(outcome["violations"]))
    latest = latest_user_message(state["messages"])
    # Named after the message, not the run: after a crash, another run finishes the turn.
    name = use_step(run.thread_id, latest.id if latest and latest.id else run.run_id)
    for memory, ops in zip(run.memories, (session_ops, ()), strict=False):  # the user's own, then the workspace's
        await memory.record_use(usage, name=name, thread_id=run.thread_id, also=ops)


async def _record_conflict_question(answer: str, state: State, run: Run) -> None:
    """Record that the answer asked which of two conflicting notes holds, so that no later session asks it again."""
    view, session = state.get("memory_view"), state.get("session")
    if run.mode != "on" or run.user_id is None or view is None or session is None or "CONFLICT [" not in view["system"]:
        return
    shown = {note["id"] for note in view["shown"]}
    notes = [note for note in await run.notes() if note.id in shown]
    for conflict in conflicting(notes, run.schema):
        if all(overlap(note.text, answer).share < 1 for note in conflict):  # the answer names both
            await run.memory.note_asked(conflict, session["id"])


def _with_masking_notice(answer: AIMessage, state: State, run: Run) -> AIMessage:
    """Append a notice of what was masked in the traveller's message to the answer that ends the turn."""
    latest = latest_user_message(state["messages"])
    removed = meta(latest).get("removed", []) if latest else []
    if answer.tool_calls or not removed:
        return answer
    what = reply("removed_join", run.language).join(reply(f"removed_{kind}", run.language) for kind in removed)
    notice = "\n\n" + reply("removed", run.language, what=what)
    emit("answer.added", [{"text": notice}])
    content = f"{answer.content}{notice}" if isinstance(answer.content, str) else [*answer.content, notice]
    return answer.model_copy(update={"content": content})
