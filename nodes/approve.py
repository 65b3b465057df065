"""`approve`: asks one question about everything in an answer that would act for the traveller, before it runs.

The question and its answer have the form of LangChain's human-in-the-loop middleware, which agent-chat-ui shows. What
runs is what was shown: a call that was edited is shown again first, and so is one of which the terms are others by now.
"""

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
from nodes.tools.toolbox import APPROVED, Toolbox, seal

AfterApprove = Literal["tools", "agent"]

_ALLOWED = ("approve", "edit", "reject")
REJECTED = "Not carried out: the traveller rejected it."
"""How the answer to a rejected call begins."""
_ANEW = "Not as it was shown before: look at it again. Nothing was done yet."

Calls = dict[int, ToolCall]
"""Calls by their place in the answer."""
Review = tuple[Literal["ask", "run", "fault", "refuse"], str]
"""A call is asked about with this text, or runs; or it does not fit its tool, or can't be carried out, and why."""


class ApprovalProgress(TypedDict):
    """How far an approval has come: calls as they look now, what was `shown` before, and what is answered.

    `view` has the handles of notes that a call may name: LangGraph keeps no memory view over a question.
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
    """Ask about all calls that act, then run what was approved, each call on its own, and nothing else."""
    run = (await Run.of(state, runtime, services)).within(state["messages"]).speaking(state["messages"])
    asked = state["messages"][-1]
    assert isinstance(asked, AIMessage)  # the router sends only answers with calls here
    await toolbox.plugged.ready()
    asking = cast("ApprovalProgress | None", state.get("asking"))
    if asking is None:
        calls = dict(enumerate(asked.tool_calls))
        looks, view = await _looks(calls, state, run, toolbox), _handles(state)
        asking = ApprovalProgress(calls=calls, looks=looks, shown={}, answers=[], error="", view=view)
    else:
        deadline = services.monotonic() + services.settings.turn_timeout  # who thinks it over takes no time of the turn
        state = {**state, "memory_view": {**asking["view"], "deadline": deadline}}
        asking = await _answered(asking, state, run, toolbox)
    for at in [at for at in asking["calls"] if asking["looks"][at][0] == "refuse"]:
        asking["answers"].append(_answer(asking["calls"].pop(at), f"Error: {asking['looks'][at][1]}"))
    if _waiting(asking):
        # A question of its own run: what answered one is never taken for an answer to the next.
        return Command(goto=Send("approve", {**_kept(state), "asking": asking}))
    final = [asking["calls"].get(at, call) for at, call in enumerate(asked.tool_calls)]
    messages: list[AnyMessage] = [asked.model_copy(update={"tool_calls": final}), *asking["answers"]]
    sent = [
        _sent(call, state, messages[0], await seal(call, state, run) if asking["looks"][at][0] == "ask" else "")
        for at, call in asking["calls"].items()
    ]
    return Command(update={"messages": messages}, goto=sent or "agent")


async def _looks(
    calls: Calls, state: State, run: Run, toolbox: Toolbox, edited: Collection[int] = ()
) -> dict[int, Review]:
    looks: dict[int, Review] = {}
    for at, call in calls.items():
        # A person who mistyped an argument must not wait for its effect.
        if fault := toolbox.fault(call) or (toolbox.unknown_arguments(call) if at in edited else None):
            looks[at] = "fault", f"The edited {call['name']} does not fit: {fault} Nothing was done."
            continue
        try:
            asked = await toolbox.described(call, state, run)
            looks[at] = ("ask", asked) if asked else ("run", "")
        except ConciergeError as error:
            looks[at] = "refuse", str(error)
    return looks


def _waiting(asking: ApprovalProgress) -> dict[int, tuple[ToolCall, str]]:
    """Return the calls that act and were not shown as they are now."""
    found = {at: (call, asking["looks"][at][1]) for at, call in asking["calls"].items()}
    return {
        at: (call, text)
        for at, (call, text) in found.items()
        if asking["looks"][at][0] == "ask" and tuple(asking["shown"].get(at, ())) != (call, text)
    }


async def _answered(asking: ApprovalProgress, state: State, run: Run, toolbox: Toolbox) -> ApprovalProgress:
    """Ask, and see what follows; an answer that can't be understood is told, and asked for again."""
    waiting, calls = _waiting(asking), asking["calls"]
    given = interrupt(_request(waiting.values(), asking["error"]))
    try:
        decided = dict(zip(waiting, decisions(given, len(waiting)), strict=True))
        edits = {at: _edited(one, calls[at]) for at, one in decided.items() if one["type"] == "edit"}
        rejected = {at: _rejection(one, calls[at]) for at, one in decided.items() if one["type"] == "reject"}
        kept = {at: edits.get(at, call) for at, call in calls.items() if at not in rejected}
        looks = await _looks(kept, state, run, toolbox, list(edits))
        if wrong := next((looks[at][1] for at in edits if looks[at][0] in ("fault", "refuse")), None):
            raise InvalidInputError(wrong)
    except ConciergeError as fault:
        return {**asking, "error": str(fault)}
    shown, answers = {**asking["shown"], **waiting}, [*asking["answers"], *rejected.values()]
    return {**asking, "calls": kept, "looks": looks, "shown": shown, "answers": answers, "error": _ANEW}


