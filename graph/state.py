"""Defines the thread's state: plain, JSON-serialisable and bounded. No injected memory is kept beyond its turn."""

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
    """Why a turn ended."""

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

    `turn` counts real user messages of the thread from 1; `at` is ISO 8601 in UTC. A synthetic message is one that
    the program wrote: `kind` says what it is, `covers` names the first and last turn that a summary replaces. Messages
    written while memory was paused or off (`mode`), and summaries of them, are `private`: nothing is learnt from them.
    `marker` is the hidden end of an answer that names the memories it used. `removed` lists the kinds of sensitive data
    that were masked in a message.
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
    length: int


class ShownNote(TypedDict):
    """One note as the model saw it this turn: its short handle, its id and its text."""

    handle: str
    id: str
    text: str


class MemoryView(TypedDict):
    """The system prompt and notes of one turn, and its deadline on a monotonic clock; never stored in a checkpoint."""

    system: str
    shown: list[ShownNote]
    deadline: float


class BlockedNote(TypedDict):
    """A note that the policy refused: the code and a keyed hash, never the text."""

    code: str
    hash: str


class MemoryReport(TypedDict):
    """What memory did in one turn. Notes are given by id, false claims of use (`violations`) by code and handle."""

    shown: list[str]
    used: list[str]
    written: list[str]
    forgotten: list[str]
    blocked: list[BlockedNote]
    violations: list[dict[str, str]]


class ConsolidatedNote(TypedDict):
    """One operation of a consolidation: its kind, its reason, and the id of the resulting long-term note, if any."""

    op: str
    reason: str
    note: str | None


class Report(TypedDict):
    """The report on the thread's latest run."""

    run_id: str
    stop_reason: str
    outcome: Literal["memory_applied", "context_only"]
    memory: MemoryReport
    consolidated: list[ConsolidatedNote]


def blank_report(run_id: str) -> Report:
    """Return the report on a run that has done nothing yet."""
    return Report(
        run_id=run_id,
        stop_reason=StopReason.ANSWERED.value,
        outcome="context_only",
        memory={"shown": [], "used": [], "written": [], "forgotten": [], "blocked": [], "violations": []},
        consolidated=[],
    )


def report_on(state: State, run_id: str) -> Report:
    """Return the report on this run; a blank one if the state holds that of another run, or none."""
    report = state.get("report")
    return report if report and report["run_id"] == run_id else blank_report(run_id)


class Session(TypedDict):
    """The running session; `shortened` is True once its history was trimmed or summarised."""

    id: str
    started_at: str
    first_turn: int
    shortened: bool


def meta(message: BaseMessage) -> MessageMeta:
    """Return the concierge's metadata of a message; empty if it has none."""
    value = message.additional_kwargs.get(META)
    return cast("MessageMeta", value) if isinstance(value, dict) else {}


def is_real_user(message: BaseMessage) -> bool:
    """Return whether a person wrote the message; such a message starts a turn."""
    return isinstance(message, HumanMessage) and not meta(message).get("synthetic")


def is_waiting(state: State) -> bool:
    """Return whether the latest user message has no answer yet."""
    messages = reversed(state.get("messages", []))
    return next((is_real_user(one) for one in messages if one.type in ("ai", "tool") or is_real_user(one)), False)


def merge_messages(left: list[AnyMessage], right: Any) -> list[AnyMessage]:
    """Merge like `add_messages`, and keep the summary pair in front of the turns that follow it.

    The flag `synthetic` is only accepted on a stored synthetic message, and on one that a node adds while it removes
    turns that the message covers: a caller can't pass a message off as synthetic, nor rewrite a summary.
    """
    given = right if isinstance(right, list) else [right]
    messages = convert_to_messages(given)
    removed_ids = {message.id for message in messages if isinstance(message, RemoveMessage)}
    stored = {message.id: message for message in left if meta(message).get("synthetic")}
    removed_turns = {meta(message).get("turn") for message in left if message.id in removed_ids}
    # A node returns message objects, a request brings plain data.
    verified = [
        _verified(message, stored, removed_turns, from_caller=not isinstance(original, BaseMessage))
        for message, original in zip(messages, given, strict=True)
    ]
    merged = cast("list[AnyMessage]", add_messages(cast("Any", left), cast("Any", verified)))
    return sorted(merged, key=lambda message: not meta(message).get("synthetic"))


def _verified(
    message: BaseMessage, stored: Mapping[str | None, AnyMessage], removed_turns: Set[int | None], *, from_caller: bool
) -> BaseMessage:
    if message.id in stored and not isinstance(message, RemoveMessage):
        return stored[message.id] if from_caller else message
    data = meta(message)
    if not data.get("synthetic") or (data.get("covers", [0])[-1] in removed_turns and not from_caller):
        return message
    plain = {key: value for key, value in data.items() if key not in ("synthetic", "kind", "covers")}
    return message.model_copy(update={"additional_kwargs": {**message.additional_kwargs, META: plain}})


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


def join_texts(left: str, right: str | None) -> str:
    """Append a paragraph; None clears the text."""
    return "" if right is None else "\n\n".join(filter(None, [left, right]))


def changes(state: State, update: dict[str, Any]) -> dict[str, Any]:
    """Return the entries of `update` that change the state: each one costs space in the step and in the checkpoint."""
    before = cast("Mapping[str, Any]", state)
    return {name: new for name, new in update.items() if (new or before.get(name)) and new != before.get(name)}


class Input(TypedDict, total=False):
    """The input of a run: new messages, a request to end the session, or both."""

    messages: list[AnyMessage]
    end_session: bool


class Output(TypedDict, total=False):
    """The output of a run."""

    messages: list[AnyMessage]
    report: Report


class State(TypedDict):
    """The whole thread state.

    `turns` counts the thread's real user messages, `sessions` its finished sessions. `candidates` are accepted
    proposals of this turn that wait for `distill_notes`; `blocked` are the refused ones, `forgotten` the ids of notes
    that were forgotten in it. `plan` is a checked consolidation plan that has not been applied yet. `max_turns`
    overrides the settings. `erased` is the number of the latest erasure that was applied to this state; checkpoints
    older than one in which it changes are deleted. `unremembered` means that nothing is learnt from this thread.
    `added_instructions` are the texts that your own nodes append to the system prompt of this turn.
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
    added_instructions: NotRequired[Annotated[str, join_texts]]
    memory_view: NotRequired[Annotated[MemoryView, UntrackedValue]]
