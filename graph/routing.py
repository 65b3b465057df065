"""Decides which node runs next. Each `route_*` is a pure function of the state, named after the node before it."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal, cast

from langchain_core.messages import AIMessage, ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Command

from config.settings import Settings
from graph.context import Context
from graph.state import State, is_real_user, is_waiting, merge_messages
from nodes.messages.turns import count_tokens, latest_turn, turns_allowed
from nodes.tools.toolbox import Toolbox

Unopened = Literal["consolidate", "__end__"]
AfterDistill = Literal["trim_history", "summarize_history", "consolidate", "__end__"]
AfterAgent = Literal["approve", "tools", "distill_notes", AfterDistill]
AfterHistory = Literal["consolidate", "__end__"]

Node = Callable[[State, Runtime[Context]], Awaitable[dict[str, Any]]]
"""One node of the graph; it returns an update of the state."""


def routed(node: Node, route: Callable[[State], str]) -> Callable[..., Awaitable[Command[str]]]:
    """Wrap `node` so that it also returns which node runs next, as decided by `route`.

    With a conditional edge, LangGraph would copy every channel of the state once more to apply the node's update.
    """

    async def step(state: State, runtime: Runtime[Context]) -> Command[str]:
        update = await node(state, runtime)
        changed = {**state, **update}
        if "messages" in update:
            changed["messages"] = merge_messages(state["messages"], update["messages"])
        return Command(update=update, goto=route(cast(State, changed)))

    return step


def opening(node: Node, next_node: str) -> Callable[..., Awaitable[Command[str]]]:
    """Wrap `node`, which opens a turn that continues at `next_node`, so that it only runs for a new message.

    A plan left by an earlier run is applied first; without a new message, a request to end the session ends it.
    """

    async def step(state: State, runtime: Runtime[Context]) -> Command[str]:
        plan = state.get("plan")
        if plan is None and is_waiting(state):
            return Command(update=await node(state, runtime), goto=next_node)
        unopened: Unopened = "consolidate" if plan is not None or state.get("end_session") else "__end__"
        return Command(goto=unopened)

    return step


def route_agent(state: State, *, settings: Settings, toolbox: Toolbox) -> AfterAgent:
    """Route tool calls to the tools, or to `approve` if one may ask the user; an answer ends the turn.

    A turn with tool results is distilled, for the notes they proposed; with the distillation `turn`, every turn is.
    """
    messages = state["messages"]
    last = messages[-1]
    if isinstance(last, AIMessage) and last.tool_calls:
        return "approve" if toolbox.run_apart(last.tool_calls) else "tools"
    turn = latest_turn(messages)
    if settings.distillation == "turn" or any(isinstance(message, ToolMessage) for message in turn):
        return "distill_notes"
    return route_distill(state, settings=settings)


def route_distill(state: State, *, settings: Settings) -> AfterDistill:
    """Shorten the history if it exceeds a limit; else route as after shortening."""
    messages = state["messages"]
    turns = sum(map(is_real_user, messages))
    if turns > turns_allowed(state, settings) or (turns > 1 and count_tokens(messages) > settings.history_tokens):
        return "trim_history" if settings.history_mode == "trim" else "summarize_history"
    return route_history(state, settings=settings)


def route_history(state: State, *, settings: Settings) -> AfterHistory:
    """End the session if the caller asked for it, or if it has reached its maximum number of turns."""
    session = state.get("session")
    turns = state.get("turns", 0) - session["first_turn"] + 1 if session else 0
    return "consolidate" if state.get("end_session") or turns >= settings.session_max_turns else "__end__"
