"""Turns functions into tools: passes each one its `Call` and arguments, and returns its result to the model."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, get_type_hints

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from langchain_core.tools.base import ArgsSchema
from langgraph.prebuilt import ToolRuntime
from langgraph.types import Command
from pydantic import BaseModel, ValidationError, create_model

from graph.context import Context
from graph.state import State
from memory.records.notes import note_id
from nodes.messages.turns import latest_user_message
from nodes.services import Run, Services
from prompts import Language, prompt

if TYPE_CHECKING:
    from travel.booking.ledger import Bookings
    from travel.provider import TravelProvider

CallRuntime = ToolRuntime[Context, State]


@dataclass(frozen=True)
class Call:
    """One tool call: the run and state it belongs to, the travel provider, and the ledger of bookings."""

    run: Run
    state: State
    id: str
    """The id of the call; empty if the endpoint gives none."""

    @property
    def message_id(self) -> str:
        """Return the id of the user message being answered; call ids alone are not unique with every endpoint."""
        latest = latest_user_message(self.state["messages"])
        return (latest.id or "") if latest else ""

    @property
    def language(self) -> Language:
        """Return Japanese if the user message is, else the language of the run."""
        return self.run.with_message_language(self.state["messages"]).language

    @property
    def provider(self) -> TravelProvider:
        """Return the travel provider. Raises SetupError if travel is switched off."""
        return self.run.services.seller

    @property
    def ledger(self) -> Bookings:
        """Return the user's ledger of bookings. Raises SetupError without a user."""
        return self.run.services.bookings(self.run.memory)

    @property
    def key(self) -> str:
        """Return an idempotency key made of thread, message and call, for calls that run again after a crash."""
        return note_id("act", self.run.thread_id, self.message_id, self.id)

    def answered(self, result: Mapping[str, Any], update: Mapping[str, Any]) -> Command[Any]:
        """Return a command with the call's result for the model, and an update of the state."""
        message = ToolMessage(json.dumps(result, ensure_ascii=False), tool_call_id=self.id)
        return Command(update={**update, "messages": [*update.get("messages", ()), message]})


Carry = Callable[..., Awaitable[dict[str, Any] | Command[Any]]]
"""The function of a tool: takes a `Call` and arguments, returns plain JSON values or the result of `Call.answered`."""


def call_tool(function: Carry, services: Services, arguments: type[BaseModel] | None = None) -> BaseTool:
    """Return a tool that calls `function` and has its name.

    After the `Call`, the function takes its arguments by name, or as one model in the parameter `arguments`.
    """
    name, takes_model = getattr(function, "__name__", ""), "arguments" in signature(function).parameters
    model = arguments or arguments_of(function)

    async def carry_out(runtime: CallRuntime, **given: Any) -> Any:
        call = Call(await Run.of(runtime.state, runtime, services), runtime.state, runtime.tool_call_id or "")
        result = await (function(call, model(**given)) if takes_model else function(call, **given))
        return result if isinstance(result, Command) else json.dumps(result, ensure_ascii=False)

    about = prompt(f"tools/{name}", "en", services.gate.schema.domain.words("en"))
    return _Defined.from_function(coroutine=carry_out, name=name, description=about, args_schema=model)


class _Defined(StructuredTool):
    """A tool whose argument model has no injected arguments."""

    @property
    def tool_call_schema(self) -> ArgsSchema:
        """Return the argument model itself; LangChain would build a copy without the injected arguments."""
        return self.get_input_schema()


def faults_of(error: ValidationError) -> str:
    """Return the validation errors of arguments in one line."""
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())


@cache
def arguments_of(function: Callable[..., Any]) -> type[BaseModel]:
    """Return a model of the arguments that the function of a tool takes after its `Call`."""
    hints = get_type_hints(function, include_extras=True)
    if "arguments" in hints:
        model: type[BaseModel] = hints["arguments"]
        return model
    parameters = [*signature(function).parameters.values()][1:]
    fields: Any = {p.name: (hints[p.name], ... if p.default is Parameter.empty else p.default) for p in parameters}
    return create_model(getattr(function, "__name__", ""), **fields)


def with_context(tool: BaseTool) -> BaseTool:
    """Return the tool with a bare `ToolRuntime` typed with our context, or pydantic would warn that it isn't None."""
    schema = tool.args_schema
    if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
        return tool
    bare = [name for name, field in schema.model_fields.items() if field.annotation is ToolRuntime]
    if not bare:
        return tool
    typed: Any = dict.fromkeys(bare, (CallRuntime, ...))
    model = create_model(schema.__name__, __base__=schema, __doc__=schema.__doc__, **typed)
    return tool.model_copy(update={"args_schema": model})
