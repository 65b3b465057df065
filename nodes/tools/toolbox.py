"""Collects the tools the model may call, a developer's own among them, and runs those calls that may run."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import inspect
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, cast

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool, ToolException
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.prebuilt.tool_node import ToolCallRequest, ToolInvocationError
from langgraph.types import Command
from pydantic import BaseModel, ValidationError

from config.errors import ConciergeError, InvalidInputError, SetupError
from graph.context import MemoryMode
from graph.state import State
from nodes.services import Run, Services
from nodes.tools.call import Call, CallRuntime, faults_of, with_context
from nodes.tools.mcp import McpServers
from text.normalise import neutralise

_log = logging.getLogger(__name__)

APPROVED = "approved"
"""Where the state that `approve` sends with a call holds its seal."""

_SAVING = "save_memory_note"
_UNSURE = "It is not known whether it was carried out: don't call it again, and tell the user what did not work."
_GO_ON = "Go on without it, and tell the user what did not work."
_only_reads = ContextVar("only_reads", default=False)  # the tool of the call at hand; its error comes alone
_NOT_APPROVED = "Error: this needs the traveller's approval, which was not given. Nothing was done."

Answer = ToolMessage | Command[Any]
Execute = Callable[[ToolCallRequest], Awaitable[Answer]]
Describe = Callable[[Call, Mapping[str, Any]], Awaitable[str]]
"""Says in a sentence or two what a call with these arguments would do that its person must approve first, with its
price; nothing where it may run without. Raises ConciergeError where it can't be done."""


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of one concierge.

    Attributes:
        memory: Tools over what is remembered; not offered in a temporary chat.
        guards: What decides, by the name of a tool of memory, whether a call of it asks first.
        plugged: Tools of other providers.
        free: Other tools that only read, and run without asking.
        writes: Tools that act for the traveller, each with what tells the traveller what it would do.
    """

    memory: Sequence[BaseTool]
    guards: Mapping[str, Describe]
    plugged: McpServers
    free: Sequence[BaseTool] = ()
    writes: Mapping[str, tuple[BaseTool, Describe]] = field(default_factory=dict)

    @property
    def tools(self) -> list[BaseTool]:
        """Return all tools."""
        return [*self._own, *self.plugged.tools]

    @property
    def _own(self) -> list[BaseTool]:
        return [*self.memory, *self.free, *(tool for tool, _ in self.writes.values())]

    def offered(self, mode: MemoryMode) -> list[BaseTool]:
        """Return those that a model may call while memory is in this mode."""
        own = [tool for tool in self._own if mode != "off" or tool not in self.memory]
        return [*own, *self.plugged.offered]

    def may_ask(self, name: str) -> bool:
        """Return True for a tool of which a call may have to be approved before it runs."""
        return name in self.guards or self._acts(name)

    def _acts(self, name: str) -> bool:
        return name in self.writes or self.plugged.asks_first(name)

    async def described(self, call: ToolCall, state: State, run: Run) -> str:
        """Return what an approval shows of `call`; nothing where it may run without one.

        Raises:
            ConciergeError: it can't be carried out; the message says why.
        """
        name = call["name"]
        describe = self.writes[name][1] if name in self.writes else self.guards.get(name)
        if describe:
            try:
                return await describe(Call(run, state, str(call["id"] or "")), self._checked(call))
            except ConciergeError:
                raise
            except Exception as error:  # a provider's, say
                _log.exception("a call could not be described")
                raise SetupError(f"{name} failed ({type(error).__name__}) before it did anything.") from error
        return self.plugged.described(call, run.thread_id) if self._acts(name) else ""

    def fault(self, call: ToolCall) -> str | None:
        """Return why `call` can't be run as it stands: there is no such tool, or its arguments do not fit."""
        if call["name"] not in {tool.name for tool in self.tools}:
            return f"There is no tool {call['name']}."
        if self.is_plugged(call["name"]):
            return self.plugged.fault(call)
        try:
            self._checked(call)
        except ValidationError as error:
            return faults_of(error)
        return None

    def unknown_arguments(self, call: ToolCall) -> str | None:
        """Return which arguments of `call` its tool does not have, so that a person who mistyped one hears of it."""
        schema = self._arguments(call["name"])
        known = schema.model_fields if schema else call["args"]
        unknown = [name for name in call["args"] if name not in known]
        return f"There is no {', '.join(unknown)}; it takes {', '.join(known)}." if unknown else None

    def is_plugged(self, name: str) -> bool:
        """Return True for a tool of another provider."""
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


def explain_tool_error(error: Exception) -> str:
    """Return a sentence the model can act on. Faults of our own making are told as they are, others only named."""
    if isinstance(error, ToolInvocationError):
        error = error.source  # raised by the tool itself, since its arguments were checked before
    if isinstance(error, (ConciergeError, ToolException)):
        return f"Error: {error}"
    _log.error("a tool failed", exc_info=error)
    return f"Error: the tool failed ({type(error).__name__}). {_GO_ON if _only_reads.get() else _UNSURE}"


@dataclass(frozen=True, slots=True)
class Acting:
    """A tool that acts, so that each call of it waits for the traveller's approval.

    Args:
        tool: Carries out an approved call. A run that crashed may call it again under the same `tool_call_id`.
        describe: Called with the arguments of a call, by name; returns, or awaits, the sentence that the approval
            shows, with the price. Where it raises, the model is told why, and nobody is asked.
    """

    tool: BaseTool
    describe: Callable[..., str | Awaitable[str]]


acting = Acting
"""Declares that a tool acts."""


