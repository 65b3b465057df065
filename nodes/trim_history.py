"""`trim_history`: keeps the last turns of a thread whole and archives the others."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import RemoveMessage
from langgraph.runtime import Runtime

from graph.context import Context
from graph.state import State
from memory.control.erased import Eraser
from memory.control.forget import erased_message
from memory.records.conversations import Archive, ArchivedTurn
from nodes.messages.turns import Transcript, Turn, turns_allowed
from nodes.services import Run, Services


async def trim_history(state: State, runtime: Runtime[Context], *, services: Services) -> dict[str, Any]:
    """Archive, then remove by id, every turn beyond the limits. An archive that fails leaves the history as it is."""
    run = await Run.of(state, runtime, services)
    transcript = Transcript.of(state["messages"])
    kept = transcript.keep_within(turns_allowed(state, run.settings), run.settings.history_tokens)
    leaving = transcript.turns[: len(transcript.turns) - kept]
    if not leaving:
        return {}
    await archive_turns(leaving, run)
    removed = [RemoveMessage(id=message.id or "") for turn in leaving for message in turn.messages]
    return {"messages": removed, **shortened(state)}


async def archive_turns(turns: Sequence[Turn], run: Run) -> None:
    """Keep `turns` for the person, less what is withheld; those said without memory are kept out of recall."""
    if run.user_id is None:
        return
    withheld = await run.memory.withheld(run.thread_id)
    await Archive(run.store, run.user_id, run.thread_id).add_turns([archived_turn(turn, withheld) for turn in turns])


def archived_turn(turn: Turn, withheld: Eraser) -> ArchivedTurn:
    """Return a turn as the archive keeps it."""
    messages = tuple(erased_message(message, withheld) for message in turn.messages)
    return ArchivedTurn(turn=turn.number, messages=messages, private=turn.private)


def shortened(state: State) -> dict[str, Any]:
    """Return the running session, marked as shortened: from here on its notes are shown."""
    session = state.get("session")
    return {"session": {**session, "shortened": True}} if session else {}
