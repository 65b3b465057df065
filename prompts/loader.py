"""Reads prompts (`<language>/<name>.md`) and fixed replies (`<language>/replies.toml`) and fills their placeholders.

A placeholder is `{name}`. A missing or unused value is an error, so that a prompt and its caller can't drift apart.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

Language = Literal["en", "ja"]

_ROOT = Path(__file__).parent
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_MESSAGE = re.compile(r"^--- (user|assistant)$", re.MULTILINE)


def prompt(name: str, language: Language = "en", **values: str) -> str:
    """Return the prompt `name` in `language` with its placeholders filled, without a trailing newline.

    Raises:
        KeyError: a placeholder has no value, or a value has no placeholder.
        FileNotFoundError: there is no such prompt.
    """
    return _fill(f"{language}/{name}.md", _text(language, name), values)


def prompt_of(file: Path, **values: str) -> str:
    """Return the prompt in an operator's file, with its placeholders filled. Raises KeyError, or OSError."""
    return _fill(str(file), file.read_text(encoding="utf-8").strip(), values)


def conversation(name: str, language: Language = "en", **values: str) -> list[tuple[str, str]]:
    """Return the prompt `name` as pairs of role and text: system instructions, worked examples, then the request.

    In the file, a line `--- user` or `--- assistant` starts a message of that role. Raises the errors of `prompt`.
    """
    template = _text(language, name)
    _check(f"{language}/{name}.md", template, values)
    system, *rest = _MESSAGE.split(template)
    turns = [("system", system), *zip(rest[::2], rest[1::2], strict=True)]
    return [(role, _substitute(text, values).strip()) for role, text in turns]


def reply(name: str, language: Language = "en", **values: object) -> str:
    """Return the fixed reply `name` in `language` with its placeholders filled. Raises KeyError like `prompt`."""
    return _fill(f"{language}/replies.toml:{name}", _replies(language)[name], values)


def _fill(place: str, template: str, values: Mapping[str, object]) -> str:
    _check(place, template, values)
    return _substitute(template, values)


def _substitute(template: str, values: Mapping[str, object]) -> str:
    return _PLACEHOLDER.sub(lambda match: str(values[match[1]]), template)


def _check(place: str, template: str, values: Mapping[str, object]) -> None:
    placeholders = set(_PLACEHOLDER.findall(template))
    if placeholders != values.keys():
        missing, unused = sorted(placeholders - values.keys()), sorted(values.keys() - placeholders)
        raise KeyError(f"{place}: missing values {missing}, values without a placeholder {unused}")


@cache
def _text(language: str, name: str) -> str:
    return (_ROOT / language / f"{name}.md").read_text(encoding="utf-8").strip()


@cache
def _replies(language: str) -> dict[str, str]:
    return tomllib.loads((_ROOT / language / "replies.toml").read_text(encoding="utf-8"))
