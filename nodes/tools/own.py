"""Takes a developer's own tools: one that reads runs at once, one that acts runs when its call was approved."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.tools import BaseTool

from config.errors import ConciergeError, InvalidInputError
from nodes.services import Run
from nodes.tools.definition import explain_arguments, explain_tool_error
from nodes.tools.toolbox import Describe, Toolbox


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
