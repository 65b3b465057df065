"""Shows what waits for a decision, and asks a person or reads `--resume` for it."""

from __future__ import annotations

import json
import shlex
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.cli.chat.arguments import changed, written_lines
from app.cli.screen import Screen, counted
from config.errors import InvalidInputError

Ask = Callable[[str], str]
"""Shows a prompt and gives the line that was typed. Raises EOFError and KeyboardInterrupt."""
Decision = dict[str, Any]

_WORDS = {
    "approve": ("a", "approve", "y", "yes", "承認", "はい"),
    "edit": ("e", "edit", "編集", "変更"),
    "reject": ("r", "reject", "n", "no", "却下", "いいえ"),
    "each": ("o", "one", "一つずつ", "ひとつずつ"),
    "later": ("l", "later", "後で", "あとで"),
}
_ONE = "approve (a), edit (e), reject (r) or later (l)? "
_ALL = "approve all (a), reject all (r), one by one (o) or later (l)? "


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
    """Return what to type to decide later."""
    return shlex.join(["concierge", "chat", "--user", user_id, "--thread", thread_id, "--resume", value])


def write_way_back(screen: Screen, *, user_id: str, thread_id: str) -> None:
    """Say how to decide later."""
    screen.aside(f"to decide: {command_to_decide(user_id=user_id, thread_id=thread_id)}")
    screen.aside("or --resume reject, or one decision for each as JSON (concierge chat --help)")


def read_answer(text: str) -> str | dict[str, Any] | list[Any]:
    """Return the value of `--resume`: `approve`, `reject`, or decisions as JSON.

    Raises:
        InvalidInputError: it is neither.
    """
    word = text.strip().lower()
    if word in ("approve", "reject"):
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


def asked_decisions(screen: Screen, actions: Sequence[Mapping[str, Any]], ask: Ask) -> list[Decision] | None:
    """Return one decision for each action; None when the person leaves it for later, also by Ctrl-C or Ctrl-D."""
    try:
        return _decisions(screen, actions, ask)
    except (EOFError, KeyboardInterrupt):
        screen.line()
        return None


def _decisions(screen: Screen, actions: Sequence[Mapping[str, Any]], ask: Ask) -> list[Decision] | None:
    if len(actions) > 1:
        all_of_them = _choice(screen, _ALL, ask, ("approve", "reject", "each", "later"))
        if all_of_them == "later":
            return None
        if all_of_them != "each":
            return [_rejection(ask) if all_of_them == "reject" else {"type": "approve"}] * len(actions)
    made = []
    for number, action in enumerate(actions, start=1):
        decision = _one(screen, f"{number}. " if len(actions) > 1 else "", action, ask)
        if decision is None:
            return None
        made.append(decision)
    return made


def _one(screen: Screen, number: str, action: Mapping[str, Any], ask: Ask) -> Decision | None:
    while True:
        choice = _choice(screen, number + _ONE, ask, ("approve", "edit", "reject", "later"))
        if choice == "later":
            return None
        if choice == "approve":
            return {"type": "approve"}
        if choice == "reject":
            return _rejection(ask)
        args = _edited(screen, action, ask)
        if args != action["args"]:
            return {"type": "edit", "edited_action": {"name": action["name"], "args": args}}
        screen.aside("nothing was changed")


def _choice(screen: Screen, prompt: str, ask: Ask, allowed: Sequence[str]) -> str:
    """Return what was chosen; ask again for anything else, so that no slip of a key approves."""
    while True:
        said = unicodedata.normalize("NFKC", ask(prompt)).strip().lower()
        for choice in allowed:
            if said in _WORDS[choice]:
                return choice
        screen.aside("nothing is done yet; answer with one of the letters in brackets")


def _rejection(ask: Ask) -> Decision:
    why = ask("why not (Enter for no reason)? ").strip()
    return {"type": "reject", "message": why} if why else {"type": "reject"}


def _edited(screen: Screen, action: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
    screen.aside("change it with lines of key=value; key= takes one away; an empty line ends. Changed, it is")
    screen.aside("shown again with its price before it runs. It is now:")
    for line in written_lines(action["args"]):
        screen.line(f"     {line}", style="dim")
    lines: list[str] = []
    while line := ask("change> ").strip():
        try:
            changed(action["args"], [line])
            lines.append(line)
        except InvalidInputError as error:
            screen.aside(str(error))
    return changed(action["args"], lines)
