"""One call of a tool: what its function may use, and how the model is answered."""

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
    """One call of a tool: who is speaking, in which state, and where travel is found and booked."""

    run: Run
    state: State
    id: str
    """The id of the call; empty where an endpoint gives none."""

    @property
    def message_id(self) -> str:
        """Return the id of the message that it helps to answer: some endpoints number calls anew in every answer."""
        latest = latest_user_message(self.state["messages"])
        return (latest.id or "") if latest else ""

    @property
    def language(self) -> Language:
        """Return the language of that message, where it tells one, else that of the run."""
        return self.run.speaking(self.state["messages"]).language

    @property
    def provider(self) -> TravelProvider:
        """Return the provider that sells travel."""
        return self.run.services.seller

    @property
    def ledger(self) -> Bookings:
        """Return the bookings of whoever is speaking. Raises SetupError where nobody is named."""
        return self.run.services.bookings(self.run.memory)

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
        call = Call(await Run.of(runtime.state, runtime, services), runtime.state, runtime.tool_call_id or "")
        answer = await (function(call, model(**given)) if given_whole else function(call, **given))
        return answer if isinstance(answer, Command) else json.dumps(answer, ensure_ascii=False)

    return _Defined.from_function(
        coroutine=carry_out, name=name, description=prompt(f"tools/{name}"), args_schema=model
    )


class _Defined(StructuredTool):
    """A tool whose model of arguments holds what a model passes and nothing that is injected."""

    @property
    def tool_call_schema(self) -> ArgsSchema:
        """Return the model of the arguments, of which LangChain would make a copy."""
        return self.get_input_schema()


def faults_of(error: ValidationError) -> str:
    """Return what is wrong with which arguments."""
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())


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


def with_context(tool: BaseTool) -> BaseTool:
    """Return the tool with our context in a bare `ToolRuntime`, of which pydantic would warn that it is not None."""
    schema = tool.args_schema
    if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
        return tool
    bare: Any = {name: (CallRuntime, ...) for name, one in schema.model_fields.items() if one.annotation is ToolRuntime}
    if not bare:
        return tool
    named = create_model(schema.__name__, __base__=schema, __doc__=schema.__doc__, **bare)
    return tool.model_copy(update={"args_schema": named})
