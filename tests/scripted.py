"""A chat model that answers from a script and records its inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

Step = AIMessage | Exception | Callable[[Sequence[BaseMessage]], AIMessage]


class ScriptedModel(BaseChatModel):
    """Returns the next step of `script` at each call, and the last one from then on.

    `asked` records the messages of each call. Copies of the model share it, and count their calls by it.
    """

    script: list[Any]
    asked: list[list[BaseMessage]] = []
    offered: list[list[str]] = []
    choices: list[str | None] = []

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.asked.append(list(messages))
        self.offered.append([tool["function"]["name"] for tool in kwargs.get("tools", [])])
        self.choices.append(kwargs.get("choice"))
        step: Step = self.script[min(len(self.asked), len(self.script)) - 1]
        if isinstance(step, Exception):
            raise step
        message = step if isinstance(step, AIMessage) else step(messages)
        return ChatResult(generations=[ChatGeneration(message=message.model_copy(update={"id": None}))])

    def bind_tools(
        self, tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool], **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        choice = kwargs.pop("tool_choice", None)
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], choice=choice, **kwargs)


def scripted(*script: Step) -> ScriptedModel:
    """Return a model that takes these steps in order."""
    return ScriptedModel(script=list(script), asked=[], offered=[], choices=[])


def calls(name: str, id_: str = "call_1", **args: Any) -> AIMessage:
    return AIMessage("", tool_calls=[ToolCall(name=name, args=args, id=id_)])
