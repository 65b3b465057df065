"""Calls a chat model, for a message or a structured answer; an incomplete answer is an error."""

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
_NOT_STREAMED = ["nostream"]
"""Tag that keeps an internal call out of the tokens that LangGraph streams to the traveller."""
_OMITTED = frozenset(
    {"title", "default", "additionalProperties", "$defs", "pattern", "minimum", "maximum", "exclusiveMinimum"}
    | {"minItems", "maxItems", "maxLength", "minLength"}
)
"""JSON schema keywords that are not sent to the model; when validation fails, it is told what is allowed."""

_schemas: dict[tuple[str, str, int], dict[str, Any]] = {}
"""Cached schemas by name, description and the id of the argument model, for as long as that model lives."""


async def answer(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    *,
    tools: Sequence[BaseTool] = (),
    may_call: bool = True,
    timeout: float,  # noqa: ASYNC109 - running out of it is one of our faults
) -> AIMessage:
    """Call the model for one message, and stream it to the callbacks of the run.

    If tool calls are malformed, the model is asked once to correct them. The returned message has text or tool calls;
    each call has an id and a JSON object as arguments. Calls that are still malformed are left out.

    Args:
        model: Any chat model.
        messages: System prompt and conversation.
        tools: The tools of the model; keep them the same throughout a session, so that endpoints cache the prefix.
        may_call: If False, the model must answer in words (`tool_choice` "none").
        timeout: Seconds for the whole call, including retries and the second attempt.

    Raises:
        ModelError: the call failed; `fault` says how, and the message contains neither the key nor the conversation.
    """
    choice = {} if may_call else {"tool_choice": "none"}
    with _faults():
        runnable: Runnable[LanguageModelInput, AIMessage] = (
            model.bind_tools([tool_schema(tool) for tool in tools], **choice) if tools else model
        )
        async with asyncio.timeout(timeout):
            message = await _stream(runnable, list(messages))
            if message.invalid_tool_calls:
                message = await _stream(runnable, [*messages, message, *_complaints(message)])
    if message.invalid_tool_calls and not message.tool_calls:
        raise model_error("invalid", detail="malformed tool call")
    if not message.tool_calls and (not message.text.strip() or _finish(message) == "length"):
        raise _empty_error(message)
    if _is_truncated(message):
        raise model_error("server", detail="its answer broke off")
    return message.model_copy(update={"invalid_tool_calls": []})


async def structured(
    model: BaseChatModel,
    schema: type[T],
    messages: Sequence[BaseMessage],
    *,
    timeout: float,  # noqa: ASYNC109 - running out of it is one of our faults
) -> T:
    """Call the model for one answer that matches `schema`, within `timeout` seconds.

    Raises:
        ModelError: the call failed; `fault` is `empty` without an answer, `invalid` if it does not match the schema.
    """
    with _faults():
        # Otherwise a streaming graph would make the model stream the JSON too, which no one reads.
        quiet = model.model_copy(update={"disable_streaming": True})
        runnable = quiet.with_structured_output(schema, include_raw=True).with_config(tags=_NOT_STREAMED)
        async with asyncio.timeout(timeout):
            result = cast("dict[str, Any]", await runnable.ainvoke(list(messages)))
        parsed, raw, error = result["parsed"], result["raw"], result["parsing_error"]
        if parsed is None:
            if not raw.tool_calls and not raw.invalid_tool_calls and not raw.text.strip():
                raise _empty_error(raw)
            raise error or model_error("empty")
        return parsed if isinstance(parsed, schema) else schema.model_validate(parsed)


async def _stream(runnable: Runnable[LanguageModelInput, AIMessage], messages: list[BaseMessage]) -> AIMessage:
    chunks: list[Any] = []
    task = asyncio.current_task()
    cancelled = task.cancelling() if task else 0
    async for chunk in runnable.astream(messages):
        chunks.append(chunk)
        if task and task.cancelling() > cancelled:
            raise asyncio.CancelledError  # `asyncio.wait_for` of Python 3.11 loses it if a chunk arrives now
    # Merged at once: chunk by chunk, the answer would be copied for each chunk.
    merged = chunks[0].__add__(chunks[1:]) if len(chunks) > 1 else next(iter(chunks), None)
    if not isinstance(merged, AIMessage):
        raise model_error("empty")
    return _complete_message(merged, messages)