def with_own_tools(toolbox: Toolbox, own: Sequence[BaseTool | Acting]) -> Toolbox:
    """Return the toolbox with a developer's tools after its own.

    Raises:
        InvalidInputError: one is no tool, has `return_direct`, or its name is taken.
    """
    taken = {tool.name for tool in toolbox.tools}
    free, writes = [*toolbox.free], {**toolbox.writes}
    for one in own:
        tool = one.tool if isinstance(one, Acting) else one
        if not isinstance(tool, BaseTool):
            raise InvalidInputError(f"tools= takes LangChain tools, not {tool!r}. Decorate the function with @tool.")
        if tool.return_direct:
            raise InvalidInputError(f"{tool.name} has return_direct, but every answer of a tool goes to the model.")
        if tool.name in taken:
            raise InvalidInputError(f"There is a tool named {tool.name} already. Give yours another name.")
        taken.add(tool.name)
        tool = with_context(tool)
        if isinstance(one, Acting):
            if not callable(one.describe):
                raise InvalidInputError(f"acting({tool.name}, …) takes a function that says what a call would do.")
            # LangChain would have it answer what was raised after it acted, too.
            tool = tool.model_copy(update={"handle_validation_error": False})
            writes[tool.name] = (tool, _described(one))
        else:
            free.append(tool)
    return replace(toolbox, free=free, writes=writes)


def _described(one: Acting) -> Describe:
    async def describe(_: Call, given: Mapping[str, Any]) -> str:
        try:
            found = one.describe(**given)
            told = await found if inspect.isawaitable(found) else found
        except ConciergeError:
            raise
        except Exception as error:  # a fault of theirs refuses the call, and does not end the turn
            raise InvalidInputError(str(error) or type(error).__name__) from error
        if not (isinstance(told, str) and neutralise(told)):
            raise InvalidInputError(f"Nothing says what {one.tool.name} would do, so nobody can approve it.")
        return told

    return describe


async def seal(call: ToolCall, state: State, run: Run) -> str:
    """Return what only an approval in the name of the run's user can make for this call in this turn of this thread.

    It is made with the user's own key, so it holds in every process, and nothing that a caller sends can forge it.
    """
    message_id = Call(run, state, "").message_id
    told = [run.owner, run.thread_id, message_id, call["name"], call["id"], call["args"]]
    key = await run.memory.hash_key() if run.user_id else b""
    return hmac.new(key, json.dumps(told, sort_keys=True, default=str).encode(), hashlib.sha256).hexdigest()


async def run_if_allowed(request: ToolCallRequest, execute: Execute, *, services: Services, toolbox: Toolbox) -> Answer:
    """Execute a call for the owner of its thread; one that needs an approval and has none is answered with that.

    Raises:
        AccessDeniedError: the thread belongs to another user.
    """
    runtime = cast("CallRuntime", request.runtime)
    state, call = runtime.state, request.tool_call
    run = await Run.of(state, runtime, services)
    fault = toolbox.fault(call)
    if fault and call["name"] == _SAVING and run.user_id:
        # A proposal that does not even have the parts of one is refused like any other.
        refused = {"status": "blocked", "code": "ungrounded", "hint": f"{fault}. Correct it and call the tool again."}
        refusal = await run.refusal("ungrounded", json.dumps(call["args"], ensure_ascii=False, default=str))
        return Call(run, state, str(call["id"])).answered(refused, {"blocked": [refusal]})
    if fault and request.tool and not (request.tool.handle_validation_error or toolbox.is_plugged(call["name"])):
        told = f"The arguments do not fit: {fault}. Correct them and call the tool again."
        return ToolMessage(told, tool_call_id=str(call["id"]), name=call["name"], status="error")
    if toolbox.may_ask(call["name"]) and not fault:
        sealed = str(dict(state).get(APPROVED, ""))
        is_approved = hmac.compare_digest(sealed, await seal(call, state, run))
        if not is_approved and (call["name"] not in toolbox.guards or await toolbox.described(call, state, run)):
            return ToolMessage(_NOT_APPROVED, tool_call_id=str(call["id"]), name=call["name"], status="error")
    reads = {tool.name for tool in (*toolbox.free, *toolbox.memory)} - {_SAVING, *toolbox.guards}
    _only_reads.set(call["name"] in reads)
    view, is_free = state.get("memory_view"), call["name"] in {tool.name for tool in toolbox.free}
    limit = max(0.0, view["deadline"] - services.monotonic()) if view and is_free else None
    try:
        async with asyncio.timeout(limit):
            return _keepable(await execute(request), call)
    except TimeoutError:
        ends = getattr(request.tool, "coroutine", None)  # a plain function goes on in its thread
        told = f"Error: not answered within the time that a turn may take. {_GO_ON if ends else _UNSURE}"
        return ToolMessage(told, tool_call_id=str(call["id"]), name=call["name"], status="error")


def _keepable(answer: Answer, call: ToolCall) -> Answer:
    """Return the answer with its text alone where a checkpoint can't keep the rest; the call would be made again."""
    try:
        JsonPlusSerializer().dumps_typed(answer if isinstance(answer, ToolMessage) else answer.update)
    except Exception as error:  # what an object raises that is asked for its parts
        _log.error("what %s returned can't be kept", call["name"], exc_info=error)
        if isinstance(answer, ToolMessage):
            return ToolMessage(answer.text, tool_call_id=str(call["id"]), name=call["name"], status=answer.status)
        return ToolMessage("It ran; what it returned can't be kept.", tool_call_id=str(call["id"]), name=call["name"])
    return answer
