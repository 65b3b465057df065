"""Finds the notes that words may mean, and says which calls of memory tools ask the person first.

Those ask that lose for good what the person did not ask to lose.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, ToolMessage

from graph.state import State, is_real_user
from memory.claims import says_the_same
from memory.control.find_notes import best_matches, is_meant, names, names_something
from memory.policy import screen
from memory.records.notes import Note
from nodes.capture import staged_notes
from nodes.messages.turns import Transcript, latest_user_message
from nodes.services import Run
from nodes.tools.call import Call
from nodes.tools.toolbox import Describe
from prompts import reply
from text import neutralise

_OWN = frozenset({"save_memory_note", "forget_memory", "list_memories", "remember_conversation"})
"""Tools of which the results hold nothing that a stranger wrote."""


async def known_notes(state: State, run: Run) -> tuple[list[Note], list[Note]]:
    """Return the long-term notes, and those staged in this conversation; the newest first."""
    live = staged_notes(state, live_at=run.now)
    return await run.notes(), sorted(live, key=lambda note: note.created_at, reverse=True)


def note_for_model(note: Note, where: str) -> dict[str, Any] | None:
    """Return a note as the model may read it, screened and as one line; None for one that the policy refuses today."""
    if screen(note.text) or screen(note.condition):
        return None
    return {
        "handle": note.id,
        "text": neutralise(note.text),
        "topic": note.topic,
        "scope": note.scope,
        "condition": neutralise(note.condition) or None,
        "said": neutralise(note.latest.quote) if screen(note.latest.quote) is None else "",
        "date": note.last_update_date.isoformat(),
        "where": where,
    }


@dataclass(frozen=True, slots=True)
class Meant:
    """What a query may mean: notes, the best first, and all `copies` of the first one.

    It `is_plain` when nothing else can be meant.
    """

    matches: Sequence[Note]
    copies: Sequence[Note]
    is_plain: bool


async def find_meant(query: str, state: State, run: Run) -> Meant:
    """Return the notes, kept or staged in this conversation, that the words or the handle `query` may mean."""
    long_term, staged = await known_notes(state, run)
    everything = [*staged, *long_term]
    ids = {note["handle"]: note["id"] for note in (state.get("memory_view") or {"shown": []})["shown"]}
    chosen = [note for note in everything if note.id in (query.strip(), ids.get(query.strip()))]
    matches = chosen or best_matches(query, everything)
    copies = [note for note in everything if matches and (note == matches[0] or says_the_same(note, matches[0]))]
    is_plain = bool(copies) and all(note in copies for note in matches)
    return Meant(matches, copies, is_plain and bool(chosen or is_meant(query, matches[0])))


async def count_mentions(query: str, state: State, run: Run) -> int:
    """Return how many earlier messages tell of `query`: of this conversation, the latest left out, and of others."""
    said = [str(message.text) for message in state["messages"] if is_real_user(message)]
    return await run.memory.mentions(query, said[:-1])


async def ask_to_forget(call: Call, given: Mapping[str, Any]) -> str:
    """Return what an approval of `forget_memory` would show; nothing where it may run without one."""
    query, run = given["query"], call.run
    meant = await find_meant(query, call.state, run)
    if given["mentions"] and not meant.matches and names_something(query):
        count = await count_mentions(query, call.state, run)
        return reply("approve_forget_mentions", run.language, what=neutralise(query), count=count)
    if not meant.is_plain:
        return ""
    is_hard = any(note.hard for note in meant.copies)
    if _is_asked_for(meant, call.state) and (not is_hard or await _was_put_up(meant, call.state, run)):
        return ""
    told = "; ".join(dict.fromkeys(neutralise(note.text) for note in meant.copies))
    return reply("approve_forget", run.language, what=told)


async def ask_to_remember(call: Call, given: Mapping[str, Any]) -> str:
    """Return what an approval of `remember_conversation` would show; nothing where it changes nothing or few words."""
    if given["remember"] is not bool(call.state.get("unremembered")) or (given["words"] and not given["remember"]):
        return ""
    return reply("approve_remember" if given["remember"] else "approve_unlearn", call.run.language)


MEMORY_GUARDS: Mapping[str, Describe] = {"forget_memory": ask_to_forget, "remember_conversation": ask_to_remember}


def _is_asked_for(meant: Meant, state: State) -> bool:
    """Return whether the latest message names what is meant, and nothing that a stranger wrote was read around it."""
    latest = latest_user_message(state["messages"])
    said = str(latest.text) if latest else ""
    return any(note.id in said or names(said, note) for note in meant.copies) and not has_read_strangers(state)


async def _was_put_up(meant: Meant, state: State, run: Run) -> bool:
    """Return whether the turn before asked just this, and left it open: the latest message is the answer to it."""
    before = [message for turn in Transcript.of(state["messages"]).turns[-2:-1] for message in turn.messages]
    answered = {message.tool_call_id for message in before if isinstance(message, ToolMessage)}
    calls = [call for message in before if isinstance(message, AIMessage) for call in message.tool_calls]
    for call in calls:
        if call["name"] == "forget_memory" and call["id"] not in answered:
            asked = await find_meant(str(call["args"].get("query", "")), state, run)
            if asked.is_plain and asked.copies == meant.copies:
                return True
    return False


def has_read_strangers(state: State, turns: int = 2) -> bool:
    """Return whether results of other tools stand in the last `turns`."""
    own: set[str] = set()
    for message in (message for turn in Transcript.of(state["messages"]).turns[-turns:] for message in turn.messages):
        if isinstance(message, AIMessage):  # some endpoints number the calls of each answer anew
            others = {str(call["id"]) for call in message.tool_calls if call["name"] not in _OWN}
            own = {str(call["id"]) for call in message.tool_calls} - others
        elif isinstance(message, ToolMessage) and message.tool_call_id not in own:
            return True
    return False
