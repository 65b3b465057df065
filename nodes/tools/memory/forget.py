"""Implements the tools that forget, `forget_memory` and `remember_conversation`, and asks for approval of their calls.

A call needs approval if it would irreversibly delete something that the person did not clearly ask to delete.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.tools import ToolException
from langgraph.store.base import BaseStore
from langgraph.types import Command
from pydantic import Field

from graph.state import META, State, is_real_user, meta
from memory.claims import says_the_same
from memory.control.find_notes import best_matches, is_meant, names, names_something
from memory.policy.wording import find_message
from memory.records.conversations import Archive, close_session
from memory.records.notes import Note
from nodes.capture import heard_in, known_notes, note_for_model, staged_notes
from nodes.messages.turns import Transcript, latest_user_message
from nodes.services import emit
from nodes.tools.call import Call
from nodes.tools.toolbox import Describe
from prompts import reply
from text import neutralise
from text.words import same_words

_MAX_MATCHES = 6
_OWN_TOOLS = frozenset({"save_memory_note", "forget_memory", "list_memories", "remember_conversation"})
"""Tools whose results contain no text by third parties."""


async def forget_memory(
    call: Call,
    query: Annotated[str, Field(description="the user's words, or a handle")],
    mentions: Annotated[bool, Field(description="they agreed to erase messages that mention it")] = False,
) -> Command[Any]:
    """Forget the note that is meant and its copies; if the query is ambiguous, list the matches. Idempotent."""
    run, name = call.run, f"forget:{call.run.thread_id}:{call.message_id}:{call.id}"
    if await run.memory.entry_of(name):
        return call.answered({"status": "forgotten"}, {"forgotten": [name]})
    meant = await _find_meant(query, call)
    if not meant.matches:
        return await _forget_mentions(call, query, name, agreed=mentions)
    if not meant.is_plain:
        matches = [note_for_model(note, "") for note in meant.matches[:_MAX_MATCHES]]
        return call.answered({"status": "which_one", "matches": [match for match in matches if match]}, {})
    if run.shared:
        for note in await run.shared.notes():
            if note in meant.copies:
                await run.shared.forget_note(note, thread_id=run.thread_id)
    # The user's own memory may mention a shared note too, in their conversations.
    forgotten = await run.memory.forget_note(meant.matches[0], thread_id=run.thread_id, name=name)
    emit("memory.changed", [{"action": "forgotten", "kind": "note", "id": note.id} for note in forgotten.notes])
    update = {
        "session_notes": [{"id": note.id, "status": "forgotten"} for note in meant.copies],
        "forgotten": [note.id for note in (*forgotten.notes, *meant.copies)],
    }
    return call.answered({"status": "forgotten", "text": neutralise(meant.matches[0].text)}, update)


async def _forget_mentions(call: Call, query: str, name: str, *, agreed: bool) -> Command[Any]:
    if not names_something(query):
        return call.answered({"status": "none"}, {})
    count = await _count_mentions(query, call)
    if agreed:
        await call.run.memory.forget_mentions(query, thread_id=call.run.thread_id, name=name)
        return call.answered({"status": "forgotten", "mentions": count}, {"forgotten": [name]})
    return call.answered({"status": "mentions", "count": count} if count else {"status": "none"}, {})


async def remember_conversation(call: Call, remember: bool, words: str = "") -> Command[Any]:
    """Stop learning from this conversation and drop its staged notes, or only withhold `words`; or learn again."""
    if words and not remember:
        return await _withhold(call, words)
    if remember:
        return call.answered({"status": "remembering"}, {"unremembered": False})
    run = call.run
    update = await stop_remembering(call.state, run.store, user_id=run.user_id, thread_id=run.thread_id)
    kept = [note for note in await run.memory.notes() if note.latest.thread_id == run.thread_id]
    dropped = len(update["session_notes"])
    result = {"status": "not_remembering", "dropped": dropped, "kept_from_earlier_sessions": len(kept)}
    return call.answered(result, update)


async def _withhold(call: Call, words: str) -> Command[Any]:
    turns = Transcript.of(call.state["messages"]).turns[-2:]
    heard = heard_in([message for turn in turns for message in turn.messages])
    if find_message(words, heard) is None or _has_read_strangers(call.state, turns=1):
        raise ToolException("`words` are not what the user just said. Copy them, before any other tool is called.")
    await call.run.memory.withhold(call.run.thread_id, words)
    staged = staged_notes(call.state)
    matches = [note for note in staged if any(same_words(text, words) for text in (note.text, *note.sayings))]
    dropped = [{"id": note.id, "status": "forgotten"} for note in matches]
    refusal = await call.run.refusal("consent_denied", words)
    return call.answered({"status": "withheld"}, {"session_notes": dropped, "blocked": [refusal]})


async def ask_to_forget(call: Call, arguments: Mapping[str, Any]) -> str:
    """Return the text of the approval of `forget_memory`; empty if it needs none."""
    query, run = arguments["query"], call.run
    meant = await _find_meant(query, call)
    if arguments["mentions"] and not meant.matches and names_something(query):
        count = await _count_mentions(query, call)
        return reply("approve_forget_mentions", run.language, what=neutralise(query), count=count)
    if not meant.is_plain:
        return ""
    is_hard = any(note.hard for note in meant.copies)
    if _is_asked_for(meant, call.state) and (not is_hard or await _was_asked_before(meant, call)):
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


@dataclass(frozen=True, slots=True)
class _Meant:
    """The notes that a query may mean, best match first, and all `copies` of the best match.

    `is_plain` is True if the query can't mean anything else.
    """

    matches: Sequence[Note]
    copies: Sequence[Note]
    is_plain: bool


async def _find_meant(query: str, call: Call) -> _Meant:
    """Return the long-term and staged notes that `query`, a text or a handle, may mean."""
    long_term, staged = await known_notes(call.state, call.run)
    everything = [*staged, *long_term]
    ids = {note["handle"]: note["id"] for note in (call.state.get("memory_view") or {"shown": []})["shown"]}
    chosen = [note for note in everything if note.id in (query.strip(), ids.get(query.strip()))]
    matches = chosen or best_matches(query, everything)
    copies = [note for note in everything if matches and (note == matches[0] or says_the_same(note, matches[0]))]
    is_plain = bool(copies) and all(note in copies for note in matches)
    return _Meant(matches, copies, is_plain and bool(chosen or is_meant(query, matches[0])))


async def _count_mentions(query: str, call: Call) -> int:
    """Count the earlier user messages that mention `query`, in this conversation (without the latest) and in others."""
    texts = [str(message.text) for message in call.state["messages"] if is_real_user(message)]
    return await call.run.memory.mentions(query, texts[:-1])


def _is_asked_for(meant: _Meant, state: State) -> bool:
    """Return whether the latest user message names the note, with no third-party text read in this turn or the last."""
    latest = latest_user_message(state["messages"])
    text = str(latest.text) if latest else ""
    return any(note.id in text or names(text, note) for note in meant.copies) and not _has_read_strangers(state)


async def _was_asked_before(meant: _Meant, call: Call) -> bool:
    """Return whether the previous turn ended with this very approval undecided: the latest message answers it."""
    before = [message for turn in Transcript.of(call.state["messages"]).turns[-2:-1] for message in turn.messages]
    answered = {message.tool_call_id for message in before if isinstance(message, ToolMessage)}
    asked = [one for message in before if isinstance(message, AIMessage) for one in message.tool_calls]
    for one in asked:
        if one["name"] == "forget_memory" and one["id"] not in answered:
            earlier = await _find_meant(str(one["args"].get("query", "")), call)
            if earlier.is_plain and earlier.copies == meant.copies:
                return True
    return False


def _has_read_strangers(state: State, turns: int = 2) -> bool:
    """Return whether the last `turns` have results of tools that may contain text by third parties."""
    own_ids: set[str] = set()
    for message in (message for turn in Transcript.of(state["messages"]).turns[-turns:] for message in turn.messages):
        if isinstance(message, AIMessage):  # call ids may repeat between answers
            others = {str(call["id"]) for call in message.tool_calls if call["name"] not in _OWN_TOOLS}
            own_ids = {str(call["id"]) for call in message.tool_calls} - others
        elif isinstance(message, ToolMessage) and message.tool_call_id not in own_ids:
            return True
    return False


def left_unanswered(messages: Sequence[AnyMessage]) -> bool:
    """Return whether the last request about learning from the conversation was to stop, and has no tool result yet."""
    calls = [call for message in messages if isinstance(message, AIMessage) for call in message.tool_calls]
    requests = [call for call in calls if call["name"] == "remember_conversation" and not call["args"].get("words")]
    answered = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    return bool(requests) and requests[-1]["args"].get("remember") is False and requests[-1]["id"] not in answered


async def stop_remembering(state: State, store: BaseStore, *, user_id: str | None, thread_id: str) -> dict[str, Any]:
    """Make the archived session private and close it; return the update that stops learning from the conversation."""
    session = state.get("session")
    first = session["first_turn"] if session else 0
    if user_id is not None:
        await Archive(store, user_id, thread_id).make_private(first)
        await close_session(store, thread_id)
    return {
        "unremembered": True,
        "session_notes": [{"id": note["id"], "status": "forgotten"} for note in state.get("session_notes", [])],
        "candidates": None,
        "messages": [_private(message) for message in state["messages"] if _is_of_session(message, first)],
    }


def _is_of_session(message: AnyMessage, first_turn: int) -> bool:
    data = meta(message)
    return data.get("turn", 0) >= first_turn if "turn" in data else data.get("covers", [0, 0])[-1] >= first_turn > 0


def _private(message: AnyMessage) -> AnyMessage:
    data = {**meta(message), "mode": "paused", "private": True}
    return message.model_copy(update={"additional_kwargs": {**message.additional_kwargs, META: data}})
