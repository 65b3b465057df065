"""Finds the notes that a query means, and decides which calls of memory tools need approval.

A call needs approval if it would irreversibly delete something that the person did not clearly ask to delete.
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

_OWN_TOOLS = frozenset({"save_memory_note", "forget_memory", "list_memories", "remember_conversation"})
"""Tools whose results contain no text by third parties."""


async def known_notes(state: State, run: Run) -> tuple[list[Note], list[Note]]:
    """Return the long-term notes, and the notes staged in this conversation, newest first."""
    live = staged_notes(state, live_at=run.now)
    return await run.notes(), sorted(live, key=lambda note: note.created_at, reverse=True)


def note_for_model(note: Note, where: str) -> dict[str, Any] | None:
    """Return the fields of a note for the model, screened and neutralised; None if the policy refuses its text."""
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
    """The notes that a query may mean, best match first, and all `copies` of the best match.

    `is_plain` is True if the query can't mean anything else.
    """

    matches: Sequence[Note]
    copies: Sequence[Note]
    is_plain: bool


async def find_meant(query: str, state: State, run: Run) -> Meant:
    """Return the long-term and staged notes that `query`, a text or a handle, may mean."""
    long_term, staged = await known_notes(state, run)
    everything = [*staged, *long_term]
    ids = {note["handle"]: note["id"] for note in (state.get("memory_view") or {"shown": []})["shown"]}
    chosen = [note for note in everything if note.id in (query.strip(), ids.get(query.strip()))]
    matches = chosen or best_matches(query, everything)
    copies = [note for note in everything if matches and (note == matches[0] or says_the_same(note, matches[0]))]
    is_plain = bool(copies) and all(note in copies for note in matches)
    return Meant(matches, copies, is_plain and bool(chosen or is_meant(query, matches[0])))


async def count_mentions(query: str, state: State, run: Run) -> int:
    """Count the earlier user messages that mention `query`, in this conversation (without the latest) and in others."""
    texts = [str(message.text) for message in state["messages"] if is_real_user(message)]
    return await run.memory.mentions(query, texts[:-1])


async def ask_to_forget(call: Call, arguments: Mapping[str, Any]) -> str:
    """Return the text of the approval of `forget_memory`; empty if it needs none."""
    query, run = arguments["query"], call.run
    meant = await find_meant(query, call.state, run)
    if arguments["mentions"] and not meant.matches and names_something(query):
        count = await count_mentions(query, call.state, run)
        return reply("approve_forget_mentions", run.language, what=neutralise(query), count=count)
    if not meant.is_plain:
        return ""
    is_hard = any(note.hard for note in meant.copies)
    if _is_asked_for(meant, call.state) and (not is_hard or await _was_asked_before(meant, call.state, run)):
        return ""
    texts = "; ".join(dict.fromkeys(neutralise(note.text) for note in meant.copies))
    return reply("approve_forget", run.language, what=texts)


async def ask_to_remember(call: Call, arguments: Mapping[str, Any]) -> str:
    """Return the text of the approval of `remember_conversation`; empty if it changes nothing or withholds words."""
    remember = arguments["remember"]
    if remember is not bool(call.state.get("unremembered")) or (arguments["words"] and not remember):
        return ""
    return reply("approve_remember" if remember else "approve_unlearn", call.run.language)


MEMORY_GUARDS: Mapping[str, Describe] = {"forget_memory": ask_to_forget, "remember_conversation": ask_to_remember}


def _is_asked_for(meant: Meant, state: State) -> bool:
    """Return whether the latest user message names the note, with no third-party text read in this turn or the last."""
    latest = latest_user_message(state["messages"])
    text = str(latest.text) if latest else ""
    return any(note.id in text or names(text, note) for note in meant.copies) and not has_read_strangers(state)


async def _was_asked_before(meant: Meant, state: State, run: Run) -> bool:
    """Return whether the previous turn ended with this very approval undecided: the latest message answers it."""
    before = [message for turn in Transcript.of(state["messages"]).turns[-2:-1] for message in turn.messages]
    answered = {message.tool_call_id for message in before if isinstance(message, ToolMessage)}
    calls = [call for message in before if isinstance(message, AIMessage) for call in message.tool_calls]
    for call in calls:
        if call["name"] == "forget_memory" and call["id"] not in answered:
            earlier = await find_meant(str(call["args"].get("query", "")), state, run)
            if earlier.is_plain and earlier.copies == meant.copies:
                return True
    return False


def has_read_strangers(state: State, turns: int = 2) -> bool:
    """Return whether the last `turns` have results of tools that may contain text by third parties."""
    own_ids: set[str] = set()
    for message in (message for turn in Transcript.of(state["messages"]).turns[-turns:] for message in turn.messages):
        if isinstance(message, AIMessage):  # call ids may repeat between answers
            others = {str(call["id"]) for call in message.tool_calls if call["name"] not in _OWN_TOOLS}
            own_ids = {str(call["id"]) for call in message.tool_calls} - others
        elif isinstance(message, ToolMessage) and message.tool_call_id not in own_ids:
            return True
    return False
