"""`agent`: asks the chat model for the next step of the turn, and ends the turn with a clear message when it can't."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, SystemMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime

from config.errors import ModelError, ModelFault
from graph.context import Context
from graph.state import MemoryView, Report, State, StopReason
from models.calls import answer
from nodes.inject_memory import blank_report, memory_view
from nodes.messages.citations import cite
from nodes.messages.turns import Transcript, latest_user_message, model_view
from nodes.services import Run, Services
from nodes.tools.toolbox import Toolbox
from prompts import reply

_STOPS: dict[ModelFault, StopReason] = {"timeout": StopReason.MODEL_TIMEOUT, "empty": StopReason.MODEL_EMPTY}


async def agent(state: State, runtime: Runtime[Context], *, services: Services, toolbox: Toolbox) -> dict[str, Any]:
    """One model call: an answer that ends the turn, or tool calls. A turn that can't go on ends with the reason."""
    run = Run.of(runtime, services).within(latest_user_message(state["messages"]))
    report: Report = {**(state.get("report") or blank_report(run.run_id)), "run_id": run.run_id}
    stopped = _refuse(state, run, services)
    if stopped:
        return _closing(report, *stopped)
    view = state.get("memory_view") or await memory_view(state, run, services)
    await toolbox.ready()
    offered = toolbox.offered(run.mode) if _rounds(state["messages"]) < services.settings.max_tool_rounds else ()
    left = view["deadline"] - services.monotonic()
    if left <= 0:
        return _closing(report, StopReason.TURN_TIMEOUT, reply("turn_timeout", run.language))
    try:
        message = await _ask(state, view, offered, left, services)
    except ModelError as error:
        stop = _STOPS.get(error.fault, StopReason.MODEL_ERROR)
        if stop == StopReason.MODEL_TIMEOUT and left < services.settings.model_timeout:
            stop = StopReason.TURN_TIMEOUT
        text = reply(stop.value, run.language, **({"fault": str(error)} if stop == StopReason.MODEL_ERROR else {}))
        return _closing(report, stop, text)
    if message.tool_calls and not offered:
        rounds = str(services.settings.max_tool_rounds)
        return _closing(report, StopReason.TOOL_LIMIT, reply("tool_limit", run.language, rounds=rounds))
    closed = _answered(message, report, view)
    if closed is None:
        return _closing(report, StopReason.MODEL_EMPTY, reply("model_empty", run.language))
    return closed


async def _ask(
    state: State, view: MemoryView, tools: Sequence[BaseTool], seconds: float, services: Services
) -> AIMessage:
    settings = services.settings
    await services.models.warm("agent")
    history = model_view(state["messages"], most_tokens=settings.history_tokens, most_chars=settings.max_message_chars)
    return await answer(
        services.models.get("agent"),
        [SystemMessage(view["system"]), *history],
        tools=tools,
        timeout=min(seconds, settings.model_timeout),
    )


def _refuse(state: State, run: Run, services: Services) -> tuple[StopReason, str] | None:
    """Why no model is asked at all, and what the user is told."""
    latest = latest_user_message(state["messages"])
    text = latest.text if latest else ""
    limit = services.settings.max_message_chars
    if run.user_id is None and run.mode != "off":
        return StopReason.NO_USER, reply("no_user", run.language)
    if latest is not None and not text.strip() and isinstance(latest.content, str):
        return StopReason.MESSAGE_EMPTY, reply("message_empty", run.language)
    if len(text) > limit:
        told = reply("message_too_long", run.language, length=f"{len(text):,}", limit=f"{limit:,}")
        return StopReason.MESSAGE_TOO_LONG, told
    return None


def _rounds(messages: Sequence[AnyMessage]) -> int:
    """Tool rounds already run in this turn."""
    turns = Transcript.of(messages).turns
    answered = turns[-1].messages if turns else ()
    return sum(
        isinstance(message, ToolMessage) and isinstance(before, AIMessage) for before, message in pairwise(answered)
    )


def _answered(message: AIMessage, report: Report, view: MemoryView) -> dict[str, Any] | None:
    """The answer and its account; None when nothing is left of it without its marker."""
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


def _closing(report: Report, stop: StopReason, text: str) -> dict[str, Any]:
    return {"messages": [AIMessage(text)], "report": {**report, "stop_reason": stop.value}}
