"""Compiles the patterns of the word tables when they are first asked for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from text.numbers import COUNT

Groups = Mapping[str, re.Pattern[str]]
_WORDS = Path(__file__).parent / "words"


@cache
def table(name: str) -> dict[str, Any]:
    """Return the table `words/<name>.toml`."""
    return tomllib.loads((_WORDS / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def patterns(name: str, group: str) -> Groups:
    """Return the patterns of a group of `words/<name>.toml`, in their order."""
    macros = {"count": COUNT, **table(name).get("macros", {})}
    return {key: re.compile(_expanded(body, macros)) for key, body in table(name)[group].items()}


def pattern(name: str, group: str, key: str) -> re.Pattern[str]:
    """Return one pattern of a group."""
    return patterns(name, group)[key]


def _expanded(body: str, macros: Mapping[str, str]) -> str:
    """Return `body` with each `{name}` written out; `{hour2}` is `{hour}` with groups `hour2` and so on."""
    while found := re.search(r"\{([a-z_]+)(2?)\}", body):
        macro = re.sub(r"\(\?P<(\w+)>", r"(?P<\g<1>2>", macros[found[1]]) if found[2] else macros[found[1]]
        body = body[: found.start()] + macro + body[found.end() :]
    return body
