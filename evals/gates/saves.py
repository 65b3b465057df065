"""Runs the proposed note of each case through the whole graph: is it staged, and in whose words?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from config.settings import Settings
from evals.gates.model import ProposingModel, calling
from graph.builder import build_graph
from graph.context import Context
from graph.state import Input
from memory.records.notes import Note
from nodes.capture import staged_notes

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
_OWN_SENTENCE = frozenset({"invented", "flipped", "overgeneralised", "temporary_as_lasting"})
"""Faults that do no harm when the user's own sentence is kept instead."""


async def run_save(case: dict[str, Any]) -> dict[str, Any]:
    """Run one case and return the result of the proposal.

    Returns:
        `id`, `right`, `fault`, `verdict` (`kept`, `kept_own_words`, `blocked`), `code`, `hint`, `stored` (the staged
        text, or None), `kept`, `in_model_words` and `harmless`.
    """
    answers: list[dict[str, Any]] = []
    model = ProposingModel(propose=lambda messages: _answer(messages, case, answers))
    settings = Settings(model_provider="offline", episodes="off", travel="off")
    graph = build_graph(
        settings,
        models={"agent": model},
        checkpointer=InMemorySaver(),
        store=InMemoryStore(),
        clock=lambda: NOW,
    )
    config = RunnableConfig(configurable={"thread_id": case["id"]})
    await graph.ainvoke(Input(messages=_conversation(case)), config, context=Context(user_id="case"))
    state = (await graph.aget_state(config)).values
    staged = staged_notes(state)
    return _scored(case, staged[0] if staged else None, answers[-1] if answers else {})


def _conversation(case: dict[str, Any]) -> list[AnyMessage]:
    """Return the tool result and the assistant message of the case, if any, and the user's message."""
    messages: list[AnyMessage] = []
    if case["tool_text"]:
        messages.append(calling("look_up", "looked_up"))
        messages.append(ToolMessage(case["tool_text"], tool_call_id="looked_up"))
    if case["before"]:
        messages.append(AIMessage(case["before"]))
    return [*messages, HumanMessage(case["user"])]


def _answer(messages: Sequence[BaseMessage], case: dict[str, Any], answers: list[dict[str, Any]]) -> AIMessage:
    """Return the proposed call, or "Noted." once the tool has answered it."""
    last = messages[-1]
    if isinstance(last, ToolMessage) and last.tool_call_id == f"save_{case['id']}":
        answers.append(json.loads(last.text) if last.text.startswith("{") else {"code": "arguments", "hint": last.text})
        return AIMessage("Noted.")
    save = case["save"]
    when = [{"key": "other", "value": save["condition"]}] if save.get("condition") else []
    return calling(
        "save_memory_note",
        f"save_{case['id']}",
        text=save["text"],
        topic=save["topic"],
        quote=save["quote"],
        scope=save["scope"],
        when=when,
    )


def _scored(case: dict[str, Any], note: Note | None, answer: dict[str, Any]) -> dict[str, Any]:
    in_model_words = note is not None and note.text == case["save"]["text"]
    own = note is not None and note.own_words and note.text in " ".join(case["user"].split())
    harmless = note is None or (case["fault"] in _OWN_SENTENCE and own)
    return {
        "id": case["id"],
        "right": case["right"],
        "fault": case["fault"],
        "verdict": "blocked" if note is None else "kept_own_words" if note.own_words else "kept",
        "code": answer.get("code"),
        "hint": answer.get("hint", ""),
        "stored": note.text if note else None,
        "kept": note is not None and (in_model_words or own),
        "in_model_words": in_model_words,
        "harmless": harmless,
    }
