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
    """Archive the turns beyond the limits, then remove them. If archiving fails, the history stays as it is."""
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
    """Archive `turns` without what was withheld. Private turns are archived too, but not recalled."""
    if run.user_id is None:
        return
    withheld = await run.memory.withheld(run.thread_id)
    await Archive(run.store, run.user_id, run.thread_id).add_turns([archived_turn(turn, withheld) for turn in turns])


def archived_turn(turn: Turn, withheld: Eraser) -> ArchivedTurn:
    """Return a turn for the archive, without what was withheld."""
    messages = tuple(erased_message(message, withheld) for message in turn.messages)
    return ArchivedTurn(turn=turn.number, messages=messages, private=turn.private)


def shortened(state: State) -> dict[str, Any]:
    """Return the update that marks the session as shortened: from now on, its notes are in the prompt."""
    session = state.get("session")
    return {"session": {**session, "shortened": True}} if session else {}
