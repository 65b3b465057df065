"""Two memories that can't both hold: the one question that names both, and the answer that picks one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.offline.dialogue.briefing import Memory
from models.offline.dialogue.conditions import tail
from models.offline.dialogue.transcript import Turn
from models.offline.language import Language
from models.offline.languages import all_languages
from models.offline.readings import Undecided

_OPTION = re.compile(r"^\d\. (.+)$", re.MULTILINE)
_LONGEST_PICK = 60
"""Characters of an answer that merely picks; a longer one says something of its own."""


def option(language: Language, memory: Memory) -> str:
    """A memory as it stands in the question."""
    return language.restate(memory.text) + tail(language, memory.text, memory.condition)


def render_conflict(language: Language, pair: Sequence[Memory]) -> str:
    """The question which of `pair` holds."""
    lines = (f"{place}. {option(language, memory)}" for place, memory in enumerate(pair, 1))
    return language.say("conflict", lines="\n".join(lines))


def options_asked(turn: Turn) -> list[str]:
    """The options of such a question in the turn's reply; empty when it asks none."""
    heads = [
        language.say(key, lines="").strip() for language in all_languages() for key in ("conflict", "conflict_depends")
    ]
    asked = next((turn.reply.split(head, 1)[1] for head in heads if head in turn.reply), "")
    return _OPTION.findall(asked)


def picked(turn: Turn, said: str, language: Language) -> str | None:
    """The option of the question in `turn` that the message after it picks, or None."""
    options = options_asked(turn)
    if not options or len(said) > _LONGEST_PICK or language.undecided(said) or picked_cases(turn, said, language):
        return None
    at = language.picked(said, options)
    if at is None and language.polarity(said):
        same_side = [place for place, text in enumerate(options) if language.polarity(text) == language.polarity(said)]
        at = same_side[0] if len(same_side) == 1 else None
    return options[at] if at is not None else None


def picked_cases(turn: Turn, said: str, language: Language) -> list[tuple[str, str]]:
    """The options that the message after the question takes, each with when; fewer than two are no such answer."""
    options = options_asked(turn)
    cases = language.cases(said) if options else []
    taken = [(language.picked(what, options), when) for what, when in cases]
    found = [(options[at], when) for at, when in taken if at is not None]
    return found if len({what for what, _ in found}) > 1 else []


def decides(turn: Turn, said: str, language: Language) -> bool:
    """True when `said` answers the question in `turn`."""
    return picked(turn, said, language) is not None or bool(picked_cases(turn, said, language))


def left_open(turn: Turn, said: str, language: Language) -> Undecided:
    """How `said` leaves the question in `turn` open; empty where it answers it, or nothing was asked."""
    return language.undecided(said) if options_asked(turn) and not picked_cases(turn, said, language) else ""


def ask_when(language: Language, turn: Turn) -> str:
    """The question when each of the options in `turn` holds."""
    lines = (f"{place}. {text}" for place, text in enumerate(options_asked(turn), 1))
    return language.say("conflict_depends", lines="\n".join(lines))


def is_option(text: str, memory: Memory) -> bool:
    """True when `text` is how a question shows `memory`, in any language."""
    return any(text == option(language, memory) for language in all_languages())
