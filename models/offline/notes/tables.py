"""Reads the word tables of the notes, and builds patterns from them."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "words"


@cache
def table(name: str) -> dict[str, Any]:
    """Return the table `words/<name>.toml`. Raises FileNotFoundError when there is none."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def alternatives(words: Iterable[str]) -> str:
    """Return a regular expression group that matches any of `words`, the longest first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


@cache
def patterns(name: str) -> dict[str, re.Pattern[str]]:
    """Return the regular expressions of a table by their names, with its `macros` filled in."""
    found = dict(table(name))
    macros: dict[str, str] = {}
    for key, body in found.pop("macros", {}).items():
        macros[key] = _filled(body, macros)
    return {key: re.compile(_filled(body, macros)) for key, body in found.items()}


def _filled(body: str, macros: dict[str, str]) -> str:
    return re.sub(r"\{([A-Za-z]\w*)\}", lambda match: macros[match[1]], body)
