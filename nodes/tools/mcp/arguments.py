"""Checks arguments against a provider's schema without running anything of theirs.

Names, presence and plain types. Patterns and references are the provider's own to check: a foreign pattern can take
for ever, a foreign reference leads anywhere.
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
"""Carries out the call of this tool, id and arguments; raises ToolException."""


def argument_faults(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """Return what is wrong with `arguments`, in a sentence for whoever wrote them; None when nothing is."""
    known = schema.get("properties", {})
    faults = [f"{name}: it is missing" for name in schema.get("required", []) if name not in arguments]
    if schema.get("additionalProperties") is False:
        faults += [f"{name}: there is no such argument" for name in arguments if name not in known]
    for name, value in arguments.items():
        wanted = known.get(name)
        if isinstance(wanted, Mapping) and not _fits(wanted, value):
            faults.append(f"{name}: it must be {_named(wanted)}")
    return "; ".join(faults) or None


def _fits(wanted: Mapping[str, Any], value: Any) -> bool:
    options = wanted.get("anyOf") or wanted.get("oneOf")
    if isinstance(options, list):
        return any(_fits(one, value) for one in options if isinstance(one, Mapping))
    if isinstance(wanted.get("enum"), list) and value not in wanted["enum"]:
        return False
    named = wanted.get("type")
    names = named if isinstance(named, list) else [named] if named else []
    return not names or any(_is(name, value) for name in names)


def _is(name: str, value: Any) -> bool:
    if isinstance(value, bool) and name in ("integer", "number"):
        return False
    return isinstance(value, _TYPES.get(name, (object,)))


def _named(wanted: Mapping[str, Any]) -> str:
    if isinstance(wanted.get("enum"), list):
        return f"one of {', '.join(map(str, wanted['enum'][:20]))}"
    named = wanted.get("type") or "of another type"
    return " or ".join(map(str, named)) if isinstance(named, list) else str(named)


class McpTool(BaseTool):
    """Hands a call on as it is: the provider checks its arguments, and any name may be among them."""

    description: str = ""
    args_schema: Any = Field(default_factory=lambda: {"type": "object", "properties": {}})
    carry: Carry = Field(exclude=True, repr=False)

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        # By position, so that no argument of theirs meets a parameter of ours.
        return (tool_call_id or "", tool_input), {}

    def _run(self, *_: Any) -> str:
        raise NotImplementedError("Tools of other providers are called with `ainvoke`.")

    async def _arun(self, call_id: str, arguments: Mapping[str, Any]) -> str:
        return await self.carry(self.name, call_id, arguments)
