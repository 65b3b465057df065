"""The thread's state: plain, JSON-able, and bounded. Nothing here holds injected memory that outlives a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from enum import StrEnum
from typing import Annotated, Any, Literal, NotRequired, cast

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage, RemoveMessage, convert_to_messages
from langgraph.channels import UntrackedValue
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict  # that of typing gives no schema to a server before Python 3.12

from memory.records.conversations import META as META


class StopReason(StrEnum):
    """Why a turn ended; a closed list."""

    ANSWERED = "answered"
    SESSION_ENDED = "session_ended"
    AWAITING_APPROVAL = "awaiting_approval"
    MESSAGE_EMPTY = "message_empty"
    MESSAGE_TOO_LONG = "message_too_long"
    NO_USER = "no_user"
    TOOL_LIMIT = "tool_limit"
    TURN_TIMEOUT = "turn_timeout"
    MODEL_TIMEOUT = "model_timeout"
    MODEL_ERROR = "model_error"
    MODEL_EMPTY = "model_empty"


class MessageMeta(TypedDict, total=False):
    """Metadata of one message.

    `turn` counts real user messages of the thread from 1; `at` is ISO 8601 in UTC. A synthetic message was
    written by the machine: `kind` says what it is, `covers` the first and last turn that a summary stands for. What
    was said while memory was paused or off (`mode`) is `private`, and so is a summary of it: nothing is learnt from it.
    `marker` is what an answer ended with to name the memories that it used, and nobody is shown. `removed` are the
    kinds of what was masked in a message, because the concierge never needs it.
    """

    turn: int
    at: str
    mode: Literal["on", "paused", "off"]
    private: bool
    synthetic: bool
    kind: Literal["summary_request", "summary"]
    covers: list[int]
    marker: str
    removed: list[str]


class ShownNote(TypedDict):
    """One note as the model saw it this turn: its short handle and its id."""

    handle: str
    id: str
    text: str


class MemoryView(TypedDict):
    """What one turn sees of memory, and by when (on a monotonic clock) it must be answered; never in a checkpoint."""

    system: str
    shown: list[ShownNote]
    deadline: float


class BlockedNote(TypedDict):
    """A candidate that policy refused: the code and a keyed hash, never the text."""

    code: str
    hash: str


class MemoryReport(TypedDict):
    """What memory did in one turn. Notes are named by id; `violations` by code and handle."""

    shown: list[str]
    used: list[str]
    written: list[str]
    forgotten: list[str]
    blocked: list[BlockedNote]
    violations: list[dict[str, str]]


class ConsolidatedNote(TypedDict):
    """What became of session notes at the end of a session: the operation, its reason, and the global note."""

    op: str
    reason: str
    note: str | None


class Report(TypedDict):
    """The account of the thread's latest run."""

    run_id: str
    stop_reason: str
    outcome: Literal["memory_applied", "context_only"]
    memory: MemoryReport
    consolidated: list[ConsolidatedNote]


def blank_report(run_id: str) -> Report:
    """Return the account of a run that has done nothing yet."""
    return Report(
        run_id=run_id,
        stop_reason=StopReason.ANSWERED.value,
        outcome="context_only",
        memory={"shown": [], "used": [], "written": [], "forgotten": [], "blocked": [], "violations": []},
        consolidated=[],
    )


class Session(TypedDict):
    """The running session: `shortened` is True from its first trim or summary on."""

    id: str
    started_at: str
    first_turn: int
    shortened: bool


def meta(message: BaseMessage) -> MessageMeta:
    """Return the concierge's metadata of a message; empty where there is none."""
    found = message.additional_kwargs.get(META)
    return cast("MessageMeta", found) if isinstance(found, dict) else {}


def is_real_user(message: BaseMessage) -> bool:
    """Return True for a message that a person wrote: it starts a turn."""
    return isinstance(message, HumanMessage) and not meta(message).get("synthetic")


def is_waiting(state: State) -> bool:
    """Return whether the latest thing the user said has no answer yet."""
    said = (one for one in reversed(state.get("messages", [])) if one.type in ("ai", "tool") or is_real_user(one))
    return next(map(is_real_user, said), False)


