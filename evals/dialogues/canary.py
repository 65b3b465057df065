"""Models that understand nothing and are only right by chance: a judge that passes them is broken."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from evals.gates.model import ProposingModel

_ANSWER = "Here it is."
_WORDS = ("Lisbon", "Paris", "Tokyo", "2026-12-15", "2026-12-22", "2027-02-06", "peanuts", "economy", "TC-AAAAAA")


def silent_model() -> ProposingModel:
    """Return a model that says "Here it is." to everything."""
    return ProposingModel(propose=lambda _: AIMessage(_ANSWER))


class RandomModel(ProposingModel):
    """Calls a random tool with random arguments, or answers. Offer ids come from the search results it has seen."""

    seed: int = 0
    propose: Callable[[Sequence[BaseMessage]], AIMessage] = lambda _: AIMessage(_ANSWER)
    _tools: list[dict[str, Any]] = PrivateAttr(default_factory=list)

    def bind_tools(
        self, tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool], **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return a model that draws from `tools`."""
        schemas = [convert_to_openai_tool(tool)["function"] for tool in tools]
        return ProposingModel(propose=lambda messages: self._drawn(messages, schemas))

    def _drawn(self, messages: Sequence[BaseMessage], schemas: Sequence[dict[str, Any]]) -> AIMessage:
        chance = random.Random(f"{self.seed}:{len(messages)}:{messages[-1].text}")
        if isinstance(messages[-1], ToolMessage) and chance.random() < 0.5:
            return AIMessage(_ANSWER)
        likely = [schema for schema in schemas if schema["name"] in ("book_offer", "search_flights")]
        schema = chance.choice([*schemas, *likely])
        arguments = {
            name: _value(name, wanted, messages, chance)
            for name, wanted in schema["parameters"].get("properties", {}).items()
            if name in schema["parameters"].get("required", ()) or chance.random() < 0.3
        }
        call = {"name": schema["name"], "args": arguments, "id": f"random-{len(messages)}"}
        return AIMessage("", tool_calls=[call])


def _value(name: str, wanted: dict[str, Any], messages: Sequence[BaseMessage], chance: random.Random) -> Any:
    """Return a random value that fits the schema of an argument."""
    kinds = [wanted, *wanted.get("anyOf", ())]
    if name.endswith("offer_id") and (seen := _offers(messages)):
        return chance.choice(seen)
    if options := next((kind["enum"] for kind in kinds if "enum" in kind), None):
        return chance.choice(options)
    types = {kind.get("type") for kind in kinds}
    if types & {"integer", "number"}:
        return chance.randint(1, 4)
    if "boolean" in types:
        return chance.random() < 0.5
    if "array" in types:
        return []
    dated = any(kind.get("format") == "date" for kind in kinds)
    return chance.choice([word for word in _WORDS if word.startswith("20") == dated])


def _offers(messages: Sequence[BaseMessage]) -> list[str]:
    ids = []
    for message in messages:
        if isinstance(message, ToolMessage):
            try:
                results = json.loads(str(message.text)).get("results", ())
            except ValueError:
                continue
            ids += [offer["offer_id"] for offer in results if isinstance(offer, dict) and "offer_id" in offer]
    return ids
