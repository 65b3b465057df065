"""Defines tools, and explains their failures to the model, so that the turn goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import BaseModel

from config.errors import ConciergeError
from prompts import prompt

_log = logging.getLogger(__name__)


def define_tool(
    function: Callable[..., Coroutine[Any, Any, Any]], arguments: type[BaseModel], *, name: str = ""
) -> BaseTool:
    """Return the tool that `function` carries out, described by the prompts; it has the function's name without one."""
    name = name or function.__name__
    return StructuredTool.from_function(
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