def _complete_message(merged: AIMessage, history: Sequence[BaseMessage]) -> AIMessage:
    """Return a message made of merged chunks, with tool calls parsed strictly and given unique ids.

    LangChain completes arguments that were cut off when it merges chunks, so that such a call would run with only a
    part of its arguments. Some endpoints restart call ids with each answer, or send none. Since results and notes refer
    to calls by id, a missing or repeated id is replaced by one derived from the conversation.
    """
    message = message_chunk_to_message(merged) if isinstance(merged, AIMessageChunk) else merged
    if not isinstance(message, AIMessage):
        raise model_error("empty")
    valid: list[ToolCall] = []
    invalid: list[InvalidToolCall] = []
    used_ids = {call["id"] for one in history if isinstance(one, AIMessage) for call in one.tool_calls}
    for index, (name, raw, call_id) in enumerate(_raw_calls(merged)):
        id_ = call_id if call_id and call_id not in used_ids else _derived_id(history, f"{index}/{name}/{raw}")
        used_ids.add(id_)
        args = _arguments(raw)
        if args is None or not name:
            invalid.append(InvalidToolCall(type="invalid_tool_call", name=name, args=raw, id=id_, error=None))
        else:
            valid.append(ToolCall(type="tool_call", name=name, args=args, id=id_))
    return message.model_copy(update={"tool_calls": valid, "invalid_tool_calls": invalid})


def _derived_id(history: Sequence[BaseMessage], call: str) -> str:
    position = f"{history[-1].id if history else None}/{len(history)}"
    return f"call_{uuid.uuid5(uuid.NAMESPACE_OID, f'{position}/{call}').hex}"


def _raw_calls(message: AIMessage) -> Iterator[tuple[str, str, str | None]]:
    if isinstance(message, AIMessageChunk) and message.tool_call_chunks:
        for chunk in message.tool_call_chunks:
            yield chunk["name"] or "", chunk["args"] or "", chunk["id"]
        return
    for call in message.tool_calls:
        yield call["name"], json.dumps(call["args"]), call["id"]
    for invalid in message.invalid_tool_calls:
        yield invalid["name"] or "", invalid["args"] or "", invalid["id"]


def _arguments(raw: str) -> dict[str, Any] | None:
    if not raw.strip():
        return {}  # a tool without parameters
    try:
        arguments = json.loads(raw)
    except ValueError:
        return None
    return arguments if isinstance(arguments, dict) else None


def _complaints(message: AIMessage) -> list[ToolMessage]:
    # Endpoints reject a conversation in which a call has no result, so the valid calls get one too.
    malformed = [ToolMessage(_MALFORMED, tool_call_id=call["id"] or "") for call in message.invalid_tool_calls]
    return malformed + [ToolMessage(_NOT_RUN, tool_call_id=call["id"] or "") for call in message.tool_calls]


def _empty_error(message: AIMessage) -> Exception:
    reason = _finish(message)
    if reason == "content_filter" or message.additional_kwargs.get("refusal"):
        return model_error("refused")
    if reason == "length" and message.text.strip():
        return model_error("cut")
    return model_error("empty", detail="cut off by its length limit" if reason == "length" else "")


def _finish(message: AIMessage) -> object:
    return message.response_metadata.get("finish_reason")


def _is_truncated(message: AIMessage) -> bool:
    """Return whether a stream of OpenAI's protocol ended early, with neither a finish reason nor token counts."""
    is_openai = message.response_metadata.get("model_provider") == "openai"
    return is_openai and not _finish(message) and not message.usage_metadata


@contextmanager
def _faults() -> Iterator[None]:
    """Turn exceptions of a model call into `ModelError`; cancellation is not an `Exception` and passes through."""
    try:
        yield
    except Exception as error:
        fault = classify(error)
        _log.warning("model call failed: %s: %s", fault.fault, fault)
        # Only the frames: the text of the exception may repeat the conversation.
        _log.debug("raised by %s at\n%s", type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
        raise fault from None


def tool_schema(tool: BaseTool) -> dict[str, Any]:
    """Return a short OpenAI schema of a tool, with references resolved, and optional values without `null`.

    The tool still validates arguments by its full schema. The returned schema is cached, so don't modify it.
    """
    arguments: Any = tool.args_schema if isinstance(tool.args_schema, type) else tool
    key = (tool.name, tool.description, id(arguments))
    if key not in _schemas:
        function = convert_to_openai_tool(tool)["function"]
        _schemas[key] = {"type": "function", "function": {**function, "parameters": _shortened(function["parameters"])}}
        weakref.finalize(arguments, _schemas.pop, key, None)
    return _schemas[key]


def _shortened(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_shortened(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    if "anyOf" in schema:
        options = [option for option in schema["anyOf"] if option != {"type": "null"}]
        if len(options) == 1:
            return _shortened({**options[0], **{key: value for key, value in schema.items() if key != "anyOf"}})
    short = {}
    for key, value in schema.items():
        if key == "properties":
            short[key] = {name: _shortened(property_) for name, property_ in value.items()}
        elif key not in _OMITTED:
            short[key] = _shortened(value)
    if "enum" in short:
        short.pop("type", None)
    return short
