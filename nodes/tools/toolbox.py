"""Defines tools, a developer's own among them, collects those the model may call, and says which need an approval."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from langchain_core.messages import ToolCall
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langchain_core.tools.base import ArgsSchema
from pydantic import BaseModel, ValidationError

from config.errors import ConciergeError, InvalidInputError
from graph.context import MemoryMode
from graph.state import State
from nodes.services import Run
from prompts import prompt

if TYPE_CHECKING:
    from nodes.tools.mcp.servers import McpServers

_log = logging.getLogger(__name__)

Guard = Callable[[State, Run, Mapping[str, Any]], Awaitable[str]]
"""Says what a call would do that its person must approve first; nothing where it may run without."""
Describe = Callable[[Run, Mapping[str, Any]], Awaitable[str]]
"""Says in a sentence or two what a call would do, with its price; raises ConciergeError where it can't be done."""


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of one concierge.

    Attributes:
        memory: Tools over what is remembered; not offered in a temporary chat.
        free: Other tools that only read, and run without asking.
        writes: Tools that act for the traveller, each with what tells the traveller what it would do.
        plugged: Tools of other providers; None where there are none.
        guards: What decides, by the name of a tool of memory, whether a call of it asks first.
    """

    memory: Sequence[BaseTool] = ()
    free: Sequence[BaseTool] = ()
    writes: Mapping[str, tuple[BaseTool, Describe]] = field(default_factory=dict)
    plugged: McpServers | None = None
    guards: Mapping[str, Guard] = field(default_factory=dict)

    @property
    def tools(self) -> list[BaseTool]:
        """Return all tools."""
        return [*self._own, *(self.plugged.tools if self.plugged else ())]

    @property
    def _own(self) -> list[BaseTool]:
        return [*self.memory, *self.free, *(tool for tool, _ in self.writes.values())]

    async def ready(self) -> None:
        """Reach the servers of other providers that can be reached; before tools are offered or calls judged."""
        if self.plugged:
            await self.plugged.ready()

    def offered(self, mode: MemoryMode) -> list[BaseTool]:
        """Return those that a model may call while memory is in this mode."""
        own = [tool for tool in self._own if mode != "off" or tool not in self.memory]
        return [*own, *(self.plugged.offered if self.plugged else ())]

    def may_ask(self, name: str) -> bool:
        """Return True for a tool of which a call may have to be approved before it runs."""
        return name in self.guards or self._acts(name)

    async def needs_approval(self, call: ToolCall, state: State, run: Run) -> bool:
        """Return True for a call that runs only when it was approved."""
        guard = self.guards.get(call["name"])
        return bool(await guard(state, run, self._checked(call))) if guard else self._acts(call["name"])

    def _acts(self, name: str) -> bool:
        return name in self.writes or (self.plugged is not None and self.plugged.asks_first(name))

    async def described(self, call: ToolCall, state: State, run: Run) -> str:
        """Return what an approval shows of `call`; nothing where it may run without one.

        Raises:
            ConciergeError: it can't be carried out; the message says why.
        """
        if guard := self.guards.get(call["name"]):
            return await guard(state, run, self._checked(call))
        if not self._acts(call["name"]):
            return ""
        if self.plugged and self._is_plugged(call["name"]):
            return self.plugged.described(call, run.thread_id)
        _, describe = self.writes[call["name"]]
        return await describe(run, self._checked(call))

    def fault(self, call: ToolCall) -> str | None:
        """Return why `call` can't be run as it stands: there is no such tool, or its arguments do not fit."""
        if call["name"] not in {tool.name for tool in self.tools}:
            return f"There is no tool {call['name']}."
        if self.plugged and self._is_plugged(call["name"]):
            return self.plugged.fault(call)
        try:
            self._checked(call)
        except ValidationError as error:
            return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        return None

    def unknown_arguments(self, call: ToolCall) -> str | None:
        """Return which arguments of `call` its tool does not have, so that a person who mistyped one hears of it."""
        schema = self._arguments(call["name"])
        if schema is None:
            return None
        unknown = [name for name in call["args"] if name not in schema.model_fields]
        return f"There is no {', '.join(unknown)}; it takes {', '.join(schema.model_fields)}." if unknown else None

    def _is_plugged(self, name: str) -> bool:
        return name not in {tool.name for tool in self._own}

    def _checked(self, call: ToolCall) -> dict[str, Any]:
        schema = self._arguments(call["name"])
        return schema.model_validate(call["args"]).model_dump() if schema else dict(call["args"])

    def _arguments(self, name: str) -> type[BaseModel] | None:
        """Return what a model may give the tool; None where that is known to its provider only."""
        tool = next(tool for tool in self.tools if tool.name == name)
        schema = tool.args_schema
        if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
            return None
        # What the machine puts in, such as `runtime`, is in the one and not in the other, which has no validators.
        injected = schema.model_fields.keys() - tool.args.keys()
        return cast("type[BaseModel]", tool.tool_call_schema) if injected else schema


