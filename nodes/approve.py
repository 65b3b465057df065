"""`approve`: asks the traveller, in one interrupt, to approve all tool calls of an answer that have side effects.

The interrupt and its answer have the form of LangChain's human-in-the-loop middleware, which agent-chat-ui supports.
A call only runs as it was shown: if it was edited, or if its terms changed in the meantime, it is shown again.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, cast

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Command, Send, interrupt
from typing_extensions import TypedDict

from config.errors import ConciergeError, InvalidInputError, NotFoundError
from graph.context import Context
from graph.state import MemoryView, ShownNote, State
from memory.records.notes import note_id
from nodes.services import Run, Services
from nodes.tools.toolbox import APPROVED, Toolbox, error_message, seal
from prompts import substituted

AfterApprove = Literal["tools", "agent"]

_ALLOWED = ("approve", "edit", "reject")
REJECTED = re.compile(r"Not carried out: the [^.]+ rejected it\.")
"""Matches the beginning of the tool message of a rejected call."""
_CHANGED = "Not as it was shown before: look at it again. Nothing was done yet."

Calls = dict[int, ToolCall]
"""Calls by their index in the answer."""
Review = tuple[Literal["ask", "run", "fault", "refuse"], str]
"""What to do with a call, and a text: `ask` has the text of the approval; `fault` (the arguments are invalid) and
`refuse` (the call can't be carried out) have the reason; `run` has none."""


class ApprovalProgress(TypedDict):
    """The progress of an approval: the open `calls`, their `looks`, what was `shown` before, and the `answers`.

    `view` has the handles of notes that a call may name: LangGraph drops the state's memory view at an interrupt.
    """

    calls: Calls
    looks: dict[int, Review]
    shown: dict[int, tuple[ToolCall, str]]
    answers: list[ToolMessage]
    error: str
    view: MemoryView


async def approve(
    state: State, runtime: Runtime[Context], *, services: Services, toolbox: Toolbox
) -> Command[AfterApprove]:
    """Ask about all calls with side effects, then send each approved call to the tools on its own."""
    run = (await Run.of(state, runtime, services)).with_message_mode(state["messages"])
    run = run.with_message_language(state["messages"])
    answer = state["messages"][-1]
    assert isinstance(answer, AIMessage)  # the router sends only answers with calls here
    await toolbox.plugged.ready()
    asking = cast("ApprovalProgress | None", state.get("asking"))
    if asking is None:
        calls = dict(enumerate(answer.tool_calls))
        looks, view = await _looks(calls, state, run, toolbox), _handles(state)
        asking = ApprovalProgress(calls=calls, looks=looks, shown={}, answers=[], error="", view=view)
    else:
        deadline = services.monotonic() + services.settings.turn_timeout  # the person's time does not count
        state = {**state, "memory_view": {**asking["view"], "deadline": deadline}}
        asking = await _answered(asking, state, run, toolbox)
    for at in [at for at in asking["calls"] if asking["looks"][at][0] == "refuse"]:
        asking["answers"].append(error_message(asking["calls"].pop(at), f"Error: {asking['looks'][at][1]}"))
    if _waiting(asking):
        # Each question gets its own task, so that an answer to one is never taken for an answer to the next.
        return Command(goto=Send("approve", {**_sendable(state), "asking": asking}))
    final = [asking["calls"].get(at, call) for at, call in enumerate(answer.tool_calls)]
    messages: list[AnyMessage] = [answer.model_copy(update={"tool_calls": final}), *asking["answers"]]
    sends = [
        _send(call, state, messages[0], await seal(call, state, run) if asking["looks"][at][0] == "ask" else "")
        for at, call in asking["calls"].items()
    ]
    return Command(update={"messages": messages}, goto=sends or "agent")


async def _looks(
    calls: Calls, state: State, run: Run, toolbox: Toolbox, edited: Collection[int] = ()
) -> dict[int, Review]:
    looks: dict[int, Review] = {}
    for at, call in calls.items():
        # Unknown arguments are ignored later, so a person who mistyped one must hear of it now.
        if fault := toolbox.fault(call) or (toolbox.unknown_arguments(call) if at in edited else None):
            looks[at] = "fault", f"The edited {call['name']} does not fit: {fault} Nothing was done."
            continue
        try:
            description = await toolbox.described(call, state, run)
            looks[at] = ("ask", description) if description else ("run", "")
        except ConciergeError as error:
            looks[at] = "refuse", str(error)
    return looks


def _waiting(asking: ApprovalProgress) -> dict[int, tuple[ToolCall, str]]:
    """Return the calls that need approval and were not shown yet in this form, each with its description."""
    described = {at: (call, asking["looks"][at][1]) for at, call in asking["calls"].items()}
    return {
        at: (call, text)
        for at, (call, text) in described.items()
        if asking["looks"][at][0] == "ask" and tuple(asking["shown"].get(at, ())) != (call, text)
    }


async def _answered(asking: ApprovalProgress, state: State, run: Run, toolbox: Toolbox) -> ApprovalProgress:
    """Interrupt, and apply the decisions; an invalid answer is reported in `error`, and asked for again."""
    waiting, calls = _waiting(asking), asking["calls"]
    answer = interrupt(_request(waiting.values(), asking["error"]))
    try:
        decided = dict(zip(waiting, decisions(answer, len(waiting)), strict=True))
        edits = {at: _edited(given, calls[at]) for at, given in decided.items() if given["type"] == "edit"}
        rejected = {at: _rejection(given, calls[at], run) for at, given in decided.items() if given["type"] == "reject"}
        kept = {at: edits.get(at, call) for at, call in calls.items() if at not in rejected}
        looks = await _looks(kept, state, run, toolbox, list(edits))
        if wrong := next((looks[at][1] for at in edits if looks[at][0] in ("fault", "refuse")), None):
            raise InvalidInputError(wrong)
    except ConciergeError as fault:
        return {**asking, "error": str(fault)}
    # If one action can't be done any more, the others are shown again: one may have been meant only together with it.
    seen = {} if any(looks[at][0] == "refuse" for at in kept) else waiting
    shown, answers = {**asking["shown"], **seen}, [*asking["answers"], *rejected.values()]
    return {**asking, "calls": kept, "looks": looks, "shown": shown, "answers": answers, "error": _CHANGED}


def _request(waiting: Collection[tuple[ToolCall, str]], error: str) -> dict[str, Any]:
    """Return the value of the interrupt. `error` says what was wrong with the previous answer."""
    actions = [{"name": call["name"], "args": call["args"], "description": text} for call, text in waiting]
    names = dict.fromkeys(call["name"] for call, _ in waiting)
    reviews = [{"action_name": name, "allowed_decisions": list(_ALLOWED)} for name in names]
    return {"action_requests": actions, "review_configs": reviews} | ({"error": error} if error else {})


def is_approval(value: object) -> bool:
    """Return whether the value of an interrupt requests decisions; if not, a developer's tool or node asks."""
    return isinstance(value, Mapping) and "action_requests" in value


def decisions(answer: Any, count: int) -> list[Mapping[str, Any]]:
    """Return one decision per request, from `approve`, `reject`, a list, or `{"decisions": [...]}`.

    Raises:
        InvalidInputError: the answer has another form, or more or fewer than `count` decisions.
    """
    if isinstance(answer, str) and answer in ("approve", "reject"):
        return [{"type": answer}] * count
    listed = answer.get("decisions") if isinstance(answer, Mapping) else answer
    if not isinstance(listed, list) or not all(isinstance(decision, Mapping) for decision in listed):
        raise InvalidInputError(
            'The answer must be "approve", "reject" or {"decisions": [{"type": "approve"}, …]}. Nothing was done.'
        )
    if len(listed) != count:
        raise InvalidInputError(f"{count} actions wait, and {len(listed)} decisions came. Nothing was done.")
    unknown = [decision.get("type") for decision in listed if decision.get("type") not in _ALLOWED]
    if unknown:
        raise InvalidInputError(f"A decision is {unknown[0]!r}; use {', '.join(_ALLOWED)}. Nothing was done.")
    return list(listed)


def left_open(messages: Sequence[AnyMessage]) -> AIMessage:
    """Return the latest calls that were neither decided on nor asked about again, as a new answer of the agent.

    Raises:
        NotFoundError: there are none.
    """
    requests = [message.tool_calls for message in messages if isinstance(message, AIMessage) and message.tool_calls]
    answered = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    ids = {str(call["id"]) for calls in requests for call in calls}
    for calls in reversed(requests):
        # With new ids: each call in a conversation has exactly one tool message, right after it.
        copies = [{**call, "id": note_id("again", str(call["id"]))} for call in calls]
        if answered.isdisjoint(call["id"] for call in calls) and ids.isdisjoint(call["id"] for call in copies):
            return AIMessage("", tool_calls=copies)
    raise NotFoundError("No question of approval was left open in this conversation.", code="nothing_waits")


def _edited(decision: Mapping[str, Any], call: ToolCall) -> ToolCall:
    action = decision.get("edited_action")
    if not isinstance(action, Mapping) or not isinstance(action.get("args"), Mapping):
        raise InvalidInputError('An edit needs {"edited_action": {"name": …, "args": {…}}}. Nothing was done.')
    return ToolCall(
        name=str(action.get("name") or call["name"]), args=dict(action["args"]), id=call["id"], type="tool_call"
    )


def _rejection(decision: Mapping[str, Any], call: ToolCall, run: Run) -> ToolMessage:
    why, rejected = str(decision.get("message") or "").strip(), "Not carried out: the {user} rejected it."
    rejected = substituted(rejected, run.schema.domain.en)
    return error_message(call, f"{rejected} They said: {why}" if why else rejected)


def _send(call: ToolCall, state: State, answer: AnyMessage, approval: str) -> Send:
    """Send one call to the tools, with the state that they read and the seal of its approval."""
    messages = [*state["messages"][:-1], answer]
    sent = {**_sendable(state), "memory_view": _handles(state), "messages": messages, APPROVED: approval}
    return Send("tools", {"__type": "tool_call_with_context", "tool_call": call, "state": sent})


def _sendable(state: State) -> dict[str, Any]:
    """Return the state without the approval's progress, and without the memory view, which LangGraph would drop."""
    return {name: value for name, value in state.items() if name not in ("asking", "memory_view")}


def _handles(state: State) -> MemoryView:
    """Return the memory view with the handles and ids of notes only: the text of memory is never stored."""
    view = state.get("memory_view")
    shown = [ShownNote(handle=note["handle"], id=note["id"], text="") for note in view["shown"]] if view else []
    return MemoryView(system="", shown=shown, deadline=view["deadline"] if view else 0.0)
