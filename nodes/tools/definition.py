"""Defines tools, a developer's own among them, and explains their failures to the model, so that the turn goes on."""

import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langchain_core.tools.base import ArgsSchema
from pydantic import BaseModel

from config.errors import ConciergeError, InvalidInputError
from nodes.services import Run
from nodes.tools.toolbox import Describe, Toolbox
from prompts import prompt

_log = logging.getLogger(__name__)


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
