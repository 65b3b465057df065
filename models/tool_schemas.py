"""The schemas of tools as a model is sent them: everything it needs and nothing that only validation needs."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any

from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

_LEFT_OUT = frozenset(
    {"title", "default", "additionalProperties", "$defs", "pattern", "minimum", "maximum", "exclusiveMinimum"}
    | {"minItems", "maxItems", "maxLength", "minLength"}
)
"""What validation needs and a model does not: a breach of these is answered with what is allowed."""

_made: dict[tuple[str, str, int], dict[str, Any]] = {}
"""Schemas by name, description and the identity of what tells the arguments, as long as that lives."""


def tool_schema(tool: BaseTool) -> dict[str, Any]:
    """The OpenAI schema of a tool, with references resolved and optional values without their `null`.

    The tool validates what a model passes by its own full schema all the same. It is made once; don't change it.
    """
    arguments: Any = tool.args_schema if isinstance(tool.args_schema, type) else tool
    key = (tool.name, tool.description, id(arguments))
    if key not in _made:
        _made[key] = _schema_of(tool)
        weakref.finalize(arguments, _made.pop, key, None)
    return _made[key]


def _schema_of(tool: BaseTool) -> dict[str, Any]:
    function = convert_to_openai_tool(tool)["function"]
    return {"type": "function", "function": {**function, "parameters": _plain(function["parameters"])}}


def _plain(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    if "anyOf" in schema:
        options = [option for option in schema["anyOf"] if option != {"type": "null"}]
        if len(options) == 1:
            return _plain({**options[0], **{key: value for key, value in schema.items() if key != "anyOf"}})
    found = {}
    for key, value in schema.items():
        if key == "properties":
            found[key] = {name: _plain(one) for name, one in value.items()}
        elif key not in _LEFT_OUT:
            found[key] = _plain(value)
    if "enum" in found:
        found.pop("type", None)
    return found
