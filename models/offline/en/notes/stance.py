"""Finds how something is said: as a lasting stance of the user's, as a wish, or not at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from models.offline.en.wording import table

Level = Literal["hard", "strong", "mild", "habit", "wish", "fragment"]
_ORDER: tuple[str, ...] = get_args(Level)


@dataclass(frozen=True, slots=True)
class Stance:
    """A stance found in reduced text: how lasting it is, and where its words end."""

    name: str
    level: Level
    end: int


@cache
def _patterns() -> list[tuple[str, Level, re.Pattern[str]]]:
    words = table("stance")
    macros: dict[str, str] = {}
    for name, body in words["macros"].items():
        macros[name] = _expand(body, macros)
    return [(entry["name"], entry["level"], re.compile(_expand(entry["pattern"], macros))) for entry in words["stance"]]


def _expand(body: str, macros: dict[str, str]) -> str:
    return re.sub(r"\{([A-Za-z]\w*)\}", lambda match: macros[match[1]], body)


def stances(reduced: str) -> list[Stance]:
    """Every stance in `reduced` text, the most lasting first."""
    found = [
        Stance(name, level, match.end()) for name, level, pattern in _patterns() if (match := pattern.search(reduced))
    ]
    return sorted(found, key=lambda stance: _ORDER.index(stance.level))