def merge_messages(left: list[AnyMessage], right: Any) -> list[AnyMessage]:
    """Return `add_messages`, with the summary pair of earlier turns kept in front of what it precedes.

    That a message is synthetic is believed where the same update removes turns that it stands for, or where it was
    so before: a caller can't pass a message off as machine-written, nor put other words into a summary.
    """
    given = right if isinstance(right, list) else [right]
    messages = convert_to_messages(given)
    removed = {message.id for message in messages if isinstance(message, RemoveMessage)}
    known = {message.id: message for message in left if meta(message).get("synthetic")}
    gone = {meta(message).get("turn") for message in left if message.id in removed}
    # A node writes messages, a request brings plain data.
    believed = [
        _believed(message, known, gone, from_caller=not isinstance(sent, BaseMessage))
        for message, sent in zip(messages, given, strict=True)
    ]
    merged = cast("list[AnyMessage]", add_messages(cast("Any", left), cast("Any", believed)))
    return sorted(merged, key=lambda message: not meta(message).get("synthetic"))


def _believed(
    message: BaseMessage, known: Mapping[str | None, AnyMessage], gone: Set[int | None], *, from_caller: bool
) -> BaseMessage:
    if message.id in known and not isinstance(message, RemoveMessage):
        return known[message.id] if from_caller else message
    own = meta(message)
    if not own.get("synthetic") or (own.get("covers", [0])[-1] in gone and not from_caller):
        return message
    honest = {key: value for key, value in own.items() if key not in ("synthetic", "kind", "covers")}
    return message.model_copy(update={"additional_kwargs": {**message.additional_kwargs, META: honest}})


def merge_notes(left: list[dict[str, Any]], right: Sequence[dict[str, Any]] | None) -> list[dict[str, Any]]:
    """Upsert session notes by id; a note whose status is `forgotten` is removed; None clears the list."""
    if right is None:
        return []
    merged = {note["id"]: note for note in left}
    for note in right:
        if note.get("status") == "forgotten":
            merged.pop(note["id"], None)
        else:
            merged[note["id"]] = note
    return list(merged.values())


def collect(left: list[Any], right: Sequence[Any] | None) -> list[Any]:
    """Append; None clears the list."""
    return [] if right is None else [*left, *right]


def changes(state: State, update: dict[str, Any]) -> dict[str, Any]:
    """Return what of `update` changes the state: each value is kept twice, with the step and with the checkpoint."""
    before = cast("Mapping[str, Any]", state)
    return {name: new for name, new in update.items() if (new or before.get(name)) and new != before.get(name)}


class Input(TypedDict, total=False):
    """What a caller sends: new messages, the wish to end the session, or both."""

    messages: list[AnyMessage]
    end_session: bool


class Output(TypedDict, total=False):
    """What a caller gets back."""

    messages: list[AnyMessage]
    report: Report


class State(TypedDict):
    """The whole thread state.

    `turns` counts the thread's real user messages, `sessions` its finished sessions. `candidates` are accepted
    proposals of this turn that wait for `distill_notes`; `blocked` are the refused ones, `forgotten` the ids of notes
    that were forgotten in it. `plan` is a checked consolidation plan that has not been applied yet. `max_turns`
    overrides the settings. `erased` is the number of the latest act of forgetting that this state was cleaned of: a
    checkpoint in which it moves is the oldest one kept. `unremembered` says that nothing is learnt from this thread.
    `added_instructions` is what a node of your own has the model told in this turn, after all other instructions.
    """

    messages: Annotated[list[AnyMessage], merge_messages]
    end_session: NotRequired[bool]
    owner: NotRequired[str]
    turns: NotRequired[int]
    max_turns: NotRequired[int | None]
    session: NotRequired[Session | None]
    sessions: NotRequired[int]
    session_notes: NotRequired[Annotated[list[dict[str, Any]], merge_notes]]
    candidates: NotRequired[Annotated[list[dict[str, Any]], collect]]
    blocked: NotRequired[Annotated[list[BlockedNote], collect]]
    forgotten: NotRequired[Annotated[list[str], collect]]
    plan: NotRequired[dict[str, Any] | None]
    erased: NotRequired[int]
    unremembered: NotRequired[bool]
    report: NotRequired[Report]
    added_instructions: NotRequired[str]
    memory_view: NotRequired[Annotated[MemoryView, UntrackedValue]]
