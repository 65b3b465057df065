"""Shows what waits for a decision, and reads what a person types about it, or gives to `--resume`."""

import json
import shlex
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from app.cli.screen import Screen
from app.cli.wording import counted, say
from config.errors import InvalidInputError

Ask = Callable[[str], str]
"""Shows a prompt and gives the line that was typed. Raises EOFError and KeyboardInterrupt."""
Choice = Literal["approve", "reject", "each", "later", "edit"]
Decision = dict[str, Any]

_WORDS: dict[Choice, tuple[str, ...]] = {
    "approve": ("a", "approve", "承認"),
    "reject": ("r", "reject", "却下"),
    "later": ("l", "later", "後で", "あとで"),
    "each": ("o", "one", "一つずつ", "ひとつずつ"),
    "edit": ("e", "edit", "編集", "変更"),
}
_ANSWERS: dict[str, Choice] = {
    "y": "approve", "yes": "approve", "はい": "approve", "n": "reject", "no": "reject", "いいえ": "reject",
}  # fmt: skip
"""What answers the card itself, and would answer something else once the conversation went on."""


@dataclass(frozen=True, slots=True)
class PendingApproval:
    """A question of approval that nobody decided on.

    Attributes:
        request: What the interrupt shows.
        is_fresh: True while its card is the last thing that was shown.
        is_left: True when a message came in between, so that it has to be put up again before it is decided on.
        is_past: True when something was looked up or done for such a message, so that a yes may mean that.
    """

    request: Mapping[str, Any]
    is_fresh: bool = True
    is_left: bool = False
    is_past: bool = False

    @property
    def actions(self) -> Sequence[Mapping[str, Any]]:
        """The calls that wait."""
        found: Sequence[Mapping[str, Any]] = self.request["action_requests"]
        return found

    def choice(self, typed: str) -> Choice | None:
        """Return what a line decides; None for words, which are for the concierge to read."""
        said = unicodedata.normalize("NFKC", typed).strip().lower()
        if self.is_fresh and said in _ANSWERS:
            return _ANSWERS[said]
        found = next((choice for choice, words in _WORDS.items() if said in words), None)
        return None if found == "each" and len(self.actions) == 1 else found


def write_request(screen: Screen, request: Mapping[str, Any]) -> None:
    """Write what an interrupt asks: each action in words, with its terms and its price."""
    actions = request["action_requests"]
    if request.get("error"):
        screen.line(f"  ! {request['error']}", style="red")
    told = [str(action["description"]) for action in actions]
    if len(told) > 1:
        told = [f"{number}. {text}" for number, text in enumerate(told, start=1)]
    screen.card(told, title=counted(len(actions), "action"))


def write_choices(screen: Screen, waiting: PendingApproval) -> None:
    """Say how to decide."""
    screen.aside(say("decide_one" if len(waiting.actions) == 1 else "decide_several"))


def write_reminder(screen: Screen, waiting: PendingApproval) -> None:
    """Remind of what is undecided, in a line."""
    what = "; ".join(str(action["description"]).partition("\n")[0] for action in waiting.actions)
    screen.brief(say("still_open", what=what))


def write_resume_command(screen: Screen, *, user_id: str, thread_id: str) -> None:
    """Say how to decide later."""
    command = shlex.join(["concierge", "chat", "--user", user_id, "--thread", thread_id, "--resume", "approve"])
    screen.unwrapped(say("to_decide", command=command))
    screen.aside(say("to_decide_else"))


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


def decisions_of(choice: Choice, waiting: PendingApproval, screen: Screen, ask: Ask) -> list[Decision] | None:
    """Return one decision for each action; None when the person leaves it for later, also by Ctrl-C or Ctrl-D."""
    count = len(waiting.actions)
    try:
        if choice == "approve":
            return [{"type": "approve"}] * count
        if choice == "reject":
            return [_rejection(ask)] * count
        return _one_by_one(screen, count, ask)
    except (EOFError, KeyboardInterrupt):
        screen.line()
        return None


def _one_by_one(screen: Screen, count: int, ask: Ask) -> list[Decision] | None:
    made: list[Decision] = []
    while len(made) < count:
        choice = PendingApproval({"action_requests": [{}]}).choice(ask(say("decide_this", number=len(made) + 1)))
        if choice == "later":
            return None
        if choice in ("approve", "reject"):
            made.append({"type": "approve"} if choice == "approve" else _rejection(ask))
        else:
            # Nothing else counts, so that no slip of a key approves.
            screen.aside(say("letter_please"))
    return made


def _rejection(ask: Ask) -> Decision:
    why = ask(say("why_not")).strip()
    return {"type": "reject", "message": why} if why else {"type": "reject"}
