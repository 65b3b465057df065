"""Asking a person what to do with each action that waits: approve, edit, reject, or later."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.cli.chat.arguments import changed, written_lines
from app.cli.screen import Screen
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


def asked_decisions(screen: Screen, actions: Sequence[Mapping[str, Any]], ask: Ask) -> list[Decision] | None:
    """One decision for each action; None when the person leaves it for later, also by Ctrl-C or Ctrl-D."""
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
    """What was chosen; anything else is asked again, so that no slip of a key approves."""
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
