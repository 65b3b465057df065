"""Collects the tools that the model may call, including a developer's own, and runs calls that are allowed."""

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
"""Key of the seal in the state that `approve` sends with a call."""

_SAVING = "save_memory_note"
_UNSURE = "It is not known whether it was carried out: don't call it again, and tell the user what did not work."
_GO_ON = "Go on without it, and tell the user what did not work."
_only_reads = ContextVar("only_reads", default=False)  # of the current call: a tool error does not name its tool
_NOT_APPROVED = "Error: this needs the user's approval, which was not given. Nothing was done."

Answer = ToolMessage | Command[Any]
Execute = Callable[[ToolCallRequest], Awaitable[Answer]]
Describe = Callable[[Call, Mapping[str, Any]], Awaitable[str]]
"""Describes a call for its approval, with its price; returns an empty text if the call needs no approval. Raises
ConciergeError if the call can't be carried out."""


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of one concierge.

    Attributes:
        memory: Memory tools; not offered in a temporary chat.
        guards: Descriptions of memory tools by name, for those whose calls may need approval.
        plugged: MCP servers and their tools.
        free: Other tools that only read, and need no approval.
        writes: Tools with side effects by name, each with the function that describes its calls.
        interrupting: The names of a developer's tools among the free ones, which may ask the user with `interrupt()`.
    """

    memory: Sequence[BaseTool]
    guards: Mapping[str, Describe]
    plugged: McpServers
    free: Sequence[BaseTool] = ()
    writes: Mapping[str, tuple[BaseTool, Describe]] = field(default_factory=dict)
    interrupting: frozenset[str] = frozenset()

    @property
    def tools(self) -> list[BaseTool]:
        """Return all tools."""
        return [*self._own, *self.plugged.tools]

    @property
    def _own(self) -> list[BaseTool]:
        return [*self.memory, *self.free, *(tool for tool, _ in self.writes.values())]

    def offered(self, mode: MemoryMode) -> list[BaseTool]:
        """Return the tools that the model may call in this memory mode."""
        own = [tool for tool in self._own if mode != "off" or tool not in self.memory]
        return [*own, *self.plugged.offered]

    def may_ask(self, name: str) -> bool:
        """Return whether calls of this tool may need approval."""
        return name in self.guards or self._acts(name)

    def run_apart(self, calls: Sequence[ToolCall]) -> bool:
        """Return whether calls go through `approve`, which gives each a task of its own.

        That is if one may need approval, or if one of several may `interrupt()`: in one task, LangGraph gives an answer
        to whichever call asks first when they run again.
        """
        names = [call["name"] for call in calls]
        return any(map(self.may_ask, names)) or (len(names) > 1 and not self.interrupting.isdisjoint(names))

    def _acts(self, name: str) -> bool:
        return name in self.writes or self.plugged.asks_first(name)

    async def described(self, call: ToolCall, state: State, run: Run) -> str:
        """Return the description of `call` for its approval; empty if it needs none.

        Raises:
            ConciergeError: the call can't be carried out; the message says why.
        """
        name = call["name"]
        describe = self.writes[name][1] if name in self.writes else self.guards.get(name)
        if describe:
            try:
                return await describe(Call(run, state, str(call["id"] or "")), self._checked(call))
            except ConciergeError:
                raise
            except Exception as error:  # such as an error of a provider
                _log.exception("a call could not be described")
                raise SetupError(f"{name} failed ({type(error).__name__}) before it did anything.") from error
        return self.plugged.described(call, run.thread_id) if self._acts(name) else ""

    def fault(self, call: ToolCall) -> str | None:
        """Return why `call` is invalid: there is no such tool, or its arguments are wrong; None if it is valid."""
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
        """Return an error about arguments that the tool does not have; None if there are none."""
        schema = self._arguments(call["name"])
        accepted = schema.model_fields if schema else call["args"]
        unknown = [name for name in call["args"] if name not in accepted]
        return f"There is no {', '.join(unknown)}; it takes {', '.join(accepted)}." if unknown else None

    def is_plugged(self, name: str) -> bool:
        """Return whether the tool comes from an MCP server."""
        return name not in {tool.name for tool in self._own}

    def _checked(self, call: ToolCall) -> dict[str, Any]:
        schema = self._arguments(call["name"])
        return schema.model_validate(call["args"]).model_dump() if schema else dict(call["args"])

    def _arguments(self, name: str) -> type[BaseModel] | None:
        """Return the argument model of a tool without injected arguments; None if it has only a JSON schema."""
        tool = next(tool for tool in self.tools if tool.name == name)
        schema = tool.args_schema
        if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
            return None
        # `tool_call_schema` leaves out injected arguments such as `runtime`, but also the validators.
        injected = schema.model_fields.keys() - tool.args.keys()
        return cast("type[BaseModel]", tool.tool_call_schema) if injected else schema


def error_message(call: ToolCall, text: str) -> ToolMessage:
    """Return a failed result of `call`."""
    return ToolMessage(text, tool_call_id=str(call["id"]), name=call["name"], status="error")


def explain_tool_error(error: Exception) -> str:
    """Return an error that the model can act on: our own messages in full, of other exceptions only the type."""
    if isinstance(error, ToolInvocationError):
        error = error.source  # the tool raised it: arguments were checked before
    if isinstance(error, (ConciergeError, ToolException)):
        return f"Error: {error}"
    _log.error("a tool failed", exc_info=error)
    return f"Error: the tool failed ({type(error).__name__}). {_GO_ON if _only_reads.get() else _UNSURE}"


@dataclass(frozen=True, slots=True)
class Acting:
    """A tool with side effects: each call waits for the traveller's approval.

    Args:
        tool: Runs an approved call. After a crash it may be called again with the same `tool_call_id`.
        describe: A function, async or not, that gets the arguments of a call by name and returns the text of the
            approval, with the price. If it raises, the model gets the error, and the traveller is not asked.
    """

    tool: BaseTool
    describe: Callable[..., str | Awaitable[str]]


acting = Acting
"""Declares that a tool has side effects."""


def with_own_tools(toolbox: Toolbox, tools: Sequence[BaseTool | Acting]) -> Toolbox:
    """Add a developer's tools to the toolbox.

    Raises:
        InvalidInputError: a value is not a tool, has `return_direct`, or has the name of another tool.
    """
    names = {tool.name for tool in toolbox.tools}
    free, writes = [*toolbox.free], {**toolbox.writes}
    for one in tools:
        tool = one.tool if isinstance(one, Acting) else one
        if not isinstance(tool, BaseTool):
            raise InvalidInputError(f"tools= takes LangChain tools, not {tool!r}. Decorate the function with @tool.")
        if tool.return_direct:
            raise InvalidInputError(f"{tool.name} has return_direct, but every answer of a tool goes to the model.")
        if tool.name in names:
            raise InvalidInputError(f"There is a tool named {tool.name} already. Give yours another name.")
        names.add(tool.name)
        tool = with_context(tool)
        if isinstance(one, Acting):
            if not callable(one.describe):
                raise InvalidInputError(f"acting({tool.name}, …) takes a function that says what a call would do.")
            # Else LangChain would report a ValidationError raised after the side effect as wrong arguments.
            tool = tool.model_copy(update={"handle_validation_error": False})
            writes[tool.name] = (tool, _described(one))
        else:
            free.append(tool)
    reading = frozenset(tool.name for tool in free[len(toolbox.free) :])
    return replace(toolbox, free=free, writes=writes, interrupting=toolbox.interrupting | reading)


def _described(acting: Acting) -> Describe:
    async def describe(_: Call, arguments: Mapping[str, Any]) -> str:
        try:
            result = acting.describe(**arguments)
            text = await result if inspect.isawaitable(result) else result
        except ConciergeError:
            raise
        except Exception as error:  # an error in the developer's function refuses the call, not the turn
            raise InvalidInputError(str(error) or type(error).__name__) from error
        if not (isinstance(text, str) and neutralise(text)):
            raise InvalidInputError(f"Nothing says what {acting.tool.name} would do, so nobody can approve it.")
        return text

    return describe


async def seal(call: ToolCall, state: State, run: Run) -> str:
    """Return the HMAC that marks a call as approved by the run's user, in this turn of this thread.

    It is made with the user's key, so that every process can verify it and no caller can forge it.
    """
    message_id = Call(run, state, "").message_id
    signed = [run.owner, run.thread_id, message_id, call["name"], call["id"], call["args"]]
    key = await run.memory.hash_key() if run.user_id else b""
    return hmac.new(key, json.dumps(signed, sort_keys=True, default=str).encode(), hashlib.sha256).hexdigest()


async def run_if_allowed(request: ToolCallRequest, execute: Execute, *, services: Services, toolbox: Toolbox) -> Answer:
    """Execute a call for the owner of its thread; a call without a needed approval gets an error as its result.

    Raises:
        AccessDeniedError: the thread belongs to another user.
    """
    runtime = cast("CallRuntime", request.runtime)
    state, call = runtime.state, request.tool_call
    run = await Run.of(state, runtime, services)
    fault = toolbox.fault(call)
    if fault and call["name"] == _SAVING and run.user_id:
        # An invalid proposal is refused like any other.
        refused = {"status": "blocked", "code": "ungrounded", "hint": f"{fault}. Correct it and call the tool again."}
        refusal = await run.refusal("ungrounded", json.dumps(call["args"], ensure_ascii=False, default=str))
        return Call(run, state, str(call["id"])).answered(refused, {"blocked": [refusal]})
    if fault and request.tool and not (request.tool.handle_validation_error or toolbox.is_plugged(call["name"])):
        return error_message(call, f"The arguments do not fit: {fault}. Correct them and call the tool again.")
    if toolbox.may_ask(call["name"]) and not fault:
        is_approved = hmac.compare_digest(str(dict(state).get(APPROVED, "")), await seal(call, state, run))
        if not is_approved and (call["name"] not in toolbox.guards or await toolbox.described(call, state, run)):
            return error_message(call, _NOT_APPROVED)
    reads = {tool.name for tool in (*toolbox.free, *toolbox.memory)} - {_SAVING, *toolbox.guards}
    _only_reads.set(call["name"] in reads)
    view, limit = state.get("memory_view"), None
    if call["name"] in {tool.name for tool in toolbox.free}:  # there is no view after an interrupt of the tool
        limit = max(0.0, view["deadline"] - services.monotonic()) if view else services.settings.turn_timeout
    try:
        async with asyncio.timeout(limit):
            return _serializable(await execute(request), call)
    except TimeoutError:
        is_cancelled = getattr(request.tool, "coroutine", None)  # a plain function goes on in its thread
        advice = _GO_ON if is_cancelled else _UNSURE
        return error_message(call, f"Error: not answered within the time that a turn may take. {advice}")


def _serializable(answer: Answer, call: ToolCall) -> Answer:
    """Return the answer, reduced to its text if a checkpoint can't store it: the call would run again otherwise."""
    try:
        JsonPlusSerializer().dumps_typed(answer if isinstance(answer, ToolMessage) else answer.update)
    except Exception as error:  # an object may raise anything when it is serialised
        _log.error("what %s returned can't be kept", call["name"], exc_info=error)
        if isinstance(answer, ToolMessage):
            return ToolMessage(answer.text, tool_call_id=str(call["id"]), name=call["name"], status=answer.status)
        return ToolMessage("It ran; what it returned can't be kept.", tool_call_id=str(call["id"]), name=call["name"])
    return answer