class _Defined(StructuredTool):
    """A tool whose model of arguments holds what a model passes and nothing that is injected."""

    @property
    def tool_call_schema(self) -> ArgsSchema:
        """Return the model of the arguments, of which LangChain would make a copy."""
        return self.get_input_schema()


def define_tool(
    function: Callable[..., Coroutine[Any, Any, Any]], arguments: type[BaseModel], *, name: str = ""
) -> BaseTool:
    """Return the tool that `function` carries out, described by the prompts; it has the function's name without one."""
    name = name or function.__name__
    return _Defined.from_function(
        coroutine=function,
        name=name,
        description=prompt(f"tools/{name}"),
        args_schema=arguments,
        handle_validation_error=explain_arguments,
    )


def explain_tool_error(error: Exception) -> str:
    """Return a sentence the model can act on. Faults of our own making are told as they are, others only named."""
    if isinstance(error, (ConciergeError, ToolException)):
        return f"Error: {error}"
    _log.error("a tool failed", exc_info=error)
    return f"Error: the tool failed ({type(error).__name__}). Go on without it, and tell the user what did not work."


def explain_arguments(error: Any) -> str:
    """Return which arguments of a call do not fit, and what to do."""
    faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
    return f"The arguments do not fit: {faults}. Correct them and call the tool again."


@dataclass(frozen=True, slots=True)
class Acting:
    """A tool that acts for the traveller, and what says beforehand what a call of it would do; see `acting`."""

    tool: BaseTool
    describe: Callable[..., str | Awaitable[str]]


def acting(tool: BaseTool, describe: Callable[..., str | Awaitable[str]]) -> Acting:
    """Declare that a tool acts, so that each call of it waits for the traveller's approval.

    Args:
        tool: Carries out an approved call. A run that crashed may call it again under the same `tool_call_id`.
        describe: Called with the arguments of a call, by name; returns, or awaits, the sentence that the approval
            shows, with the price. Where it raises, the model is told why, and nobody is asked.
    """
    return Acting(tool, describe)


def with_own_tools(toolbox: Toolbox, own: Sequence[BaseTool | Acting]) -> Toolbox:
    """Return the toolbox with a developer's tools after its own.

    Raises:
        InvalidInputError: one is no tool, or its name is taken.
    """
    taken = {tool.name for tool in toolbox.tools}
    free, writes = [*toolbox.free], {**toolbox.writes}
    for one in own:
        tool = one.tool if isinstance(one, Acting) else one
        if not isinstance(tool, BaseTool):
            raise InvalidInputError(f"tools= takes LangChain tools, not {tool!r}. Decorate the function with @tool.")
        if tool.name in taken:
            raise InvalidInputError(f"There is a tool named {tool.name} already. Give yours another name.")
        taken.add(tool.name)
        if not tool.handle_validation_error:
            tool = tool.model_copy(update={"handle_validation_error": explain_arguments})
        if isinstance(one, Acting):
            writes[tool.name] = (tool, _described(one))
        else:
            free.append(tool)
    return replace(toolbox, free=free, writes=writes)


def _described(one: Acting) -> Describe:
    async def describe(_: Run, given: Mapping[str, Any]) -> str:
        try:
            told = one.describe(**given)
            return (await told if inspect.isawaitable(told) else told) or one.tool.name
        except ConciergeError:
            raise
        except Exception as error:  # a fault of theirs refuses the call, and does not end the turn
            raise InvalidInputError(explain_tool_error(error).removeprefix("Error: ")) from error

    return describe
