"""`approve`: one question for everything in an answer that would act for the traveller, before any of it runs (S9.4).

The question and its answer have the form of LangChain's human-in-the-loop middleware, which agent-chat-ui shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Command, Send, interrupt
from typing_extensions import TypedDict

from graph.context import Context
from graph.errors import ConciergeError, InvalidInputError
from graph.state import State
from nodes.services import Run, Services
from nodes.tools.toolbox import Toolbox
from nodes.turns import latest_user_message

AfterApprove = Literal["tools", "agent"]

_ALLOWED = ("approve", "edit", "reject")
_REJECTED = "Not carried out: the traveller rejected it."


class ActionRequest(TypedDict):
    """One call that waits: its tool, its arguments, and what it would do."""

    name: str
    args: dict[str, Any]
    description: str


class ApprovalRequest(TypedDict, total=False):
    """What the interrupt shows. `error` says what was wrong with the answer given before."""

    action_requests: list[ActionRequest]
    review_configs: list[dict[str, Any]]
    error: str


@dataclass(frozen=True, slots=True)
class _Decided:
    run: list[ToolCall]
    rejected: list[ToolMessage]


async def approve(
    state: State, runtime: Runtime[Context], *, services: Services, toolbox: Toolbox
) -> Command[AfterApprove]:
    """Ask once for all calls that act, then run what was approved, each call on its own, and nothing else."""
    run = Run.of(runtime, services).within(latest_user_message(state["messages"]))
    asked = state["messages"][-1]
    assert isinstance(asked, AIMessage)  # the router sends only answers with calls here
    await toolbox.ready()
    refused: list[ToolMessage] = []
    waiting: list[tuple[ToolCall, str]] = []
    for call in asked.tool_calls:
        if not toolbox.asks_first(call["name"]) or toolbox.fault(call):
            continue
        try:
            waiting.append((call, await toolbox.described(call, run)))
        except ConciergeError as error:
            refused.append(_answer(call, f"Error: {error}"))
    decided = await _decide(waiting, run, toolbox) if waiting else _Decided([], [])
    answered = {message.tool_call_id for message in (*refused, *decided.rejected)}
    edited = {str(call["id"]): call for call in decided.run}
    calls = [edited.get(str(call["id"]), call) for call in asked.tool_calls]
    messages: list[AnyMessage] = [asked.model_copy(update={"tool_calls": calls}), *refused, *decided.rejected]
    to_run = [call for call in calls if call["id"] not in answered]
    return Command(update={"messages": messages}, goto=[_sent(call, state, messages[0]) for call in to_run] or "agent")


async def _decide(waiting: Sequence[tuple[ToolCall, str]], run: Run, toolbox: Toolbox) -> _Decided:
    """Ask until the answer can be understood; each misunderstanding is told and asked again."""
    request = ApprovalRequest(
        action_requests=[
            ActionRequest(name=call["name"], args=call["args"], description=text) for call, text in waiting
        ],
        review_configs=[
            {"action_name": name, "allowed_decisions": list(_ALLOWED)}
            for name in dict.fromkeys(call["name"] for call, _ in waiting)
        ],
    )
    calls = [call for call, _ in waiting]
    while True:
        given = interrupt(request)
        try:
            return await _understood(decisions(given, len(calls)), calls, run, toolbox)
        except ConciergeError as error:
            request = ApprovalRequest(**{**request, "error": str(error)})


def decisions(given: Any, count: int) -> list[Mapping[str, Any]]:
    """One decision per request, from `approve`, `reject`, a list, or `{"decisions": [...]}`.

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


async def _understood(
    decided: Sequence[Mapping[str, Any]], calls: Sequence[ToolCall], run: Run, toolbox: Toolbox
) -> _Decided:
    found = _Decided([], [])
    for decision, call in zip(decided, calls, strict=True):
        if decision["type"] == "reject":
            why = str(decision.get("message") or "").strip()
            found.rejected.append(_answer(call, f"{_REJECTED} They said: {why}" if why else _REJECTED))
        elif decision["type"] == "edit":
            found.run.append(await _edited(decision, call, run, toolbox))
        else:
            found.run.append(call)
    return found


async def _edited(decision: Mapping[str, Any], call: ToolCall, run: Run, toolbox: Toolbox) -> ToolCall:
    """The call as the traveller wants it, checked under the rules of the tool that it names now."""
    action = decision.get("edited_action")
    if not isinstance(action, Mapping) or not isinstance(action.get("args"), Mapping):
        raise InvalidInputError('An edit needs {"edited_action": {"name": …, "args": {…}}}. Nothing was done.')
    edited = ToolCall(
        name=str(action.get("name") or call["name"]), args=dict(action["args"]), id=call["id"], type="tool_call"
    )
    fault = toolbox.fault(edited) or toolbox.stranger(edited)
    if fault:
        raise InvalidInputError(f"The edited {edited['name']} does not fit: {fault} Nothing was done.")
    if toolbox.asks_first(edited["name"]):
        await toolbox.described(edited, run)
    return edited


def _answer(call: ToolCall, text: str) -> ToolMessage:
    return ToolMessage(text, tool_call_id=str(call["id"]), name=call["name"], status="error")


def _sent(call: ToolCall, state: State, asked: AnyMessage) -> Send:
    """One call on its own. It gets of the state what tools read, without the words of memory, which are never kept."""
    view = state.get("memory_view")
    shown = [{**note, "text": ""} for note in view["shown"]] if view else []
    slim = {**state, "messages": [*state["messages"][:-1], asked]}
    slim["memory_view"] = {"system": "", "shown": shown, "deadline": view["deadline"] if view else 0.0}
    return Send("tools", {"__type": "tool_call_with_context", "tool_call": call, "state": slim})
