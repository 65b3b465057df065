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
_NONE: Mapping[str, str] = {}
_MESSAGE = re.compile(r"^--- (user|assistant)$", re.MULTILINE)


def prompt(name: str, language: Language = "en", domain: Mapping[str, str] = _NONE, /, **values: str) -> str:
    """Return the prompt `name` in `language` with its placeholders filled, without a trailing newline.

    `domain` has values too (see `memory.domain.Domain.words`); of these, any number may be without a placeholder.

    Raises:
        KeyError: a placeholder has no value, or a value has no placeholder.
        FileNotFoundError: there is no such prompt.
    """
    return _fill(f"{language}/{name}.md", _text(language, name), domain, values)


def prompt_of(file: Path, **values: str) -> str:
    """Return the prompt in an operator's file, with its placeholders filled. Raises KeyError, or OSError."""
    return _fill(str(file), file.read_text(encoding="utf-8").strip(), _NONE, values)


def conversation(
    name: str, language: Language = "en", domain: Mapping[str, str] = _NONE, /, **values: str
) -> list[tuple[str, str]]:
    """Return the prompt `name` as pairs of role and text: system instructions, worked examples, then the request.

    In the file and in `domain`, a line `--- user` or `--- assistant` starts a message of that role. Raises the errors
    of `prompt`.
    """
    template = substituted(_text(language, name), domain)
    _check(f"{language}/{name}.md", template, _NONE, values)
    system, *rest = _MESSAGE.split(template)
    turns = [("system", system), *zip(rest[::2], rest[1::2], strict=True)]
    return [(role, substituted(text, values).strip()) for role, text in turns]


def reply(name: str, language: Language = "en", domain: Mapping[str, str] = _NONE, /, **values: object) -> str:
    """Return the fixed reply `name` in `language` with its placeholders filled. Raises KeyError like `prompt`."""
    return _fill(f"{language}/replies.toml:{name}", _replies(language)[name], domain, values)


def placeholders(template: str) -> set[str]:
    """Return the names of the placeholders in a template."""
    return set(_PLACEHOLDER.findall(template))


def substituted(template: str, values: Mapping[str, object]) -> str:
    """Return a template with those of its placeholders filled that have a value."""
    return _PLACEHOLDER.sub(lambda match: str(values.get(match[1], match[0])), template)


def _fill(place: str, template: str, domain: Mapping[str, str], values: Mapping[str, object]) -> str:
    _check(place, template, domain, values)
    return substituted(template, {**domain, **values})


def _check(place: str, template: str, domain: Mapping[str, str], values: Mapping[str, object]) -> None:
    names = placeholders(template)
    missing, unused = sorted(names - values.keys() - domain.keys()), sorted(values.keys() - names)
    if missing or unused:
        raise KeyError(f"{place}: missing values {missing}, values without a placeholder {unused}")


@cache
def _text(language: str, name: str) -> str:
    return (_ROOT / language / f"{name}.md").read_text(encoding="utf-8").strip()


@cache
def _replies(language: str) -> dict[str, str]:
    return tomllib.loads((_ROOT / language / "replies.toml").read_text(encoding="utf-8"))
