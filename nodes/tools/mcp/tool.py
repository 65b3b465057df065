"""Presents a tool of another provider as models and the graph know tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langchain_core.tools import BaseTool
from pydantic import Field

Carry = Callable[[str, Mapping[str, Any]], Awaitable[str]]
"""Carries out the call of this id with these arguments; raises ToolException."""


def _anything() -> dict[str, Any]:
    return {"type": "object", "properties": {}}


class McpTool(BaseTool):
    """Hands a call on as it is: the provider checks its arguments, and any name may be among them."""

    description: str = ""
    args_schema: Any = Field(default_factory=_anything)
    carry: Carry = Field(exclude=True, repr=False)

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        # By position, so that no argument of theirs meets a parameter of ours.
        return (tool_call_id or "", tool_input), {}

    def _run(self, *_: Any) -> str:
        raise NotImplementedError("Tools of other providers are called with `ainvoke`.")

    async def _arun(self, call_id: str, arguments: Mapping[str, Any]) -> str:
        return await self.carry(call_id, arguments)
