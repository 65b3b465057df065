"""How a tool is made: its name from the function, its description from the prompts, wrong arguments answered."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel

from nodes.tools.faults import explain_arguments
from prompts import prompt


def tool_of(function: Callable[..., Coroutine[Any, Any, Any]], arguments: type[BaseModel]) -> BaseTool:
    """The tool that `function` carries out with `arguments`."""
    name = function.__name__
    return StructuredTool.from_function(
        coroutine=function,
        name=name,
        description=prompt(f"tools/{name}"),
        args_schema=arguments,
        handle_validation_error=explain_arguments,
    )
