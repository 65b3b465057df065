"""Collects what the model may call, and says what of it a person must approve first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from langchain_core.messages import ToolCall
from langchain_core.tools import BaseTool
from pydantic import BaseModel, ValidationError

from graph.context import MemoryMode
from nodes.services import Run

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
    """

    memory: Sequence[BaseTool] = ()
    free: Sequence[BaseTool] = ()
    writes: Mapping[str, tuple[BaseTool, Describe]] = field(default_factory=dict)
    plugged: Plugged | None = None

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

    def asks_first(self, name: str) -> bool:
        """Return True for a tool that runs only when its call was approved."""
        return name in self.writes or (self.plugged is not None and self.plugged.asks_first(name))

    async def described(self, call: ToolCall, run: Run) -> str:
        """Return what an approval shows of `call`.

        Raises:
            ConciergeError: it can't be carried out; the message says why.
        """
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
        schema = next(tool for tool in self.tools if tool.name == call["name"]).args_schema
        if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
            return None
        unknown = [name for name in call["args"] if name not in schema.model_fields]
        return f"There is no {', '.join(unknown)}; it takes {', '.join(schema.model_fields)}." if unknown else None

    def _is_plugged(self, name: str) -> bool:
        return name not in {tool.name for tool in self._own}

    def _checked(self, call: ToolCall) -> dict[str, Any]:
        tool = next(tool for tool in self.tools if tool.name == call["name"])
        schema = tool.args_schema
        if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
            return dict(call["args"])
        return schema.model_validate(call["args"]).model_dump()
