"""Shows pending approvals, and reads decisions that the user types or gives to `--resume`."""

import json
import re
import shlex
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from app.cli.screen import Screen
from app.cli.wording import counted, say
from config.errors import InvalidInputError

Ask = Callable[[str], str]
"""Shows a prompt and returns the typed line. Raises EOFError and KeyboardInterrupt."""
Choice = Literal["approve", "reject", "each", "later", "edit"]
Decision = dict[str, Any]

_WORDS: dict[Choice, tuple[str, ...]] = {
    "approve": ("a", "approve", "承認"),
    "reject": ("r", "reject", "却下"),
    "later": ("l", "later", "後で", "あとで"),
    "each": ("o", "one", "一つずつ", "ひとつずつ"),
    "edit": ("e", "edit", "編集", "変更"),
}
_ANSWERS: dict[Choice, str] = {
    "approve": r"y|yes|yeah|yep|i agree|go ahead|go for it|please do|do it|はい|ええ|お願い(?:いた)?します",
    "reject": r"n|no|nope|いいえ|やめておきます",
}
_COURTESIES = (
    r"please|thanks|thank you|ok|okay|sure|great|perfect|that's right|book it|では|それで|ありがとう(?:ございます)?"
)
_PHRASE = rf"(?:{'|'.join(_ANSWERS.values())}|{_COURTESIES})(?![a-z])[\s,.!、。！]*"
"""Phrases of an answer to the card. A line of nothing else, with a yes or a no among them, is a decision."""


@dataclass(frozen=True, slots=True)
class PendingApproval:
    """An approval that is not decided yet, or a question of a developer's own code that is not answered yet.

    Attributes:
        request: The value of the interrupt.
        is_fresh: True while its card is the last thing shown.
        was_bypassed: True if the user sent a message instead, so that it must be requested again before a decision.
        tools_ran: True if tools ran for such a message, so that a yes may refer to their results.
    """

    request: Any
    is_fresh: bool = True
    was_bypassed: bool = False
    tools_ran: bool = False

    @property
    def actions(self) -> Sequence[Mapping[str, Any]]:
        """The tool calls that wait for a decision; none of a question."""
        return self.request["action_requests"] if _is_approval(self.request) else ()

    @property
    def is_question(self) -> bool:
        """Whether the next line is the answer, whatever it says."""
        return not _is_approval(self.request)

    def choice(self, line: str) -> Choice | None:
        """Return the decision in a typed line; None if it is a message to the concierge."""
        text = unicodedata.normalize("NFKC", line).strip().lower()
        names = [action.get("name") for action in self.actions]
        if self.is_fresh and (names == ["book_offer"] or "book it" not in text) and (answer := _answer(text)):
            return answer
        match = next((choice for choice, words in _WORDS.items() if text in words), None)
        return None if match == "each" and len(self.actions) == 1 else match


def _is_approval(request: object) -> bool:
    from nodes.approve import is_approval  # slow to import, so not before something waits

    return is_approval(request)


def _answer(text: str) -> Choice | None:
    """Return the decision in an answer such as "yes, please"; None if it says anything more, or both yes and no."""
    if not re.fullmatch(f"(?:{_PHRASE})+", text):
        return None
    choices = [
        choice for choice, yes_or_no in _ANSWERS.items() if re.search(rf"(?<![a-z])(?:{yes_or_no})(?![a-z])", text)
    ]
    return choices[0] if len(choices) == 1 else None


def write_request(screen: Screen, request: Any) -> None:
    """Write an approval request: each action in words, with its terms and its price; any other value as it is."""
    if not _is_approval(request):
        text = request if isinstance(request, str) else json.dumps(request, ensure_ascii=False, indent=2, default=str)
        screen.card([text], title=say("question"))
        return
    actions = request["action_requests"]
    if request.get("error"):
        screen.line(f"  ! {request['error']}", style="red")
    paragraphs = [str(action["description"]) for action in actions]
    if len(paragraphs) > 1:
        paragraphs = [f"{number}. {text}" for number, text in enumerate(paragraphs, start=1)]
    screen.card(paragraphs, title=counted(len(actions), "action"))


def write_choices(screen: Screen, waiting: PendingApproval) -> None:
    """Explain how to decide, or to answer."""
    one = "answer_next" if waiting.is_question else "decide_one"
    screen.aside(say(one if len(waiting.actions) <= 1 else "decide_several"))


def write_reminder(screen: Screen, waiting: PendingApproval) -> None:
    """Write in one row which actions are undecided."""
    what = "; ".join(str(action["description"]).partition("\n")[0] for action in waiting.actions)
    screen.one_row(say("still_open", what=what))


def write_resume_command(screen: Screen, request: Any, *, user_id: str, thread_id: str) -> None:
    """Write the command with which to decide, or to answer, later."""
    value = "approve" if _is_approval(request) else say("your_answer")
    command = shlex.join(["concierge", "chat", "--user", user_id, "--thread", thread_id, "--resume", value])
    screen.unwrapped(say("to_decide", command=command))
    if _is_approval(request):
        screen.aside(say("to_decide_else"))


def read_answer(text: str, waiting: Sequence[Any]) -> str | dict[str, Any] | list[Any]:
    """Parse the value of `--resume`: `approve`, `reject`, or decisions as JSON; a question gets any text as it is.

    Raises:
        InvalidInputError: it is none of them, and no question is `waiting`.
    """
    if waiting and not _is_approval(waiting[0]):
        return text
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
    """Return one decision for each action; None if the user postpones them, also with Ctrl-C or Ctrl-D."""
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
    decisions: list[Decision] = []
    while len(decisions) < count:
        choice = PendingApproval({"action_requests": [{}]}).choice(ask(say("decide_this", number=len(decisions) + 1)))
        if choice == "later":
            return None
        if choice in ("approve", "reject"):
            decisions.append({"type": "approve"} if choice == "approve" else _rejection(ask))
        else:
            # Ask again after any other input, so that a typing error never approves.
            screen.aside(say("letter_please"))
    return decisions


def _rejection(ask: Ask) -> Decision:
    reason = ask(say("why_not")).strip()
    return {"type": "reject", "message": reason} if reason else {"type": "reject"}
