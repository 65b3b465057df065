"""Says when a note holds, where its text does not say so itself."""

from __future__ import annotations

from models.offline.language import Language
from models.offline.statements import names_condition


def tail(language: Language, text: str, condition: str | None) -> str:
    """Return the condition in brackets, to stand behind `text`; empty where there is none, or the text names it."""
    if not condition or names_condition(text, condition):
        return ""
    return language.say("condition", condition=condition)
