"""Finds how something is said in Japanese: as a lasting stance of the user's, as a wish, or not at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from models.offline.ja.wording import table

Level = Literal["hard", "strong", "mild", "wish"]
_ORDER: tuple[str, ...] = get_args(Level)


@dataclass(frozen=True, slots=True)
class Stance:
    """A stance found in matched text, and how lasting it is."""

    name: str
    level: Level


@cache
def _patterns() -> list[tuple[str, Level, re.Pattern[str]]]:
    words = table("stance")
    macros: dict[str, str] = words["macros"]
    return [(entry["name"], entry["level"], re.compile(_expand(entry["pattern"], macros))) for entry in words["stance"]]


def _expand(body: str, macros: dict[str, str]) -> str:
    return re.sub(r"\{([a-z]\w*)\}", lambda match: macros[match[1]], body)


def stances(form: str) -> list[Stance]:
    """Every stance in matched text, the most lasting first."""
    found = [Stance(name, level) for name, level, pattern in _patterns() if pattern.search(form)]
    return sorted(found, key=lambda stance: _ORDER.index(stance.level))
