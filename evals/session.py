"""Runs the end of a session through the whole graph, with the notes and the model of a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from config.settings import Settings
from graph.builder import build_graph
from graph.context import Context
from graph.state import Input
from memory.records.journal import Step, changed
from memory.records.notes import Note
from memory.records.repository import UserMemory

_USER = "case"


@dataclass(frozen=True, slots=True)
class Ended:
    """The state after a session: all notes in memory, the reported operations, and why plans were refused."""

    notes: Sequence[Note]
    reported: Sequence[Mapping[str, Any]]
    refused: Sequence[str]


async def end_session(
    name: str, known: Sequence[Note], staged: Sequence[Note], *, model: BaseChatModel | None, now: datetime
) -> Ended:
    """End a session that staged these notes. Without `model`, the offline model plans what claims leave undecided."""
    store = InMemoryStore()
    memory = UserMemory(store, _USER, clock=lambda: now)
    await memory.commit([Step(f"seed:{note.id}", "system", "seed", (changed(None, note),)) for note in known])
    graph = build_graph(
        Settings(model_provider="offline", episodes="off", travel="off"),
        models={"consolidation": model} if model else None,
        checkpointer=InMemorySaver(),
        store=store,
        clock=lambda: now,
    )
    config = RunnableConfig(configurable={"thread_id": name})
    session = {"id": name, "started_at": now.isoformat(), "first_turn": 1, "shortened": False}
    update = {"session": session, "session_notes": [note.dump() for note in staged]}
    await graph.aupdate_state(config, update, as_node="distill_notes")
    done = await graph.ainvoke(Input(end_session=True), config, context=Context(user_id=_USER))
    refused = [entry.reason for entry in await memory.journal() if entry.action == "plan_refused"]
    return Ended(await memory.notes(include_inactive=True), done["report"]["consolidated"], refused)
