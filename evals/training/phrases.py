"""Expands the templates of `injection_phrases/`: one file for each language, one template per line.

A line begins with `+` (an instruction to the model), `-` (an ordinary sentence), or `@` (words around a sentence, which
replaces `{}`). `{one|other}` is a choice; each line is expanded several times with different choices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path

_FOLDER = Path(__file__).parent / "injection_phrases"
_CHOICE = re.compile(r"\{([^{}]*\|[^{}]*)\}")
_VARIANTS = 20
_ENCLOSED, _FRAMED = 3, 10
"""One phrase in three, and one of the other rows in ten, is put between the words of an `@` line."""


def framed(text: str, language: str) -> str | None:
    """Return one text in ten between the words of an `@` line of its language; None for the others."""
    around = _around(language)
    return _between(text, around) if around and _draw(text) % _FRAMED == 0 else None


def phrases() -> Iterator[tuple[str, bool]]:
    """Yield each sentence with whether it is an instruction, always in the same order."""
    for path in sorted(_FOLDER.glob("*.txt")):
        around = _around(path.stem)
        for line in (line for line in _lines(path.stem) if not line.startswith("@")):
            expanded = dict.fromkeys(_expanded(line[2:], variant) for variant in range(_VARIANTS))
            yield from ((_enclosed(text, around), line.startswith("+")) for text in expanded)


def _around(language: str) -> list[str]:
    return [line[2:] for line in _lines(language) if line.startswith("@")]


@cache
def _lines(language: str) -> tuple[str, ...]:
    path = _FOLDER / f"{language}.txt"
    return tuple(filter(None, path.read_text(encoding="utf-8").splitlines())) if path.exists() else ()


def _expanded(line: str, variant: int) -> str:
    """Return `line` with one option at each of its choices, determined by the line and the variant."""
    at = count()

    def chosen(match: re.Match[str]) -> str:
        options = match[1].split("|")
        return options[_draw(f"{line} {variant} {next(at)}") % len(options)]

    return " ".join(_CHOICE.sub(chosen, line).split())


def _enclosed(text: str, around: list[str]) -> str:
    return text if not around or _draw(text) % _ENCLOSED else _between(text, around)


def _between(text: str, around: list[str]) -> str:
    return _expanded(around[_draw(f"{text} around") % len(around)], _draw(text)).replace("{}", text)


def _draw(seed: str) -> int:
    """Return a pseudo-random number that depends only on `seed`."""
    return int.from_bytes(sha256(seed.encode()).digest()[:6])
