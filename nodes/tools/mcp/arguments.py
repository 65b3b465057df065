"""Checks arguments against the JSON schema of an MCP tool, which is not trusted.

Only names, required arguments and plain types are checked. Patterns and references are left to the server: a pattern
could take forever to match, and a reference could point anywhere.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langchain_core.tools import BaseTool
from pydantic import Field

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list, tuple),
    "object": (Mapping,), "null": (type(None),),
}  # fmt: skip
Carry = Callable[[str, str, Mapping[str, Any]], Awaitable[str]]
"""Runs a call, given the name of the tool, the id of the call and its arguments; raises ToolException."""


def argument_faults(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """Return what is wrong with `arguments`, for the person or model that wrote them; None if they are valid."""
    known = schema.get("properties", {})
    faults = [f"{name}: it is missing" for name in schema.get("required", []) if name not in arguments]
    if schema.get("additionalProperties") is False:
        faults += [f"{name}: there is no such argument" for name in arguments if name not in known]
    for name, value in arguments.items():
        expected = known.get(name)
        if isinstance(expected, Mapping) and not _fits(expected, value):
            faults.append(f"{name}: it must be {_type_name(expected)}")
    return "; ".join(faults) or None


def _fits(schema: Mapping[str, Any], value: Any) -> bool:
    options = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(options, list):
        return any(_fits(option, value) for option in options if isinstance(option, Mapping))
    if isinstance(schema.get("enum"), list) and value not in schema["enum"]:
        return False
    type_ = schema.get("type")
    names = type_ if isinstance(type_, list) else [type_] if type_ else []
    return not names or any(_has_type(name, value) for name in names)


def _has_type(name: str, value: Any) -> bool:
    if isinstance(value, bool) and name in ("integer", "number"):
        return False
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES.get(name, (object,)))


def _type_name(schema: Mapping[str, Any]) -> str:
    if isinstance(schema.get("enum"), list):
        return f"one of {', '.join(map(str, schema['enum'][:20]))}"
    type_ = schema.get("type") or "of another type"
    return " or ".join(map(str, type_)) if isinstance(type_, list) else str(type_)


class McpTool(BaseTool):
    """Passes the arguments of a call on unchanged; they may have any names."""

    description: str = ""
    args_schema: Any = Field(default_factory=lambda: {"type": "object", "properties": {}})
    carry: Carry = Field(exclude=True, repr=False)

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        # Passed by position, so that no argument can collide with a parameter of ours.
        return (tool_call_id or "", tool_input), {}

    def _run(self, *_: Any) -> str:
        raise NotImplementedError("Tools of other providers are called with `ainvoke`.")

    async def _arun(self, call_id: str, arguments: Mapping[str, Any]) -> str:
        return await self.carry(self.name, call_id, arguments)
