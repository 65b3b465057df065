"""Lets a tool run where nobody has to be asked, or where the thread's owner approved exactly this call."""

import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

from langchain_core.messages import ToolCall, ToolMessage
from langgraph.prebuilt import ToolRuntime
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from graph.context import Context
from graph.state import State
from nodes.messages.turns import latest_user_message
from nodes.services import Run, Services
from nodes.tools.memory.tools import SAVING, refused_arguments
from nodes.tools.toolbox import Toolbox

APPROVED = "approved"
"""Where the state that `approve` sends with a call holds its seal."""

_NOT_APPROVED = "Error: this needs the traveller's approval, which was not given. Nothing was done."

Answer = ToolMessage | Command[Any]


async def seal(call: ToolCall, state: State, run: Run) -> str:
    """Return what only an approval in the name of the run's user can make for this call in this turn of this thread.

    It is made with the user's own key, so it holds in every process, and nothing that a caller sends can forge it.
    """
    latest = latest_user_message(state["messages"])
    told = [run.owner, run.thread_id, latest.id if latest else "", call["name"], call["id"], call["args"]]
    key = await run.memory.hash_key() if run.user_id else b""
    return hmac.new(key, json.dumps(told, sort_keys=True, default=str).encode(), hashlib.sha256).hexdigest()


async def run_if_allowed(
    request: ToolCallRequest,
    execute: Callable[[ToolCallRequest], Awaitable[Answer]],
    *,
    services: Services,
    toolbox: Toolbox,
) -> Answer:
    """Execute a call for the owner of its thread; one that needs an approval and has none is answered with that.

    Raises:
        AccessDeniedError: the thread belongs to another user.
    """
    runtime = cast("ToolRuntime[Context, State]", request.runtime)
    state, call = runtime.state, request.tool_call
    run = await Run.of(state, runtime, services)
    if call["name"] == SAVING and run.user_id and (fault := toolbox.fault(call)):
        return await refused_arguments(call, fault, run)
    if toolbox.may_ask(call["name"]) and not toolbox.fault(call):
        sealed = str(dict(state).get(APPROVED, ""))
        is_approved = hmac.compare_digest(sealed, await seal(call, state, run))
        if not is_approved and await toolbox.needs_approval(call, state, run):
            return ToolMessage(_NOT_APPROVED, tool_call_id=str(call["id"]), name=call["name"], status="error")
    return await execute(request)
