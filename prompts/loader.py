"""Reads prompts (`<language>/<name>.md`) and fixed replies (`<language>/replies.toml`) and fills their placeholders.

A placeholder is `{name}`; a value missing or left over is an error, so a prompt and its caller can't drift apart.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

Language = Literal["en", "ja"]

_ROOT = Path(__file__).parent
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def prompt(name: str, language: Language = "en", **values: str) -> str:
    """The prompt `name` in `language`, filled, without a trailing newline.

    Raises:
        KeyError: a placeholder has no value, or a value no placeholder.
        FileNotFoundError: there is no such prompt.
    """
    return _fill(f"{language}/{name}.md", _text(language, name), values)


def reply(name: str, language: Language = "en", **values: str) -> str:
    """The fixed reply `name` to a traveller in `language`, filled. Raises KeyError like `prompt`."""
    return _fill(f"{language}/replies.toml:{name}", _replies(language)[name], values)


def _fill(place: str, template: str, values: dict[str, str]) -> str:
    wanted = set(_PLACEHOLDER.findall(template))
    if wanted != values.keys():
        missing, unused = sorted(wanted - values.keys()), sorted(values.keys() - wanted)
        raise KeyError(f"{place}: missing values {missing}, values without a placeholder {unused}")
    return _PLACEHOLDER.sub(lambda match: values[match[1]], template)


@cache
def _text(language: str, name: str) -> str:
    return (_ROOT / language / f"{name}.md").read_text(encoding="utf-8").strip()


@cache
def _replies(language: str) -> dict[str, str]:
    return tomllib.loads((_ROOT / language / "replies.toml").read_text(encoding="utf-8"))
