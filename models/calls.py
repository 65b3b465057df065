"""Calling a chat model with tools: one answer, or one answer in structured form, and never anything half made."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
import uuid
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    InvalidToolCall,
    ToolCall,
    ToolMessage,
    message_chunk_to_message,
)
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel

from models.faults import classify, model_error

T = TypeVar("T", bound=BaseModel)

_log = logging.getLogger(__name__)

_MALFORMED = "Error: the arguments are not a JSON object, so nothing was run. Make the call again with valid JSON."
_NOT_RUN = "Error: not run, because another call of the same message was malformed. Make all calls again."
_HIDDEN = ["nostream"]
"""Tag that keeps an internal call out of the tokens that LangGraph streams to the traveller."""
_LEFT_OUT = frozenset(
    {"title", "default", "additionalProperties", "$defs", "pattern", "minimum", "maximum", "exclusiveMinimum"}
    | {"minItems", "maxItems", "maxLength", "minLength"}
)
"""What validation needs and a model does not: a breach of these is answered with what is allowed."""

_made: dict[tuple[str, str, int], dict[str, Any]] = {}
"""Schemas by name, description and the identity of what tells the arguments, as long as that lives."""


async def answer(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    *,
    tools: Sequence[BaseTool] = (),
    may_call: bool = True,
    timeout: float,  # noqa: ASYNC109 - running out of it is one of our faults
) -> AIMessage:
    """Ask for one answer, streaming it to whoever listens to the run's callbacks.

    A message with malformed tool calls is sent back once with the fault. Whatever is returned has text or tool calls
    whose arguments are JSON objects, each with an id; calls that stayed malformed beside sound ones are left out.

    Args:
        model: Any chat model.
        messages: System prompt and conversation.
        tools: What the model is offered; the same in every call of a session, so that endpoints cache the prefix.
        may_call: False makes it answer in words (`tool_choice` "none").
        timeout: Seconds for all of it: retries and the second attempt included.

    Raises:
        ModelError: with its fault; the message holds neither key nor conversation.
    """
    choice = {} if may_call else {"tool_choice": "none"}
    runnable: Runnable[LanguageModelInput, AIMessage] = (
        model.bind_tools([tool_schema(tool) for tool in tools], **choice) if tools else model
    )
    with _faults():
        async with asyncio.timeout(timeout):
            message = await _stream(runnable, list(messages))
            if message.invalid_tool_calls:
                message = await _stream(runnable, [*messages, message, *_complaints(message)])
    if message.invalid_tool_calls and not message.tool_calls:
        raise model_error("invalid", detail="malformed tool call")
    if not message.tool_calls and (not message.text.strip() or _finish(message) == "length"):
        raise _nothing(message)
    if _broke_off(message):
        raise model_error("server", detail="its answer broke off")
    return message.model_copy(update={"invalid_tool_calls": []})


async def structured(
    model: BaseChatModel,
    schema: type[T],
    messages: Sequence[BaseMessage],
    *,
    timeout: float,  # noqa: ASYNC109 - running out of it is one of our faults
) -> T:
    """Ask for one answer in the form of `schema`, at most `timeout` seconds long.

    Raises:
        ModelError: with its fault: `empty` for nothing, `invalid` for what does not fit the schema.
    """
    # A graph that streams would make the model stream this too, piece by piece of JSON that nobody reads.
    quiet = model.model_copy(update={"disable_streaming": True})
    runnable = quiet.with_structured_output(schema, include_raw=True).with_config(tags=_HIDDEN)
    with _faults():
        async with asyncio.timeout(timeout):
            result = cast("dict[str, Any]", await runnable.ainvoke(list(messages)))
        parsed, raw, error = result["parsed"], result["raw"], result["parsing_error"]
        if parsed is None:
            if not raw.tool_calls and not raw.invalid_tool_calls and not raw.text.strip():
                raise _nothing(raw)
            raise error or model_error("empty")
        return parsed if isinstance(parsed, schema) else schema.model_validate(parsed)


async def _stream(runnable: Runnable[LanguageModelInput, AIMessage], messages: list[BaseMessage]) -> AIMessage:
    chunks: list[Any] = []
    task = asyncio.current_task()
    cancelled = task.cancelling() if task else 0
    async for chunk in runnable.astream(messages):
        chunks.append(chunk)
        if task and task.cancelling() > cancelled:
            raise asyncio.CancelledError  # `asyncio.wait_for` of Python 3.11 loses it where a chunk comes just then
    # All at once: one by one, a long answer is copied for each word of it.
    merged = chunks[0].__add__(chunks[1:]) if len(chunks) > 1 else next(iter(chunks), None)
    if not isinstance(merged, AIMessage):
        raise model_error("empty")
    return _settle(merged, messages)


def _settle(message: AIMessage, asked: Sequence[BaseMessage]) -> AIMessage:
    """A whole message out of merged chunks, its tool calls read strictly and named apart.

    Merging completes arguments that were cut off; such a call would run with half of what the model meant. Some
    endpoints number the calls of each answer from the same start, or not at all; results and notes are told apart
    by the id of their call, so an id that is missing or taken is replaced by one derived from the conversation.
    """
    whole = message_chunk_to_message(message) if isinstance(message, AIMessageChunk) else message
    if not isinstance(whole, AIMessage):
        raise model_error("empty")
    valid: list[ToolCall] = []
    invalid: list[InvalidToolCall] = []
    taken = {call["id"] for one in asked if isinstance(one, AIMessage) for call in one.tool_calls}
    for index, (name, raw, given) in enumerate(_raw_calls(message)):
        id_ = given if given and given not in taken else _derived_id(asked, f"{index}/{name}/{raw}")
        taken.add(id_)
        args = _arguments(raw)
        if args is None or not name:
            invalid.append(InvalidToolCall(type="invalid_tool_call", name=name, args=raw, id=id_, error=None))
        else:
            valid.append(ToolCall(type="tool_call", name=name, args=args, id=id_))
    return whole.model_copy(update={"tool_calls": valid, "invalid_tool_calls": invalid})


def _derived_id(asked: Sequence[BaseMessage], call: str) -> str:
    place = f"{asked[-1].id if asked else None}/{len(asked)}"
    return f"call_{uuid.uuid5(uuid.NAMESPACE_OID, f'{place}/{call}').hex}"


def _raw_calls(message: AIMessage) -> Iterator[tuple[str, str, str | None]]:
    if isinstance(message, AIMessageChunk) and message.tool_call_chunks:
        for part in message.tool_call_chunks:
            yield part["name"] or "", part["args"] or "", part["id"]
        return
    for call in message.tool_calls:
        yield call["name"], json.dumps(call["args"]), call["id"]
    for broken in message.invalid_tool_calls:
        yield broken["name"] or "", broken["args"] or "", broken["id"]


def _arguments(raw: str) -> dict[str, Any] | None:
    if not raw.strip():
        return {}  # a tool without parameters
    try:
        found = json.loads(raw)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _complaints(message: AIMessage) -> list[ToolMessage]:
    # Endpoints reject a conversation in which a call has no result, so the sound calls get one too.
    broken = [ToolMessage(_MALFORMED, tool_call_id=call["id"] or "") for call in message.invalid_tool_calls]
    return broken + [ToolMessage(_NOT_RUN, tool_call_id=call["id"] or "") for call in message.tool_calls]


def _nothing(message: AIMessage) -> Exception:
    reason = _finish(message)
    if reason == "content_filter" or message.additional_kwargs.get("refusal"):
        return model_error("refused")
    if reason == "length" and message.text.strip():
        return model_error("cut")
    return model_error("empty", detail="cut off by its length limit" if reason == "length" else "")


def _finish(message: AIMessage) -> object:
    return message.response_metadata.get("finish_reason")


def _broke_off(message: AIMessage) -> bool:
    """Return whether a stream of OpenAI's protocol ended with neither of what ends one: a reason, counted tokens."""
    is_openai = message.response_metadata.get("model_provider") == "openai"
    return is_openai and not _finish(message) and not message.usage_metadata


@contextmanager
def _faults() -> Iterator[None]:
    """Turn what a model raises into `ModelError`; cancellation is no `Exception` and passes."""
    try:
        yield
    except Exception as error:
        fault = classify(error)
        _log.warning("model call failed: %s: %s", fault.fault, fault)
        # Frames only: the error's own text may repeat what the traveller said.
        _log.debug("raised by %s at\n%s", type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
        raise fault from None


def tool_schema(tool: BaseTool) -> dict[str, Any]:
    """Return the OpenAI schema of a tool: what a model needs, references resolved, optional values without `null`.

    The tool validates what a model passes by its own full schema all the same. It is made once; don't change it.
    """
    arguments: Any = tool.args_schema if isinstance(tool.args_schema, type) else tool
    key = (tool.name, tool.description, id(arguments))
    if key not in _made:
        function = convert_to_openai_tool(tool)["function"]
        _made[key] = {"type": "function", "function": {**function, "parameters": _plain(function["parameters"])}}
        weakref.finalize(arguments, _made.pop, key, None)
    return _made[key]


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
