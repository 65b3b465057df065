"""Two memories that can't both hold: the one question that names both, and the answer that picks one (S2.5)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.offline.dialogue.briefing import Memory
from models.offline.dialogue.transcript import Turn
from models.offline.language import Tongue, Undecided
from models.offline.languages import tongues

_OPTION = re.compile(r"^\d\. (.+)$", re.MULTILINE)
_LONGEST_PICK = 60
"""Characters of an answer that merely picks; a longer one says something of its own."""


def option(speech: Tongue, memory: Memory) -> str:
    """A memory as it stands in the question."""
    condition = speech.say("condition", condition=memory.condition) if memory.condition else ""
    return speech.told_back(memory.text) + condition


def question(speech: Tongue, pair: Sequence[Memory]) -> str:
    """The question which of `pair` holds."""
    lines = (f"{place}. {option(speech, memory)}" for place, memory in enumerate(pair, 1))
    return speech.say("clash", lines="\n".join(lines))


def offered(turn: Turn) -> list[str]:
    """The options of such a question in the turn's reply; empty when it asks none."""
    heads = [speech.say(key, lines="").strip() for speech in tongues() for key in ("clash", "clash_depends")]
    asked = next((turn.reply.split(head, 1)[1] for head in heads if head in turn.reply), "")
    return _OPTION.findall(asked)


def picked(turn: Turn, said: str, speech: Tongue) -> str | None:
    """The option of the question in `turn` that the message after it picks, or None."""
    options = offered(turn)
    if not options or len(said) > _LONGEST_PICK or speech.undecided(said) or sorted_out(turn, said, speech):
        return None
    at = speech.picked(said, options)
    if at is None and speech.polarity(said):
        same_side = [place for place, text in enumerate(options) if speech.polarity(text) == speech.polarity(said)]
        at = same_side[0] if len(same_side) == 1 else None
    return options[at] if at is not None else None


def sorted_out(turn: Turn, said: str, speech: Tongue) -> list[tuple[str, str]]:
    """The options that the message after the question takes, each with when; fewer than two are no such answer."""
    options = offered(turn)
    cases = speech.cases(said) if options else []
    taken = [(speech.picked(what, options), when) for what, when in cases]
    found = [(options[at], when) for at, when in taken if at is not None]
    return found if len({what for what, _ in found}) > 1 else []


def decides(turn: Turn, said: str, speech: Tongue) -> bool:
    """True when `said` answers the question in `turn`."""
    return picked(turn, said, speech) is not None or bool(sorted_out(turn, said, speech))


def left_open(turn: Turn, said: str, speech: Tongue) -> Undecided:
    """How `said` leaves the question in `turn` open; empty where it answers it, or nothing was asked."""
    return speech.undecided(said) if offered(turn) and not sorted_out(turn, said, speech) else ""


def ask_when(speech: Tongue, turn: Turn) -> str:
    """The question when each of the options in `turn` holds."""
    lines = (f"{place}. {text}" for place, text in enumerate(offered(turn), 1))
    return speech.say("clash_depends", lines="\n".join(lines))


def is_option(text: str, memory: Memory) -> bool:
    """True when `text` is how a question shows `memory`, in any language."""
    return any(text == option(speech, memory) for speech in tongues())
