"""What waits for a decision, on the screen and as `--resume` takes it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from app.cli.chat.arguments import written_lines
from app.cli.screen import Screen, counted
from config.errors import InvalidInputError

SAID = ("approve", "reject")
"""What may be decided of everything at once, in a word."""


def write_request(screen: Screen, request: Mapping[str, Any]) -> None:
    """Write what an interrupt asks: each action with what it does, its price and its arguments."""
    actions = request["action_requests"]
    if request.get("error"):
        screen.line(f"  ! {request['error']}", style="red")
    waits = "wait" if len(actions) != 1 else "waits"
    screen.aside(f"{counted(len(actions), 'action')} {waits} for your decision; nothing is done before it:")
    for number, action in enumerate(actions, start=1):
        screen.line(f"{number:>3}. {action['description']}", style="bold")
        for line in (f"tool: {action['name']}", *written_lines(action["args"])):
            screen.line(f"     {line}", style="dim")


def command_to_decide(*, user_id: str, thread_id: str, value: str = "approve") -> str:
    """What to type to decide later."""
    return shlex.join(["concierge", "chat", "--user", user_id, "--thread", thread_id, "--resume", value])


def write_way_back(screen: Screen, *, user_id: str, thread_id: str) -> None:
    """Say how to decide later."""
    screen.aside(f"to decide: {command_to_decide(user_id=user_id, thread_id=thread_id)}")
    screen.aside("or --resume reject, or one decision for each as JSON (concierge chat --help)")


def read_answer(text: str) -> str | dict[str, Any] | list[Any]:
    """The value of `--resume`: `approve`, `reject`, or decisions as JSON.

    Raises:
        InvalidInputError: it is neither.
    """
    word = text.strip().lower()
    if word in SAID:
        return word
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict | list):
        raise InvalidInputError(
            f"--resume is {text[:80]!r}; give approve, reject, or JSON as "
            '\'{"decisions": [{"type": "approve"}, {"type": "reject", "message": "too early"}]}\'. Nothing was done.'
        )
    return value
