"""One call of a tool: whether it may run, what its function may use, and how the model is answered."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, cast, get_type_hints

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolRuntime
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command
from pydantic import BaseModel, create_model

from graph.context import Context
from graph.state import State
from memory.policy import fingerprint
from memory.records.notes import note_id
from nodes.messages.turns import latest_user_message
from nodes.services import Run, Services
from nodes.tools.toolbox import Toolbox, define_tool

if TYPE_CHECKING:
    from datetime import date

    from langchain_core.messages import HumanMessage

    from prompts.loader import Language
    from travel.booking.ledger import Bookings
    from travel.provider import TravelProvider

APPROVED = "approved"
"""Where the state that `approve` sends with a call holds its seal."""

_SAVING = "save_memory_note"
_NOT_APPROVED = "Error: this needs the traveller's approval, which was not given. Nothing was done."

CallRuntime = ToolRuntime[Context, State]
Answer = ToolMessage | Command[Any]


@dataclass(frozen=True)
class Call:
    """One call of a tool: who is speaking, in which state, and where travel is found and booked."""

    run: Run
    services: Services
    state: State
    id: str
    """The id of the call; empty where an endpoint gives none."""

    @cached_property
    def message(self) -> HumanMessage | None:
        """Return the message that the call helps to answer."""
        return latest_user_message(self.state["messages"])

    @property
    def message_id(self) -> str:
        """Return the id of that message: some endpoints number their calls anew in every answer."""
        return (self.message.id or "") if self.message else ""

    @property
    def language(self) -> Language:
        """Return the language of that message, where it tells one, else that of the run."""
        return self.run.speaking(self.message).language

    @property
    def provider(self) -> TravelProvider:
        """Return the provider that sells travel."""
        return self.services.seller

    @property
    def ledger(self) -> Bookings:
        """Return the bookings of whoever is speaking. Raises SetupError where nobody is named."""
        return self.services.bookings(self.run.memory)

    @property
    def today(self) -> date:
        """Return the day, in UTC."""
        return self.services.clock().date()

    @property
    def key(self) -> str:
        """Return the key of an act, of thread, message and call: a call that runs again after a crash acts once."""
        return note_id("act", self.run.thread_id, self.message_id, self.id)

    def answered(self, told: Mapping[str, Any], update: Mapping[str, Any]) -> Command[Any]:
        """Return the answer to the call, with what it changes in the state."""
        message = ToolMessage(json.dumps(told, ensure_ascii=False), tool_call_id=self.id)
        return Command(update={**update, "messages": [*update.get("messages", ()), message]})


Carry = Callable[..., Awaitable[dict[str, Any] | Command[Any]]]
"""Carries out a call with its arguments; returns plain JSON values, or what `Call.answered` makes of them."""


def call_tool(function: Carry, services: Services, arguments: type[BaseModel] | None = None) -> BaseTool:
    """Return the tool that `function` carries out, under its name.

    After the call, the function takes its arguments by name, or all of them as `asked`, a model of its own.
    """
    name, given_whole = getattr(function, "__name__", ""), "asked" in signature(function).parameters
    model = arguments or arguments_of(function)

    async def carry_out(runtime: CallRuntime, **given: Any) -> Any:
        run = await Run.of(runtime.state, runtime, services)
        call = Call(run, services, runtime.state, runtime.tool_call_id or "")
        answer = await (function(call, model(**given)) if given_whole else function(call, **given))
        return answer if isinstance(answer, Command) else json.dumps(answer, ensure_ascii=False)

    return define_tool(carry_out, model, name=name)


@cache
def arguments_of(function: Callable[..., Any]) -> type[BaseModel]:
    """Return a model of the arguments that the function of a tool takes after its call."""
    hints = get_type_hints(function, include_extras=True)
    if whole := hints.get("asked"):
        model: type[BaseModel] = whole
        return model
    asked = [*signature(function).parameters.values()][1:]
    fields: Any = {one.name: (hints[one.name], ... if one.default is Parameter.empty else one.default) for one in asked}
    return create_model(getattr(function, "__name__", ""), **fields)


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
    if call["name"] == _SAVING and run.user_id and (fault := toolbox.fault(call)):
        return await _refused_arguments(call, fault, run)
    if toolbox.may_ask(call["name"]) and not toolbox.fault(call):
        sealed = str(dict(state).get(APPROVED, ""))
        is_approved = hmac.compare_digest(sealed, await seal(call, state, run))
        if not is_approved and await toolbox.needs_approval(call, state, run):
            return ToolMessage(_NOT_APPROVED, tool_call_id=str(call["id"]), name=call["name"], status="error")
    return await execute(request)


async def _refused_arguments(call: ToolCall, fault: str, run: Run) -> Command[Any]:
    """Return the answer to a proposal that does not even have the parts of one, which is refused like any other."""
    told = {"status": "blocked", "code": "ungrounded", "hint": f"{fault}. Correct it and call the tool again."}
    digest = fingerprint(json.dumps(call["args"], ensure_ascii=False, default=str), await run.memory.hash_key())
    message = ToolMessage(json.dumps(told, ensure_ascii=False), tool_call_id=str(call["id"]))
    return Command(update={"blocked": [{"code": "ungrounded", "hash": digest}], "messages": [message]})