def _request(waiting: Collection[tuple[ToolCall, str]], error: str) -> dict[str, Any]:
    """Return what the interrupt shows. `error` says what was wrong with the answer given before."""
    actions = [{"name": call["name"], "args": call["args"], "description": text} for call, text in waiting]
    names = dict.fromkeys(call["name"] for call, _ in waiting)
    reviews = [{"action_name": name, "allowed_decisions": list(_ALLOWED)} for name in names]
    return {"action_requests": actions, "review_configs": reviews} | ({"error": error} if error else {})


def decisions(given: Any, count: int) -> list[Mapping[str, Any]]:
    """Return one decision per request, from `approve`, `reject`, a list, or `{"decisions": [...]}`.

    Raises:
        InvalidInputError: it is none of these, or there are more or fewer than `count`.
    """
    if isinstance(given, str) and given in ("approve", "reject"):
        return [{"type": given}] * count
    listed = given.get("decisions") if isinstance(given, Mapping) else given
    if not isinstance(listed, list) or not all(isinstance(one, Mapping) for one in listed):
        raise InvalidInputError(
            'The answer must be "approve", "reject" or {"decisions": [{"type": "approve"}, …]}. Nothing was done.'
        )
    if len(listed) != count:
        raise InvalidInputError(f"{count} actions wait, and {len(listed)} decisions came. Nothing was done.")
    unknown = [one.get("type") for one in listed if one.get("type") not in _ALLOWED]
    if unknown:
        raise InvalidInputError(f"A decision is {unknown[0]!r}; use {', '.join(_ALLOWED)}. Nothing was done.")
    return list(listed)


def left_open(messages: Sequence[AnyMessage]) -> AIMessage:
    """Return the latest calls that nobody decided on, nor asked about again, as a new answer of the agent.

    Raises:
        NotFoundError: there are none.
    """
    asked = [message.tool_calls for message in messages if isinstance(message, AIMessage) and message.tool_calls]
    answered = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    known = {str(call["id"]) for calls in asked for call in calls}
    for calls in reversed(asked):
        # Ids of their own: every call of a conversation has one answer, right behind it.
        again = [{**call, "id": note_id("again", str(call["id"]))} for call in calls]
        if answered.isdisjoint(call["id"] for call in calls) and known.isdisjoint(call["id"] for call in again):
            return AIMessage("", tool_calls=again)
    raise NotFoundError("No question of approval was left open in this conversation.", code="nothing_waits")


def _edited(decision: Mapping[str, Any], call: ToolCall) -> ToolCall:
    action = decision.get("edited_action")
    if not isinstance(action, Mapping) or not isinstance(action.get("args"), Mapping):
        raise InvalidInputError('An edit needs {"edited_action": {"name": …, "args": {…}}}. Nothing was done.')
    return ToolCall(
        name=str(action.get("name") or call["name"]), args=dict(action["args"]), id=call["id"], type="tool_call"
    )


def _rejection(decision: Mapping[str, Any], call: ToolCall) -> ToolMessage:
    why = str(decision.get("message") or "").strip()
    return _answer(call, f"{REJECTED} They said: {why}" if why else REJECTED)


def _answer(call: ToolCall, text: str) -> ToolMessage:
    return ToolMessage(text, tool_call_id=str(call["id"]), name=call["name"], status="error")


def _sent(call: ToolCall, state: State, asked: AnyMessage, sealed: str) -> Send:
    """Return one call on its own, with of the state what tools read, and the seal of its approval."""
    said = [*state["messages"][:-1], asked]
    slim = {**_kept(state), "memory_view": _handles(state), "messages": said, APPROVED: sealed}
    return Send("tools", {"__type": "tool_call_with_context", "tool_call": call, "state": slim})


def _kept(state: State) -> dict[str, Any]:
    """Return the state without what is being asked and without the view of memory, which LangGraph would drop."""
    return {name: value for name, value in state.items() if name not in ("asking", "memory_view")}


def _handles(state: State) -> MemoryView:
    """Return what names the notes that were shown, without the words of memory, which are never kept."""
    view = state.get("memory_view")
    shown = [ShownNote(handle=note["handle"], id=note["id"], text="") for note in view["shown"]] if view else []
    return MemoryView(system="", shown=shown, deadline=view["deadline"] if view else 0.0)
