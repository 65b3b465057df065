"""Decides where a run goes next, by pure functions of the state named after the node they leave."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal, cast

from langchain_core.messages import AIMessage, ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Command

from config.settings import Settings
from graph.context import Context
from graph.state import State, is_real_user, is_waiting, merge_messages
from nodes.messages.turns import Transcript, count_tokens, turns_allowed
from nodes.tools.toolbox import Toolbox

Unopened = Literal["consolidate", "__end__"]
AfterDistill = Literal["trim_history", "summarize_history", "consolidate", "__end__"]
AfterAgent = Literal["approve", "tools", "distill_notes", AfterDistill]
AfterHistory = Literal["consolidate", "__end__"]

Node = Callable[[State, Runtime[Context]], Awaitable[dict[str, Any]]]
"""One step of the graph; it returns what it changes of the state."""


def routed(node: Node, route: Callable[[State], str]) -> Callable[..., Awaitable[Command[str]]]:
    """Return `node` with the way on in its own answer.

    A conditional edge would have LangGraph copy every channel of the state once more, to read what the node changed.
    """

    async def step(state: State, runtime: Runtime[Context]) -> Command[str]:
        update = await node(state, runtime)
        changed = {**state, **update}
        if "messages" in update:
            changed["messages"] = merge_messages(state["messages"], update["messages"])
        return Command(update=update, goto=route(cast(State, changed)))

    return step


def opening(node: Node, opened: str) -> Callable[..., Awaitable[Command[str]]]:
    """Return `node`, which opens a turn that goes on with the node named `opened`, with the way past it.

    A plan left behind is applied first; a new message opens a turn; a wish to end the session ends it.
    """

    async def step(state: State, runtime: Runtime[Context]) -> Command[str]:
        plan = state.get("plan")
        if plan is None and is_waiting(state):
            return Command(update=await node(state, runtime), goto=opened)
        unopened: Unopened = "consolidate" if plan is not None or state.get("end_session") else "__end__"
        return Command(goto=unopened)

    return step


def route_agent(state: State, *, settings: Settings, toolbox: Toolbox) -> AfterAgent:
    """Tool calls are run, after approval where one of them acts; an answer closes the turn.

    What tools proposed in it is distilled; with the distillation `turn`, all that the user said.
    """
    messages = state["messages"]
    last = messages[-1]
    if isinstance(last, AIMessage) and last.tool_calls:
        return "approve" if any(toolbox.may_ask(call["name"]) for call in last.tool_calls) else "tools"
    said = Transcript.of(messages).turns[-1].messages
    if settings.distillation == "turn" or any(isinstance(message, ToolMessage) for message in said):
        return "distill_notes"
    return route_distill(state, settings=settings)


def route_distill(state: State, *, settings: Settings) -> AfterDistill:
    """History is shortened when it is over a limit; then the session ends if that was asked for."""
    messages, trims = state["messages"], settings.history_mode == "trim"
    turns = sum(map(is_real_user, messages))
    if turns > turns_allowed(state, settings) or (turns > 1 and count_tokens(messages) > settings.history_tokens):
        return "trim_history" if trims else "summarize_history"
    return route_history(state, settings=settings)


def route_history(state: State, *, settings: Settings) -> AfterHistory:
    """End the session when the caller asked for it, or when it has had its number of turns."""
    session = state.get("session")
    spoken = state.get("turns", 0) - session["first_turn"] + 1 if session else 0
    return "consolidate" if state.get("end_session") or spoken >= settings.session_max_turns else "__end__"
