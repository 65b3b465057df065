"""Collects what the model may call, and says what of it a person must approve first."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from langchain_core.messages import ToolCall
from langchain_core.tools import BaseTool
from pydantic import BaseModel, ValidationError

from graph.context import MemoryMode
from graph.state import State
from nodes.services import Run

Guard = Callable[[State, Run, Mapping[str, Any]], Awaitable[str]]
"""Says what a call would do that its person must approve first; nothing where it may run without."""
Describe = Callable[[Run, Mapping[str, Any]], Awaitable[str]]
"""Says in a sentence or two what a call would do, with its price; raises ConciergeError where it can't be done."""


class Plugged(Protocol):
    """Tools of other providers, which come and go with their servers; see `nodes.tools.mcp.McpServers`."""

    @property
    def tools(self) -> Sequence[BaseTool]:
        """Return all that may ever be called."""
        ...

    @property
    def offered(self) -> Sequence[BaseTool]:
        """Return those that can be called now."""
        ...

    async def ready(self) -> None:
        """Reach what can be reached."""
        ...

    def asks_first(self, name: str) -> bool:
        """Return True for one of these tools that may act."""
        ...

    def fault(self, call: ToolCall) -> str | None:
        """Return why the arguments of `call` do not fit."""
        ...

    def described(self, call: ToolCall, thread_id: str) -> str:
        """Return what an approval shows of `call`."""
        ...


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
    plugged: Plugged | None = None
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
