"""The offline concierge behind LangChain's chat model interface: tools, structured output and streaming."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from models.offline.dialogue.calls import plan_calls
from models.offline.dialogue.turn import read_dialogue
from models.offline.tasks.answer import SCHEMAS, answer_schema
from models.offline.wording.reply import reply

_NAME = "offline-concierge"
_PIECE = re.compile(r"\s*\S+\s*$|\s*\S+")
_CHARS_PER_TOKEN = 4


class OfflineConcierge(BaseChatModel):
    """A deterministic chat model without a network: the same messages and tools always give the same answer.

    Its only input is the system prompt (date, profile, memories), the history and the bound tools: no clock, no
    randomness, no files except its own word tables. Structured output works for the schemas of
    `models.schemas`; other schemas are answered in plain text.
    """

    @property
    def _llm_type(self) -> str:
        return _NAME

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": _NAME}

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind `tools` in OpenAI's format; `tool_choice` is passed on."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - part of the interface
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - part of the interface
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=_answer(messages, kwargs))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - part of the interface
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(_answer(messages, kwargs)):
            if run_manager:
                run_manager.on_llm_new_token(str(chunk.message.text), chunk=chunk)
            yield chunk


def _answer(messages: list[BaseMessage], bound: Mapping[str, Any]) -> AIMessage:
    tools = [] if bound.get("tool_choice") == "none" else bound.get("tools") or []
    names = frozenset(str(tool.get("function", {}).get("name", "")) for tool in tools)
    schema = next((name for name in SCHEMAS if name in names), None)
    if schema:
        message = answer_schema(schema, messages)
    else:
        dialogue = read_dialogue(messages, names)
        calls = plan_calls(dialogue)
        message = AIMessage(content="" if calls else reply(dialogue), tool_calls=calls)
    message.usage_metadata = _usage(messages, message)
    message.response_metadata = {"model_name": _NAME, "finish_reason": "tool_calls" if message.tool_calls else "stop"}
    return message


def _usage(messages: list[BaseMessage], answer: AIMessage) -> UsageMetadata:
    """Return token counts estimated from text lengths."""
    read = sum(len(str(message.text)) for message in messages) // _CHARS_PER_TOKEN
    written = (len(str(answer.text)) + sum(len(str(call["args"])) for call in answer.tool_calls)) // _CHARS_PER_TOKEN
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)


def _chunks(answer: AIMessage) -> Iterator[ChatGenerationChunk]:
    """Yield the answer word by word, then a last chunk with its tool calls and the usage."""
    for piece in _PIECE.findall(str(answer.text)):
        yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
    calls = [
        tool_call_chunk(
            name=call["name"], args=json.dumps(call["args"], ensure_ascii=False), id=call["id"], index=index
        )
        for index, call in enumerate(answer.tool_calls)
    ]
    last = AIMessageChunk(
        content="",
        tool_call_chunks=calls,
        usage_metadata=answer.usage_metadata,
        response_metadata=answer.response_metadata,
        chunk_position="last",
    )
    yield ChatGenerationChunk(message=last)
